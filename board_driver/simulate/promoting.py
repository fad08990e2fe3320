"""Promotion: where the pawn goes, when the new piece comes, and whether it comes at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from board_driver.simulate.gestures import carry
from board_driver.simulate.levels import PromotionWay
from board_driver.simulate.table import CLEAR_MS, Table
from board_driver.simulate.taking import capture
from board_driver.simulate.ways import Timing, When, beat, pick
from rules.move import Move
from rules.pieces import Piece, Role
from rules.squares import Square


@dataclass(frozen=True, slots=True)
class Promotion:
    """A pawn's move to the last rank, the piece it becomes, and the square of the man it takes."""

    move: Move
    piece: Piece
    victim: Square | None


def promote(table: Table, promotion: Promotion, when: When) -> Timing:
    """Carry out a pawn's move to the last rank."""
    way = pick(table, table.habits.promotions)
    if way is PromotionWay.PAWN_STAYS and promotion.piece.role is not Role.QUEEN:
        way = PromotionWay.EXCHANGED
    match way:
        case PromotionWay.EXCHANGED | PromotionWay.LATE | PromotionWay.PAWN_STAYS:
            return _promote_on_last_rank(table, promotion, when, way)
        case PromotionWay.PAWN_OFF | PromotionWay.QUEEN_FIRST:
            return _promote_off_board(table, promotion, when, way)
        case _ as never:
            assert_never(never)


def _promote_on_last_rank(table: Table, promotion: Promotion, when: When, way: PromotionWay) -> Timing:
    """The pawn goes to its square first."""
    move, victim, rng = promotion.move, promotion.victim, table.rng
    if victim is not None:
        timing = capture(table, move.origin, move.landing, when)
    else:
        timing = Timing(*carry(table, move.origin, move.landing, *when))
    if way is PromotionWay.PAWN_STAYS:
        return timing
    late = way is PromotionWay.LATE
    off = table.take_off(
        move.landing, timing.settled_ms + (rng.uniform(1500, 5000) if late else rng.uniform(200, 1500))
    )
    settled = table.bring_on(promotion.piece, move.landing, off + rng.uniform(400, 1500))
    return timing if late else Timing(timing.lifted_ms, settled)


def _promote_off_board(table: Table, promotion: Promotion, when: When, way: PromotionWay) -> Timing:
    """The pawn never stands on the last rank: it leaves from its own square, before or after the new piece comes."""
    move, victim, rng = promotion.move, promotion.victim, table.rng
    now = when.start_ms
    taken = None if victim is None else table.take_off(victim, now)
    if taken is not None:
        now = taken + beat(table)
    if way is PromotionWay.PAWN_OFF:
        first = off = table.take_off(move.origin, now)
        settled = table.bring_on(promotion.piece, move.landing, off + rng.uniform(400, 1500), when.earliest_ms)
    else:
        first = table.bring_on(promotion.piece, move.landing, now + rng.uniform(400, 900), when.earliest_ms)
        settled = table.take_off(move.origin, first + beat(table)) + CLEAR_MS
    return Timing(first if taken is None else taken, settled)
