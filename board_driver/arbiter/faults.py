"""What is wrong on the board, if anything: from where every man stands to a `Fault` with its reason.

Only what was set down can be wrong. What is merely in hand is not, and neither is a move of which a part is done and
the rest can still follow (the king of a castling, a pawn whose en passant victim still stands, a new piece set down
before its pawn is taken off).
"""

from __future__ import annotations

from dataclasses import dataclass

from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.strays import Stray, castling_shape
from board_driver.arbiter.turn import Turn
from rules.irregularity import Why, breach, castling_side, fault_of_castling, fault_of_move
from rules.move import Move
from rules.squares import Colour, Square, squares_of
from rules.touch import Obligation, Owed, barred_castlings


@dataclass(frozen=True, slots=True)
class Fault:
    """An irregularity on the board. `home`: where the man belongs that did it; `stamp`: when it was set down."""

    why: Why
    square: Square | None
    offender: Colour
    home: Square | None
    stamp: int
    completed: bool = False


@dataclass(frozen=True, slots=True)
class LastPly:
    """The ply before this turn, as far as faults depend on it.

    `king_to`: (from, to) of the king if the rook's move looked like the first half of a castling; else None.
    """

    move: Move
    king_to: tuple[Square, Square] | None = None


def part_released(turn: Turn, owed: Obligation, standing: tuple[Stray, ...]) -> Move | None:
    """The allowed move of which this much was released that only its completion is left (FIDE Laws 4.7); or None."""
    homes = {stray.square: stray.home for stray in standing}
    for move in owed.moves:
        if homes.get(Square(move.landing)) != move.origin:
            continue
        if move.is_en_passant:
            return move
        if move.is_castling and castling_side(turn.position, move.origin, move.landing) is not None:
            return move
    return None


def find_fault(
    turn: Turn, view: BoardView, owed: Obligation, standing: tuple[Stray, ...], last: LastPly | None
) -> Fault | None:
    """What is wrong with what was set down last; None if nothing is."""
    if shape := castling_shape(turn, view):
        (landing, king), (_, rook) = shape
        return _fault(turn, view, _fault_of_castling_shown(turn, owed, king, rook), Square(landing), Square(king))
    if capture := _wrong_capture(turn, view, owed):
        return capture
    if not standing:
        return None
    stray = max(standing, key=lambda s: (view.placed[s.square], s.square))
    return fault_of_stray(turn, view, owed, stray, last)


def fault_of_stray(turn: Turn, view: BoardView, owed: Obligation, stray: Stray, last: LastPly | None) -> Fault | None:
    """What is wrong with one man that stands where nothing should."""
    if stray.home is None:
        return None
    if turn.own >> stray.home & 1:
        if _in_progress(view, owed, stray):
            return None
        why = _fault_of_own(turn, owed, stray.home, stray.square)
        return _fault(turn, view, why, stray.square, stray.home) if why else None
    why = _fault_of_waiting(stray.home, stray.square, last)
    return Fault(why, stray.square, turn.mover.opponent, stray.home, view.placed[stray.square])


def illegal_capture_shape(turn: Turn, view: BoardView) -> Fault | None:
    """A man of the mover's is off, and something was set down since on the square of an enemy piece (D10).

    It may be that piece put back; once the clock is pressed it is read as the capture, which is not legal.
    """
    refilled = _refilled(turn, view)
    lacking = squares_of(view.missing(turn.position.occupied) & turn.own)
    for square in refilled:
        men = [h for h in lacking if view.lifted[h] <= view.placed[square]]
        if men and not view.shows_colour(square, turn.mover.opponent):
            home = max(men, key=lambda h: view.lifted[h])
            why = fault_of_move(turn.position, home, square, turn.passed)
            return Fault(why, square, turn.mover, home, view.placed[square])
    return None


def _fault(turn: Turn, view: BoardView, why: Why, square: Square, home: Square) -> Fault:
    return Fault(why, square, turn.mover, home, view.placed[square])


def _in_progress(view: BoardView, owed: Obligation, stray: Stray) -> bool:
    """Part of a castling or of an en passant capture that is owed and can still be finished."""
    for move in owed.moves:
        if move.is_castling and owed.kind is Owed.CASTLE:
            king_up = not view.occupied >> move.origin & 1
            if stray.square == move.landing and stray.home == move.origin:
                return True
            if stray.square == move.rook_landing and stray.home == move.rook_origin and king_up:
                return True
        if move.is_en_passant and stray.home == move.origin and stray.square == move.landing:
            return True
    return False


def _fault_of_own(turn: Turn, owed: Obligation, home: Square, square: Square) -> Why | None:
    """Why the mover's man may not go there; None if it may, so that something else keeps the move from being made."""
    legal = [m for m in turn.position.moves_from(home) if m.landing == square]
    if not legal:
        return fault_of_move(turn.position, home, square, turn.passed)
    if any(m in owed.moves for m in legal):
        return None
    if any(m in barred_castlings(turn.position, turn.groups()) for m in legal):
        return Why.CASTLE_ROOK_FIRST
    return breach(owed)


def _fault_of_castling_shown(turn: Turn, owed: Obligation, king: int, rook: int) -> Why:
    """Why king and rook, both moved, have not castled."""
    legal = next((m for m in turn.position.moves_from(king) if m.rook_origin == rook), None)
    if legal is None:
        return fault_of_castling(turn.position, 1 if rook > king else -1)
    return Why.CASTLE_ROOK_FIRST if legal in barred_castlings(turn.position, turn.groups()) else breach(owed)


def _fault_of_waiting(home: Square, square: Square, last: LastPly | None) -> Why:
    if last is None:
        return Why.OUT_OF_TURN
    if home in (last.move.landing, last.move.rook_landing):
        return Why.RELEASED
    if (home, square) == last.king_to:
        return Why.CASTLE_ROOK_FIRST
    return Why.OUT_OF_TURN


def _wrong_capture(turn: Turn, view: BoardView, owed: Obligation) -> Fault | None:
    """A capture shown on the board that is legal, but not by a man that is owed."""
    lacking = view.missing(turn.position.occupied) & turn.own
    for square in _refilled(turn, view):
        if view.placed[square] != view.stamp or view.shows_colour(square, turn.mover.opponent):
            continue
        for home in squares_of(lacking):
            if view.lifted[home] > view.placed[square]:
                continue
            legal = [m for m in turn.position.moves_from(home) if m.landing == square]
            if legal and not any(m in owed.moves for m in legal):
                return Fault(breach(owed), square, turn.mover, home, view.placed[square])
    return None


def _refilled(turn: Turn, view: BoardView) -> list[Square]:
    """Squares of the waiting side's men that something was set down on in this turn, the latest first."""
    filled = [s for s in squares_of(turn.enemy & view.occupied) if view.placed[s] > turn.began]
    return sorted(filled, key=lambda s: -view.placed[s])
