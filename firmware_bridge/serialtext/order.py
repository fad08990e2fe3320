"""In which order a line tells the 64 squares [pure]."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Along(Enum):
    """What is told first: all squares of a rank, or all of a file."""

    RANKS = "ranks"
    FILES = "files"


@dataclass(frozen=True, slots=True)
class Order:
    """The corner where a line begins (a1, a8, h1 or h8), and which way it goes on from there."""

    corner: str = "a8"
    along: Along = Along.RANKS

    def squares(self) -> tuple[int, ...]:
        """The 64 squares as they are told."""
        files = range(8) if self.corner[0] == "a" else range(7, -1, -1)
        ranks = range(8) if self.corner[1] == "1" else range(7, -1, -1)
        if self.along is Along.RANKS:
            return tuple(8 * rank + file for rank in ranks for file in files)
        return tuple(8 * rank + file for file in files for rank in ranks)


CORNERS = ("a1", "a8", "h1", "h8")
EMPTY, SOMETHING, WHITE, BLACK = ".", "x", "w", "b"
"""What a square holds where the piece is not told. A piece is its FEN letter."""

Cells = tuple[str, ...]
"""What each square holds, a1 first: EMPTY, SOMETHING, WHITE, BLACK or a FEN letter."""

START: Cells = tuple("RNBQKBNR" + "P" * 8 + "." * 32 + "p" * 8 + "rnbqkbnr")
"""The usual start, for boards that never tell the whole."""
