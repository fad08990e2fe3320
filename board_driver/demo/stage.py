"""Playing the script on a virtual board under a running daemon."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TypeVar, assert_never

from board_driver.boards.table import Hand, Refusal
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.demo.script import Act, Choose, Fetch, Lift, Look, Put, Reach, Say, SetAside

T = TypeVar("T")

LIFTED_MS = 350
PLACED_MS = 500
LOOK_MS = 6000
SAY_MS = 4500
PATIENCE_MS = 5000
POLL_MS = 50


class Stage:
    """Does acts one after the other, at the pace of the daemon's clock."""

    def __init__(self, daemon: Daemon, board: VirtualBoard, tell: Callable[[str], None]) -> None:
        self._daemon = daemon
        self._board = board
        self._tell = tell
        self._hand: Hand | None = None

    async def play(self, acts: Iterable[Act]) -> None:
        """Do them all. Raises RuntimeError if the board or the game is not where the script says."""
        for act in acts:
            await self._do(act)

    async def _do(self, act: Act) -> None:
        match act:
            case Lift(square):
                self._hand = _done(self._board.lift(square))
                await self._wait(LIFTED_MS)
            case Fetch(piece):
                self._hand = _done(self._board.lift_from_tray(piece))
                await self._wait(LIFTED_MS)
            case Put(square):
                _done(self._board.put(self._holding(), square))
                await self._wait(PLACED_MS)
            case SetAside():
                _done(self._board.set_aside(self._holding()))
            case Choose(name, value):
                self._daemon.press_button(name, value)
                await self._wait(PLACED_MS)
            case Say(text):
                self._tell(text)
                await self._wait(SAY_MS)
            case Look():
                await self._wait(LOOK_MS)
            case Reach(plies):
                await self._reach(plies)
            case _:
                assert_never(act)

    def _holding(self) -> Hand:
        if self._hand is None:
            raise RuntimeError("the script puts down what it has not lifted")
        return self._hand

    async def _wait(self, time_ms: int) -> None:
        clock = self._daemon.clock
        await asyncio.sleep(clock.seconds_until(clock.now_ms() + time_ms))

    async def _reach(self, plies: int) -> None:
        for _ in range(PATIENCE_MS // POLL_MS):
            if len(self._daemon.mind.games()[-1].plies) == plies:
                return
            await self._wait(POLL_MS)
        reached = len(self._daemon.mind.games()[-1].plies)
        raise RuntimeError(f"the script is at ply {plies}, but the game is at {reached}")


def _done(result: T | Refusal) -> T:
    if isinstance(result, Refusal):
        raise RuntimeError(f"the script cannot go on: {result.text}")
    return result
