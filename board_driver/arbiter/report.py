"""The summary of a game: what the replay contract asks for, as JSON values."""

from __future__ import annotations

from board_driver.arbiter.core import Core, obligation_object
from board_driver.arbiter.fenstd import standard_fen
from rules.fen import write_fen
from rules.irregularity import Why
from rules.squares import Bitboard, Colour, names_of, square_name
from rules.touch import Obligation, Owed


def summary(core: Core) -> dict[str, object]:
    """The present game's summary. Keys that do not apply are left out, as in the casebook."""
    fen = write_fen(core.position)
    found: dict[str, object] = {"moves": list(core.score.sans), "uci": list(core.score.ucis), "fen": fen}
    over = core.outcome is not None
    owed = _nothing(core) if over else core.owed()
    found |= {
        "obligation": obligation_object(owed),
        "destinations": names_of(destinations(core)),
        "illegal": _illegal(core),
        "result": str(core.outcome.result) if core.outcome else None,
        "reason": str(core.outcome.reason) if core.outcome else None,
        "fouls": {c.word: core.ledger.fouls[c] for c in Colour},
    }
    standard = standard_fen(fen, core.turn.passed)
    optional = {
        "fen_std": standard if standard != fen else None,
        "restore": None if over else _restore(core),
        "remove": None if over else names_of(to_remove(core)),
        "bonus_ms": {c.word: ms for c in Colour if (ms := core.ledger.bonus_ms[c])},
        "claim": core.claim.value if core.claim else None,
        "claimable": [str(c) for c in core.claims()],
    }
    found |= {key: value for key, value in optional.items() if value}
    found["uncertain"] = list(core.inferred)
    return found


def destinations(core: Core) -> Bitboard:
    """Squares where what is owed may land; of a castling those not yet done; none once the game is over."""
    if core.outcome is not None:
        return 0
    owed = core.owed()
    landings = owed.landings
    if owed.kind is Owed.CASTLE:
        return landings & ~_done(core, owed)
    if owed.kind is Owed.CAPTURE and core.turn.fixed is not None:
        return landings & ~core.view.occupied
    return landings


def to_remove(core: Core) -> Bitboard:
    """Enemy squares to be emptied to finish the move: the victim of an en passant whose pawn stands across already."""
    fixed = core.turn.fixed
    if fixed is None or not fixed.is_en_passant or not core.view.occupied >> fixed.landing & 1:
        return 0
    victim = core.position.victim_square(fixed)
    return 1 << victim & core.view.occupied if victim is not None else 0


def _done(core: Core, owed: Obligation) -> Bitboard:
    """Where king and rook of the castling that is owed already stand; the rook only if the king has left its square."""
    move = owed.moves[0]
    homes = {stray.square: stray.home for stray in core.standing}
    done = 0
    if homes.get(move.landing) == move.origin:
        done |= 1 << move.landing
    king_up = not core.view.occupied >> move.origin & 1
    if king_up and move.rook_landing is not None and homes.get(move.rook_landing) == move.rook_origin:
        done |= 1 << move.rook_landing
    return done


def _restore(core: Core) -> dict[str, list[str]] | None:
    if core.fault is None:
        return None
    target = core.target()
    lift, place = core.view.surplus(target), core.view.missing(target)
    lift &= ~to_remove(core)
    return {"lift": names_of(lift), "place": names_of(place)} if lift or place else None


def _illegal(core: Core) -> dict[str, object] | None:
    fault = core.fault
    if fault is None:
        return None
    return {
        "why": fault.why.value,
        "square": None if fault.square is None or fault.why is Why.NO_MOVE else square_name(fault.square),
        "class": fault.why.kind.value,
        "completed": fault.completed,
    }


def _nothing(core: Core) -> Obligation:
    owed = core.owed()
    return Obligation(Owed.NONE, (), (), (), owed.law)
