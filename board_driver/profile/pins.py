"""Pins by number and by name: `GPIO17`, `BCM17`, `BOARD11`, `J8:11` and `WPI0` are all line 17.

Names are gpiozero's, of the 40-pin header that every Raspberry Pi since 2014 has; other computers count their lines by
number.
"""

from __future__ import annotations

from functools import cache

from board_driver.profile.words import Pin

FORTY_PINS = 0xC03111
"""The revision code of a Raspberry Pi 4B: one of the many with that header."""


def line_number(pin: Pin) -> int:
    """The line of the GPIO chip. Raises ValueError, with words, for a name that is no line of the header."""
    if isinstance(pin, int):
        return pin
    number = _names().get(pin.upper())
    if number is None:
        where = "a pin of the header, but no GPIO" if pin.upper() in _powers() else "no pin of the 40-pin header"
        raise ValueError(f"{pin} is {where}: use a GPIO number such as 17")
    return number


@cache
def _names() -> dict[str, int]:
    from gpiozero.pins.pi import PiBoardInfo  # noqa: PLC0415  # a tenth of a second, and only names need it

    names: dict[str, int] = {}
    for header in PiBoardInfo.from_revision(FORTY_PINS).headers.values():
        for pin in header.pins.values():
            numbers = [name for name in pin.names if isinstance(name, int)]
            names.update({str(name).upper(): numbers[0] for name in pin.names if numbers})
    return names


@cache
def _powers() -> frozenset[str]:
    return frozenset(f"{header}{n}" for header in ("BOARD", "J8:") for n in range(1, 41)) - frozenset(_names())
