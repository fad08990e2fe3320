"""A sensor log as a board: what was recorded comes in again, at the pace of the daemon's clock."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from board_driver.boards.board import Abilities, Exhausted, Inbox
from board_driver.inputerror import InputError
from board_driver.lights.picture import Picture
from board_driver.scan import Input
from board_driver.sensorlog import Header, SensorLog, open_log


class ReplayedBoard:
    """Plays the log of that file name from its first line each time it is opened.

    Presses and buttons of the log come too. At the end, or where the log cannot be read further (a `Fault`), comes
    `Exhausted`. The faster pace is the clock's: `Clock(rate=10)` plays ten times as fast, settling included.
    """

    def __init__(self, name: str) -> None:
        """Reads the header. Raises InputError if there is no such log or it has no right header."""
        self._name = name
        with self._open_log() as log:
            self.header: Header = log.header
            self.holds_press = log.holds_press
        self.abilities = Abilities(f"log {name}", self.header.sensing, self.header.scan_hz, has_lights=False)
        self._task: asyncio.Task[None] | None = None

    async def open(self, inbox: Inbox) -> None:
        self._task = asyncio.create_task(self._play(inbox))

    async def show(self, picture: Picture) -> None:
        """A log has no lights; the page shows them."""

    async def close(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def _open_log(self) -> SensorLog:
        return open_log(self._name, _keep_quiet)

    async def _play(self, inbox: Inbox) -> None:
        first_ms: int | None = None
        began_ms = inbox.now_ms()
        try:
            with self._open_log() as log:
                for item in log:
                    first_ms = item.t_ms if first_ms is None else first_ms
                    await _deliver(inbox, replace(item, t_ms=began_ms + item.t_ms - first_ms))
        except InputError as problem:
            inbox.report("log-unreadable", str(problem))
        inbox.put(Exhausted(inbox.now_ms()))


async def _deliver(inbox: Inbox, item: Input) -> None:
    """Put `item` when its time has come; where many come at once, let the daemon read in between."""
    await asyncio.sleep(inbox.clock.seconds_until(item.t_ms))
    inbox.put(item)


def _keep_quiet(_warning: str) -> None:
    """Unknown keys are `touchmove replay`'s to warn of."""
