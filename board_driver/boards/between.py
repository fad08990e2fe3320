"""A piece that stands between two squares, told from field strengths [pure]."""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.boards.hallcalibration import PIECE
from rules.squares import Square, square_name

LEAST, MOST = 0.15 * PIECE, 0.7 * PIECE
"""Both sensors feel something, and neither a whole piece."""
PATIENCE_MS = 1_500
"""A hand that carries a piece across is gone sooner."""

_PAIRS = [(s, s + 1) for s in range(64) if s % 8 < 7] + [(s, s + 8) for s in range(56)]


class BetweenWatch:
    """Follows strengths by squares, in the unit where a piece is about `PIECE`."""

    def __init__(self) -> None:
        self._since_ms: dict[tuple[int, int], int] = {}
        self._told: set[tuple[int, int]] = set()

    def observe(self, t_ms: int, strengths: Sequence[float]) -> list[tuple[Square, str]]:
        """The squares that a piece newly stands between, with words; each once, until it is moved."""
        partial = {s for s, strength in enumerate(strengths) if LEAST <= abs(strength) <= MOST}
        if not partial and not self._since_ms:
            return []
        found = {(a, b) for a, b in _PAIRS if a in partial and b in partial and strengths[a] * strengths[b] > 0}
        self._since_ms = {pair: self._since_ms.get(pair, t_ms) for pair in found}
        self._told &= found
        ripe = sorted(p for p, since in self._since_ms.items() if t_ms - since >= PATIENCE_MS and p not in self._told)
        self._told.update(ripe)
        return [(Square(a), _text(a, b)) for a, b in ripe]


def _text(a: int, b: int) -> str:
    return f"a piece stands between {square_name(Square(a))} and {square_name(Square(b))}: put it in the middle of one"
