"""What a sensor driver is: something that opens, reads all its cells at once, and closes.

A *cell* is one sensor in the order of the wires; which square it is, the profile's order says and the driver need not
know. Drivers block; a scanning thread calls them. `SensorBoard` makes a board of any of them.

House rules:

1. `open` takes everything it needs or nothing, and raises OSError with one line for a person if it cannot.
2. A cell that could not be read this time is `unsure` and keeps its last value; that is never a lift. What a person
   should know of it is a `Trouble`, told once when it begins.
3. `read` raises OSError only when nothing can be read any more: the board is closed then, and opened again later.
4. `close` never raises, may come at any time and twice, and leaves no line driven.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from board_driver.scan import Colours, Identity, Sensing
from rules.squares import Bitboard

ALL_CELLS: Bitboard = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something wrong that a person should know. `cell` where it is one sensor's; the text then speaks of it."""

    kind: str
    text: str
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Contacts:
    """All cells of switches: bit n is cell n, set where a piece is felt."""

    closed: Bitboard
    unsure: Bitboard = 0
    troubles: tuple[Trouble, ...] = ()


@dataclass(frozen=True, slots=True)
class Strengths:
    """All cells of field sensors, the first first, positive for White's magnets."""

    values: tuple[float, ...]
    unsure: Bitboard = 0
    troubles: tuple[Trouble, ...] = ()


Sample = Contacts | Strengths


class Source(Protocol):
    """A sensor driver. The house rules above are part of the contract."""

    @property
    def senses(self) -> Sensing:
        """What its sensors tell."""

    def open(self) -> None:
        """Take the device. Raises OSError, with one line for a person, if it cannot be had now."""

    def read(self) -> Sample | Colours | Identity:
        """All cells; or the squares, where a source knows colours or pieces. Raises OSError when the device is gone."""

    def close(self) -> None:
        """Let go of it."""
