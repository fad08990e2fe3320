"""What is wrong with a profile that no single key shows: pins used twice, counts that do not fit [pure].

Each check looks at the whole profile and yields complaints; none stops another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from board_driver.inputerror import InputError, shortened
from board_driver.players.spec import read_player
from board_driver.profile.lights import (
    Apa102,
    ColourOrder,
    GpioLeds,
    Ht16k33,
    LedMatrix,
    Max7219,
    NoLights,
    Place,
    ShiftLeds,
    Ws2812,
)
from board_driver.profile.places import place_order, square_order
from board_driver.profile.schema import Orientation, Profile
from board_driver.profile.sensors import (
    Active,
    Expanders,
    GpioDirect,
    HallAdc,
    MuxModel,
    Sensors,
    Wiring,
)
from board_driver.profile.uses import clashes
from rules.clock import TimeControlError, parse_time_control
from rules.ruleset import RULESETS
from rules.squares import parse_square

MUX_INPUTS = {MuxModel.CD4067: 16, MuxModel.CD4051: 8, MuxModel.NONE: 1}
"""How many sensors hang on one channel of the converter."""
CHANNELS = 8
"""Of one MCP3008 or MCP3208."""
EXPANDER_ADDRESSES = range(0x20, 0x28)

_AS_BUILT = Orientation()


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong, and at which path."""

    path: tuple[str | int, ...]
    text: str


def check(profile: Profile) -> list[Complaint]:
    """Everything that is wrong with `profile`; nothing for a sound one."""
    checks: tuple[Callable[[Profile], Iterator[Complaint]], ...] = (_sensors, _lights, _game, _uses)
    return [complaint for found in checks for complaint in found(profile)]


def cell_count(sensors: Sensors) -> int:
    """How many cells those sensors read."""
    match sensors:
        case GpioDirect():
            return len(sensors.pins)
        case Expanders(wiring=Wiring.DIRECT):
            return 16 * len(sensors.addresses)
        case _:
            return 64


# -- sensors


def _sensors(profile: Profile) -> Iterator[Complaint]:
    sensors = profile.sensors
    match sensors:
        case Expanders():
            yield from _expanders(sensors)
        case HallAdc():
            yield from _hall(sensors)
        case _:
            pass
    yield from _sensor_order(sensors)


def _sensor_order(sensors: Sensors) -> Iterator[Complaint]:
    path, count = ("sensors", "order", "each"), cell_count(sensors)
    each = sensors.order.each
    if not each:
        if count < 64:
            yield Complaint(("sensors",), f"only {count} sensors: name their squares in order.each, as wired")
        return
    try:
        squares = square_order(sensors.order, _AS_BUILT)
    except ValueError as problem:
        yield Complaint(path, str(problem))
        return
    if len(each) != count:
        yield Complaint(path, f"expected {count} squares, one for each sensor as wired, got {len(each)}")
    yield from _doubles(path, each, squares)


def _expanders(sensors: Expanders) -> Iterator[Complaint]:
    for index, address in enumerate(sensors.addresses):
        path = ("sensors", "addresses", index)
        if address not in EXPANDER_ADDRESSES:
            yield Complaint(path, f"expected an MCP23017's address, 0x20 to 0x27, got {address:#04x}")
        if address in sensors.addresses[:index]:
            yield Complaint(path, f"address {address:#04x} is used twice: set the chips' pins A0 to A2 differently")
    if sensors.wiring is Wiring.MATRIX:
        if len(sensors.addresses) == 3:
            yield Complaint(("sensors", "addresses"), "expected 1, 2 or 4 chips for a matrix, got 3")
        if sensors.active is not Active.LOW or not sensors.pull_ups:
            text = "a matrix is read by pulling rows low: it needs active: low and pull_ups: true"
            yield Complaint(("sensors", "wiring"), text)


def _hall(sensors: HallAdc) -> Iterator[Complaint]:
    inputs = MUX_INPUTS[sensors.mux]
    lines, channels = inputs.bit_length() - 1, 64 // inputs
    if len(sensors.select) != lines:
        text = f"expected {lines} lines for mux {sensors.mux.value}, lowest bit first, got {len(sensors.select)}"
        yield Complaint(("sensors", "select"), text)
    if CHANNELS * len(sensors.adcs) < channels:
        text = f"64 sensors through mux {sensors.mux.value} need {channels} channels, {len(sensors.adcs)} chips have "
        yield Complaint(("sensors", "adcs"), text + str(CHANNELS * len(sensors.adcs)))


# -- lights


def _lights(profile: Profile) -> Iterator[Complaint]:
    for index, lights in enumerate(profile.lights):
        if not isinstance(lights, NoLights):
            yield from _lamps(lights, ("lights", index))


Lamps = Ws2812 | Apa102 | Max7219 | Ht16k33 | LedMatrix | ShiftLeds | GpioLeds


def _lamps(lights: Lamps, path: tuple[str | int, ...]) -> Iterator[Complaint]:
    match lights:
        case Max7219() | Ht16k33() | LedMatrix() if lights.place is Place.CORNERS:
            yield Complaint((*path, "place"), "this kind lights 64 lamps, but there are 81 corners")
        case GpioLeds() if lights.place not in (Place.EDGES, Place.STATUS):
            yield Complaint(
                (*path, "place"), "lines of their own are for edges (16) or status (1): use a matrix or a chain"
            )
        case Apa102(colours=ColourOrder.GRBW):
            yield Complaint((*path, "colours"), "APA102 and SK9822 have no white: expected one of grb, rgb, bgr")
        case GpioLeds() if len(lights.pins) != lights.place.lamps:
            text = f"expected {lights.place.lamps} pins for {lights.place.value}, got {len(lights.pins)}"
            yield Complaint((*path, "pins"), text)
        case _:
            pass
    each = lights.order.each
    try:
        places = place_order(lights.place, lights.order, _AS_BUILT)
    except ValueError as problem:
        yield Complaint((*path, "order", "each"), str(problem))
        return
    if each and len(each) != lights.place.lamps:
        text = f"expected {lights.place.lamps} {lights.place.value}, got {len(each)}"
        yield Complaint((*path, "order", "each"), text)
    elif each:
        yield from _doubles((*path, "order", "each"), each, places)


def _doubles(path: tuple[str | int, ...], names: tuple[str, ...], places: tuple[int, ...]) -> Iterator[Complaint]:
    for index, place in enumerate(places):
        if place in places[:index]:
            yield Complaint((*path, index), f"{names[index]} is named twice")


# -- games and pins


def _game(profile: Profile) -> Iterator[Complaint]:
    ruleset = profile.game.ruleset
    if ruleset is not None and ruleset not in RULESETS:
        close = get_close_matches(ruleset, RULESETS, 1)
        hint = f": did you mean {close[0]}?" if close else ""
        text = f"expected one of {', '.join(RULESETS)}, got {shortened(ruleset)}{hint}"
        yield Complaint(("game", "ruleset"), text)
    if profile.game.time is not None:
        try:
            parse_time_control(profile.game.time)
        except TimeControlError as problem:
            yield Complaint(("game", "time"), str(problem))
    for side in ("white", "black"):
        try:
            read_player(side, getattr(profile.players, side))
        except InputError as problem:
            yield Complaint(("players", side), str(problem))
    for index, name in enumerate(profile.game.dead_squares):
        try:
            parse_square(name)
        except ValueError:
            yield Complaint(("game", "dead_squares", index), f"expected a square from a1 to h8, got {shortened(name)}")


def _uses(profile: Profile) -> Iterator[Complaint]:
    for path, text in clashes(profile):
        yield Complaint(path, text)
