"""Ghosts of a matrix without diodes: three filled corners of a rectangle make the fourth read as filled.

A square that appears in the very scan in which another was set down on, for which no man is missing, and which closes
such a rectangle, is taken for a ghost: it is not believed until it reads empty again.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.strays import Stray
from rules.squares import Bitboard, Square


def ghosts(view: BoardView, standing: Sequence[Stray]) -> list[Square]:
    """Squares among these that are ghosts."""
    real = {view.placed[stray.square] for stray in standing if stray.home is not None}
    return [
        stray.square
        for stray in standing
        if stray.home is None and view.placed[stray.square] in real and _closes_rectangle(stray.square, view.occupied)
    ]


def _closes_rectangle(square: int, occupied: Bitboard) -> bool:
    file, rank = square & 7, square >> 3
    for other_file in range(8):
        for other_rank in range(8):
            if other_file == file or other_rank == rank:
                continue
            corners = 1 << (other_file + 8 * rank) | 1 << (file + 8 * other_rank) | 1 << (other_file + 8 * other_rank)
            if occupied & corners == corners:
                return True
    return False
