"""The 40-pin header of a Raspberry Pi [pure]."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PIN_OF_GPIO: Mapping[int, int] = MappingProxyType(
    {
        2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22,
        11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
    }
)  # fmt: skip
"""The pin on which each GPIO comes out."""

POWER: Mapping[int, str] = MappingProxyType(
    {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"} | dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "ground")
)
"""The pins that are no GPIO."""


def pin_words(gpio: int) -> str:
    """`GPIO 17, pin 11`; the number alone where the header has no such line."""
    pin = PIN_OF_GPIO.get(gpio)
    return f"GPIO {gpio}" if pin is None else f"GPIO {gpio}, pin {pin}"
