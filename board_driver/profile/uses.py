"""Which pins, chip selects and addresses a profile uses, and for what [pure]; and which it uses twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from board_driver.profile.lights import Apa102, GpioLeds, Ht16k33, LedMatrix, Lights, Max7219, ShiftLeds, Ws2812
from board_driver.profile.pins import line_number
from board_driver.profile.schema import Profile
from board_driver.profile.sensors import Expanders, GpioDirect, GpioMatrix, HallAdc, Sensors, ShiftRegisters
from board_driver.profile.words import Pin, Spi

Path = tuple[str | int, ...]

SPI_LINES = {
    0: ({10: "MOSI", 9: "MISO", 11: "SCLK"}, {0: 8, 1: 7}),
    1: ({20: "MOSI", 19: "MISO", 21: "SCLK"}, {0: 18, 1: 17, 2: 16}),
}
"""On the header of a Raspberry Pi: the wires of each SPI bus, and the chip select of each device."""
HEADER_LAST = 27
"""The highest GPIO on that header."""
I2C_LINES = {0: {0: "SDA", 1: "SCL"}, 1: {2: "SDA", 3: "SCL"}}


@dataclass(frozen=True, slots=True)
class Use:
    """One thing that can be used once: a pin, a chip select, an address. `sharing` uses of the same kind get along."""

    thing: str
    path: Path
    purpose: str
    sharing: str = ""


def uses(profile: Profile) -> Iterator[Use]:
    """Everything the profile uses. Raises ValueError for a pin name that is no GPIO."""
    yield from _pins_named(profile)
    for path, spi in _spi_of(profile):
        yield Use(f"SPI device {spi.bus}.{spi.device}", path, path_words(path))
    for path, bus, address in _i2c_of(profile):
        yield Use(f"address {address:#04x} on I²C bus {bus}", path, path_words(path))
    yield from _header_lines(profile)


def clashes(profile: Profile) -> list[tuple[Path, str]]:
    """Path and words of everything that is used twice, and of pins that are none."""
    troubles: list[tuple[Path, str]] = []
    taken: dict[str, Use] = {}
    on_header = getattr(profile.sensors, "chip", None) is None
    for path, pin, _ in pins_of(profile):
        try:
            number = line_number(pin)
        except ValueError as problem:
            troubles.append((path, str(problem)))
        else:
            if number > HEADER_LAST and path[0] in (*(("sensors",) if on_header else ()), "buttons", "sound"):
                troubles.append((path, f"a pin header has GPIO 0 to {HEADER_LAST}, got {number}{_other_chip(path)}"))
    if troubles:
        return troubles
    for use in uses(profile):
        other = taken.setdefault(use.thing, use)
        if other is not use and not (use.sharing and use.sharing == other.sharing):
            troubles.append((use.path, f"{use.thing} is used already by {other.purpose}"))
    return troubles


def pins_of(profile: Profile) -> Iterator[tuple[Path, Pin, str]]:
    """Every pin that is named, with its path and what it is for, such as `row 1` or `button draw_white`."""
    yield from _sensor_pins(profile.sensors)
    for index, lights in enumerate(profile.lights):
        yield from _light_pins(lights, ("lights", index))
    for name, pin in profile.buttons.pins().items():
        yield ("buttons", name), pin, f"button {name}"
    if profile.sound.buzzer is not None:
        yield ("sound", "buzzer"), profile.sound.buzzer, "the buzzer"


def _other_chip(path: Path) -> str:
    return ": on another computer, say which `chip:` it is" if path[0] == "sensors" else ""


def path_words(path: Path) -> str:
    """`sensors.rows[3]`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def _pins_named(profile: Profile) -> Iterator[Use]:
    for path, pin, _ in pins_of(profile):
        yield Use(f"GPIO {line_number(pin)}", path, path_words(path))


def _sensor_pins(sensors: Sensors) -> Iterator[tuple[Path, Pin, str]]:
    match sensors:
        case GpioMatrix():
            for name, pins in (("rows", sensors.rows), ("columns", sensors.columns)):
                for index, pin in enumerate(pins):
                    yield ("sensors", name, index), pin, f"{name[:-1]} {index}"
        case GpioDirect():
            for index, pin in enumerate(sensors.pins):
                yield ("sensors", "pins", index), pin, f"sensor {index}"
        case ShiftRegisters():
            yield ("sensors", "load"), sensors.load, "SH/LD"
            if sensors.pins is not None:
                yield ("sensors", "pins", "clock"), sensors.pins.clock, "CLK"
                yield ("sensors", "pins", "data"), sensors.pins.data, "QH"
        case HallAdc():
            for index, pin in enumerate(sensors.select):
                yield ("sensors", "select", index), pin, f"S{index} of the multiplexers"
        case _:
            pass


def _light_pins(lights: Lights, path: Path) -> Iterator[tuple[Path, Pin, str]]:
    match lights:
        case LedMatrix():
            for name, pins in (("rows", lights.rows), ("columns", lights.columns)):
                for index, pin in enumerate(pins):
                    yield (*path, name, index), pin, f"lamp {name[:-1]} {index}"
        case GpioLeds():
            for index, pin in enumerate(lights.pins):
                yield (*path, "pins", index), pin, f"lamp {index}"
        case ShiftLeds() if lights.enable is not None:
            yield (*path, "enable"), lights.enable, "OE of the lamps"
        case _:
            pass


def _spi_of(profile: Profile) -> Iterator[tuple[Path, Spi]]:
    match profile.sensors:
        case ShiftRegisters(pins=None):
            yield ("sensors", "spi"), profile.sensors.spi
        case HallAdc():
            for index, spi in enumerate(profile.sensors.adcs):
                yield ("sensors", "adcs", index), spi
        case _:
            pass
    for index, lights in enumerate(profile.lights):
        if isinstance(lights, Ws2812 | Apa102 | Max7219 | ShiftLeds):
            yield ("lights", index, "spi"), lights.spi


def _i2c_of(profile: Profile) -> Iterator[tuple[Path, int, int]]:
    if isinstance(profile.sensors, Expanders):
        for index, address in enumerate(dict.fromkeys(profile.sensors.addresses)):
            yield ("sensors", "addresses", index), profile.sensors.bus, address
    for index, lights in enumerate(profile.lights):
        if isinstance(lights, Ht16k33):
            yield ("lights", index, "address"), lights.bus, lights.address
    for index, display in enumerate(profile.displays):
        yield ("displays", index, "address"), display.bus, display.address


def _header_lines(profile: Profile) -> Iterator[Use]:
    """The pins of the buses, as they are on a Raspberry Pi; on another chip nobody knows."""
    if getattr(profile.sensors, "chip", None) is not None:
        return
    for path, spi in _spi_of(profile):
        wires, selects = SPI_LINES.get(spi.bus, ({}, {}))
        for line, name in wires.items():
            yield Use(f"GPIO {line}", path, f"{path_words(path)} ({name} of SPI {spi.bus})", f"SPI {spi.bus}")
        if spi.device in selects:
            yield Use(f"GPIO {selects[spi.device]}", path, f"{path_words(path)} (CE{spi.device} of SPI {spi.bus})")
    for path, bus, _ in _i2c_of(profile):
        for line, name in I2C_LINES.get(bus, {}).items():
            yield Use(f"GPIO {line}", path, f"{path_words(path)} ({name} of I²C {bus})", f"I2C {bus}")
