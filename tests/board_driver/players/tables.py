"""A daemon on a virtual board with players at its sides, run a good deal faster than a real one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from board_driver.boards.board import Clock
from board_driver.boards.table import Refusal
from board_driver.boards.virtual import VirtualBoard
from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.events import Event, Fault, Notice
from board_driver.mind import Mode, Settings, TouchRule
from board_driver.players.autohand import ways
from board_driver.players.company import Company
from board_driver.players.seats import seated
from board_driver.scan import ButtonName
from rules.fen import START_FEN, parse_fen
from rules.position import Position
from rules.squares import Square, square_name
from rules.uci import parse_uci

RATE = 40.0


class PlayersAtTable:
    """The daemon, its board, and all that was told."""

    def __init__(self, daemon: Daemon, board: VirtualBoard, company: Company, corrections: Corrections) -> None:
        self.daemon = daemon
        self.board = board
        self.company = company
        self.corrections = corrections
        self.told: list[Event] = []
        daemon.listen(self.told.extend)

    @property
    def found(self) -> dict[str, Any]:
        return self.daemon.mind.summary()

    @property
    def ucis(self) -> list[str]:
        return list(self.found["uci"])

    @property
    def position(self) -> Position:
        return parse_fen(self.found["fen"], chess960=self.daemon.settings.chess960)

    def faults(self) -> list[str]:
        return [event.text for event in self.told if isinstance(event, Fault)]

    def said(self, kind: str) -> list[Notice]:
        return [event for event in self.told if isinstance(event, Notice) and event.kind == kind]

    async def until(self, condition: Callable[[], object], what: str = "it", limit_s: float = 40) -> None:
        """Wait until that is so; else fail with what came last."""
        try:
            async with asyncio.timeout(limit_s):
                while not condition():
                    await asyncio.sleep(0.005)
        except TimeoutError:
            raise AssertionError(f"waited for {what}; last: {self.found}, {self.told[-5:]}") from None

    async def commanded(self) -> str:
        """The command that comes."""
        await self.until(lambda: self.found.get("command"), "a command")
        return str(self.found["command"])

    async def carry_out(self, uci: str) -> None:
        """Make a move on the board as a careful hand does; it is made when this returns."""
        plies = len(self.ucis)
        position = self.position
        move = parse_uci(position, uci)
        for source, goal in ways(position, move):
            hand = self.board.lift(source)
            assert not isinstance(hand, Refusal), (square_name(source), hand)
            await self.settle()
            if goal is None:
                self.board.set_aside(hand)
            else:
                self.board.put(hand, goal)
                await self.settle()
        if move.promotion is not None:
            self.daemon.press_button(ButtonName.PROMOTE, move.promotion.letter.lower())
        await self.until(lambda: len(self.ucis) > plies, f"{uci} to be made")

    async def lift_and_put(self, *squares: tuple[str, str]) -> None:
        """Any movements, from where to where."""
        for source, goal in squares:
            hand = self.board.lift(_square(source))
            assert not isinstance(hand, Refusal), hand
            await self.settle()
            self.board.put(hand, _square(goal))
            await self.settle()

    async def settle(self) -> None:
        """Time enough for the sensors."""
        await asyncio.sleep(0.45 / RATE)


def _square(name: str) -> Square:
    return Square("abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1))


def play(
    script: Callable[[PlayersAtTable], Awaitable[None]],
    white: str = "hand",
    black: str = "hand",
    *,
    fen: str = START_FEN,
    moves_itself: bool = False,
    rate: float = RATE,
    **changes: Any,
) -> PlayersAtTable:
    """Run `script` beside the daemon; what comes back is the state after all has ended."""

    async def run() -> PlayersAtTable:
        settings = Settings(mode=Mode.PLAY, touch=TouchRule.FRIENDLY, start_fen=fen)
        settings = seated(replace(settings, **changes), (white, black))
        board = VirtualBoard(parse_fen(fen, chess960=settings.chess960))
        daemon = Daemon(board, settings, clock=Clock(rate))
        corrections = Corrections(daemon)
        company = Company.of(daemon, corrections, moves_itself=moves_itself)
        at = PlayersAtTable(daemon, board, company, corrections)
        parts = [asyncio.create_task(part) for part in (daemon.run(), *company.parts())]
        await daemon.ready.wait()
        try:
            await script(at)
        finally:
            daemon.stop()
            for part in parts[1:]:
                part.cancel()
            await asyncio.wait_for(asyncio.gather(*parts, return_exceptions=True), 10)
        for part in parts:
            if not part.cancelled() and part.exception() is not None:
                raise part.exception() or AssertionError
        return at

    return asyncio.run(run())
