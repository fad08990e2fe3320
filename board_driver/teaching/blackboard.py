"""Whoever teaches or trains on a daemon's board, and the blackboard that pages show."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from board_driver.boards.beginning import begin_game
from board_driver.daemon import Daemon
from board_driver.mind import Settings
from board_driver.wording.language import Language
from rules.fen import parse_fen

if TYPE_CHECKING:
    from board_driver.teaching.lessons import Lesson


@dataclass(frozen=True, slots=True)
class Blackboard:
    """The task at hand, what was said of what was done, whether that was right, and the last explanation."""

    task: str = ""
    remark: str = ""
    is_right: bool = False
    lesson: Lesson | None = None


class Instructor(ABC):
    """Sets tasks on a daemon's board and says how they went. `say` is given every line for the terminal."""

    pause_s: float
    """So long a task that was done stays on the board."""

    def __init__(self, daemon: Daemon, language: Language, say: Callable[[str], None]) -> None:
        self.blackboard = Blackboard()
        """What is shown now."""
        self._daemon = daemon
        self._language = language
        self._say = say
        self._done = asyncio.Event()
        self._watchers: list[Callable[[], None]] = []

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call it whenever the blackboard shows something else."""
        self._watchers.append(watcher)

    async def run(self) -> None:
        """Go on to the next task a while after one was done, until cancelled."""
        while True:
            await self._done.wait()
            await asyncio.sleep(self.pause_s)
            self._done.clear()
            self._next()

    @abstractmethod
    def _next(self) -> None:
        """Set the next task, or leave the board to whoever sits there."""

    def _begin(self, settings: Settings) -> None:
        """Begin a game with those settings."""
        begin_game(self._daemon, settings, parse_fen(settings.start_fen, chess960=settings.chess960))

    def _write(self, blackboard: Blackboard) -> None:
        self.blackboard = blackboard
        for watcher in self._watchers:
            watcher()
