"""Castling: king first, rook first, both in the air, two hands; and what Chess960 leaves possible."""

from __future__ import annotations

from typing import assert_never

from board_driver.simulate.gestures import carry
from board_driver.simulate.levels import CastlingWay
from board_driver.simulate.table import Table
from board_driver.simulate.ways import Timing, When, beat, pick
from rules.move import Move
from rules.squares import Square


def castle(table: Table, move: Move, when: When) -> Timing:
    """Carry out a castling move."""
    rook_from, rook_to = move.rook_origin, move.rook_landing
    assert rook_from is not None
    assert rook_to is not None
    king, rook = (move.origin, move.landing), (rook_from, rook_to)
    match _possible(pick(table, table.habits.castlings), king, rook):
        case CastlingWay.KING_FIRST:
            return _one_then_other(table, king, rook, when)
        case CastlingWay.ROOK_FIRST:
            return _one_then_other(table, rook, king, when)
        case CastlingWay.IN_AIR:
            return _both_in_air(table, king, rook, when, (beat(table), beat(table)))
        case CastlingWay.TWO_HANDS:
            rng = table.rng
            return _both_in_air(table, king, rook, when, (rng.uniform(0, 60), rng.uniform(0, 100)))
        case _ as never:
            assert_never(never)


def _possible(way: CastlingWay, king: tuple[Square, Square], rook: tuple[Square, Square]) -> CastlingWay:
    """That way, or another where the men stand in each other's way (Chess960)."""
    if king[0] == king[1] or rook[0] == rook[1]:
        return CastlingWay.KING_FIRST
    if way is CastlingWay.KING_FIRST and king[1] == rook[0]:
        return CastlingWay.IN_AIR
    if way is CastlingWay.ROOK_FIRST and rook[1] == king[0]:
        return CastlingWay.IN_AIR
    return way


def _one_then_other(table: Table, first: tuple[Square, Square], second: tuple[Square, Square], when: When) -> Timing:
    lifted, there = carry(table, *first, *when)
    _, settled = carry(table, *second, there + (beat(table) if first[0] != first[1] else 0), when.earliest_ms)
    return Timing(lifted, max(there, settled))


def _both_in_air(
    table: Table,
    king: tuple[Square, Square],
    rook: tuple[Square, Square],
    when: When,
    gaps_ms: tuple[float, float],
) -> Timing:
    rng = table.rng
    order = [king, rook] if table.chance(0.75) else [rook, king]
    one, lifted = table.raise_from(order[0][0], when.start_ms)
    two, last = table.raise_from(order[1][0], lifted + gaps_ms[0])
    down = [(one, order[0][1]), (two, order[1][1])]
    rng.shuffle(down)
    there = last + table.spread(table.habits.carry_ms, 0.3) * 0.8
    first = table.set_down(*down[0], there, when.earliest_ms)
    second = table.set_down(*down[1], there + gaps_ms[1], when.earliest_ms)
    return Timing(lifted, max(first, second))
