"""Pictures on lamps, in time: what `pacing` says is due goes to the driver, one frame at a time.

Writing blocks, so it is done in a thread. Lamps that fail in the middle of a picture are told of by the next `show`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime

from board_driver.lights.lamps import BLACK, Frame, Lamps
from board_driver.lights.pacing import Pacing
from board_driver.lights.picture import Picture
from board_driver.lights.power import AnyLamps, supply_of


def minute_of_day() -> int:
    """The computer's own clock."""
    now = datetime.now()
    return 60 * now.hour + now.minute


class Performer:
    """The lights of a board (`boards.sensorboard.Lights`): a profile's lamps, and what drives them.

    `order[n]` is the place of lamp n.
    """

    def __init__(
        self, lights: AnyLamps, order: Sequence[int], lamps: Lamps, minute: Callable[[], int] = minute_of_day
    ) -> None:
        self._lights = lights
        self._order = tuple(order)
        self._lamps = lamps
        self._minute = minute
        self._pacing = Pacing(lights, order, 0)
        self._percent: int | None = None
        self._trouble: OSError | None = None
        self._is_closing = False
        self._changed = asyncio.Event()
        self._writing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Take the lamps, dark. Raises OSError, with one line for a person."""
        await self.close()
        await asyncio.to_thread(self._lamps.open)
        self._is_closing, self._trouble = False, None
        self._pacing = Pacing(self._lights, self._order, _now_ms())
        self._pacing.percent = self._percent
        self._task = asyncio.create_task(self._perform())

    async def show(self, picture: Picture) -> None:
        """Show the whole picture from now on. Raises OSError if the lamps are gone, now or since the last picture."""
        if self._task is None:
            raise OSError("the lamps are closed")
        async with self._writing:
            if self._trouble is not None:
                raise self._trouble
            await self._write(self._pacing.begin(picture, _now_ms(), self._minute()))
        self._changed.set()

    async def close(self) -> None:
        """All dark, and let go. Never raises."""
        task, self._task = self._task, None
        if task is None:
            return
        self._is_closing = True
        self._changed.set()
        await task
        async with self._writing:
            with suppress(OSError):
                await self._write(Frame((BLACK,) * len(self._order), 0.0))
            await asyncio.to_thread(self._lamps.close)

    @property
    def can_dim(self) -> bool:
        """Lamps that are on or off only cannot."""
        return not supply_of(self._lights).steady

    def dim(self, percent: int | None) -> None:
        """So bright from now on; None: as the profile says."""
        self._percent = self._pacing.percent = percent
        self._changed.set()

    def take_warning(self) -> str:
        """What a person should know of the power, when a picture was dimmed for it for the first time; else nothing."""
        return self._pacing.take_warning()

    async def _perform(self) -> None:
        while not self._is_closing:
            await self._pause()
            if self._is_closing or self._trouble is not None:
                continue
            async with self._writing:
                frame = self._pacing.step(_now_ms(), self._minute())
                if frame is None:
                    continue
                try:
                    await self._write(frame)
                except OSError as problem:
                    self._trouble = problem

    async def _pause(self) -> None:
        """Until something is due, a picture came, or it is time to close. After a failure nothing is due any more."""
        now_ms = _now_ms()
        seconds = None if self._trouble is not None else max(0, self._pacing.due_ms(now_ms) - now_ms) / 1000
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        self._changed.clear()

    async def _write(self, frame: Frame) -> None:
        await asyncio.to_thread(self._lamps.show, frame)


def _now_ms() -> int:
    return int(asyncio.get_running_loop().time() * 1000)
