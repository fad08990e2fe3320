"""What one square is sensed to hold, whatever the kind of sensor.

`None` is an empty square. An occupancy sensor can say `SOMETHING`; a polarity sensor says the `Colour`; a board that
knows its pieces says the `Piece`. Compare with `is None`, never by truth: `Colour.WHITE` is 0.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from board_driver.scan import Colours, Identity, Occupancy, Reading
from rules.pieces import Piece
from rules.squares import Bitboard, Colour


class Something(Enum):
    """A piece of which nothing more is known."""

    SOMETHING = "something"


SOMETHING = Something.SOMETHING
Cell = Something | Colour | Piece | None
Cells = tuple[Cell, ...]


@lru_cache(maxsize=512)
def cells_of_occupancy(occupied: Bitboard) -> Cells:
    """64 cells, a1 first, from a set of occupied squares."""
    return tuple(SOMETHING if occupied >> s & 1 else None for s in range(64))


def cells_of(reading: Reading) -> Cells:
    """64 cells, a1 first. A square read as both colours is taken for `SOMETHING`.

    Raises TypeError for a `Field` reading: raw field strengths become colours in `sensing.field` first.
    """
    match reading:
        case Occupancy(occupied):
            return cells_of_occupancy(occupied)
        case Colours(white, black):
            return tuple(_polarity(white >> s & 1, black >> s & 1) for s in range(64))
        case Identity(pieces):
            return pieces
        case _:
            raise TypeError(f"expected occupancy, colours or identities, got {type(reading).__name__}")


def _polarity(white: int, black: int) -> Cell:
    if white:
        return SOMETHING if black else Colour.WHITE
    return Colour.BLACK if black else None


def occupied_of(cells: Cells | list[Cell]) -> Bitboard:
    """The set of squares that hold anything."""
    bitboard = 0
    for square, cell in enumerate(cells):
        if cell is not None:
            bitboard |= 1 << square
    return bitboard
