"""APA102 and SK9822: data and clock, so any SPI speed will do.

A frame is four zero bytes; for each lamp three ones, five bits of brightness, and its colours; then clocks for the data
to get to the end of the chain. Every lamp delays the data by half a clock, so that is one more bit for every two lamps.
Those are zeros: an SK9822 shows its new colours only after 32 of them, and an APA102 takes no harm.

Dim light comes from the five bits where it can, because eight bits of colour at a twentieth leave three steps.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil

from board_driver.boards.spidevice import OpenSpi, SpiDevice, open_spi
from board_driver.lights.lamps import BLACK, Frame, dimmed
from board_driver.lights.looks import Rgb
from board_driver.lights.ws2812 import close_dark
from board_driver.profile.lights import Apa102, ColourOrder

CLOCK_HZ = 4_000_000
STEPS = 31

_POSITIONS = {ColourOrder.RGB: (0, 1, 2), ColourOrder.GRB: (1, 0, 2), ColourOrder.BGR: (2, 1, 0)}
"""Which of red, green and blue comes first, second and third."""


def encode(frame: Frame, order: ColourOrder) -> bytes:
    """The bytes of a whole frame. Raises ValueError for an order with white, which these lamps do not have."""
    positions = _POSITIONS.get(order)
    if positions is None:
        raise ValueError(f"expected an order of red, green and blue for an APA102, got {order.value}")
    steps = min(STEPS, ceil(frame.level * STEPS))
    share = frame.level * STEPS / steps if steps else 0.0
    body = b"".join([_lamp(colour, steps, share, positions) for colour in frame.colours])
    return bytes(4) + body + bytes(4 + -(-len(frame.colours) // 16))


@lru_cache(maxsize=1024)  # pictures have few colours
def _lamp(colour: Rgb, steps: int, share: float, positions: tuple[int, int, int]) -> bytes:
    scaled = dimmed(colour, share)
    return bytes((0xE0 | steps, *(scaled[n] for n in positions)))


class Apa102Lamps:
    """`Lamps` of such a chain."""

    def __init__(self, wiring: Apa102, open_device: OpenSpi = open_spi) -> None:
        self._wiring = wiring
        self._open_device = open_device
        self._device: SpiDevice | None = None

    def open(self) -> None:
        self.close()
        self._device = self._open_device(self._wiring.spi, CLOCK_HZ, 0)

    def show(self, frame: Frame) -> None:
        if self._device is None:
            raise OSError("the lamps are closed")
        self._device.writebytes2(encode(frame, self._wiring.colours))

    def close(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            close_dark(device, encode(Frame((BLACK,) * self._wiring.place.lamps, 0.0), self._wiring.colours))
