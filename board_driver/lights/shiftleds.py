"""Plain LEDs on a chain of 74HC595: each lamp on an output of its own, so nothing has to be lit row by row.

The bits of the lamp farthest away go first; the chips take all of them over at once when CE, wired to RCLK, rises at
the end of the transfer. With a line to all OE pins (low lights) they can be dimmed by pulse width.
"""

from __future__ import annotations

from functools import partial

from board_driver.boards.lines import Lines, OpenLines, WriteLines, numbers, open_lines
from board_driver.boards.spidevice import OpenSpi, SpiDevice, open_spi
from board_driver.lights.beat import Beat, Step
from board_driver.lights.lamps import BLACK, Frame, packed
from board_driver.lights.plainleds import PULSE_HZ
from board_driver.lights.ws2812 import close_dark
from board_driver.profile.lights import ShiftLeds

CLOCK_HZ = 1_000_000


def encode(frame: Frame) -> bytes:
    """The bytes of a whole frame. Lamp 0 is QA of the nearest chip, so its bit goes last."""
    return packed(frame.lit())[::-1]


class ShiftLedLamps:
    """`Lamps` of such a chain."""

    def __init__(self, wiring: ShiftLeds, open_device: OpenSpi = open_spi, open_chip: OpenLines = open_lines) -> None:
        self._wiring = wiring
        self._open_device = open_device
        self._open_chip = open_chip
        self._device: SpiDevice | None = None
        self._chip: Lines | None = None
        self._enable: WriteLines | None = None
        self._beat: Beat | None = None

    def open(self) -> None:
        self.close()
        self._device = self._open_device(self._wiring.spi, CLOCK_HZ, 0)
        if self._wiring.enable is None:
            return
        try:
            self._chip = self._open_chip(None)
            self._enable = self._chip.outputs(numbers([self._wiring.enable]), 1)
        except OSError:
            self.close()
            raise

    def show(self, frame: Frame) -> None:
        if self._device is None:
            raise OSError("the lamps are closed")
        self._device.writebytes2(encode(frame))
        if self._enable is not None:
            self._dim(self._enable, frame.level)

    def close(self) -> None:
        beat, self._beat = self._beat, None
        if beat is not None:
            beat.stop()
        device, self._device = self._device, None
        if device is not None:
            close_dark(device, encode(Frame((BLACK,) * self._wiring.place.lamps, 0.0)))
        chip, self._chip, self._enable = self._chip, None, None
        if chip is not None:
            chip.close()

    def _dim(self, enable: WriteLines, level: float) -> None:
        if 0 < level < 1:
            if self._beat is None:
                self._beat = Beat(PULSE_HZ)
            self._beat.play([Step(partial(enable, 0), partial(enable, 1))], level)
            return
        beat, self._beat = self._beat, None
        if beat is not None:
            beat.stop()
        enable(0 if level else 1)
