"""Wires and needs of displays [pure]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from board_driver.profile.displays import Displays, Hd44780, Ssd1306
from board_driver.wiring.wires import Group, i2c_bus


def display_groups(display: Displays) -> Iterator[Group]:
    """The wires of one display."""
    match display:
        case Hd44780():
            group = i2c_bus(f"HD44780 with PCF8574 ({display.address:#04x})", display.bus, [display.address])
            note = (
                "Most want 5 V for their contrast: then a level shifter (BSS138) belongs into SDA and SCL, "
                "since the PCF8574's board pulls them up to its own supply."
            )
            yield Group(group.title, group.connections, note)
        case Ssd1306():
            yield i2c_bus(f"SSD1306 OLED ({display.address:#04x})", display.bus, [display.address])
        case _:
            assert_never(display)


def display_part(display: Displays) -> tuple[str, int]:
    """What to buy, and the guess for it in euro cents."""
    match display:
        case Hd44780():
            return f"text display {display.columns} × {display.rows}, HD44780 with PCF8574", 600
        case Ssd1306():
            return f"OLED 128 × {display.height.value}, SSD1306", 500
        case _:
            assert_never(display)


def display_draw(display: Displays) -> tuple[str, str, float]:
    """What it draws at most: of what, from which supply, how many milliamperes."""
    match display:
        case Hd44780():
            return "text display, lit", "5 V", 60.0
        case Ssd1306():
            return "OLED", "3.3 V", 30.0
        case _:
            assert_never(display)
