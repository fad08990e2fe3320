"""A thread that reads a board's sensors at a steady rate, for drivers whose reading blocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic

from board_driver.boards.board import Inbox, Lost
from board_driver.events import Fault
from board_driver.scan import Reading, Scan
from rules.squares import Bitboard, Square


@dataclass(frozen=True, slots=True)
class Sensed:
    """A reading, the squares that could not be told in it, and what is newly wrong: kind, square and words."""

    reading: Reading
    distrusted: Bitboard = 0
    troubles: tuple[tuple[str, Square | None, str], ...] = ()


class ScanThread:
    """Calls `read` `scan_hz` times a second and puts each reading that differs from the one before into `inbox`.

    An OSError from `read` ends the thread with `Lost`. A reading that comes late does not make the next ones hurry.
    """

    def __init__(self, inbox: Inbox, read: Callable[[], Reading | Sensed], scan_hz: float, name: str = "scan") -> None:
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
        last: Sensed | None = None
        due = monotonic()
        while not self._stopping.is_set():
            t_ms = self._inbox.now_ms()
            try:
                found = self._read()
            except OSError as error:
                self._inbox.put(Lost(t_ms, str(error)))
                return
            sensed = found if isinstance(found, Sensed) else Sensed(found)
            if sensed is not last:
                self._tell(t_ms, sensed, last)
                last = sensed
            due = max(due + self._period_s, monotonic())
            self._stopping.wait(due - monotonic())

    def _tell(self, t_ms: int, sensed: Sensed, last: Sensed | None) -> None:
        for kind, square, text in sensed.troubles:
            self._inbox.put(Fault(t_ms, kind, square, text))
        if last is None or sensed.reading != last.reading or sensed.distrusted != last.distrusted:
            self._inbox.put(Scan(t_ms, sensed.reading, sensed.distrusted))
