"""Presses of the clock: what they complete, and what they are when they complete nothing (FIDE Laws 6.2.1, 7.5)."""

from __future__ import annotations

from dataclasses import replace

from board_driver.arbiter import making, touching
from board_driver.arbiter.clockside import Pressed
from board_driver.arbiter.faults import Fault, fault_of_stray, illegal_capture_shape
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.judging import ask_to_restore, charge, judge
from board_driver.arbiter.strays import Stray
from rules.irregularity import Kind, Why, castling_side
from rules.move import Move
from rules.pieces import Role
from rules.squares import Colour, Square
from rules.touch import Owed


def press(game: GameState, colour: Colour, t_ms: int) -> None:
    """That player pressed the clock."""
    if game.outcome is not None:
        if colour is not game.turn.mover:
            making.announce(game, t_ms)
        return
    if colour in game.handless:
        # Who has no hands presses nothing: a hand pressed his side of the clock for him.
        judge(game, t_ms, t_ms, placed=False, pressed=colour is game.turn.mover)
        return
    match game.clock.press(colour, t_ms, game.turn.mover):
        case Pressed.NOTHING:
            return
        case Pressed.COMPLETES:
            _completes(game, colour, t_ms)
        case Pressed.WITHOUT_MOVE:
            _without_move(game, colour, t_ms)


def _completes(game: GameState, colour: Colour, t_ms: int) -> None:
    """A press for a move that was made (6.2.1), be it late (6.2.2)."""
    game.score.settle_last()
    if colour is not game.turn.mover:
        touched = touching.close_window(game.turn, game.view, game.promoted)
        game.promoted = None if not game.turn.undecided else game.promoted
        game.say_touches(t_ms, touched)
    if game.fault is not None and game.fault.offender is colour and not game.fault.completed:
        charge(game, game.fault, t_ms, completed=True)


def _without_move(game: GameState, colour: Colour, t_ms: int) -> None:
    """No made move waits for this press: judge the board as it is left, and if it shows no move, it is a fault."""
    judge(game, t_ms, t_ms, placed=False, pressed=True)
    if game.outcome is not None:
        return
    if game.clock.complete_if_made(colour):
        _completes(game, colour, t_ms)
        return
    fault = game.fault
    if fault is not None and fault.offender is colour and fault.completed and fault.why is not Why.NO_MOVE:
        return  # the same fault is not counted twice
    charge(game, _fault_at_press(game, colour), t_ms, completed=True)
    ask_to_restore(game, t_ms)


def _fault_at_press(game: GameState, colour: Colour) -> Fault:
    """An illegal move (7.5.1), or no move at all (7.5.3)."""
    fault = game.fault
    if fault is not None and fault.offender is colour and not fault.completed:
        return replace(fault, why=Why.CASTLE_INCOMPLETE) if _king_alone(game, fault) else fault
    own = [s for s in game.standing if s.home is not None and game.turn.own >> s.home & 1]
    newest = max(own, key=lambda s: game.view.placed[s.square], default=None)
    if newest is not None and (found := _fault_left(game, newest, colour)) is not None:
        return found
    shape = illegal_capture_shape(game.turn, game.view)
    return shape or Fault(Why.NO_MOVE, None, colour, None, game.view.stamp)


def _fault_left(game: GameState, newest: Stray, colour: Colour) -> Fault | None:
    """A move left half done, or a man of his that stands where it may not."""
    part = _unfinished(game)
    if part is None:
        return fault_of_stray(game.turn, game.view, game.owed(), newest, game.last)
    why = Why.EP_NOT_REMOVED if part.is_en_passant else Why.CASTLE_INCOMPLETE
    square = newest.square if game.view.missing(1 << part.landing) else Square(part.landing)
    return Fault(why, square, colour, Square(part.origin), game.view.placed[square])


def _unfinished(game: GameState) -> Move | None:
    owed = game.owed()
    if game.turn.fixed is not None:
        return game.turn.fixed
    return owed.moves[0] if owed.kind is Owed.CASTLE else None


def _king_alone(game: GameState, fault: Fault) -> bool:
    """A breach of touch by a king that stands two squares off with its rook unmoved: no move of Article 3 (D11)."""
    if fault.why.kind is not Kind.TOUCH or fault.home is None or fault.square is None:
        return False
    if not game.position.pieces(game.turn.mover, Role.KING) >> fault.home & 1:
        return False
    return castling_side(game.position, fault.home, fault.square) is not None and len(game.standing) == 1
