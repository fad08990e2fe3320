"""What the lights show in play mode: a pure function of the arbiter's state, drawn whole each time.

Two layers. *Rulings* tell what is wrong, what has to be finished or put back, and what is owed: they may always be lit.
*Hints* show where a piece may go, which is help (FIDE Laws 11.3.1) and is left out where only faults may be lit.
A ruling wins over a hint on the same square.
"""

from __future__ import annotations

from types import MappingProxyType

from board_driver.arbiter import promoting, words
from board_driver.arbiter.commanded import is_wrong
from board_driver.arbiter.faults import Fault
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.guiding import guide
from board_driver.arbiter.kingsign import CENTRE
from board_driver.arbiter.leading import guidance
from board_driver.arbiter.report import destinations, to_remove
from board_driver.arbiter.restoring import Step
from board_driver.lights.picture import DARK, Meaning, Picture
from board_driver.mind import LightsSetting
from rules.irregularity import Why
from rules.pieces import Role
from rules.squares import Bitboard, squares_of
from rules.touch import Owed

_KING_FAULTS = (Why.SELF_CHECK, Why.KING_INTO_CHECK, Why.CASTLE_OUT_OF_CHECK)


def picture(game: GameState, setting: LightsSetting) -> Picture:
    """The whole picture for this state and setting."""
    if setting is LightsSetting.NONE:
        return DARK
    lights: dict[int, Meaning] = {}
    if game.outcome is None and (led := _light_way_back(game)):
        return MappingProxyType(led)
    if game.outcome is None and game.turn.command is not None:
        lights |= guide(game.turn, game.view)
    elif setting is LightsSetting.ALL:
        _light_rest(game, lights)
        if game.outcome is None and _fault_on_board(game) is None:
            _light_hints(game, lights)
    if game.outcome is None:
        _light_rulings(game, lights, setting)
    if game.outcome is None and game.menu:
        lights |= dict.fromkeys(squares_of(CENTRE & ~game.view.occupied), Meaning.RESULT)
    if game.outcome is None and game.question is not None:
        lights |= promoting.lights(game.question)
    if game.promoted is not None:
        lights[game.promoted] = Meaning.PROMOTION
    return MappingProxyType(lights) if lights else DARK


def _fault_on_board(game: GameState) -> Fault | None:
    """The fault, while something stands wrongly; with that man in hand again it may be put right at once."""
    fault = game.fault
    if fault is None or (not game.standing and (fault.square is None or not game.view.occupied >> fault.square & 1)):
        return None
    return fault


def step_lights(step: Step) -> dict[int, Meaning]:
    """The one step that is asked for: from where, to where."""
    shown = ((step.take, Meaning.TAKE_AWAY), (step.put, Meaning.PUT_HERE))
    return {int(square): meaning for square, meaning in shown if square is not None}


def _light_way_back(game: GameState) -> dict[int, Meaning]:
    """Where the board is led: one step of many, or the little that is left of it; empty while it is not led."""
    found = guidance(game)
    if found is not None:
        return step_lights(found[0])
    if game.leading is None and game.half_back() is None:
        return {}
    lift, place = game.to_restore()
    lights: dict[int, Meaning] = dict.fromkeys(squares_of(place), Meaning.PUT_HERE)
    return lights | dict.fromkeys(squares_of(lift), Meaning.TAKE_AWAY)


def _light_rest(game: GameState, lights: dict[int, Meaning]) -> None:
    """The last move and a check, while nobody has anything in hand."""
    if game.standing or game.hand():
        return
    if game.score.plies:
        move = game.score.plies[-1].move
        lights |= dict.fromkeys((move.origin, move.landing), Meaning.LAST_MOVE)
    if game.position.is_check():
        lights[_king(game)] = Meaning.CHECK
    if game.turn.hint is not None:
        lights |= dict.fromkeys((game.turn.hint.origin, game.turn.hint.landing), Meaning.HINT)


def _light_hints(game: GameState, lights: dict[int, Meaning]) -> None:
    """Where the piece in hand may go; which men may capture what was touched."""
    owed, turn = game.owed(), game.turn
    if game.commanded or game.menu or game.question is not None or (turn.adjusting and owed.kind is Owed.NONE):
        return
    held = [s for s in game.hand() if turn.own >> s & 1]
    match owed.kind:
        case Owed.CAPTURE:
            lights |= dict.fromkeys((s for s in owed.by if game.view.occupied >> s & 1), Meaning.OWED)
            if held or game.hand():
                _light_landings(game, lights, destinations(game))
        case Owed.MOVE:
            if any(s in held for s in owed.squares):
                _light_landings(game, lights, destinations(game))
        case Owed.NONE:
            if held and not game.strict:
                _light_landings(game, lights, game.position.destinations(held[0]))
        case Owed.CASTLE:
            pass


def _light_landings(game: GameState, lights: dict[int, Meaning], landings: Bitboard) -> None:
    for square in squares_of(landings):
        lights[square] = Meaning.CAPTURE if game.turn.enemy >> square & 1 else Meaning.DESTINATION


def _light_rulings(game: GameState, lights: dict[int, Meaning], setting: LightsSetting) -> None:
    _light_owed(game, lights)
    _light_hand(game, lights, setting is LightsSetting.ALL)
    for stray in game.standing:
        if game.question is not None and stray.home == game.question.move.origin:
            continue
        _light_stray(game, lights, stray.square, stray.home)
    lights |= dict.fromkeys(squares_of(to_remove(game)), Meaning.REMOVE)
    fault = _fault_on_board(game)
    if fault is None:
        return
    if fault.home is not None and not game.view.occupied >> fault.home & 1:
        lights[fault.home] = Meaning.PUT_HERE
    if fault.square is not None and game.view.occupied >> fault.square & 1:
        lights[fault.square] = Meaning.ILLEGAL
    if fault.why in _KING_FAULTS and game.view.occupied >> _king(game) & 1:
        lights[_king(game)] = Meaning.CHECK


def _light_owed(game: GameState, lights: dict[int, Meaning]) -> None:
    """A duty: the piece that must move or be captured; the squares of a castling not yet done."""
    owed = game.owed()
    if game.commanded:
        return
    if owed.kind is Owed.CASTLE:
        move = owed.moves[0]
        todo = destinations(game)
        if todo >> move.landing & 1:
            lights[move.landing] = Meaning.CASTLING_KING
        if move.rook_landing is not None and move.rook_origin is not None and todo >> move.rook_landing & 1:
            lights[move.rook_landing] = Meaning.CASTLING_ROOK
            if game.view.occupied >> move.rook_origin & 1:
                lights[move.rook_origin] = Meaning.CASTLING_ROOK
        return
    if owed.kind is not Owed.NONE and game.strict:
        lights |= {s: Meaning.OWED for s in owed.squares if game.view.occupied >> s & 1 and lights.get(s) is None}


def _light_hand(game: GameState, lights: dict[int, Meaning], hints: bool) -> None:
    """Men that are off the board and that the move to be made does not need. That one cannot move is a hint."""
    if game.commanded:
        lights |= dict.fromkeys((s for s in game.hand() if _goes_back(game, s)), Meaning.PUT_HERE)
        return
    owed, turn = game.owed(), game.turn
    needed = set(owed.squares) | set(owed.by)
    fault = _fault_on_board(game)
    for home in game.hand():
        if fault is None and home in needed:
            continue
        if home == game.promoted or any(home == s for _, s in turn.undecided):
            continue
        own = turn.own >> home & 1
        if turn.knocked >> home & 1 or turn.away >> home & 1 or fault is not None:
            lights[home] = Meaning.PUT_HERE
        elif own and game.position.destinations(home):
            if owed.kind is not Owed.NONE:
                lights[home] = Meaning.PUT_HERE
        elif hints and not turn.adjusting:
            lights[home] = Meaning.CANNOT_MOVE


def _goes_back(game: GameState, home: int) -> bool:
    """Whether this man in hand has nothing to do with the command."""
    return not game.follow_board and is_wrong(game.turn, home)


def _light_stray(game: GameState, lights: dict[int, Meaning], square: int, home: int | None) -> None:
    if home is None and any(words.touch_each_other(s.square, square) for s in game.standing if s.home is not None):
        lights |= {s.square: Meaning.UNCLEAR for s in game.standing if words.touch_each_other(s.square, square)}
        lights[square] = Meaning.UNCLEAR
        return
    if home is None:
        lights[square] = Meaning.UNCLEAR if game.may_be_new_piece(square) else Meaning.TAKE_AWAY
        return
    if _fault_on_board(game) is None and square not in game.refused:
        # Part of a castling or an en passant capture stands there, and rightly so.
        return
    lights[square] = Meaning.TAKE_AWAY
    lights[home] = Meaning.PUT_HERE


def _king(game: GameState) -> int:
    return game.position.pieces(game.turn.mover, Role.KING).bit_length() - 1
