"""The seam between pictures and lamps: a complete frame, and what shows it.

House rules of a driver:

1. It gets whole frames, one colour for each lamp in the order of the wires, and writes whole frames: whatever a glitch
   did to the lamps, the next frame puts right. Set-up registers belong to the frame too.
2. Lamps of one colour are lit for any colour but black.
3. It blocks; the caller has a thread for that, and never calls it twice at once.
4. `open` takes everything it needs or nothing. `open` and `show` raise OSError with one line for a person. `close`
   never raises, may come twice, and leaves the lamps dark where that is still possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from board_driver.lights.looks import Rgb

BLACK: Rgb = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Frame:
    """All lamps at one moment: the colour of each, at full brightness, and the share of it (0 to 1) to be shown."""

    colours: tuple[Rgb, ...]
    level: float

    def lit(self) -> tuple[bool, ...]:
        """Which lamps are on."""
        return tuple(colour != BLACK for colour in self.colours)


class Lamps(Protocol):
    """What drives lamps of one kind. The house rules above are part of the contract."""

    def open(self) -> None:
        """Take the device."""

    def show(self, frame: Frame) -> None:
        """Write the whole frame."""

    def close(self) -> None:
        """All dark, and let go."""


def dimmed(colour: Rgb, level: float) -> Rgb:
    """The colour at that share of its brightness. What is lit stays lit, however dim."""
    red, green, blue = colour
    return _scaled(red, level), _scaled(green, level), _scaled(blue, level)


def _scaled(value: int, level: float) -> int:
    return max(1, round(value * level)) if value and level > 0 else 0


def packed(lit: tuple[bool, ...]) -> bytes:
    """Lamps as bytes, eight to each: lamp 8·n + k is bit k of byte n. A last byte that is not full is filled up."""
    count = -(-len(lit) // 8)
    return sum(1 << n for n, is_on in enumerate(lit) if is_on).to_bytes(count, "little")
