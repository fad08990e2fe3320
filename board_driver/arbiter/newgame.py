"""When the pieces are set up anew, another game begins.

The start array alone is not enough, since legal moves and takebacks lead there too. It counts once the game is over and
something has been moved since, or if a game well under way does not fit it by far, or if the men were swept off before;
and only when it has been left alone for a while, or when the first move is made from it. Men who went home by legal
moves while the array was set up made none.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.arbiter.turn import Turn
from board_driver.arbiter.turning import first_move_from_afar
from board_driver.gamerecord import RecordedPly
from board_driver.sensing.settle import SettledChange
from rules.fen import START_FEN, parse_fen
from rules.inverse import leading_to
from rules.position import Position
from rules.squares import Bitboard

AFTER_THE_END_MS = 1500
IN_MID_GAME_MS = 3000
PUTTING_AWAY_MS = 10_000
MID_GAME_PLIES = 4
MID_GAME_SQUARES = 4

_USUAL = parse_fen(START_FEN)


class FreshStart:
    """Watches for pieces set up anew. Fed after every settled change."""

    __slots__ = ("_due_ms", "_first", "_left_ms", "_moving", "_swept", "start")

    def __init__(self, first: Position) -> None:
        self._first = first
        self._due_ms: int | None = None
        self._left_ms: int | None = None
        """When the board last ceased to stand as the position."""
        self._swept = False
        """Half of the men, or more, have been off the board since it stood as the position."""
        self._moving: list[SettledChange] = []
        """What was lifted and set down since the pieces stood set up anew."""
        self.start = first
        """The position that the new game begins from."""

    def observe(self, occupied: Bitboard, live: Bitboard, game: Position, over: bool, now_ms: int) -> None:
        """Something was moved: does the board stand as a game starts, and does that not belong to the present one?"""
        self._due_ms = None
        self._note_sweep(occupied, live, game)
        if not (occupied ^ game.occupied) & live:
            self._left_ms = None
        elif self._left_ms is None:
            self._left_ms = now_ms
        start = self._anew(occupied, live, game, over)
        if start is not None:
            self._due_ms = now_ms + (AFTER_THE_END_MS if over else IN_MID_GAME_MS)
            self.start = start

    def first_move(self, changes: Sequence[SettledChange], live: Bitboard) -> list[SettledChange]:
        """What shows the first move of the new game, if the pieces stood set up anew and now that move is made.

        Empty while there is no such move.
        """
        if self._due_ms is None and not self._moving:
            return []
        self._moving += changes
        after = self.start.occupied
        for change in self._moving:
            after = after & ~(1 << change.square) | (change.after is not None) << change.square
        moved = (after ^ self.start.occupied) & live
        if moved.bit_count() == 2 and (leading_to(self.start, after) or first_move_from_afar(self.start, after, live)):
            found, self._moving = self._moving, []
            return found
        if not moved or moved.bit_count() > 2:
            self._moving = []
        return []

    def putting_away(self, plies: Sequence[RecordedPly], turns: Sequence[Turn]) -> int:
        """How many of the last plies of the game before were no moves: men put back on their first squares.

        Each took a man home to where he stands in the array, quietly, and soon before the next of them, or before the
        board was left altogether.
        """
        until_ms, count = self._left_ms, 0
        for ply, turn in zip(reversed(plies), reversed(turns), strict=True):
            man, move = turn.position.piece_at(ply.move.origin), ply.move
            quiet = turn.position.victim_square(move) is None and not move.is_castling
            home = man is not None and self.start.piece_at(move.landing) == man
            if until_ms is None or not (quiet and home) or until_ms - ply.made_ms > PUTTING_AWAY_MS:
                break
            until_ms, count = ply.made_ms, count + 1
        return count

    def due_ms(self) -> int | None:
        """When a new game begins if nothing is moved before; None if none is about to."""
        return self._due_ms

    def begun(self) -> None:
        """The new game has begun."""
        self._due_ms = None
        self._swept = False
        self._left_ms = None
        self._moving = []

    def _note_sweep(self, occupied: Bitboard, live: Bitboard, game: Position) -> None:
        missing = game.occupied & ~occupied & live
        if not (occupied ^ game.occupied) & live:
            self._swept = False
        elif 2 * missing.bit_count() >= game.occupied.bit_count():
            self._swept = True

    def _anew(self, occupied: Bitboard, live: Bitboard, game: Position, over: bool) -> Position | None:
        """The position that the pieces are set up for anew; None if they are not, or that belongs to the game."""
        start = self._start_shown(occupied, live, over)
        if start is None or over:
            return start
        astray = (occupied ^ game.occupied) & live
        well_under_way = game.ply >= MID_GAME_PLIES and astray.bit_count() >= MID_GAME_SQUARES
        return start if well_under_way or (self._swept and astray) else None

    def _start_shown(self, occupied: Bitboard, live: Bitboard, over: bool) -> Position | None:
        if not (occupied ^ _USUAL.occupied) & live:
            return self._first if self._first.occupied == _USUAL.occupied else _USUAL
        return self._first if over and not (occupied ^ self._first.occupied) & live else None
