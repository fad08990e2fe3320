"""What the lights show in play mode: a pure function of the arbiter's state, drawn whole each time.

Two layers. *Rulings* tell what is wrong, what has to be finished or put back, and what is owed: they may always be lit.
*Hints* show where a piece may go, which is help (FIDE Laws 11.3.1) and is left out where only faults may be lit.
A ruling wins over a hint on the same square.
"""

from __future__ import annotations

from types import MappingProxyType

from board_driver.arbiter import words
from board_driver.arbiter.core import Core
from board_driver.arbiter.report import destinations, to_remove
from board_driver.lights.picture import DARK, Meaning, Picture
from board_driver.mind import LightsSetting
from rules.irregularity import Why
from rules.pieces import Role
from rules.squares import Bitboard, squares_of
from rules.touch import Owed

_KING_FAULTS = (Why.SELF_CHECK, Why.KING_INTO_CHECK, Why.CASTLE_OUT_OF_CHECK)


def picture(core: Core, setting: LightsSetting) -> Picture:
    """The whole picture for this state and setting."""
    if setting is LightsSetting.NONE:
        return DARK
    lights: dict[int, Meaning] = {}
    if setting is LightsSetting.ALL:
        _light_rest(core, lights)
        if core.outcome is None and core.fault is None:
            _light_hints(core, lights)
    if core.outcome is None:
        _light_rulings(core, lights)
    if core.promoted is not None:
        lights[core.promoted] = Meaning.PROMOTION
    return MappingProxyType(lights) if lights else DARK


def _light_rest(core: Core, lights: dict[int, Meaning]) -> None:
    """The last move and a check, while nobody has anything in hand."""
    if core.fault is not None or core.standing or core.hand():
        return
    if core.score.plies:
        move = core.score.plies[-1].move
        lights |= dict.fromkeys((move.origin, move.landing), Meaning.LAST_MOVE)
    if core.position.is_check():
        lights[_king(core)] = Meaning.CHECK


def _light_hints(core: Core, lights: dict[int, Meaning]) -> None:
    """Where the piece in hand may go; which men may capture what was touched."""
    owed, turn = core.owed(), core.turn
    if turn.adjusting and owed.kind is Owed.NONE:
        return
    held = [s for s in core.hand() if turn.own >> s & 1]
    match owed.kind:
        case Owed.CAPTURE:
            lights |= dict.fromkeys((s for s in owed.by if s not in held), Meaning.OWED)
            if held or core.hand():
                _light_landings(core, lights, destinations(core))
        case Owed.MOVE:
            if any(s in held for s in owed.squares):
                _light_landings(core, lights, destinations(core))
        case Owed.NONE:
            if held and not core.strict:
                _light_landings(core, lights, core.position.destinations(held[0]))
        case Owed.CASTLE:
            pass


def _light_landings(core: Core, lights: dict[int, Meaning], landings: Bitboard) -> None:
    for square in squares_of(landings):
        lights[square] = Meaning.CAPTURE if core.turn.enemy >> square & 1 else Meaning.DESTINATION


def _light_rulings(core: Core, lights: dict[int, Meaning]) -> None:
    _light_owed(core, lights)
    _light_hand(core, lights)
    for stray in core.standing:
        _light_stray(core, lights, stray.square, stray.home)
    lights |= dict.fromkeys(squares_of(to_remove(core)), Meaning.REMOVE)
    fault = core.fault
    if fault is None:
        return
    if fault.home is not None and not core.view.occupied >> fault.home & 1:
        lights[fault.home] = Meaning.PUT_HERE
    if fault.square is not None and core.view.occupied >> fault.square & 1:
        lights[fault.square] = Meaning.ILLEGAL
    if fault.why in _KING_FAULTS and core.view.occupied >> _king(core) & 1:
        lights[_king(core)] = Meaning.CHECK


def _light_owed(core: Core, lights: dict[int, Meaning]) -> None:
    """A duty: the piece that must move or be captured; the squares of a castling not yet done."""
    owed = core.owed()
    if owed.kind is Owed.CASTLE:
        move = owed.moves[0]
        todo = destinations(core)
        if todo >> move.landing & 1:
            lights[move.landing] = Meaning.CASTLING_KING
        if move.rook_landing is not None and move.rook_origin is not None and todo >> move.rook_landing & 1:
            lights[move.rook_landing] = Meaning.CASTLING_ROOK
            if core.view.occupied >> move.rook_origin & 1:
                lights[move.rook_origin] = Meaning.CASTLING_ROOK
        return
    if owed.kind is not Owed.NONE and core.strict:
        lights |= {s: Meaning.OWED for s in owed.squares if core.view.occupied >> s & 1 and lights.get(s) is None}


def _light_hand(core: Core, lights: dict[int, Meaning]) -> None:
    """Men that are off the board and that the move to be made does not need."""
    owed, turn = core.owed(), core.turn
    needed = set(owed.squares) | set(owed.by)
    for home in core.hand():
        if core.fault is None and home in needed:
            continue
        if home == core.promoted or any(home == s for _, s in turn.undecided):
            continue
        own = turn.own >> home & 1
        if turn.knocked >> home & 1 or turn.away >> home & 1 or core.fault is not None:
            lights[home] = Meaning.PUT_HERE
        elif own and core.position.destinations(home):
            if owed.kind is not Owed.NONE:
                lights[home] = Meaning.PUT_HERE
        elif not turn.adjusting:
            lights[home] = Meaning.CANNOT_MOVE


def _light_stray(core: Core, lights: dict[int, Meaning], square: int, home: int | None) -> None:
    if home is None and any(words.touch_each_other(s.square, square) for s in core.standing if s.home is not None):
        lights |= {s.square: Meaning.UNCLEAR for s in core.standing if words.touch_each_other(s.square, square)}
        lights[square] = Meaning.UNCLEAR
        return
    if home is None:
        lights[square] = Meaning.UNCLEAR if core.may_be_new_piece(square) else Meaning.TAKE_AWAY
        return
    if core.fault is None:
        # Part of a castling or an en passant capture stands there, and rightly so.
        return
    lights[square] = Meaning.TAKE_AWAY
    lights[home] = Meaning.PUT_HERE


def _king(core: Core) -> int:
    return core.position.pieces(core.turn.mover, Role.KING).bit_length() - 1
