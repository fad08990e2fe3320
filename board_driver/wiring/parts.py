"""What is to be bought, what it costs about, and what it draws [pure].

Prices are guesses in euros for single pieces, made to compare boards by; look them up before buying. The computer, the
case, the pieces and wire are left out, as they are alike for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from board_driver.lights.power import IDLE_MA, supply_of
from board_driver.profile.checks import cell_count
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
from board_driver.profile.schema import Profile
from board_driver.profile.sensors import (
    Expanders,
    GpioDirect,
    GpioMatrix,
    HallAdc,
    Plugin,
    Sensors,
    ShiftRegisters,
    Wiring,
)
from board_driver.wiring.displaywires import display_draw, display_part


@dataclass(frozen=True, slots=True)
class Part:
    """So many of a thing; `each_ct` is the guess for one, in euro cents."""

    count: int
    name: str
    each_ct: int

    @property
    def sum_ct(self) -> int:
        return self.count * self.each_ct


@dataclass(frozen=True, slots=True)
class Draw:
    """What a part of the board draws at most, from which supply."""

    what: str
    supply: str
    most_ma: float


def parts_of(profile: Profile) -> list[Part]:
    """All parts, those of the same name together."""
    found = [*_sensor_parts(profile)]
    for lights in profile.lights:
        found += _light_parts(lights)
    found += [Part(1, *display_part(display)) for display in profile.displays]
    buttons = len(profile.buttons.pins())
    found += [Part(buttons, "push button", 30)] if buttons else []
    found += [Part(32, "magnet, 10 × 3 mm, for the pieces", 25)]
    counts: dict[tuple[str, int], int] = {}
    for part in found:
        counts[part.name, part.each_ct] = counts.get((part.name, part.each_ct), 0) + part.count
    return [Part(count, name, each_ct) for (name, each_ct), count in counts.items()]


def draws_of(profile: Profile) -> list[Draw]:
    """What sensors, lamps and displays draw at most."""
    found = [*_sensor_draws(profile.sensors)]
    for lights in profile.lights:
        if not isinstance(lights, NoLights):
            supply = supply_of(lights)
            level = max(lights.brightness_percent, lights.night.brightness_percent if lights.night else 0) / 100
            most = min(supply.fullest_ma(lights.place.lamps, level), lights.budget_ma)
            idle = f", {IDLE_MA * lights.place.lamps:.0f} of it even when dark" if supply.idle_ma else ""
            found.append(Draw(f"lamps, capped by budget_ma {lights.budget_ma}{idle}", _lamp_supply(lights), most))
    return found + [Draw(*display_draw(display)) for display in profile.displays]


def _sensor_parts(profile: Profile) -> Iterator[Part]:
    sensors = profile.sensors
    sensor, each_ct = "reed switch, or digital Hall switch", 30
    match sensors:
        case GpioMatrix():
            yield Part(64, sensor, each_ct)
            yield from [Part(64, "diode 1N4148", 2)] if sensors.diodes else []
        case GpioDirect():
            yield Part(cell_count(sensors), sensor, each_ct)
        case ShiftRegisters():
            yield Part(64, sensor, each_ct)
            yield Part(8, "74HC165", 50)
            yield Part(8, "capacitor 100 nF", 5)
            yield Part(8, "resistor network 8 × 10 kΩ", 30)
        case Expanders():
            yield Part(cell_count(sensors), sensor, each_ct)
            yield Part(len(sensors.addresses), "MCP23017", 180)
            yield Part(len(sensors.addresses), "capacitor 100 nF", 5)
            yield from [Part(64, "diode 1N4148", 2)] if sensors.wiring is Wiring.MATRIX and sensors.diodes else []
        case HallAdc():
            yield Part(64, "analogue Hall sensor (SS49E or DRV5055)", 60)
            yield Part(len(sensors.adcs), sensors.adc.value.upper(), 350)
            muxes = 64 // 2 ** len(sensors.select) if sensors.select else 0
            yield from [Part(muxes, f"multiplexer {sensors.mux.value}", 90)] if muxes else []
            yield Part(len(sensors.adcs) + muxes, "capacitor 100 nF", 5)
        case Plugin():
            return
        case _:
            assert_never(sensors)


def _light_parts(lights: Lights) -> Iterator[Part]:
    match lights:
        case Ws2812() | Apa102():
            kind, each_ct = ("WS2812", 15) if isinstance(lights, Ws2812) else ("APA102", 25)
            yield Part(lights.place.lamps, f"lamp {kind} on strip or board", each_ct)
            yield Part(1, "level shifter 74AHCT125", 60)
            yield Part(1, "capacitor 1000 µF, 6.3 V", 30)
            yield Part(1, "supply 5 V, 3 A", 900)
        case Max7219():
            yield Part(lights.place.lamps, "LED 3 mm", 8)
            yield Part(1, "MAX7219", 250)
            yield Part(1, "level shifter 74AHCT125", 60)
        case Ht16k33():
            yield Part(lights.place.lamps, "LED 3 mm", 8)
            yield Part(1, "HT16K33 on a board", 400)
        case LedMatrix():
            yield Part(lights.place.lamps, "LED 3 mm", 8)
            yield Part(8, "resistor 330 Ω", 2)
        case ShiftLeds():
            chips = -(-lights.place.lamps // 8)
            yield Part(lights.place.lamps, "LED 3 mm", 8)
            yield Part(lights.place.lamps, "resistor 330 Ω", 2)
            yield Part(chips, "74HC595", 40)
            yield Part(chips, "capacitor 100 nF", 5)
        case GpioLeds():
            yield Part(len(lights.pins), "LED 3 mm", 8)
            yield Part(len(lights.pins), "resistor 330 Ω", 2)
        case NoLights():
            return
        case _:
            assert_never(lights)


def _sensor_draws(sensors: Sensors) -> Iterator[Draw]:
    match sensors:
        case HallAdc():
            yield Draw("64 analogue Hall sensors, 6 mA each, by the data sheet of the SS49E", "3.3 V", 384)
        case GpioMatrix():
            yield Draw("eight pull-ups of about 50 kΩ, one row at a time", "3.3 V", 8 * 3.3 / 50)
        case Expanders():
            yield Draw("64 pull-ups of about 100 kΩ, all contacts closed", "3.3 V", 64 * 3.3 / 100)
        case ShiftRegisters():
            yield Draw("64 pull-ups of 10 kΩ, all contacts closed", "3.3 V", 64 * 3.3 / 10)
        case _:
            return


def _lamp_supply(lights: Lights) -> str:
    return (
        "5 V of their own" if isinstance(lights, Ws2812 | Apa102) else "5 V" if isinstance(lights, Max7219) else "3.3 V"
    )
