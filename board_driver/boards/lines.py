"""GPIO lines, eight at a time: what the drivers need of a chip, and which library gives it.

lgpio reads and writes whole groups with one system call and has open-drain outputs; it is taken where it is installed.
Otherwise, and for tests, gpiozero's pins do the same one by one, whatever its pin factory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Protocol

from board_driver.profile.pins import line_number
from board_driver.profile.words import Pin

ReadLines = Callable[[], int]
"""The levels of claimed inputs now: bit n is the nth line."""
WriteLines = Callable[[int], object]
"""Set the levels of claimed outputs: bit n is the nth line. An open-drain output that is high is let go."""


class Lines(Protocol):
    """An open GPIO chip. Everything raises OSError, with words, for a line that is not there or is taken."""

    def inputs(self, lines: Sequence[int], *, pull_up: bool = True) -> ReadLines:
        """Claim inputs."""

    def outputs(self, lines: Sequence[int], levels: int, *, open_drain: bool = False) -> WriteLines:
        """Claim outputs, which have those levels from the first moment."""

    def close(self) -> None:
        """Let go of all lines. Never raises."""


OpenLines = Callable[[int | None], Lines]
"""Opens the chip of that number, or that of the pin header for None. Raises OSError, with words."""


def open_lines(chip: int | None) -> Lines:
    """The lines of that chip, by lgpio if it is installed, else by gpiozero's pin factory."""
    if find_spec("lgpio") is not None:
        from board_driver.boards.lgpiolines import LgpioLines  # noqa: PLC0415

        return LgpioLines(chip)
    from board_driver.boards.gpiozerolines import GpiozeroLines  # noqa: PLC0415

    return GpiozeroLines()


def numbers(pins: Sequence[Pin]) -> list[int]:
    """The lines' numbers."""
    return [line_number(pin) for pin in pins]
