"""Plies: made, changed, taken back; and the end of the game that follows from them or from the players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from board_driver.arbiter import commanded, touching, words
from board_driver.arbiter.faults import LastPly
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.reading import shown
from board_driver.arbiter.turn import Turn
from board_driver.events import Claimable, Ended, Notice, Revised, Unsure
from rules.irregularity import Kind, castling_landings
from rules.move import Move
from rules.outcome import Outcome
from rules.pieces import PROMOTION_ROLES, Piece, Role
from rules.position import Position
from rules.squares import Square, set_of
from rules.touch import castling_rooks

PROMOTION_ASK_MS = 10_000
"""A game that ends by a promotion nobody chose is announced only after this time for another choice."""


def make(game: GameState, move: Move, t_ms: int, made_ms: int) -> None:
    """A ply is made (FIDE Laws 4.7): by a hand at `made_ms`, certain at `t_ms`."""
    game.score.settle_last()
    game.undone = None
    game.say(game.score.make(game.turn, move, t_ms, made_ms, provisional=not game.strict))
    _follow(game, move, t_ms)


def doubt(game: GameState, t_ms: int) -> None:
    """The last ply was inferred: nobody saw the piece arrive."""
    game.inferred.append(len(game.score.plies))
    game.say(Unsure(t_ms, len(game.score.plies), (game.score.ucis[-1],)))


def _follow(game: GameState, move: Move, t_ms: int) -> None:
    """Everything after a ply has been written down: promotion, the next turn, the end."""
    old = game.turn
    game.clock.made(old.mover)
    if old.mover in game.handless:
        game.clock.complete_if_made(old.mover)
    game.view.follow(move)
    if not game.view.live >> move.landing & 1:
        doubt(game, t_ms)
    game.last = LastPly(move, _king_to(old.position, move))
    game.question = None
    game.promoted = Square(move.landing) if move.promotion is not None else None
    cell = game.view.cells[move.landing]
    seen = isinstance(cell, Piece) and cell.role is move.promotion
    game.by_default = move.promotion is not None and old.choice is None and not seen
    if game.by_default:
        game.say(Notice(t_ms, "promotion", words.promotion(old.mover), old.mover, {"default": "q"}))
    _begin_turn(game, _passed(old.position, move))
    _end_by_position(game, t_ms)


def _begin_turn(game: GameState, passed: Square | None) -> None:
    """The other side has the move (FIDE Laws 1.3); what he holds already counts as touched (D3)."""
    position = game.score.game.position
    elsewhere = set_of(s.home for s in game.standing if s.home is not None and position.occupied >> s.home & 1)
    away = game.view.missing(position.occupied)
    game.turn = Turn(position, passed, game.view.stamp, away, knocked=game.turn.knocked & away)
    game.refused = {}
    fault = game.fault
    if fault is not None and (fault.offender is not game.turn.mover or fault.why.kind is Kind.ILLEGAL):
        game.fault = None
    elif fault is not None and fault.why.kind is Kind.TOUCH and fault.square is not None:
        game.refused[fault.square] = fault.stamp
    game.view.compare(game.turn.men())
    if game.strict and not game.commanded:
        touching.carry_over(game.turn, game.view, elsewhere)


# -- the end


def _end_by_position(game: GameState, t_ms: int) -> None:
    outcome = game.score.game.outcome()
    if outcome is not None:
        end(game, outcome, t_ms)
    elif claims := game.claims_told():
        game.say(Claimable(t_ms, tuple(str(c) for c in claims)))


def end(game: GameState, outcome: Outcome, t_ms: int) -> None:
    """The game is over. One that ends on a promotion nobody chose is announced later."""
    if game.outcome is None and game.turn.command is not None:
        _write_command_down(game, t_ms)
    game.outcome = outcome
    game.score.settle_last()
    if game.by_default and game.promoted is not None:
        game.announce_ms = t_ms + PROMOTION_ASK_MS
        return
    game.say(Ended(t_ms, str(outcome.result), str(outcome.reason)))


def _write_command_down(game: GameState, t_ms: int) -> None:
    """What was commanded was played, though nobody has carried it out any more."""
    turn, move = game.turn, game.turn.command
    assert move is not None
    game.score.settle_last()
    game.say(game.score.make(turn, move, t_ms, t_ms, provisional=False))
    game.score.plies[-1] = replace(game.score.plies[-1], comment="not carried out on the board")
    game.turn = Turn(game.score.game.position, _passed(turn.position, move), game.view.stamp)
    game.last, game.promoted, game.fault = LastPly(move), None, None
    game.view.compare(game.turn.men())


def announce(game: GameState, t_ms: int) -> None:
    """Nobody chose another piece: say that the game has ended, if that was held back."""
    if game.announce_ms is not None and game.outcome is not None:
        game.announce_ms = None
        game.promoted = None
        game.say(Ended(t_ms, str(game.outcome.result), str(game.outcome.reason)))


# -- promotion


def choose(game: GameState, role: Role, t_ms: int) -> None:
    """A choice of promotion (D7): for the piece just promoted while that may change, else for the move to come."""
    if game.promoted is None:
        if game.outcome is None:
            game.turn.choice = role
    elif game.outcome is None or game.by_default:
        _change_promotion(game, role, t_ms)


def _was_commanded(game: GameState) -> bool:
    """The last move was commanded, and no other may take its place."""
    return game.score.turns[-1].command is not None and not game.follow_board


def see_exchange(game: GameState, placed: Sequence[Square], t_ms: int) -> None:
    """A board that knows its pieces sees what the pawn was exchanged for (4.6)."""
    if game.promoted is None or game.promoted not in placed:
        return
    cell = game.view.cells[game.promoted]
    if isinstance(cell, Piece) and cell.colour is not game.turn.mover and cell.role in PROMOTION_ROLES:
        _change_promotion(game, cell.role, t_ms)


def _change_promotion(game: GameState, role: Role, t_ms: int) -> None:
    was = game.score.plies[-1].move
    candidates = game.score.turns[-1].position.moves_from(was.origin)
    now = next((m for m in candidates if m.landing == was.landing and m.promotion is role), None)
    game.by_default = False
    if now is None or now is was or _was_commanded(game):
        return
    undecided = game.turn.undecided
    game.say(game.score.revise(now, t_ms))
    game.last = LastPly(now)
    game.outcome = None
    game.announce_ms = None
    _begin_turn(game, None)
    game.turn.undecided = undecided
    _end_by_position(game, t_ms)


# -- plies that change or go


def revised(game: GameState, t_ms: int) -> bool:
    """Change or withdraw a provisional last ply if the board shows another move, or none, from the position before."""
    if not game.score.plies or not game.score.plies[-1].provisional:
        return False
    before, last = game.score.turns[-1], game.score.plies[-1]
    live, occupied = game.view.live, game.view.occupied
    if not (occupied ^ before.position.occupied) & live and game.astray():
        withdraw(game, t_ms)
        return True
    if not (occupied ^ before.after(last.move)) & live:
        return False  # the board shows it; that another move would show the same is no reason to change
    others = [m for m in before.position.legal_moves() if m is not last.move and m.landing != last.move.landing]
    if _was_commanded(game):
        others = []
    move = shown(before, game.view, [m for m in others if not (occupied ^ before.after(m)) & live])
    if move is None:
        return False
    was = game.score.ucis[-1]
    _reopen(game)
    game.score.make(game.turn, move, t_ms, last.made_ms, provisional=True)
    game.say(Revised(t_ms, len(game.score.plies), was, game.score.ucis[-1]))
    _follow(game, move, t_ms)
    return True


def withdraw(game: GameState, t_ms: int) -> None:
    """The last ply is taken back; the one before it may be revised again, where that is allowed at all."""
    was, ply = game.score.ucis[-1], len(game.score.plies)
    _reopen(game)
    if game.score.plies:
        game.score.plies[-1] = replace(game.score.plies[-1], provisional=not game.strict)
    game.say(Revised(t_ms, ply, was, None))


def _reopen(game: GameState) -> None:
    """Back to the turn of the last ply, as it was before anything was touched in it."""
    turn, move, _ = game.score.back()
    game.clock.withdrawn(turn.mover)
    game.view.unfollow(move)
    game.turn = commanded.again(turn)
    game.view.compare(game.turn.men())
    game.fault = None
    game.outcome = None
    game.promoted = game.question = None
    game.announce_ms = None
    game.inferred = [ply for ply in game.inferred if ply <= len(game.score.plies)]
    game.last = LastPly(game.score.plies[-1].move) if game.score.plies else None


def _king_to(position: Position, move: Move) -> tuple[Square, Square] | None:
    """Where the king would follow if this rook's move is meant as the first half of a castling (4.4.2)."""
    if move.is_castling or move.origin not in castling_rooks(position):
        return None
    king_landing, rook_landing = castling_landings(position, move.origin)
    if move.landing != rook_landing:
        return None
    return Square(position.pieces(position.turn, Role.KING).bit_length() - 1), Square(king_landing)


def _passed(position: Position, move: Move) -> Square | None:
    """The square that a pawn passes by this double step; None for any other move."""
    if not position.pieces(position.turn, Role.PAWN) >> move.origin & 1 or abs(move.origin - move.landing) != 16:
        return None
    return Square((move.origin + move.landing) // 2)
