"""Judging the board: does it show a move that is allowed, a ply taken back, something wrong, or a hand still busy?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from board_driver.arbiter import making, promoting, takingback, words
from board_driver.arbiter.faults import Fault, find_fault, part_released
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.kingsign import CENTRE, is_being_shown
from board_driver.arbiter.leading import guidance
from board_driver.arbiter.reading import fits, shown
from board_driver.arbiter.strays import Stray, castling_shape
from board_driver.events import Irregular, RestoreAsked
from rules.inverse import leading_to_in_two
from rules.irregularity import Kind, Why
from rules.move import Move
from rules.pseudo import is_pseudo_legal
from rules.squares import Square, set_of, squares_of
from rules.touch import Owed

ONE_MOVE_SQUARES = 4
"""So many squares one move can change (castling)."""


def judge(game: GameState, t_ms: int, made_ms: int, placed: bool, pressed: bool = False) -> None:
    """Make what the board shows as made; else say what is wrong, if something was `placed`.

    `pressed`: what was left undecided is decided, since the clock was pressed or time enough has gone by.
    """
    while game.outcome is None and (move := _to_make(game, t_ms, pressed)) is not None:
        making.make(game, move, t_ms, made_ms)
    if game.outcome is not None or promoting.is_choosing(game, t_ms):
        return
    if takingback.take_back(game, t_ms):
        judge(game, t_ms, made_ms, placed)
        return
    if not game.strict and (making.revised(game, t_ms) or (placed and _made_two(game, t_ms, made_ms))):
        judge(game, t_ms, made_ms, placed)
        return
    game.standing = game.strays()
    was_fixed = game.turn.fixed
    _fix(game)
    if was_fixed is not None and game.turn.fixed is None:
        judge(game, t_ms, made_ms, placed)  # begun as another move than the one that stands there now
        return
    if not game.astray():
        game.fault = None
    elif placed and game.half_back() is None and not is_being_shown(game.turn, game.view):
        _find_fault(game, t_ms)
    ask_to_restore(game, t_ms)


def charge(game: GameState, fault: Fault, t_ms: int, completed: bool) -> None:
    """Let a fault stand; if it is completed, count it if it counts (FIDE Laws 7.5.5)."""
    outcome = None
    if completed and fault.why.kind is Kind.ILLEGAL:
        outcome = game.ledger.completed(game.position, fault.offender, fault.why)
    game.fault = fault = replace(fault, completed=completed and (game.clock.in_use or fault.why.kind is Kind.ILLEGAL))
    owed = game.owed()
    text = words.irregularity(game.position, fault, owed, game.ledger.fouls[fault.offender])
    kind, article = fault.why.kind.value, words.article_of(game.position, fault, owed)
    offender = fault.offender
    game.say(Irregular(t_ms, fault.why.value, fault.square, kind, fault.completed, text, article, offender))
    if outcome is not None:
        making.end(game, outcome, t_ms)


def ask_to_restore(game: GameState, t_ms: int) -> None:
    """Say how to put the board right, once for each state of it that is wrong."""
    wrong = lift, place = game.to_restore()
    found = guidance(game)
    step = None if found is None else found[0]
    if (wrong, step) != (game.asked, game.step) and any(wrong):
        standing = game.standing if game.leading is None else game.standing[::-1]  # the last move goes back first
        text = words.restore(game.position, standing, game.target(), game.view)
        if found is not None:
            text = words.led(found[0].text, found[1])
        elif game.leading is None and game.half_back() is not None:
            text = words.half_back(game.score.turns[-1].position, lift, place)
        game.say(RestoreAsked(t_ms, tuple(squares_of(lift)), tuple(squares_of(place)), text))
    game.asked, game.step = wrong, step


def _to_make(game: GameState, t_ms: int, pressed: bool) -> Move | None:
    """The move that the board shows as made, unless it is still asked what a pawn becomes."""
    move = _shown(game, pressed)
    if move is None or pressed:
        return move
    if 1 << move.landing & CENTRE and is_being_shown(game.turn, game.view):
        return None
    return promoting.decide(game, move, t_ms)


def _shown(game: GameState, pressed: bool) -> Move | None:
    game.standing = game.strays()
    waiting = set_of(s.square for s in game.standing if s.home is not None and game.turn.enemy >> s.home & 1)
    allowed = [m for m in game.owed().moves if not _is_refused(game, m)]
    return shown(game.turn, game.view, allowed, waiting, pressed) or _rook_of_castling(game, allowed)


def _made_two(game: GameState, t_ms: int, made_ms: int) -> bool:
    """In friendly play a reply confirms a move that the sensors missed, if only one pair of moves fits the board.

    So a capture too fast to be seen does not hold up two players who know what they have played.
    """
    if game.handless or not game.astray() or game.view.wrong:
        return False
    if not any(s.home is None or _waits(game, s.home) for s in game.standing):
        return False
    pairs = [pair for pair in leading_to_in_two(game.position, game.view.occupied) if _were_touched(game, *pair)]
    if len({(first.origin, first.landing) for first, _ in pairs}) != 1:
        return False
    first, reply = max(pairs, key=lambda pair: (pair[0].promotion or 0, pair[1].promotion or 0))
    making.make(game, first, t_ms, made_ms)
    making.doubt(game, t_ms)
    if game.outcome is None:
        making.make(game, reply, t_ms, made_ms)
    return True


def _waits(game: GameState, home: int) -> bool:
    return bool(game.turn.enemy >> home & 1)


def _were_touched(game: GameState, first: Move, reply: Move) -> bool:
    """Both men were lifted in this turn, and the reply is what was set down just now."""
    view, began = game.view, game.turn.began
    if _is_refused(game, first) or _is_refused(game, reply):
        return False
    lifted = view.lifted[first.origin] > began and view.lifted[reply.origin] > began
    return lifted and view.placed[reply.landing] == view.stamp


def _is_refused(game: GameState, move: Move) -> bool:
    """A man knocked over makes no move, nor does one that a breach of touch-move has left where it is.

    Nor does one end where a fault has left another: that other is still there, whoever is taken up meanwhile.
    """
    if game.turn.knocked >> move.origin & 1:
        return True
    fault = game.fault
    if fault is not None and fault.square == move.landing and fault.home not in {None, move.origin}:
        return fault.stamp == game.view.placed[move.landing]
    return game.refused.get(Square(move.landing)) == game.view.placed[move.landing]


def _rook_of_castling(game: GameState, allowed: Sequence[Move]) -> Move | None:
    """Castling is shown that is not to be had, with the rook owed: the rook's move stands, not the king's (D6)."""
    shape = castling_shape(game.turn, game.view)
    if shape is None or game.owed().kind is not Owed.MOVE:
        return None
    (king_landing, _), (rook_landing, rook) = shape
    moves = [m for m in allowed if m.origin == rook and m.landing == rook_landing]
    return next((m for m in moves if fits(game.turn, game.view, m, 1 << king_landing)), None)


def _fix(game: GameState) -> None:
    """Note a move of which a part has been released (4.7); in friendly play it binds only while it stands."""
    part = part_released(game.turn, game.owed(), game.standing)
    if part is not None or not game.strict:
        if part is not game.turn.fixed:
            game.turn.owed = None
        game.turn.fixed = part


def _find_fault(game: GameState, t_ms: int) -> None:
    standing = tuple(s for s in game.standing if not _is_excused(game, s))
    found = find_fault(game.turn, game.view, game.owed(), standing, game.last) or takingback.refused(game)
    if found is not None and game.commanded:
        found = _of_the_hand(game, found)
    if found is None or _is_known(game.fault, found) or _taking_back(game, found):
        return
    if found.offender is not game.turn.mover and found.home is not None and _was_its_owner(game, found):
        game.turn.forget(1 << found.home)
    # Where a release completes, men put away or set up anew are no moves: one man alone stands wrongly then.
    alone = game.astray().bit_count() <= ONE_MOVE_SQUARES
    charge(game, found, t_ms, alone and game.rules.counts_at_release and not game.clock.in_use)


def _of_the_hand(game: GameState, fault: Fault) -> Fault | None:
    """The hand that moves for a player without hands breaks no law: what it set down wrongly is displaced (7.4).

    It may castle for him with the rook first.
    """
    move = game.turn.command
    if move is not None and move.is_castling and (fault.home, fault.square) == (move.rook_origin, move.rook_landing):
        return None
    if fault.offender is game.turn.mover or (fault.why is Why.OUT_OF_TURN and game.turn.command is not None):
        return replace(fault, why=Why.NOT_COMMANDED)
    return fault


def _is_excused(game: GameState, stray: Stray) -> bool:
    """A man knocked over, or one that stands where a move taken back has left it, is put right and no fault."""
    if stray.home is not None and game.turn.knocked >> stray.home & 1:
        return True
    return game.refused.get(stray.square) == game.view.placed[stray.square]


def _was_its_owner(game: GameState, fault: Fault) -> bool:
    """A man of the waiting side went where its owner would move it: his hand, and no touch of the other's (D1)."""
    if fault.home is None or fault.square is None:
        return False
    return fault.why.kind is Kind.TOUCH or is_pseudo_legal(game.position, fault.home, fault.square)


def _is_known(old: Fault | None, new: Fault) -> bool:
    """Whether a fault found again is the one that stands: the same man still where it was set down."""
    if old is None or old.square != new.square or old.stamp != new.stamp:
        return False
    return old.why is new.why or old.completed


def _taking_back(game: GameState, fault: Fault) -> bool:
    """In friendly play: the piece just moved is back where it came from, or halfway through another move."""
    if game.strict or game.last is None or fault.why is not Why.RELEASED or not game.score.plies:
        return False
    last, before = game.last.move, game.score.turns[-1].position
    if fault.square in (last.origin, last.rook_origin, before.victim_square(last)):
        return True
    if not game.score.plies[-1].provisional:
        return False
    others = before.moves_from(last.origin)
    in_parts = [m.landing for m in others if m.is_castling or m.is_en_passant]
    return fault.square in in_parts
