"""Wires in words: what one is, and how pins of the computer are named [pure]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from board_driver.profile.pins import line_number
from board_driver.profile.uses import I2C_LINES, SPI_LINES
from board_driver.profile.words import Pin, Spi
from board_driver.wiring.header import pin_words


@dataclass(frozen=True, slots=True)
class Connection:
    """One wire, or several that are alike."""

    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Group:
    """Wires that belong together, with what to know of them."""

    title: str
    connections: tuple[Connection, ...]
    note: str = ""


def one_by_one(title: str, names: Sequence[str], where: Callable[[int], str], note: str = "") -> Group:
    """A wire for each name; `where(n)` says where the nth begins."""
    return Group(title, tuple(Connection(where(n), name) for n, name in enumerate(names)), note)


def i2c_bus(chip: str, bus: int, addresses: Sequence[int]) -> Group:
    lines = {name: line for line, name in I2C_LINES.get(bus, {}).items()}
    wires = [
        Connection(pin_words(lines["SDA"]) if "SDA" in lines else f"SDA of I²C {bus}", "SDA"),
        Connection(pin_words(lines["SCL"]) if "SCL" in lines else f"SCL of I²C {bus}", "SCL"),
        Connection("3.3 V, pin 1", "VDD, 100 nF at each chip"),
        Connection("ground, pin 6", "VSS"),
    ]
    if chip == "MCP23017":
        wires += [
            Connection(f"A2, A1, A0 of the chip {address:#04x}", f"{_levels(address & 7)}; RESET to 3.3 V")
            for address in addresses
        ]
    return Group(f"{chip} on I²C {bus}", tuple(wires))


def run(names: Sequence[str]) -> str:
    """`a1 to h1`."""
    return f"{names[0]} to {names[-1]}"


def _levels(bits: int) -> str:
    return ", ".join("3.3 V" if bits >> n & 1 else "ground" for n in (2, 1, 0))


def pin(pin: Pin) -> str:
    return pin_words(line_number(pin))


def spi_pin(spi: Spi, wire: str) -> str:
    lines = {name: line for line, name in SPI_LINES.get(spi.bus, ({}, {}))[0].items()}
    return f"{pin_words(lines[wire])} ({wire})" if wire in lines else f"{wire} of SPI {spi.bus}"


def select_pin(spi: Spi) -> str:
    selects = SPI_LINES.get(spi.bus, ({}, {}))[1]
    name = f"CE{spi.device} of SPI {spi.bus}"
    return f"{pin_words(selects[spi.device])} ({name})" if spi.device in selects else name
