"""What a profile may say of the lights: one struct for each kind of lamps.

`place` says where lamps are: under every square (64), on every corner of squares (81, shared by up to four squares), at
the edges (16: ranks and files), or one for the whole board. `order` says which place each lamp is, in the order of the
wires; lamps at the edges are by default ranks 1 to 8, then files a to h.

`brightness_percent` is of what the lamps could; `budget_ma` is what all lamps together may draw from the supply:
frames that would draw more are dimmed as a whole. `ma_per_lamp` is one lamp at its fullest (white, for coloured ones).
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from msgspec import Meta

from board_driver.profile.words import (
    BusNumber,
    EightPins,
    I2cAddress,
    Kind,
    Milliamperes,
    Order,
    Part,
    Percent,
    Pin,
    Spi,
    TimeOfDay,
)


class Place(Enum):
    """Where lamps are."""

    SQUARES = "squares"
    CORNERS = "corners"
    EDGES = "edges"
    STATUS = "status"

    @property
    def lamps(self) -> int:
        """How many lamps that is."""
        return {Place.SQUARES: 64, Place.CORNERS: 81, Place.EDGES: 16, Place.STATUS: 1}[self]


class Night(Part, frozen=True, kw_only=True):
    """Dimmer by night, by the computer's own clock; `begins` may be later than `ends`."""

    begins: TimeOfDay = "21:00"
    ends: TimeOfDay = "07:00"
    brightness_percent: Percent = 5


class ColourOrder(Enum):
    """In which order the lamps of a strip take their colours."""

    GRB = "grb"
    RGB = "rgb"
    BGR = "bgr"
    GRBW = "grbw"


class Ws2812(Kind, frozen=True, kw_only=True, tag="ws2812"):
    """WS2812 or SK6812 in a chain, its data wire on MOSI of `spi`."""

    spi: Spi = Spi()
    colours: ColourOrder = ColourOrder.GRB
    place: Place = Place.SQUARES
    order: Order = Order()
    brightness_percent: Percent = 30
    night: Night | None = None
    budget_ma: Milliamperes = 1500
    ma_per_lamp: Milliamperes = 60


class Apa102(Kind, frozen=True, kw_only=True, tag="apa102"):
    """APA102 or SK9822 in a chain: data on MOSI, clock on SCLK of `spi`."""

    spi: Spi = Spi()
    colours: ColourOrder = ColourOrder.BGR
    place: Place = Place.SQUARES
    order: Order = Order()
    brightness_percent: Percent = 30
    night: Night | None = None
    budget_ma: Milliamperes = 1500
    ma_per_lamp: Milliamperes = 60


class Max7219(Kind, frozen=True, kw_only=True, tag="max7219"):
    """One MAX7219 with 8×8 lamps of one colour, on `spi`. Lamp 8·digit + segment; segments count from DP, A to G.

    `ma_per_lamp` is the segment current that its ISET resistor sets; one row in eight is lit at a time.
    """

    spi: Spi = Spi()
    place: Place = Place.SQUARES
    order: Order = Order()
    brightness_percent: Percent = 30
    night: Night | None = None
    budget_ma: Milliamperes = 330
    ma_per_lamp: Milliamperes = 40


class Ht16k33(Kind, frozen=True, kw_only=True, tag="ht16k33"):
    """One HT16K33 with 8×8 lamps of one colour, on /dev/i2c-`bus`. Lamp 8·common + row."""

    bus: BusNumber = 1
    address: I2cAddress = 0x70
    place: Place = Place.SQUARES
    order: Order = Order()
    brightness_percent: Percent = 30
    night: Night | None = None
    budget_ma: Milliamperes = 200
    ma_per_lamp: Milliamperes = 20


class LedMatrix(Kind, frozen=True, kw_only=True, tag="led-matrix"):
    """Plain LEDs between eight rows (anodes) and eight columns (cathodes) of GPIO lines. Lamp 8·row + column.

    Rows are lit one after the other, `refresh_hz` times a second all of them.
    """

    rows: EightPins
    columns: EightPins
    refresh_hz: Annotated[int, Meta(ge=30, le=400)] = 100
    place: Place = Place.SQUARES
    order: Order = Order()
    brightness_percent: Percent = 100
    night: Night | None = None
    budget_ma: Milliamperes = 50
    ma_per_lamp: Milliamperes = 5


class ShiftLeds(Kind, frozen=True, kw_only=True, tag="74hc595"):
    """Plain LEDs on chained 74HC595: data on MOSI, shift clock on SCLK of `spi`, the store clock (RCLK) on its CE line.

    Lamp 0 is output QA of the chip nearest the computer. Each lamp is always on or off, so brightness is by resistors;
    with `enable`, the line to all OE pins, by pulse width.
    """

    spi: Spi = Spi()
    enable: Pin | None = None
    place: Place = Place.SQUARES
    order: Order = Order()
    brightness_percent: Percent = 100
    night: Night | None = None
    budget_ma: Milliamperes = 500
    ma_per_lamp: Milliamperes = 5


class GpioLeds(Kind, frozen=True, kw_only=True, tag="gpio-leds"):
    """One LED on each of these GPIO lines, 16 at the edges or one for the status, lit by a high level."""

    pins: Annotated[tuple[Pin, ...], Meta(min_length=1, max_length=16)]
    place: Place = Place.EDGES
    order: Order = Order()
    brightness_percent: Percent = 100
    night: Night | None = None
    budget_ma: Milliamperes = 50
    ma_per_lamp: Milliamperes = 5


class NoLights(Kind, frozen=True, kw_only=True, tag="none"):
    """The board has no lights."""


Lights = Ws2812 | Apa102 | Max7219 | Ht16k33 | LedMatrix | ShiftLeds | GpioLeds | NoLights
