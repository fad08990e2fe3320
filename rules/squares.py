"""Squares, files, ranks and sets of squares.

A square is an int from 0 to 63, a1 = 0, b1 = 1, h8 = 63. A set of squares is an int too, with bit `s` for square
`s` (called a bitboard). `Square`, `File` and `Rank` are distinct types at the door; inside move generation they are
plain ints.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

TYPE_CHECKING = False  # type checkers take it for true; `typing` itself is slow to import
if TYPE_CHECKING:
    from typing import NewType

    Square = NewType("Square", int)
    File = NewType("File", int)
    Rank = NewType("Rank", int)
else:
    Square = File = Rank = int
Bitboard = int

FULL = (1 << 64) - 1
SQUARE_NAMES: tuple[str, ...] = tuple(f + r for r in "12345678" for f in "abcdefgh")
_SQUARE_BY_NAME = {name: Square(s) for s, name in enumerate(SQUARE_NAMES)}


class Colour(IntEnum):
    """Whose piece, whose turn."""

    WHITE = 0
    BLACK = 1

    @property
    def opponent(self) -> Colour:
        return Colour(self ^ 1)

    @property
    def word(self) -> str:
        """`white` or `black`."""
        return self.name.lower()


def parse_square(text: str) -> Square:
    """The square of that name, `a1` to `h8`. Raises ValueError with what was expected."""
    try:
        return _SQUARE_BY_NAME[text]
    except KeyError:
        raise ValueError(f"expected a square from a1 to h8, got {text!r}") from None


def square_name(square: int) -> str:
    """`a1` to `h8`."""
    return SQUARE_NAMES[square]


def file_of(square: int) -> File:
    """0 for the a-file to 7 for the h-file."""
    return File(square & 7)


def rank_of(square: int) -> Rank:
    """0 for the first rank to 7 for the eighth."""
    return Rank(square >> 3)


def bit(square: int) -> Bitboard:
    """The set of that one square."""
    return 1 << square


def squares_of(bitboard: Bitboard) -> list[Square]:
    """The squares of a set, from a1 up."""
    out = []
    while bitboard:
        low = bitboard & -bitboard
        out.append(Square(low.bit_length() - 1))
        bitboard ^= low
    return out


def set_of(squares: Iterable[int]) -> Bitboard:
    """The set that holds those squares."""
    bitboard = 0
    for square in squares:
        bitboard |= 1 << square
    return bitboard


def names_of(bitboard: Bitboard) -> list[str]:
    """The names of a set's squares, in alphabetical order (as reports list them)."""
    return sorted(SQUARE_NAMES[s] for s in squares_of(bitboard))
