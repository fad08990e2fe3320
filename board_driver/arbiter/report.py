"""The summary of a game: what the replay contract asks for, as JSON values."""

from __future__ import annotations

from board_driver.arbiter import promoting
from board_driver.arbiter.fenstd import standard_fen
from board_driver.arbiter.gamestate import GameState, obligation_object
from rules.fen import write_fen
from rules.irregularity import Why
from rules.move import Move
from rules.squares import Bitboard, Colour, names_of, square_name
from rules.touch import Obligation, Owed
from rules.uci import write_uci


def summary(game: GameState) -> dict[str, object]:
    """The present game's summary. Keys that do not apply are left out, as in the casebook."""
    fen = write_fen(game.position)
    found: dict[str, object] = {"moves": list(game.score.sans), "uci": list(game.score.ucis), "fen": fen}
    over = game.outcome is not None
    owed = _nothing(game) if over else game.owed()
    found |= {
        "obligation": obligation_object(owed),
        "destinations": names_of(destinations(game)),
        "illegal": _illegal(game),
        "result": str(game.outcome.result) if game.outcome else None,
        "reason": str(game.outcome.reason) if game.outcome else None,
        "fouls": {c.word: game.ledger.fouls[c] for c in Colour},
    }
    standard = standard_fen(fen, game.turn.passed)
    optional = {
        "fen_std": standard if standard != fen else None,
        "restore": None if over else _restore(game),
        "remove": None if over else names_of(to_remove(game)),
        "bonus_ms": {c.word: ms for c in Colour if (ms := game.ledger.bonus_ms[c])},
        "claim": game.claim.value if game.claim else None,
        "claimable": [str(c) for c in game.claims_told()],
        "clock": None if game.timing is None else game.timing.shown(),
        "asking": promoting.asking(game),
        "command": _uci(game, game.turn.command),
        "hint": _uci(game, game.turn.hint),
    }
    found |= {key: value for key, value in optional.items() if value}
    found["uncertain"] = list(game.inferred)
    return found


def destinations(game: GameState) -> Bitboard:
    """Squares where what is owed may land; of a castling those not yet done; none once the game is over."""
    if game.outcome is not None:
        return 0
    owed = game.owed()
    landings = owed.landings
    if owed.kind is Owed.CASTLE:
        return landings & ~_done(game, owed)
    if owed.kind is Owed.CAPTURE and game.turn.fixed is not None:
        return landings & ~game.view.occupied
    return landings


def to_remove(game: GameState) -> Bitboard:
    """Enemy squares to be emptied to finish the move: the victim of an en passant whose pawn stands across already."""
    fixed = game.turn.fixed
    if fixed is None or not fixed.is_en_passant or not game.view.occupied >> fixed.landing & 1:
        return 0
    victim = game.position.victim_square(fixed)
    return 1 << victim & game.view.occupied if victim is not None else 0


def _done(game: GameState, owed: Obligation) -> Bitboard:
    """Where king and rook of the castling that is owed already stand; the rook only if the king has left its square."""
    move = owed.moves[0]
    homes = {stray.square: stray.home for stray in game.standing}
    done = 0
    if homes.get(move.landing) == move.origin:
        done |= 1 << move.landing
    king_up = not game.view.occupied >> move.origin & 1
    if king_up and move.rook_landing is not None and homes.get(move.rook_landing) == move.rook_origin:
        done |= 1 << move.rook_landing
    return done


def _restore(game: GameState) -> dict[str, list[str]] | None:
    lift, place = game.to_restore()
    lift &= ~to_remove(game)
    return {"lift": names_of(lift), "place": names_of(place)} if lift or place else None


def _illegal(game: GameState) -> dict[str, object] | None:
    fault = game.fault
    if fault is None:
        return None
    return {
        "why": fault.why.value,
        "square": None if fault.square is None or fault.why is Why.NO_MOVE else square_name(fault.square),
        "class": fault.why.kind.value,
        "completed": fault.completed,
    }


def _uci(game: GameState, move: Move | None) -> str | None:
    return None if move is None or game.outcome is not None else write_uci(game.position, move)


def _nothing(game: GameState) -> Obligation:
    owed = game.owed()
    return Obligation(Owed.NONE, (), (), (), owed.law)
