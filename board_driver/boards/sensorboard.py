"""A board made of sensors, lights and push buttons that the computer is wired to itself.

House rules, beside those of every board:

1. Without its sensors or its buttons there is no board; without its lights there is. Lights that fail are reported
   once, and tried again with a picture that comes `LIGHTS_AGAIN_MS` later or more: a game needs no lights.
2. Field strengths are handed on when one has moved by more than `DEADBAND` since the last that were, or after
   `REFRESH_MS`, so that noise costs nothing and drift is still followed.
3. A contact that goes on changing is not trusted until it is quiet (`quarantine`): the game goes on without it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from board_driver.boards.between import BetweenWatch
from board_driver.boards.board import Abilities, Dimmable, Inbox
from board_driver.boards.cellmap import CellMap
from board_driver.boards.quarantine import Quarantine
from board_driver.boards.scanthread import ScanThread, Sensed
from board_driver.boards.source import Contacts, Source, Strengths, Trouble
from board_driver.lights.picture import Picture
from board_driver.scan import Field, Occupancy
from board_driver.sensing.field import Calibration
from rules.squares import Square, square_name

if TYPE_CHECKING:
    from pathlib import Path

    from board_driver.profile.schema import Profile

LIGHTS_AGAIN_MS = 10_000
DEADBAND = 3.0
"""Of field strengths, where a piece is about 100."""
REFRESH_MS = 1_000


class Lights(Protocol):
    """What lamps of any kind do for a board. All of it is called in the daemon's loop and must not block it."""

    async def open(self) -> None:
        """Take the device. Raises OSError, with one line for a person."""

    async def show(self, picture: Picture) -> None:
        """Show the whole picture from now on, with its rhythms. Raises OSError if the device is gone."""

    async def close(self) -> None:
        """All dark, and let go. Never raises."""


@runtime_checkable
class Cautious(Protocol):
    """Lights that watch what they draw."""

    def take_warning(self) -> str:
        """One line for a person, when there is something new to say; else nothing."""


class Buttons(Protocol):
    """Push buttons, which put presses and choices into the inbox."""

    @property
    def has_clock(self) -> bool:
        """Whether both players can press their side of a clock."""

    def open(self, inbox: Inbox) -> None:
        """Begin. Raises OSError, with one line for a person; nothing is held then."""

    def close(self) -> None:
        """End. Never raises."""


@dataclass(frozen=True, slots=True)
class Wired:
    """What a board is made of. `squares[n]` is the square of the sensors' cell n."""

    name: str
    source: Source
    squares: Sequence[int]
    scan_hz: float
    lights: Sequence[Lights] = ()
    buttons: Buttons | None = None
    profile: Profile | None = None
    """What it was made from, where that is a profile; `path` is its file."""
    path: Path | None = None


class SensorBoard:
    """A `Board` of those parts."""

    def __init__(self, wired: Wired) -> None:
        has_clock = wired.buttons is not None and wired.buttons.has_clock
        self.abilities = Abilities(
            wired.name, wired.source.senses, wired.scan_hz, has_lights=bool(wired.lights), has_clock=has_clock
        )
        self._wired = wired
        self._lamps = [_Lamps(lights) for lights in wired.lights]
        self._thread: ScanThread | None = None
        self._inbox: Inbox | None = None
        self._is_source_open = False

    @property
    def field_calibration(self) -> Calibration | None:
        """How its field strengths are read, if they were calibrated."""
        return getattr(self._wired.source, "field_calibration", None)

    @property
    def wired(self) -> Wired:
        """What it is made of."""
        return self._wired

    @property
    def button_names(self) -> Sequence[str]:
        """The push buttons of its profile."""
        profile = self._wired.profile
        return () if profile is None else tuple(profile.buttons.pins())

    @property
    def can_dim(self) -> bool:
        """Whether it has lights whose brightness may be set."""
        return any(isinstance(lights, Dimmable) and lights.can_dim for lights in self._wired.lights)

    def dim(self, percent: int | None) -> None:
        """So bright from now on; None: as its profile says."""
        for lights in self._wired.lights:
            if isinstance(lights, Dimmable) and lights.can_dim:
                lights.dim(percent)

    async def open(self, inbox: Inbox) -> None:
        await self.close()
        source, buttons = self._wired.source, self._wired.buttons
        await asyncio.to_thread(source.open)
        self._is_source_open = True
        try:
            if buttons is not None:
                await asyncio.to_thread(buttons.open, inbox)
        except OSError:
            await self.close()
            raise
        self._inbox = inbox
        for lamps in self._lamps:
            await lamps.open(inbox)
        reader = SquareReader(source, self._wired.squares, inbox)
        self._thread = ScanThread(inbox, reader.read, self._wired.scan_hz, self._wired.name)

    async def show(self, picture: Picture) -> None:
        if self._inbox is None:
            raise OSError("the board is closed")
        for lamps in self._lamps:
            await lamps.show(picture, self._inbox)

    async def close(self) -> None:
        thread, self._thread, self._inbox = self._thread, None, None
        if thread is not None:
            await thread.stop()
        if self._wired.buttons is not None:
            self._wired.buttons.close()
        if self._is_source_open:
            self._is_source_open = False
            await asyncio.to_thread(self._wired.source.close)
        for lamps in self._lamps:
            await lamps.close()


class SquareReader:
    """Reads a source's cells as squares. The same reading comes as the same object."""

    def __init__(self, source: Source, squares: Sequence[int], inbox: Inbox) -> None:
        self._source = source
        self._inbox = inbox
        self._map = CellMap(squares)
        self._sample: Contacts | None = None
        self._sensed: Sensed | None = None
        self._values: tuple[float, ...] | None = None
        self._unsure = 0
        self._told_ms = 0
        self._between = BetweenWatch()
        self._quarantine = Quarantine()

    def read(self) -> Sensed:
        """All squares. Raises OSError when the device is gone."""
        sample = self._source.read()
        match sample:
            case Contacts():
                return self._contacts(sample)
            case Strengths():
                return self._strengths(sample)
            case _:
                return Sensed(sample)

    def _contacts(self, sample: Contacts) -> Sensed:
        now_ms = self._inbox.now_ms()
        if self._sensed is not None and sample == self._sample and not self._quarantine.is_due(now_ms):
            return self._sensed
        fresh = sample.troubles if sample is not self._sample else ()
        self._sample = sample
        occupied = self._map.bits(sample.closed)
        distrusted = self._distrusted(sample.unsure)
        distrusted |= self._quarantine.observe(now_ms, occupied)
        troubles = self._troubles(fresh) + tuple(self._quarantine.take_news())
        self._sensed = Sensed(Occupancy(occupied), distrusted, troubles)
        return self._sensed

    def _strengths(self, sample: Strengths) -> Sensed:
        now_ms = self._inbox.now_ms()
        if self._sensed is not None and not self._has_news(sample, now_ms):
            return self._sensed
        self._values, self._unsure, self._told_ms = sample.values, sample.unsure, now_ms
        strengths = self._map.values(sample.values, 0.0)
        between = tuple(("between", square, text) for square, text in self._between.observe(now_ms, strengths))
        troubles = self._troubles(sample.troubles) + between
        self._sensed = Sensed(Field(strengths), self._distrusted(sample.unsure), troubles)
        return self._sensed

    def _has_news(self, sample: Strengths, now_ms: int) -> bool:
        if sample.troubles or sample.unsure != self._unsure or now_ms - self._told_ms >= REFRESH_MS:
            return True
        return any(abs(new - old) > DEADBAND for new, old in zip(sample.values, self._values or (), strict=True))

    def _distrusted(self, unsure: int) -> int:
        return self._map.bits(unsure) | self._map.unread

    def _troubles(self, troubles: Sequence[Trouble]) -> tuple[tuple[str, Square | None, str], ...]:
        return tuple(self._trouble(trouble) for trouble in troubles)

    def _trouble(self, trouble: Trouble) -> tuple[str, Square | None, str]:
        if trouble.cell is None:
            return trouble.kind, None, trouble.text
        square = Square(self._map.squares[trouble.cell])
        return trouble.kind, square, f"{square_name(square)} {trouble.text}"


class _Lamps:
    """Lights that may fail without the board failing."""

    def __init__(self, lights: Lights) -> None:
        self._lights = lights
        self._is_open = False
        self._complaint = ""
        self._again_ms = 0

    async def open(self, inbox: Inbox) -> None:
        try:
            await self._lights.open()
        except OSError as problem:
            await self._fail(problem, inbox)
        else:
            self._is_open, self._complaint = True, ""

    async def show(self, picture: Picture, inbox: Inbox) -> None:
        if not self._is_open and inbox.now_ms() >= self._again_ms:
            await self.open(inbox)
        if not self._is_open:
            return
        try:
            await self._lights.show(picture)
        except OSError as problem:
            await self._fail(problem, inbox)
        else:
            self._warn(inbox)

    async def close(self) -> None:
        if self._is_open:
            self._is_open = False
            await self._lights.close()

    def _warn(self, inbox: Inbox) -> None:
        warning = self._lights.take_warning() if isinstance(self._lights, Cautious) else ""
        if warning:
            inbox.report("lights", warning)

    async def _fail(self, problem: OSError, inbox: Inbox) -> None:
        if self._is_open:
            self._is_open = False
            with suppress(OSError):
                await self._lights.close()
        self._again_ms = inbox.now_ms() + LIGHTS_AGAIN_MS
        if str(problem) != self._complaint:
            self._complaint = str(problem)
            inbox.report("lights", f"The lights are off: {problem}")
