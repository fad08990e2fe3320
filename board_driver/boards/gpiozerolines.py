"""GPIO lines by gpiozero's pins, one by one: any pin factory, and its mock for tests.

gpiozero drives its outputs both ways. An open-drain line is therefore an output only while it is low, and an input when
it is let go: two rows of a matrix without diodes can so never be shorted high against low.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from typing import Any

from gpiozero import Device
from gpiozero.exc import GPIOZeroError, PinUnknownPi

from board_driver.boards.lines import ReadLines, WriteLines
from board_driver.profile.pins import FORTY_PINS


@cache
def default_factory() -> Any:
    """One pin factory for all of the program: by lgpio on the chip of the pin header, if that can be had and no other
    is asked for (`GPIOZERO_PIN_FACTORY`); else gpiozero's own choice. Raises OSError, with words, if there is none.
    """
    if find_spec("lgpio") is not None and os.environ.get("GPIOZERO_PIN_FACTORY", "lgpio") == "lgpio":
        return _on_the_header()
    with warnings.catch_warnings(record=True) as refusals:
        warnings.simplefilter("always")
        try:
            Device.ensure_pin_factory()
        except (GPIOZeroError, OSError, ImportError) as problem:
            why = "; ".join(str(refusal.message) for refusal in refusals) or str(problem)
            raise OSError(
                f"gpiozero finds no way to the GPIO lines ({why}): pip install 'touchmove[gpio]'"
            ) from problem
    return Device.pin_factory


def _on_the_header() -> Any:
    from board_driver.boards.lgpiolines import find_chip, library  # noqa: PLC0415

    library()  # before gpiozero imports it, so that it does not leave its pipe in the working directory
    number = find_chip(None).number
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415

    class HeaderFactory(LGPIOFactory):  # type: ignore[misc]
        """Counts lines as on a Raspberry Pi's header, whatever computer it is."""

        def _get_revision(self) -> int:
            try:
                revision: int = super()._get_revision()
            except PinUnknownPi:
                return FORTY_PINS
            return revision

    return HeaderFactory(number)


class GpiozeroLines:
    """`Lines` of a pin factory: gpiozero's default one, or that given."""

    def __init__(self, factory: Any = None) -> None:
        self._factory = factory or default_factory()
        self._pins: list[Any] = []

    def inputs(self, lines: Sequence[int], *, pull_up: bool = True) -> ReadLines:
        pins = self._claim(lines)
        for pin in pins:
            pin.input_with_pull("up" if pull_up else _loose(pin))

        def levels() -> int:
            return sum(bool(pin.state) << n for n, pin in enumerate(pins))

        return levels

    def outputs(self, lines: Sequence[int], levels: int, *, open_drain: bool = False) -> WriteLines:
        pins = self._claim(lines)
        for n, pin in enumerate(pins):
            if open_drain and levels >> n & 1:
                pin.input_with_pull(_loose(pin))
            else:
                pin.output_with_state(levels >> n & 1)
        last = levels

        def set_levels(bits: int) -> None:
            nonlocal last
            changed = bits ^ last
            last = bits
            for going_low in (False, True):  # one row is let go before the next is pulled
                for n, pin in enumerate(pins):
                    if changed >> n & 1 and bool(bits >> n & 1) is not going_low:
                        _set(pin, bits >> n & 1, open_drain=open_drain)

        return set_levels

    def close(self) -> None:
        pins, self._pins = self._pins, []
        for pin in pins:
            with suppress(Exception):  # the chip may be gone, and each factory says so in its own way
                pin.close()
            self._factory.release_pins(self, pin.info.name)

    def _conflicts_with(self, other: object) -> bool:
        """gpiozero asks this of two that want one pin."""
        return other is not self

    def _claim(self, lines: Sequence[int]) -> list[Any]:
        claimed: list[Any] = []
        for line in lines:
            try:
                pin = self._factory.pin(line)
                self._factory.reserve_pins(self, pin.info.name)
            except GPIOZeroError as problem:
                raise OSError(f"GPIO {line} cannot be had: {problem}") from problem
            self._pins.append(pin)
            claimed.append(pin)
        return claimed


def _set(pin: Any, level: int, *, open_drain: bool) -> None:
    if not open_drain:
        pin.state = level
    elif level:
        pin.input_with_pull(_loose(pin))
    else:
        pin.output_with_state(0)


def _loose(pin: Any) -> str:
    """No pull, unless the board has a resistor soldered to that pin."""
    pull: str = pin.info.pull or "floating"
    return pull
