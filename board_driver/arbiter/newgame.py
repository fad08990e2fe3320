"""When the pieces are set up anew, another game begins.

The start array alone is not enough, since legal moves and takebacks lead there too. It counts once the game is over and
something has been moved since, or if a game well under way does not fit it by far; and only when it has been left alone
for a while.
"""

from __future__ import annotations

from rules.fen import START_FEN, parse_fen
from rules.position import Position
from rules.squares import Bitboard

AFTER_THE_END_MS = 1500
IN_MID_GAME_MS = 3000
MID_GAME_PLIES = 6
MID_GAME_SQUARES = 4

_USUAL = parse_fen(START_FEN)


class FreshStart:
    """Watches for pieces set up anew. Fed after every settled change."""

    __slots__ = ("_due_ms", "_first", "start")

    def __init__(self, first: Position) -> None:
        self._first = first
        self._due_ms: int | None = None
        self.start = first
        """The position that the new game begins from."""

    def observe(self, occupied: Bitboard, live: Bitboard, game: Position, over: bool, now_ms: int) -> None:
        """Something was moved: does the board stand as a game starts, and does that not belong to the present one?"""
        self._due_ms = None
        start = self._start_shown(occupied, live, over)
        if start is None:
            return
        astray = (occupied ^ game.occupied) & live
        if over:
            self._due_ms = now_ms + AFTER_THE_END_MS
        elif game.ply >= MID_GAME_PLIES and astray.bit_count() >= MID_GAME_SQUARES:
            self._due_ms = now_ms + IN_MID_GAME_MS
        self.start = start

    def _start_shown(self, occupied: Bitboard, live: Bitboard, over: bool) -> Position | None:
        if not (occupied ^ _USUAL.occupied) & live:
            return self._first if self._first.occupied == _USUAL.occupied else _USUAL
        return self._first if over and not (occupied ^ self._first.occupied) & live else None

    def due_ms(self) -> int | None:
        """When a new game begins if nothing is moved before; None if none is about to."""
        return self._due_ms

    def begun(self) -> None:
        """The new game has begun."""
        self._due_ms = None
