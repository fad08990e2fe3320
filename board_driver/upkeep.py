"""The state folder at work: a daemon that goes on where the last one was stopped, however that was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from board_driver.boards.board import Board, Clock
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.keeper import Keeper
from board_driver.mind import Settings
from board_driver.minds import make_mind
from board_driver.scan import Button, ButtonName
from board_driver.scribe import Folder, Scribe
from board_driver.store.chapters import GameFile
from board_driver.store.dating import EARLIEST, Begin
from board_driver.store.howfar import how_far
from board_driver.store.journal import Journal
from board_driver.store.state import Found, State

TEND_S = 20.0
"""How often the disk is tried again and the time noted."""


class Upkeep:
    """One run on one state folder; leaving the `with` closes it."""

    def __init__(self, folder: Path) -> None:
        """Raises InputError if another process has it."""
        self._state = State(folder)
        self._found: Found | None = None
        self._keeper: Keeper | None = None
        self._files: tuple[GameFile, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._state.close()

    def daemon(self, board: Board, wanted: Settings, rate: float = 1.0, clock: Clock | None = None) -> Daemon:
        """The daemon, with the game that was left if there is one."""
        found = self._found = self._state.resume(wanted, make_mind)
        if found is None:
            daemon = Daemon(board, wanted, clock=clock or Clock(rate))
        else:
            resumed = found.resumed
            if clock is None:
                clock = Clock(rate, starts_ms=resumed.now_ms)
            daemon = Daemon(board, resumed.settings, clock=clock, mind=resumed.mind)
            if isinstance(board, VirtualBoard):
                board.set_up(resumed.mind.games()[-1].position_after())
        journal = self._state.journal
        if found is not None and _clock_runs(found):
            # Nobody knows what happened since: the clock stands as it did until somebody goes on.
            daemon.inbox.put(Button(found.resumed.now_ms, ButtonName.PAUSE, "interrupted"))
        if journal is not None:
            keeper = self._keeper = Keeper(daemon, journal, wanted)
            keeper.start(found, self._state.rows)
        return daemon

    @property
    def journal(self) -> Journal | None:
        """The open journal; None where the disk cannot be written."""
        return self._state.journal

    @property
    def unkept(self) -> str:
        """Why there is no journal, in words; empty where there is one."""
        return "" if self._state.journal is not None else " ".join(self._state.remarks) or "there is no journal"

    @property
    def resumed_ms(self) -> int:
        """The time that the resumed mind has come to; 0 for a fresh one."""
        return 0 if self._found is None else self._found.resumed.now_ms

    def place(self) -> Folder:
        """Where the games are written."""
        return Folder(self._state.games)

    def instruct(self, scribe: Scribe) -> None:
        """Have the scribe go on in the files of the resumed games and tell of new ones."""
        keeper = self._keeper
        if keeper is None:
            return
        if self._found is not None:
            files = self._found.files
            scribe.recall([file.file for file in files], [_begin(file) for file in files])

        def remember(number: int, name: str, began: Begin) -> None:
            keeper.remember(number, name, began.when.isoformat() if began.sure else "")

        scribe.remember = remember

    def announce(self, address: str, say: Callable[[str], None]) -> None:
        """The page is up: tell those who find the folder locked, and the person what was found in it."""
        if self._state.lock is not None:
            self._state.lock.say(address)
        for remark in self._state.remarks:
            say(remark)
        if self._found is not None:
            say(_going_on(self._found))

    async def run(self) -> None:
        """Look after the journal, until cancelled."""
        while True:
            await asyncio.sleep(TEND_S)
            self.tend()

    def tend(self) -> None:
        """Try again what the disk refused, and note the time that has come."""
        if self._keeper is not None:
            self._keeper.tend()


def _going_on(found: Found) -> str:
    """What was resumed: which game, how far it has come, and why not everything is as it was."""
    resumed = found.resumed
    games = resumed.mind.games()
    known = bool(games[-1].plies) and len(found.files) == sum(1 for game in games if game.plies)
    file = f" ({found.files[-1].file})" if known else ""
    text = f"going on with the game that was left{file}, {how_far(games[-1])}"
    return f"{text}: {resumed.remark}" if resumed.remark else text


def _clock_runs(found: Found) -> bool:
    clock = found.resumed.mind.summary().get("clock")
    return isinstance(clock, dict) and clock["running"] is not None


def _begin(file: GameFile) -> Begin:
    try:
        return Begin(datetime.fromisoformat(file.began))
    except ValueError:
        return Begin(datetime.fromtimestamp(0, EARLIEST.tzinfo))
