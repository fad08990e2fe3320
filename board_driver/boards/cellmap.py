"""From cells, numbered as the wires run, to squares [pure]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from board_driver.boards.source import ALL_CELLS
from rules.squares import Bitboard

T = TypeVar("T")


class CellMap:
    """`squares[n]` is the square of cell n. Squares that no cell reads are `unread`."""

    def __init__(self, squares: Sequence[int]) -> None:
        self.squares = tuple(squares)
        self.unread: Bitboard = ALL_CELLS & ~sum(1 << square for square in self.squares)
        self._is_identity = self.squares == tuple(range(64))
        self._tables = [_table(self.squares[first : first + 8]) for first in range(0, len(self.squares), 8)]

    def bits(self, cells: Bitboard) -> Bitboard:
        """The squares of those cells; cells that are no square's are left out."""
        if self._is_identity:
            return cells
        found = 0
        for table in self._tables:
            found |= table[cells & 0xFF]
            cells >>= 8
        return found

    def values(self, cells: Sequence[T], absent: T) -> tuple[T, ...]:
        """What each square's cell has, a1 first; `absent` for squares that no cell reads."""
        placed = [absent] * 64
        for square, value in zip(self.squares, cells, strict=False):
            placed[square] = value
        return tuple(placed)


def _table(squares: Sequence[int]) -> list[Bitboard]:
    """For each value of eight cells, the squares that those are."""
    return [sum(1 << square for n, square in enumerate(squares) if byte >> n & 1) for byte in range(256)]
