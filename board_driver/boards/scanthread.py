"""A thread that reads a board's sensors at a steady rate, for drivers whose reading blocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event, Thread
from time import monotonic

from board_driver.boards.board import Inbox, Lost
from board_driver.scan import Reading, Scan


class ScanThread:
    """Calls `read` `scan_hz` times a second and puts each reading that differs from the one before into `inbox`.

    An OSError from `read` ends the thread with `Lost`. A reading that comes late does not make the next ones hurry.
    """

    def __init__(self, inbox: Inbox, read: Callable[[], Reading], scan_hz: float, name: str = "scan") -> None:
        if not scan_hz > 0:
            raise ValueError(f"expected scan_hz above 0, got {scan_hz}")
        self._inbox = inbox
        self._read = read
        self._period_s = 1 / scan_hz
        self._stopping = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """End the thread; nothing is put into the inbox once this has returned."""
        self._stopping.set()
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        last: Reading | None = None
        due = monotonic()
        while not self._stopping.is_set():
            t_ms = self._inbox.now_ms()
            try:
                reading = self._read()
            except OSError as error:
                self._inbox.put(Lost(t_ms, str(error)))
                return
            if reading != last:
                self._inbox.put(Scan(t_ms, reading))
                last = reading
            due = max(due + self._period_s, monotonic())
            self._stopping.wait(due - monotonic())
