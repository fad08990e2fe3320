"""What a profile may say of the sensors: one struct for each kind of wiring.

Every kind reads *cells*, numbered in the order of its wires, as its docstring says; `order` says which square each cell
is. `scan_hz` is how often all of them are read.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import msgspec
from msgspec import Meta

from board_driver.profile.words import (
    BusNumber,
    EightPins,
    I2cAddress,
    Kind,
    Microseconds,
    Order,
    Part,
    Pin,
    ScanHz,
    Spi,
)


class Active(Enum):
    """The level of a wire whose sensor feels a piece."""

    LOW = "low"
    HIGH = "high"


class GpioMatrix(Kind, frozen=True, kw_only=True, tag="gpio-matrix"):
    """Reed switches between eight rows and eight columns of GPIO lines. Cell 8·row + column.

    Rows are pulled low one at a time (open drain), columns have pull-ups. Without `diodes` three closed corners of a
    rectangle read as four: such squares are distrusted. `row_settle_us` is what a column may take to rise after the row
    before, one number or one for each row: only then is a column that was low before believed to be low again. `chip`
    None finds the chip of the pin header.
    """

    rows: EightPins
    columns: EightPins
    diodes: bool = True
    row_settle_us: Microseconds | Annotated[tuple[Microseconds, ...], Meta(min_length=8, max_length=8)] = 20
    chip: Annotated[int, Meta(ge=0, le=63)] | None = None
    order: Order = Order()
    scan_hz: ScanHz = 100.0


class GpioDirect(Kind, frozen=True, kw_only=True, tag="gpio-direct"):
    """A sensor on a GPIO line of its own, for single-board computers with lines to spare and for trying a few. Cell
    n is pin n. With fewer than 64, `order.each` names the squares that there are.
    """

    pins: Annotated[tuple[Pin, ...], Meta(min_length=1, max_length=64)]
    active: Active = Active.LOW
    chip: Annotated[int, Meta(ge=0, le=63)] | None = None
    order: Order = Order()
    scan_hz: ScanHz = 100.0


class BitBang(Part, frozen=True, kw_only=True):
    """The lines of a shift register chain that is clocked by the program instead of by SPI."""

    clock: Pin
    data: Pin


class ChainEnd(Enum):
    """What the serial input (SER, pin 10) of the chip farthest from the computer is tied to."""

    LOW = "low"
    HIGH = "high"
    OPEN = "open"


class ShiftRegisters(Kind, frozen=True, kw_only=True, tag="74hc165"):
    """Eight chained 74HC165. Cell 0 is the first bit that comes out: input H (D7) of the chip nearest the computer.

    `load` is the line to SH/LD (pin 1). Bits come by `spi`, or by `pins` where it is given. With `end` low or high the
    chain is checked at every scan; open: it cannot be told from a board that is full or empty.
    """

    load: Pin
    spi: Spi = Spi()
    pins: BitBang | None = None
    active: Active = Active.LOW
    end: ChainEnd = ChainEnd.OPEN
    chip: Annotated[int, Meta(ge=0, le=63)] | None = None
    order: Order = Order()
    scan_hz: ScanHz = 100.0


class Wiring(Enum):
    """How sensors hang on expanders."""

    DIRECT = "direct"
    MATRIX = "matrix"


class Expanders(Kind, frozen=True, kw_only=True, tag="mcp23017"):
    """One to four MCP23017 on I²C bus /dev/i2c-`bus`.

    `direct`: 16 sensors a chip, against ground. Cell 16·chip + pin, GPA0 to GPA7 being 0 to 7 and GPB0 to GPB7 8 to 15.
    With fewer than four chips, `order.each` names the squares that there are.
    `matrix`: 1, 2 or 4 chips, each with 8, 4 or 2 rows from GPA0 on, and its columns GPB0 to GPB7. Cell 8·row + column,
    rows counted through all chips.
    """

    addresses: Annotated[tuple[I2cAddress, ...], Meta(min_length=1, max_length=4)] = (0x20, 0x21, 0x22, 0x23)
    bus: BusNumber = 1
    wiring: Wiring = Wiring.DIRECT
    diodes: bool = True
    active: Active = Active.LOW
    pull_ups: bool = True
    order: Order = Order()
    scan_hz: ScanHz = 100.0


class AdcModel(Enum):
    """Which converter: 10 or 12 bits."""

    MCP3008 = "mcp3008"
    MCP3208 = "mcp3208"


class MuxModel(Enum):
    """Which multiplexers stand before the converter: of 16 or 8 inputs, or none."""

    CD4067 = "4067"
    CD4051 = "4051"
    NONE = "none"


class HallAdc(Kind, frozen=True, kw_only=True, tag="hall-adc"):
    """64 analogue Hall sensors through one or more converters. Colours come from the polarity of the magnets.

    The multiplexers share their `select` lines (lowest bit first), and each feeds one channel of the converters in
    turn: channels 0 to 7 of the first of `adcs`, then those of the next. Cell inputs·channel + address, where `inputs`
    is 16, 8 or 1. `mux_settle_us` is waited after the address changes; a request takes ten clocks by itself before the
    converter samples. `calibration` is the file that `touchmove calibrate` writes; None: beside the profile or in the
    state folder.
    """

    adc: AdcModel = AdcModel.MCP3208
    adcs: Annotated[tuple[Spi, ...], Meta(min_length=1, max_length=8)] = (Spi(),)
    mux: MuxModel = MuxModel.CD4067
    select: Annotated[tuple[Pin, ...], Meta(max_length=4)] = ()
    mux_settle_us: Microseconds = 0
    calibration: str | None = None
    chip: Annotated[int, Meta(ge=0, le=63)] | None = None
    order: Order = Order()
    scan_hz: ScanHz = 50.0


class Plugin(Kind, frozen=True, kw_only=True, tag="plugin"):
    """A source that somebody wrote: the entry point `source` of the group `touchmove.boards`, called with `options`.

    What it reads is by squares already, so `order` is as a rule left out.
    """

    source: str
    options: dict[str, object] = msgspec.field(default_factory=dict)
    order: Order = Order()
    scan_hz: ScanHz = 100.0


Sensors = GpioMatrix | GpioDirect | ShiftRegisters | Expanders | HallAdc | Plugin
