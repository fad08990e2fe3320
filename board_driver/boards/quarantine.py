"""Squares whose contact chatters are not trusted until they have been quiet for a while [pure].

A contact that goes on changing tells nothing, and one that will not stop must not stop the game. Such a square is
distrusted: sensing keeps what it had there, the recorder does not count it, and all other squares go on as ever. It
keeps what it had before the chatter began: distrust therefore begins with the scan after one that says just that.
"""

from __future__ import annotations

from collections import deque

from board_driver.boards.source import ALL_CELLS
from rules.squares import Bitboard, Square, square_name, squares_of

CHANGES = 20
WINDOW_MS = 2_000
"""So many changes in that time are no hand's doing."""
QUIET_MS = 5_000
STEADY_MS = 200
"""What a square held for that long is what stood there."""

News = tuple[str, Square, str]
"""Kind, square and words for a person."""


class Quarantine:
    """Follows the squares' raw readings, scan by scan."""

    def __init__(self) -> None:
        self._last: Bitboard | None = None
        self._steady: Bitboard = 0
        self._changed_ms = [0] * 64
        self._recent: dict[int, deque[int]] = {}
        self._suspected: Bitboard = 0
        self._distrusted: Bitboard = 0
        self._news: list[News] = []

    def observe(self, t_ms: int, occupied: Bitboard) -> Bitboard:
        """Take a scan: the squares that are not to be trusted in it."""
        if self._last is None:
            self._last = self._steady = occupied
            return 0
        for square in squares_of(self._last ^ occupied):
            self._change(square, t_ms)
        self._last = occupied
        before = self._distrusted
        if before or self._suspected:
            self._release(t_ms)
            self._distrusted |= self._suspected & ~(occupied ^ self._steady) & ALL_CELLS
            self._suspected &= ~self._distrusted
        return before & self._distrusted

    def is_due(self, t_ms: int) -> bool:
        """Whether something may change although the reading does not."""
        return any(t_ms - self._changed_ms[s] >= QUIET_MS for s in squares_of(self._distrusted | self._suspected))

    def take_news(self) -> list[News]:
        """What is new since the last call."""
        news, self._news = self._news, []
        return news

    def _change(self, square: Square, t_ms: int) -> None:
        if t_ms - self._changed_ms[square] >= STEADY_MS and not self._distrusted >> square & 1:
            was = (self._last or 0) >> square & 1
            self._steady = self._steady & ~(1 << square) | was << square
        self._changed_ms[square] = t_ms
        recent = self._recent.setdefault(square, deque(maxlen=CHANGES))
        recent.append(t_ms)
        is_fast = len(recent) == CHANGES and t_ms - recent[0] <= WINDOW_MS
        if is_fast and not (self._distrusted | self._suspected) >> square & 1:
            self._suspected |= 1 << square
            text = f"{square_name(square)} goes on changing: it is not trusted until it is quiet; look at its sensor"
            self._news.append(("distrusted", square, text))

    def _release(self, t_ms: int) -> None:
        for square in squares_of(self._distrusted | self._suspected):
            if t_ms - self._changed_ms[square] >= QUIET_MS:
                self._distrusted &= ~(1 << square)
                self._suspected &= ~(1 << square)
                self._recent.pop(square, None)
                self._news.append(("trusted", square, f"{square_name(square)} is quiet: it is trusted again"))
