"""Ghosts of a matrix without diodes: three closed corners of a rectangle make the fourth read closed too [pure].

Current finds every way. Rows and columns that hang together through closed switches read as if every switch between
them were closed. So a reading says for sure what is open, and what is closed without being a corner of a rectangle
closed at all four. Of such a *block* it says only that enough of its switches are closed to hold it together: any one
of them may be a ghost, and a piece that leaves is not seen as long as the others still do. Nothing that was read before
helps, since every switch that joins two rows and columns joins them alike.

In the start position the 32 pieces are one block, and nothing that is lifted is seen: without diodes a matrix serves
endings and puzzles, not games.
"""

from __future__ import annotations

from rules.squares import Bitboard

_ROWS = range(0, 64, 8)


def blocks_of(closed: Bitboard) -> Bitboard:
    """The cells, 8·row + column, of a reading that lie in a rectangle closed at all four corners: not to be trusted."""
    rows = [closed >> shift & 0xFF for shift in _ROWS]
    blocks = 0
    for a in range(8):
        for b in range(a):
            common = rows[a] & rows[b]
            if common & (common - 1):
                blocks |= common << 8 * a | common << 8 * b
    return blocks
