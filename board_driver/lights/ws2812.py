"""WS2812 and SK6812 over SPI, so that neither root nor DMA is needed: MOSI is the data wire, nothing else is connected.

Each of their bits is a pulse, short for 0 and long for 1. It is made of four SPI bits at 3 MHz: 1000, high for 333 ns,
and 1100, high for 667 ns. Those lengths are within what all four data sheets allow (WS2812: 200 to 500 and 550 to
850 ns; WS2812B: 250 to 550 and 650 to 950; WS2812B-V5: 220 to 380 and 580 to 1000; SK6812: 150 to 450 and 450 to 750).
The lows are longer than some of them say, which only matters when they come near the reset, 50 µs. A line that is low
for `RESET_US` shows the frame; one frame begins with some of it, because nobody knows how the wire was left.
"""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from board_driver.boards.spidevice import OpenSpi, SpiDevice, open_spi
from board_driver.lights.lamps import BLACK, Frame, dimmed
from board_driver.lights.looks import Rgb
from board_driver.profile.lights import ColourOrder, Ws2812

CLOCK_HZ = 3_000_000
RESET_US = 300
"""What the newest ones want (280); the old ones are content with 50."""
LEAD_BYTES = 4

_TABLE = tuple(
    int("".join("1100" if byte >> bit & 1 else "1000" for bit in range(7, -1, -1)), 2).to_bytes(4, "big")
    for byte in range(256)
)


def encode(frame: Frame, order: ColourOrder, clock_hz: int = CLOCK_HZ) -> bytes:
    """The bytes on MOSI of a whole frame, reset included."""
    level = frame.level
    lamps = b"".join([_lamp(colour, level, order) for colour in frame.colours])
    return bytes(LEAD_BYTES) + lamps + bytes(-(-RESET_US * clock_hz // 8_000_000))


@lru_cache(maxsize=1024)  # pictures have few colours
def _lamp(colour: Rgb, level: float, order: ColourOrder) -> bytes:
    return b"".join(map(_TABLE.__getitem__, _wire_bytes(dimmed(colour, level), order)))


def _wire_bytes(colour: Rgb, order: ColourOrder) -> bytes:
    red, green, blue = colour
    match order:
        case ColourOrder.GRB:
            return bytes((green, red, blue))
        case ColourOrder.RGB:
            return bytes((red, green, blue))
        case ColourOrder.BGR:
            return bytes((blue, green, red))
        case ColourOrder.GRBW:
            white = min(colour)
            return bytes((green - white, red - white, blue - white, white))
        case _:
            assert_never(order)


class Ws2812Lamps:
    """`Lamps` of such a chain."""

    def __init__(self, wiring: Ws2812, open_device: OpenSpi = open_spi) -> None:
        self._wiring = wiring
        self._open_device = open_device
        self._device: SpiDevice | None = None
        self._count = wiring.place.lamps

    def open(self) -> None:
        self.close()
        self._device = self._open_device(self._wiring.spi, CLOCK_HZ, 0)

    def show(self, frame: Frame) -> None:
        if self._device is None:
            raise OSError("the lamps are closed")
        clock_hz = self._wiring.spi.speed_hz or CLOCK_HZ
        self._device.writebytes2(encode(frame, self._wiring.colours, clock_hz))

    def close(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            close_dark(device, encode(Frame((BLACK,) * self._count, 0.0), self._wiring.colours))


def close_dark(device: SpiDevice, dark: bytes) -> None:
    """Write the dark frame if that is still possible, and let go."""
    try:
        device.writebytes2(dark)
        device.close()
    except OSError:
        return
