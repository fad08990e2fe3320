"""A buzzer on a GPIO line, through gpiozero. It beeps beside the loop: a tune is a task, and the newest one wins."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from gpiozero import Buzzer as Line
from gpiozero.exc import GPIOZeroError

from board_driver.boards.gpiozerolines import default_factory
from board_driver.daemon import Daemon
from board_driver.events import Event
from board_driver.profile.words import Pin
from board_driver.sound.beeps import Beeps, tune_for


class Buzzer:
    """Beeps for what a daemon decides. `factory` is gpiozero's pin factory; None: its default."""

    def __init__(self, daemon: Daemon, pin: Pin, factory: Any = None) -> None:
        self._daemon = daemon
        self._pin = pin
        self._factory = factory
        self._tune: Beeps = ()
        self._due = asyncio.Event()

    async def run(self) -> None:
        """Listen and beep until cancelled; then the line is let go, silent. One that cannot be had is told once."""
        try:
            line = Line(self._pin, pin_factory=self._factory or default_factory())
        except (GPIOZeroError, OSError) as problem:
            text = f"expected the buzzer on {self._pin}, got: {problem}; there will be no beeps"
            self._daemon.inbox.report("buzzer", text)
            return
        forget = self._daemon.listen(self._hear)
        try:
            while True:
                await self._due.wait()
                await self._beep(line)
        finally:
            forget()
            line.close()

    def _hear(self, events: Sequence[Event]) -> None:
        tune = tune_for(events)
        if tune is not None:
            self._tune = tune.value
            self._due.set()

    async def _beep(self, line: Any) -> None:
        """Beep the tune, unless another one comes in between."""
        self._due.clear()
        for on_ms, off_ms in self._tune:
            line.on()
            await asyncio.sleep(on_ms / 1000)
            line.off()
            with suppress(TimeoutError):
                async with asyncio.timeout(off_ms / 1000):
                    await self._due.wait()
                return
