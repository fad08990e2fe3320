"""The demonstration put together: daemon, virtual board, script, and where it is drawn."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TextIO

from board_driver.boards.board import Clock
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.demo.screen import HEIGHT, WIDTH, Frame, draw, lights_in_words
from board_driver.demo.script import acts
from board_driver.demo.stage import Stage
from board_driver.events import Event, Irregular, Lit, Moved, Revised
from board_driver.mind import Mode, Settings
from board_driver.scribe import local_time
from board_driver.service import start_server, stopping_on_signals
from board_driver.store.pgnfile import date_tags, pgn_text
from board_driver.web.bulletin import Bulletin, Tone, line_for
from board_driver.web.score import Score

FRAME_S = 0.04
OVERTURE_S = 4.0
"""With a page: so long to open it before the game begins, and to look at the end."""


@dataclass(frozen=True, slots=True)
class Show:
    """How the demonstration is to be given. `port` None: without the page."""

    rate: float
    port: int | None = None


class Easel(Protocol):
    """Where the demonstration is drawn."""

    def story(self, text: str) -> None:
        """Tell what the hands are about to do."""

    async def run(self) -> None:
        """Keep drawing until cancelled."""

    def finish(self) -> None:
        """Leave the terminal as it should be."""


async def play(show: Show, out: TextIO = sys.stdout) -> None:
    """Give the demonstration, then print the game. A signal ends it early."""
    board = VirtualBoard()
    daemon = Daemon(board, Settings(mode=Mode.PLAY), clock=Clock(show.rate))
    easel: Easel = LivingBoard(daemon, board, out) if can_draw(out) else PlainText(daemon, out)
    server = None
    with stopping_on_signals(daemon):
        if show.port is not None:
            from board_driver.web.page import Desk  # noqa: PLC0415  # aiohttp only where there is a page

            server, address = await start_server(daemon, "127.0.0.1", show.port, Desk.plain(daemon, read_only=True))
            print(f"touchmove: watch it at {address} too", file=out, flush=True)
        try:
            await _perform(daemon, Stage(daemon, board, easel.story), easel, OVERTURE_S if server else 0.0)
        finally:
            easel.finish()
            if server is not None:
                await server.stop()
    print(file=out)
    tags = {"Event": "touchmove demo", **date_tags(local_time())}
    print(pgn_text(daemon.mind.games(), tags), end="", file=out, flush=True)


def can_draw(out: TextIO) -> bool:
    """Whether `out` is a terminal that has room for the board and knows its characters."""
    if not out.isatty() or os.environ.get("TERM", "dumb") == "dumb" or not out.encoding.lower().startswith("utf"):
        return False
    size = shutil.get_terminal_size()
    return size.columns >= WIDTH and size.lines > HEIGHT


async def _perform(daemon: Daemon, stage: Stage, easel: Easel, overture_s: float) -> None:
    async with asyncio.TaskGroup() as tasks:
        life = tasks.create_task(daemon.run())
        drawing = tasks.create_task(easel.run())
        await daemon.ready.wait()
        playing = tasks.create_task(_with_overture(stage, overture_s))
        await asyncio.wait((life, playing), return_when=asyncio.FIRST_COMPLETED)
        daemon.stop()
        playing.cancel()
        drawing.cancel()


async def _with_overture(stage: Stage, overture_s: float) -> None:
    await asyncio.sleep(overture_s)
    await stage.play(acts())
    await asyncio.sleep(overture_s)


class PlainText:
    """Line after line, for a file, a pipe or a terminal that cannot be drawn on."""

    def __init__(self, daemon: Daemon, out: TextIO) -> None:
        self._daemon = daemon
        self._out = out
        daemon.listen(self._hear)

    def story(self, text: str) -> None:
        self._say(f"\n-- {text}")

    async def run(self) -> None:
        """Nothing to do between events."""

    def finish(self) -> None:
        self._out.flush()

    def _hear(self, events: Sequence[Event]) -> None:
        troubled = any(isinstance(event, Irregular) for event in events)
        for event in events:
            line = line_for(event)
            if line is not None and line.tone is not Tone.OWED:
                self._say(f"{_MARKS[line.tone]}{line.text}")
            elif isinstance(event, Lit) and troubled:
                self._say(f"   lights: {lights_in_words(event.picture)}")

    def _say(self, text: str) -> None:
        print(text, file=self._out, flush=True)


_MARKS = {
    Tone.MOVE: "",
    Tone.OWED: "   ",
    Tone.WRONG: "   ARBITER: ",
    Tone.REMEDY: "   to put it right: ",
    Tone.OVER: "RESULT ",
    Tone.NOTE: "   ",
    Tone.FAULT: "   FAULT: ",
}


class LivingBoard:
    """A board in the terminal that is drawn again whenever something changes."""

    def __init__(self, daemon: Daemon, board: VirtualBoard, out: TextIO) -> None:
        self._daemon = daemon
        self._board = board
        self._out = out
        self._bulletin = Bulletin()
        self._score = Score()
        self._story = ""
        self._stale = asyncio.Event()
        self._begun = False
        daemon.listen(self._hear)
        board.watch(self._stale.set)

    def story(self, text: str) -> None:
        self._story = text
        self._stale.set()

    async def run(self) -> None:
        while True:
            await self._stale.wait()
            self._stale.clear()
            self._draw()
            await asyncio.sleep(FRAME_S)

    def finish(self) -> None:
        if self._begun:
            self._draw()
            self._out.write("\x1b[?25h\n")
            self._out.flush()

    def _hear(self, events: Sequence[Event]) -> None:
        self._bulletin.hear(events)
        if any(isinstance(event, Moved | Revised) for event in events):
            self._story = ""
        self._stale.set()

    def _draw(self) -> None:
        lines = draw(self._frame())
        prefix = "\x1b[H" if self._begun else "\x1b[?25l\x1b[2J\x1b[H"
        self._begun = True
        self._out.write(prefix + "\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J")
        self._out.flush()

    def _frame(self) -> Frame:
        game = self._daemon.mind.games()[-1]
        self._score.follow(game)
        headline = self._bulletin.headline
        troubled = bool(self._daemon.mind.summary().get("restore"))
        return Frame(
            self._board.table,
            self._board.picture,
            [str(row["san"]) for row in self._score.rows(game)],
            headline.text if headline else "White to move.",
            self._bulletin.remedy if troubled else "",
            self._story,
        )
