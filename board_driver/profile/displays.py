"""What a profile may say of displays, which show clocks, moves and whose turn it is: one struct for each kind."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from msgspec import Meta

from board_driver.profile.words import BusNumber, I2cAddress, Kind


class Hd44780(Kind, frozen=True, kw_only=True, tag="hd44780"):
    """A text display: an HD44780 behind a PCF8574, on /dev/i2c-`bus`. Most have 16 columns and 2 rows, or 20 and 4."""

    bus: BusNumber = 1
    address: I2cAddress = 0x27
    columns: Annotated[int, Meta(ge=16, le=40, extra={"expected": "a number of columns from 16 to 40"})] = 16
    rows: Annotated[int, Meta(ge=1, le=4, extra={"expected": "a number of rows from 1 to 4"})] = 2


class OledHeight(Enum):
    """How many lines of dots an OLED has."""

    HALF = 32
    FULL = 64


class Ssd1306(Kind, frozen=True, kw_only=True, tag="ssd1306"):
    """An OLED of 128 dots across with an SSD1306, on /dev/i2c-`bus`. `turned`: built in upside down."""

    bus: BusNumber = 1
    address: I2cAddress = 0x3C
    height: OledHeight = OledHeight.FULL
    turned: bool = False


Displays = Hd44780 | Ssd1306
