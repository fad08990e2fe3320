"""The seam between the daemon and any board.

A board does three things: it puts what it senses, with its times, into the daemon's `Inbox`; it shows a picture when it
is given one; it opens and closes. Everything else (settling, ruling, lights, retrying) is the daemon's.

House rules:

1. Times are milliseconds of the daemon's monotonic clock, `inbox.now_ms()`, taken when the sensors were read.
2. `Inbox.put` may be called from any thread and never blocks. A scanning thread does nothing else with the daemon.
3. A board may deliver every scan, or only those that differ from the one before; the first scan after `open` always.
4. What goes wrong is a value: a `Fault` for a sensor or a bus that misbehaves, `Lost` when the board is gone. The
   daemon then closes the board, reports it, and opens it again after a while; the game is kept.
   An `OSError` leaving `open` or `show` means the same as `Lost` (what serial ports and GPIO chips raise anyway).
   Any other exception is our mistake and ends the daemon.
5. `show` gets whole pictures. It is called again only once it has returned, with the newest picture: a slow board
   skips pictures and is never more than one behind. A driver that blocks does so in `asyncio.to_thread`.
6. After `close` has returned nothing is put any more. `close` may be called at any time, also twice. A board that was
   closed can be opened again.

A complete board, read from a thread (`read_columns` stands for the wires; `ScanThread` is in `scanthread`)::

    class MatrixBoard:
        abilities = Abilities("matrix", Sensing.OCCUPANCY, scan_hz=100)

        async def open(self, inbox: Inbox) -> None:
            self._thread = ScanThread(inbox, lambda: Occupancy(read_columns()), scan_hz=100)

        async def show(self, picture: Picture) -> None:
            await asyncio.to_thread(write_leds, picture)

        async def close(self) -> None:
            await self._thread.stop()

One whose source is asyncio's own (a serial port, a socket) keeps its reader as a task::

    async def open(self, inbox: Inbox) -> None:
        self._reader, self._writer = await open_serial(self._port)      # an OSError here: tried again later
        self._task = asyncio.create_task(self._read(inbox))

    async def _read(self, inbox: Inbox) -> None:
        async for line in self._reader:
            inbox.put(Scan(inbox.now_ms(), Occupancy(int(line, 16))))
        inbox.put(Lost(inbox.now_ms(), f"{self._port} was closed"))
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Protocol, runtime_checkable

from board_driver.events import Fault
from board_driver.lights.picture import Picture
from board_driver.scan import Input, Scan, Sensing

INBOX_CAPACITY = 1024
"""Ten seconds of a board scanned 100 times a second."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a board is and can do. `name` is for people; `scan_hz` None where the board itself tells of changes."""

    name: str
    senses: Sensing
    scan_hz: float | None = None
    has_lights: bool = True
    has_clock: bool = False


@dataclass(frozen=True, slots=True)
class Lost:
    """The board is gone (unplugged, no answer). The daemon closes it and tries to open it again."""

    t_ms: int
    text: str


@dataclass(frozen=True, slots=True)
class Exhausted:
    """Nothing will come any more, and nothing is wrong: a log was read to its end."""

    t_ms: int


@dataclass(frozen=True, slots=True)
class NewGame:
    """A person asks for a new game, by a button of the board."""

    t_ms: int


Delivery = Input | Fault | Lost | Exhausted | NewGame
"""What a board may put into the inbox."""


class Clock:
    """The daemon's clock: milliseconds from any zero, never going back.

    With a `rate` other than 1 its time runs that much faster, and all that goes by it: a log, a demonstration.
    """

    def __init__(self, rate: float = 1.0, starts_ms: int = 0) -> None:
        if not rate > 0:
            raise ValueError(f"expected a rate above 0, got {rate}")
        self.rate = rate
        self._began_s = time.monotonic() - starts_ms / (1000 * rate)

    def now_ms(self) -> int:
        """The time."""
        return int((time.monotonic() - self._began_s) * 1000 * self.rate)

    def seconds_until(self, t_ms: int) -> float:
        """How many real seconds it is until this clock shows `t_ms`; 0 if it does already."""
        return max(0.0, t_ms / (1000 * self.rate) - (time.monotonic() - self._began_s))


class Inbox:
    """A bounded queue from boards (any thread) to the daemon (its loop), in order of arrival.

    When it is full the oldest scan gives way, because a newer one tells more; presses and buttons are kept. Where
    nothing can give way the new item is refused. `dropped` counts both.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop | None = None,
        capacity: int = INBOX_CAPACITY,
        clock: Clock | None = None,
    ) -> None:
        self.clock = clock or Clock()
        self.dropped = 0
        self._loop = loop or asyncio.get_running_loop()
        self._capacity = capacity
        self._items: deque[Delivery] = deque()
        self._lock = Lock()
        self._arrived = asyncio.Event()

    @property
    def waiting(self) -> int:
        """How many items there are to be read."""
        return len(self._items)

    def now_ms(self) -> int:
        """The daemon's time, for what was read just now. From any thread."""
        return self.clock.now_ms()

    def put(self, item: Delivery) -> bool:
        """Hand on one item; False if it was refused. From any thread, never blocking."""
        with self._lock:
            if len(self._items) >= self._capacity and not self._make_room():
                self.dropped += 1
                return False
            was_empty = not self._items
            self._items.append(item)
        if was_empty:
            self._wake()
        return True

    def report(self, kind: str, text: str) -> None:
        """Hand on that something misbehaves now which is no square's. From any thread, never blocking."""
        self.put(Fault(self.now_ms(), kind, None, text))

    async def get(self, until_ms: int | None = None) -> Delivery | None:
        """The oldest item, waiting for one if there is none, but not beyond `until_ms`: then None.

        In the loop only, by one task only.
        """
        if (item := self.get_nowait()) is not None:
            return item
        try:
            async with asyncio.timeout(None if until_ms is None else self.clock.seconds_until(until_ms)):
                while (item := self.get_nowait()) is None:
                    await self._arrived.wait()  # may be set for an item that was taken already
        except TimeoutError:
            return None
        return item

    def get_nowait(self) -> Delivery | None:
        """The oldest item, or None if there is none. In the loop only."""
        with self._lock:
            if self._items:
                return self._items.popleft()
            self._arrived.clear()
            return None

    def _make_room(self) -> bool:
        for index, item in enumerate(self._items):
            if isinstance(item, Scan):
                del self._items[index]
                self.dropped += 1
                return True
        return False

    def _wake(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._arrived.set)
        except RuntimeError:
            return  # the loop is closed: nobody will read this any more


class Board(Protocol):
    """What the daemon asks of a board. The house rules above are part of the contract."""

    @property
    def abilities(self) -> Abilities:
        """What the board senses and shows; the same before, during and after it is open."""

    async def open(self, inbox: Inbox) -> None:
        """Begin to deliver into `inbox`. Raises OSError, with one line for a person, if the board cannot be had now."""

    async def show(self, picture: Picture) -> None:
        """Show the whole picture: squares not in it go dark. Raises OSError if the board is gone."""

    async def close(self) -> None:
        """Stop delivering and let go of the device, lights dark where that is still possible."""


@runtime_checkable
class Dimmable(Protocol):
    """A board, or its lights, whose brightness may be set while it is at work."""

    @property
    def can_dim(self) -> bool:
        """Whether there are such lights."""

    def dim(self, percent: int | None) -> None:
        """So bright from now on, 1 to 100; None: as the profile says, by day and by night. Never blocks."""


@runtime_checkable
class Buttoned(Protocol):
    """A board with push buttons that it can name."""

    @property
    def button_names(self) -> Sequence[str]:
        """Which there are, by the keys of a profile's `buttons`."""
