"""Hands of the virtual board's own: where that is wanted they carry out what is commanded, as a person would.

They move one piece after the other, with time to see it. At every step they look at what stands there, so a person may
help, be quicker, or hold a piece that is needed: then they wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from board_driver.boards.table import Hand, Refusal
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.events import Event
from rules.move import Move
from rules.pieces import PROMOTION_ROLES, Piece, Role
from rules.position import Position
from rules.squares import Square
from rules.uci import UciError, parse_uci

STEP_MS = 450
"""From one movement to the next: longer than a board takes to settle."""


class AutoHand:
    """Carries out commands on the daemon's virtual board while it is `on`."""

    def __init__(self, daemon: Daemon, board: VirtualBoard, on: bool = False, step_ms: int = STEP_MS) -> None:
        self.on = on
        self._daemon = daemon
        self._board = board
        self._step_ms = step_ms
        self._stale = asyncio.Event()
        self._held: dict[Hand, Square | None] = {}
        """What these hands hold, and where it goes; None: off the board."""

    def switch(self, on: bool) -> None:
        """Carry commands out from now on, or leave that to whoever sits there."""
        self.on = on
        self._stale.set()

    async def run(self) -> None:
        """Carry out until this is cancelled."""
        unlisten: Callable[[], None] = self._daemon.listen(self._hear)
        self._stale.set()
        try:
            while True:
                await self._stale.wait()
                self._stale.clear()
                while self._step():
                    await asyncio.sleep(self._step_ms / 1000 / self._daemon.clock.rate)
        finally:
            unlisten()

    def _hear(self, events: Sequence[Event]) -> None:
        if events and (self.on or self._held):
            self._stale.set()

    def _step(self) -> bool:
        """One movement; False while there is nothing to do."""
        pending = self._pending()
        for hand, goal in tuple(self._held.items()):
            if self._board.table.hands[hand] is None:
                del self._held[hand]  # somebody has taken it over
            elif pending is None:
                del self._held[hand]
                self._board.put_back(hand)
                return True
            elif goal is None or self._board.table.squares[goal] is None:
                del self._held[hand]
                self._set_down(hand, goal)
                return True
        return pending is not None and self._take_up(*pending)

    def _take_up(self, position: Position, move: Move) -> bool:
        for source, goal in ways(position, move):
            if _is_there(self._board.table.squares[source], position.piece_at(source)):
                hand = self._board.lift(source)
                if isinstance(hand, Refusal):
                    break
                self._held[hand] = goal
                return True
        return True  # the move is not seen yet, or a hand is not free: look again

    def _set_down(self, hand: Hand, goal: Square | None) -> None:
        if goal is None:
            self._board.set_aside(hand)
        else:
            self._board.put(hand, goal)

    def _pending(self) -> tuple[Position, Move] | None:
        command = self._daemon.mind.summary().get("command") if self.on else None
        if not isinstance(command, str):
            return None
        position = self._daemon.mind.games()[-1].position_after()
        with suppress(UciError):
            return position, parse_uci(position, command)
        return None


def _is_there(standing: Piece | None, man: Piece | None) -> bool:
    """Whether that is the man. A pawn may stand for the piece that it became, if nobody has exchanged it."""
    if standing is None or man is None or standing.colour is not man.colour:
        return False
    return standing == man or (standing.role is Role.PAWN and man.role in PROMOTION_ROLES)


def ways(position: Position, move: Move) -> Iterator[tuple[Square, Square | None]]:
    """(from, to) of every man that goes, in the order of a careful hand; None: off the board."""
    victim = position.victim_square(move)
    if victim is not None:
        yield victim, None
    if move.origin != move.landing:
        yield Square(move.origin), Square(move.landing)
    if move.rook_origin is not None and move.rook_landing is not None and move.rook_origin != move.rook_landing:
        yield Square(move.rook_origin), Square(move.rook_landing)
