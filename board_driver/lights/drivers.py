"""From a profile's lights to what shows pictures on them. Only the driver that is asked for is imported."""

from __future__ import annotations

from typing import assert_never

from board_driver.lights.lamps import Lamps
from board_driver.lights.performer import Performer
from board_driver.lights.power import AnyLamps
from board_driver.profile.lights import (
    Apa102,
    GpioLeds,
    Ht16k33,
    LedMatrix,
    Lights,
    Max7219,
    NoLights,
    ShiftLeds,
    Ws2812,
)
from board_driver.profile.places import place_order
from board_driver.profile.schema import Orientation


def make_lights(lights: Lights, orientation: Orientation) -> Performer | None:
    """The lights, not yet opened; None where the profile says there are none."""
    if isinstance(lights, NoLights):
        return None
    return Performer(lights, place_order(lights.place, lights.order, orientation), make_lamps(lights))


def make_lamps(lights: AnyLamps) -> Lamps:
    """The driver of those lamps."""
    match lights:
        case Ws2812():
            from board_driver.lights.ws2812 import Ws2812Lamps  # noqa: PLC0415

            return Ws2812Lamps(lights)
        case Apa102():
            from board_driver.lights.apa102 import Apa102Lamps  # noqa: PLC0415

            return Apa102Lamps(lights)
        case Max7219():
            from board_driver.lights.max7219 import Max7219Lamps  # noqa: PLC0415

            return Max7219Lamps(lights)
        case Ht16k33():
            from board_driver.lights.ht16k33 import Ht16k33Lamps  # noqa: PLC0415

            return Ht16k33Lamps(lights)
        case LedMatrix():
            from board_driver.lights.plainleds import LedMatrixLamps  # noqa: PLC0415

            return LedMatrixLamps(lights)
        case GpioLeds():
            from board_driver.lights.plainleds import GpioLedLamps  # noqa: PLC0415

            return GpioLedLamps(lights)
        case ShiftLeds():
            from board_driver.lights.shiftleds import ShiftLedLamps  # noqa: PLC0415

            return ShiftLedLamps(lights)
        case _:
            assert_never(lights)
