"""MAX7219: 8×8 lamps of one colour, which the chip lights row by row itself.

Everything is two bytes, register and value, taken when its CS rises: so each pair is a transfer of its own. The set-up
registers are written with every frame: this chip is known to fall into test mode or sleep when its supply is noisy.
"""

from __future__ import annotations

from board_driver.boards.spidevice import OpenSpi, SpiDevice, open_spi
from board_driver.lights.lamps import Frame, packed
from board_driver.profile.lights import Max7219

CLOCK_HZ = 1_000_000
DECODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F
DUTY_STEPS = 32
"""Intensity n lights each lamp 2n+1 parts of 32 of its row's time."""

_SEGMENTS = tuple(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
"""Lamp 0 of a row is DP, which is the highest bit."""


def intensity_of(level: float) -> int:
    """The brightest of the 16 intensities that is not above `level`, or the dimmest."""
    return max(0, min(15, int((level * DUTY_STEPS - 1) // 2)))


def encode(frame: Frame) -> list[bytes]:
    """The transfers of a whole frame, in order. At level 0 the chip sleeps, dark."""
    rows = packed(frame.lit()).ljust(8, b"\0")
    is_awake = frame.level > 0
    setup = [(TEST, 0), (DECODE, 0), (SCAN_LIMIT, 7), (INTENSITY, intensity_of(frame.level))]
    digits = [(1 + digit, _SEGMENTS[row]) for digit, row in enumerate(rows)]
    return [bytes(pair) for pair in (*setup, *digits, (SHUTDOWN, int(is_awake)))]


class Max7219Lamps:
    """`Lamps` of one such chip."""

    def __init__(self, wiring: Max7219, open_device: OpenSpi = open_spi) -> None:
        self._wiring = wiring
        self._open_device = open_device
        self._device: SpiDevice | None = None

    def open(self) -> None:
        self.close()
        self._device = self._open_device(self._wiring.spi, CLOCK_HZ, 0)

    def show(self, frame: Frame) -> None:
        if self._device is None:
            raise OSError("the lamps are closed")
        for transfer in encode(frame):
            self._device.writebytes2(transfer)

    def close(self) -> None:
        device, self._device = self._device, None
        if device is None:
            return
        try:
            device.writebytes2(bytes((SHUTDOWN, 0)))
            device.close()
        except OSError:
            return
