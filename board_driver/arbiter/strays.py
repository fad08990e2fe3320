"""Who stands where nothing should stand: pairs every surplus square with the likeliest of the missing men."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.turn import Turn
from rules.irregularity import Why, castling_landings, fault_of_move
from rules.move import Move
from rules.pieces import Role
from rules.pseudo import is_pseudo_legal
from rules.squares import Square, squares_of
from rules.touch import castling_rooks


@dataclass(frozen=True, slots=True)
class Stray:
    """Something on `square`, which is empty in the position. `home`: where it belongs; None if nobody is missing."""

    square: Square
    home: Square | None


def strays(turn: Turn, view: BoardView, owed: Sequence[Move], last: Move | None) -> tuple[Stray, ...]:
    """All surplus squares in the order in which they were set down on, each with a different man, or with none."""
    position = turn.position
    surplus = sorted(squares_of(view.surplus(position.occupied)), key=lambda s: (view.placed[s], s))
    if not surplus:
        return ()
    free = squares_of(view.missing(position.occupied))
    out = []
    if shape := castling_shape(turn, view):
        out = [Stray(Square(square), Square(home)) for square, home in shape]
        free = [h for h in free if h not in (stray.home for stray in out)]
        surplus = [s for s in surplus if s not in (stray.square for stray in out)]
    for square in surplus:
        fitting = [h for h in free if _can_be(turn, view, h, square)]
        up = [h for h in fitting if view.lifted[h] <= view.placed[square]]
        likely = {h: (_likelihood(turn, h, square, owed, last), view.lifted[h]) for h in up or fitting}
        home = max(likely, key=lambda h: likely[h], default=None)
        if home is not None:
            free.remove(home)
        out.append(Stray(square, home))
    return tuple(sorted(out, key=lambda s: (view.placed[s.square], s.square)))


def castling_shape(turn: Turn, view: BoardView) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """((king's landing, home), (rook's landing, home)) if both stand as after castling, legal or not; else None."""
    position = turn.position
    king = position.pieces(turn.mover, Role.KING).bit_length() - 1
    surplus, lacking = view.surplus(position.occupied), view.missing(position.occupied)
    if not lacking >> king & 1:
        return None
    for rook in castling_rooks(position):
        landing, rook_landing = castling_landings(position, rook)
        shown = surplus >> landing & surplus >> rook_landing & lacking >> rook & 1
        if shown and _can_be(turn, view, king, landing) and _can_be(turn, view, rook, rook_landing):
            return (landing, king), (rook_landing, rook)
    return None


def _can_be(turn: Turn, view: BoardView, home: int, square: int) -> bool:
    piece = turn.position.piece_at(home)
    return piece is not None and view.agrees(square, piece, home)


def _likelihood(turn: Turn, home: int, square: int, owed: Sequence[Move], last: Move | None) -> int:
    """How likely by law the man from `home` is to stand on `square`."""
    position = turn.position
    if turn.own >> home & 1:
        if any(m.origin == home and m.landing == square for m in owed):
            rank = 7
        elif _is_castling_rook(home, square, owed):
            rank = 6
        elif any(m.landing == square for m in position.moves_from(home)):
            rank = 5
        elif fault_of_move(position, home, square, turn.passed) is not Why.NOT_A_MOVE:
            rank = 4
        else:
            rank = 2
    elif (last is not None and home in (last.landing, last.rook_landing)) or is_pseudo_legal(position, home, square):
        rank = 3
    else:
        rank = 1
    return rank


def _is_castling_rook(home: int, square: int, owed: Sequence[Move]) -> bool:
    return any(m.is_castling and m.rook_origin == home and m.rook_landing == square for m in owed)
