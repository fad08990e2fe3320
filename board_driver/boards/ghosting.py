"""Ghosts of a matrix without diodes: three closed corners of a rectangle make the fourth read closed too [pure].

Current finds every way. Rows and columns that hang together through closed switches read as if every switch between
them were closed. So a reading says for sure what is open, and what is closed alone in its row or column; in a *block*,
rows and columns that are closed all through, it says only that enough switches are closed to hold it together.

What was there before helps. If what was sure before and one more switch explain a whole block, and only one switch
does, that one is real. The rest of the block is not to be trusted in this reading, and neither is what stands there
from before: it could go and would still read closed. In the start position without diodes the 32 pieces are one block,
and nothing that is lifted is seen: such a matrix serves endings and puzzles, not games.
"""

from __future__ import annotations

from rules.squares import Bitboard

_ROWS = range(0, 64, 8)


class GhostWatch:
    """Follows a matrix of 8 rows and 8 columns, cell 8·row + column."""

    def __init__(self) -> None:
        self._real: Bitboard = 0
        self._last: tuple[Bitboard, Bitboard] = (0, 0)

    def unsure(self, closed: Bitboard) -> Bitboard:
        """The cells of this reading that may be ghosts or may have gone unseen."""
        if closed == self._last[0]:
            return self._last[1]
        blocks = blocks_of(closed)
        found = self._found(closed, blocks)
        real = closed & ~blocks | self._real & closed | found
        unsure = blocks & ~found
        self._real, self._last = real, (closed, unsure)
        return unsure

    def _found(self, closed: Bitboard, blocks: Bitboard) -> Bitboard:
        """The one switch that must have closed for this reading to be; 0 if there is none, or there could be two."""
        fresh = closed & blocks & ~self._real
        base = closed & ~blocks | self._real & closed
        ways = [cell for cell in range(64) if fresh >> cell & 1 and closure(base | 1 << cell) == closed]
        return 1 << ways[0] if len(ways) == 1 and closure(base) != closed else 0


def closure(closed: Bitboard) -> Bitboard:
    """What reads closed, without diodes, when those switches are."""
    rows = [closed >> shift & 0xFF for shift in _ROWS]
    merged = True
    while merged:
        merged = False
        for a in range(8):
            for b in range(a):
                if rows[a] & rows[b] and rows[a] != rows[b]:
                    rows[a] = rows[b] = rows[a] | rows[b]
                    merged = True
    return sum(row << 8 * index for index, row in enumerate(rows))


def blocks_of(closed: Bitboard) -> Bitboard:
    """The cells of a reading that lie in a rectangle closed at all four corners."""
    rows = [closed >> shift & 0xFF for shift in _ROWS]
    blocks = 0
    for a in range(8):
        for b in range(a):
            common = rows[a] & rows[b]
            if common & (common - 1):
                blocks |= common << 8 * a | common << 8 * b
    return blocks
