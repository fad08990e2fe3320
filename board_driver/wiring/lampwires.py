"""What goes where on the side of the lamps [pure]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from board_driver.profile.lights import (
    Apa102,
    GpioLeds,
    Ht16k33,
    LedMatrix,
    Lights,
    Max7219,
    NoLights,
    Place,
    ShiftLeds,
    Ws2812,
)
from board_driver.profile.places import place_order
from board_driver.profile.schema import Profile
from board_driver.wiring.wires import Connection, Group, i2c_bus, one_by_one, pin, run, select_pin, spi_pin
from rules.squares import SQUARE_NAMES

EDGE_NAMES = "12345678abcdefgh"
SEGMENTS = ("DP", "A", "B", "C", "D", "E", "F", "G")


def lamp_groups(lights: Lights, profile: Profile) -> Iterator[Group]:
    """What is connected where, group by group, for one kind of lights; nothing where there are none."""
    if isinstance(lights, NoLights):
        return
    names = place_names(lights.place, place_order(lights.place, lights.order, profile.orientation))
    match lights:
        case Ws2812():
            yield _strip("WS2812", [_to_strip(spi_pin(lights.spi, "MOSI"), "DIN")], names)
        case Apa102():
            wires = [_to_strip(spi_pin(lights.spi, "MOSI"), "DI"), _to_strip(spi_pin(lights.spi, "SCLK"), "CI")]
            yield _strip("APA102", wires, names)
        case Max7219():
            yield _max7219(lights)
            yield one_by_one("Lamps", names, lambda n: f"DIG{n // 8}, segment {SEGMENTS[n % 8]}")
        case Ht16k33():
            yield i2c_bus("HT16K33", lights.bus, [lights.address])
            yield one_by_one("Lamps", names, lambda n: f"common C{n // 8}, row A{n % 8}")
        case LedMatrix():
            yield _led_matrix(lights, names)
        case ShiftLeds():
            yield _chain_of_595(lights)
            yield one_by_one("Lamps", names, lambda n: f"chip {n // 8 + 1}, output Q{'ABCDEFGH'[n % 8]}")
        case GpioLeds():
            yield _single_leds(lights, names)
        case _:
            assert_never(lights)


def _strip(title: str, wires: list[Connection], names: Sequence[str]) -> Group:
    return Group(title, tuple(wires + _strip_power()), _strip_note(names))


def _to_strip(wire: str, end: str) -> Connection:
    return Connection(wire, f"level shifter, then {end} of the first lamp")


def _max7219(lights: Max7219) -> Group:
    wires = [
        Connection(spi_pin(lights.spi, "MOSI"), "level shifter, then DIN (1)"),
        Connection(spi_pin(lights.spi, "SCLK"), "level shifter, then CLK (13)"),
        Connection(select_pin(lights.spi), "level shifter, then LOAD (12)"),
        Connection("5 V, pin 2", "V+ (19), 10 µF and 100 nF; by a resistor to ISET (18)"),
        Connection("ground, pin 6", "GND (4 and 9)"),
    ]
    return Group("MAX7219", tuple(wires))


def _led_matrix(lights: LedMatrix, names: Sequence[str]) -> Group:
    rows = [Connection(pin(line), f"anodes {run(names[8 * n : 8 * n + 8])}") for n, line in enumerate(lights.rows)]
    columns = [
        Connection(pin(line), f"by a resistor to cathodes {run(names[n::8])}") for n, line in enumerate(lights.columns)
    ]
    return Group("LED matrix", tuple(rows + columns))


def _chain_of_595(lights: ShiftLeds) -> Group:
    wires = [
        Connection(spi_pin(lights.spi, "MOSI"), "SER (14) of chip 1, the nearest"),
        Connection(spi_pin(lights.spi, "SCLK"), "SRCLK (11) of all chips"),
        Connection(select_pin(lights.spi), "RCLK (12) of all chips"),
        Connection("QH' (9) of each chip", "SER (14) of the next"),
        Connection("SRCLR (10) of all chips", "3.3 V"),
        Connection("OE (13) of all chips", "ground" if lights.enable is None else pin(lights.enable)),
    ]
    return Group("Chain of 74HC595", tuple(wires), "Each output by a resistor to a LED, its other side to ground.")


def _single_leds(lights: GpioLeds, names: Sequence[str]) -> Group:
    leds = [
        Connection(pin(line), f"by a resistor to the LED {name}")
        for line, name in zip(lights.pins, names, strict=False)
    ]
    return Group("LEDs", tuple(leds), "The other side of each to ground.")


def _strip_power() -> list[Connection]:
    return [
        Connection("5 V of the lamps' own supply", "5 V of the first and the last lamp, 1000 µF between it and ground"),
        Connection("ground of that supply", "ground of the lamps, and ground of the computer (pin 6)"),
    ]


def _strip_note(names: Sequence[str]) -> str:
    return f"The lamps in the order of the data wire: {_chain(names)}."


def _chain(names: Sequence[str]) -> str:
    """Where a strip runs: the ends of its straight parts."""
    if len(names) < 3:
        return ", ".join(names)
    side = 9 if len(names) == 81 else 8
    return "; ".join(f"{names[n]} to {names[min(n + side, len(names)) - 1]}" for n in range(0, len(names), side))


def place_names(place: Place, places: Iterable[int]) -> list[str]:
    """Squares and corners as a1, edges as 1 or a."""
    match place:
        case Place.SQUARES:
            return [SQUARE_NAMES[n] for n in places]
        case Place.CORNERS:
            return [f"{'abcdefghi'[n % 9]}{n // 9 + 1}" for n in places]
        case Place.EDGES:
            return [EDGE_NAMES[n] for n in places]
        case Place.STATUS:
            return ["status" for _ in places]
        case _:
            assert_never(place)
