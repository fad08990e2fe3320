"""Which move the board shows: events propose, occupancy disposes.

A move is made (FIDE Laws 4.7) when the board stands as after it, apart from men that are merely in hand: a man of the
waiting side lifted early does not hold the move up, nor does another man of the mover's. Nothing may stand where the
position after the move has nothing.

Captures leave the same squares filled as the capturer in hand beside a victim put back, so there the order counts: the
victim left its square in this turn, and something was set down there after the capturer left its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.turn import Turn
from rules.irregularity import castling_landings
from rules.move import Move
from rules.pieces import PROMOTION_ROLES, Piece, Role
from rules.squares import Bitboard, squares_of
from rules.touch import castling_rooks


def shown(
    turn: Turn, view: BoardView, moves: Iterable[Move], strays: Bitboard = 0, pressed: bool = False
) -> Move | None:
    """The move out of `moves` that the board shows as made; None if it shows none of them.

    `strays`: squares where a man of the waiting side stands wrongly, which does not hold the move up. `pressed`: the
    clock was pressed, or time enough has gone by, so that what was left undecided is decided: of king and rook in hand
    together, and of a move to a square whose sensor is dead.
    """
    found = [m for m in moves if fits(turn, view, m, strays) and (pressed or view.live >> m.landing & 1)]
    if not found:
        return None
    castlings = [m for m in found if m.is_castling]
    if castlings:
        return castlings[0]
    if not pressed:
        found = [m for m in found if not _may_be_castling(turn, view, m)]
    if len(found) > 1:
        found = _likeliest(turn, view, found)
    return found[0] if found else None


def fits(turn: Turn, view: BoardView, move: Move, strays: Bitboard = 0) -> bool:
    """Whether the board stands as after that move, as the module says."""
    after = turn.after(move)
    if (view.occupied & ~after & view.live | view.wrong & ~(1 << move.landing)) & ~strays:
        return False
    lacking = after & ~view.occupied & view.live
    if lacking & ~turn.position.occupied or lacking >> move.landing & 1:
        return False
    if move.is_castling:
        return _fits_castling(turn, view, move, lacking)
    if not _content_agrees(turn, view, move):
        return False
    if turn.enemy >> move.landing & 1:
        return _fits_capture(turn, view, move)
    if not view.live >> move.landing & 1 or not view.live >> move.origin & 1:
        return not lacking
    if view.placed[move.landing] >= view.lifted[move.origin]:
        return True
    return not lacking & turn.own and not strays >> move.landing & 1


def _fits_capture(turn: Turn, view: BoardView, move: Move) -> bool:
    square = move.landing
    if not view.reversed & (1 << square | 1 << move.origin):
        if view.shows_colour(square, turn.mover):
            return True
        if view.shows_colour(square, turn.mover.opponent):
            return False
    left = view.lifted[square] > turn.began or bool(turn.away >> square & 1)
    return left and view.placed[square] > turn.began and view.placed[square] >= view.lifted[move.origin]


def _fits_castling(turn: Turn, view: BoardView, move: Move, lacking: Bitboard) -> bool:
    """All squares as after castling; where king and rook change places (Chess960), both were in hand at once."""
    assert move.rook_landing is not None
    assert move.rook_origin is not None
    homes = 1 << move.origin | 1 << move.rook_origin
    goals = 1 << move.landing | 1 << move.rook_landing
    if lacking & (homes | goals):
        return False
    kept = homes & goals
    if not kept:
        return True
    if homes == goals:
        lifts = view.lifted[move.origin], view.lifted[move.rook_origin]
        places = view.placed[move.origin], view.placed[move.rook_origin]
        return min(lifts) > turn.began and min(places) > max(lifts)
    # One of the two ends on a square that the other left: the rest of the squares tell, but a king's own step is no
    # castling unless the rook was taken up as well.
    if move.origin == move.landing or move.rook_origin == move.rook_landing:
        return True
    return view.lifted[move.origin] > turn.began and view.lifted[move.rook_origin] > turn.began


def _content_agrees(turn: Turn, view: BoardView, move: Move) -> bool:
    moved = turn.position.piece_at(move.origin)
    if moved is None:
        return False
    if view.agrees(move.landing, moved, move.origin):
        return True
    # A pawn that promotes may itself stand there for a while (4.6), or its new piece at once.
    if move.promotion is None:
        return False
    return view.agrees(move.landing, Piece(moved.colour, move.promotion), move.landing)


def _may_be_castling(turn: Turn, view: BoardView, move: Move) -> bool:
    """King and rook are both in hand, and what was set down may be the other one, or the whole be castling (D6).

    A rook that was touched first and is set down beside the king's square stands there at once.
    """
    position = turn.position
    king = position.pieces(turn.mover, Role.KING)
    lacking = view.missing(position.occupied)
    if not lacking & king:
        return False
    king_square = king.bit_length() - 1
    for rook in castling_rooks(position):
        if not lacking >> rook & 1 or move.origin not in (king_square, rook):
            continue
        king_landing, rook_landing = castling_landings(position, rook)
        if move.landing not in (king_landing, rook_landing):
            continue
        return not (move.origin == rook and move.landing == rook_landing)
    return False


def _likeliest(turn: Turn, view: BoardView, moves: list[Move]) -> list[Move]:
    """Of moves that fit alike: the man lifted last; of promotions the one chosen or seen, else a queen."""
    last = max(view.lifted[m.origin] for m in moves)
    moves = [m for m in moves if view.lifted[m.origin] == last]
    if moves[0].promotion is None:
        return moves
    cell = view.cells[moves[0].landing]
    seen = cell.role if isinstance(cell, Piece) else None
    wish = seen if seen in PROMOTION_ROLES else turn.choice or Role.QUEEN
    return [m for m in moves if m.promotion is wish] or moves


def castlings_in_hand(turn: Turn, view: BoardView) -> list[Move]:
    """Castlings for which the king was lifted first and then the rook, so that both were in hand at once."""
    found = []
    for move in turn.position.legal_moves():
        if move.rook_origin is None:
            continue
        king_up, rook_up = view.lifted[move.origin], view.lifted[move.rook_origin]
        if turn.began < king_up <= rook_up and not king_up <= view.placed[move.origin] < rook_up:
            found.append(move)
    return found


def in_hand(turn: Turn, view: BoardView, strays: Iterable[int]) -> list[int]:
    """Men of the position that are off the board and stand nowhere else, the one lifted first in front."""
    placed = set(strays)
    lacking = [s for s in squares_of(view.missing(turn.position.occupied)) if s not in placed]
    return sorted(lacking, key=lambda s: view.lifted[s])
