"""What goes where on the side of the sensors [pure]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from board_driver.profile.checks import cell_count
from board_driver.profile.places import square_order
from board_driver.profile.schema import Profile
from board_driver.profile.sensors import Expanders, GpioDirect, GpioMatrix, HallAdc, Plugin, ShiftRegisters, Wiring
from board_driver.profile.words import Pin
from board_driver.wiring.wires import Connection, Group, i2c_bus, one_by_one, pin, run, select_pin, spi_pin
from rules.squares import SQUARE_NAMES


def sensor_groups(profile: Profile) -> Iterator[Group]:
    sensors = profile.sensors
    names = [SQUARE_NAMES[s] for s in square_order(sensors.order, profile.orientation)[: cell_count(sensors)]]
    match sensors:
        case GpioMatrix():
            yield _matrix_lines("row", sensors.rows, [names[8 * n : 8 * n + 8] for n in range(8)])
            yield _matrix_lines("column", sensors.columns, [names[n::8] for n in range(8)], _diodes(sensors.diodes))
        case GpioDirect():
            wires = [Connection(pin(line), name) for line, name in zip(sensors.pins, names, strict=False)]
            yield Group("Sensors", tuple(wires), "The other side of each to ground.")
        case ShiftRegisters():
            yield _chain_lines(sensors)
            yield one_by_one("Inputs of the 74HC165", names, lambda n: f"chip {n // 8 + 1}, input {'HGFEDCBA'[n % 8]}")
        case Expanders():
            yield i2c_bus("MCP23017", sensors.bus, sensors.addresses)
            yield from _expander_pins(sensors, names)
        case HallAdc():
            yield from _hall(sensors, names)
        case Plugin():
            yield Group("Sensors", (), f"Read by the plugin {sensors.source}, which knows its own wires.")
        case _:
            assert_never(sensors)


def _matrix_lines(word: str, pins: Sequence[Pin], squares: Sequence[Sequence[str]], note: str = "") -> Group:
    wires = [Connection(pin(line), f"{word} {n + 1}: {run(squares[n])}") for n, line in enumerate(pins)]
    return Group(f"Sensor {word}s", tuple(wires), note)


def _diodes(has_diodes: bool) -> str:
    if not has_diodes:
        return "Without diodes: each contact joins its row and its column."
    return "At each square a contact and a diode (1N4148) in series, the ring of the diode towards the row."


def _chain_lines(sensors: ShiftRegisters) -> Group:
    if sensors.pins is None:
        data, clock = spi_pin(sensors.spi, "MISO"), spi_pin(sensors.spi, "SCLK")
    else:
        data, clock = pin(sensors.pins.data), pin(sensors.pins.clock)
    wires = [
        Connection(clock, "CLK (2) of all chips"),
        Connection(pin(sensors.load), "SH/LD (1) of all chips"),
        Connection(data, "QH (9) of chip 1, the nearest"),
        Connection("QH (9) of each next chip", "SER (10) of the one before"),
        Connection("SER (10) of chip 8", {"low": "ground", "high": "3.3 V", "open": "nothing"}[sensors.end.value]),
        Connection("CLK INH (15) of all chips", "ground"),
        Connection("VCC (16) of all chips", "3.3 V, 100 nF at each chip"),
    ]
    return Group(
        "Chain of 74HC165", tuple(wires), "A resistor of 10 kΩ from each input to 3.3 V: these chips have none."
    )


def _expander_pins(sensors: Expanders, names: Sequence[str]) -> Iterator[Group]:
    if sensors.wiring is Wiring.MATRIX:
        each = 8 // len(sensors.addresses)
        rows = [
            Connection(
                f"chip {sensors.addresses[n // each]:#04x} GPA{n % each}",
                f"row {n + 1}: {run(names[8 * n : 8 * n + 8])}",
            )
            for n in range(8)
        ]
        columns = [Connection(f"GPB{n} of every chip", f"column {n + 1}: {run(names[n::8])}") for n in range(8)]
        yield Group("Matrix", tuple(rows + columns), _diodes(sensors.diodes))
        return
    yield one_by_one(
        "Sensors",
        names,
        lambda n: f"chip {sensors.addresses[n // 16]:#04x} GP{'AB'[n // 8 % 2]}{n % 8}",
        "The other side of each contact to ground." if sensors.active.value == "low" else "The other side to 3.3 V.",
    )


def _hall(sensors: HallAdc, names: Sequence[str]) -> Iterator[Group]:
    wires = []
    for spi in sensors.adcs:
        wires += [
            Connection(spi_pin(spi, "SCLK"), "CLK"),
            Connection(spi_pin(spi, "MISO"), "DOUT"),
            Connection(spi_pin(spi, "MOSI"), "DIN"),
            Connection(select_pin(spi), "CS/SHDN"),
        ]
    wires += [Connection("3.3 V, pin 1", "VDD and VREF, 100 nF"), Connection("ground, pin 6", "AGND and DGND")]
    yield Group(sensors.adc.value.upper(), tuple(wires), "Sensors, multiplexers and converter share one 3.3 V.")
    inputs = 2 ** len(sensors.select)
    if sensors.select:
        lines = [Connection(pin(line), f"S{n} of all multiplexers") for n, line in enumerate(sensors.select)]
        lines += [Connection(f"output of multiplexer {n + 1}", f"CH{n % 8}") for n in range(64 // inputs)]
        lines += [Connection("E of all multiplexers", "ground")]
        yield Group(f"Multiplexers {sensors.mux.value}", tuple(lines))
        yield one_by_one("Sensors", names, lambda n: f"multiplexer {n // inputs + 1}, input {n % inputs}")
    else:
        yield one_by_one("Sensors", names, lambda n: f"converter {n // 8 + 1}, CH{n % 8}")
