"""The small types that every part of a profile uses: pins, counts and shares, each with the words for a fault.

`extra={"expected": …}` is what a person is told when something else was written there.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import msgspec
from msgspec import Meta

HIGHEST_LINE = 511

_PIN = "a GPIO number such as 17, or a name such as GPIO17 or BOARD11"

Pin = Annotated[
    Annotated[int, Meta(ge=0, le=HIGHEST_LINE)] | Annotated[str, Meta(pattern=r"^[A-Za-z0-9:]{2,12}$")],
    Meta(extra={"expected": _PIN}),
]
"""A line of the GPIO chip: its number (as BCM counts on a Raspberry Pi), or a name that gpiozero knows."""

EightPins = Annotated[tuple[Pin, ...], Meta(min_length=8, max_length=8)]
Percent = Annotated[int, Meta(ge=0, le=100, extra={"expected": "a whole number from 0 to 100"})]
ScanHz = Annotated[float, Meta(gt=0, le=1000, extra={"expected": "a number above 0 and up to 1000"})]
Microseconds = Annotated[int, Meta(ge=0, le=20_000, extra={"expected": "a whole number of µs from 0 to 20000"})]
Milliamperes = Annotated[int, Meta(ge=0, le=100_000, extra={"expected": "a whole number of mA from 0 to 100000"})]
BusNumber = Annotated[int, Meta(ge=0, le=63, extra={"expected": "a bus number, as in /dev/i2c-1 or /dev/spidev0.0"})]
I2cAddress = Annotated[int, Meta(ge=0x08, le=0x77, extra={"expected": "an I²C address from 0x08 to 0x77"})]
TimeOfDay = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$", extra={"expected": "a time as HH:MM"})]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mapping of a profile. Each key is a field; a key that is no field is a fault."""


class Kind(Part, frozen=True, tag_field="kind"):
    """A mapping whose key `kind` says which one it is of several."""


class Corner(Enum):
    """A corner square of the board, where a count begins."""

    A1 = "a1"
    H1 = "h1"
    A8 = "a8"
    H8 = "h8"


class Along(Enum):
    """Which way a count goes first: along a rank (a1, b1, c1 …) or along a file (a1, a2, a3 …)."""

    RANK = "rank"
    FILE = "file"


class Order(Part, frozen=True, kw_only=True):
    """In which order wires or lamps visit the board.

    Either a rule: beginning at the corner `first`, `along` its rank or file, line after line; with `snake` every second
    line goes back. Or `each`: every place by its name, in the order of the wires. Places are squares (`a1`); for
    81 corner lamps the corner to the lower left of a square, with file `i` and rank 9 for those beyond (`a1` to `i9`);
    for 16 edge lamps the rank or file (`1` to `8`, `a` to `h`).
    """

    first: Corner = Corner.A1
    along: Along = Along.RANK
    snake: bool = False
    each: tuple[str, ...] = ()


class Spi(Part, frozen=True, kw_only=True):
    """Which SPI device: /dev/spidev`bus`.`device`, and its clock; None: what the driver for it thinks best."""

    bus: BusNumber = 0
    device: BusNumber = 0
    speed_hz: Annotated[int, Meta(ge=1_000, le=50_000_000)] | None = None
