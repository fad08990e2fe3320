"""How a ply is carried out: which man goes when, for every kind of move and every way the hands have with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeVar, assert_never

from board_driver.simulate.gestures import carry
from board_driver.simulate.levels import CaptureWay, CastlingWay, PassantWay, PromotionWay
from board_driver.simulate.table import CLEAR_MS, STANDS_MS, Table
from rules.move import Move
from rules.pieces import Piece, Role
from rules.position import Position
from rules.squares import Square, squares_of

Way = TypeVar("Way", bound=Enum)


@dataclass(frozen=True, slots=True)
class Timing:
    """When a ply began (first lift) and when its last man had settled or left."""

    lifted_ms: float
    settled_ms: float


class When(NamedTuple):
    """When a ply may begin, and before which time nothing of it is set down."""

    start_ms: float
    earliest_ms: float = 0.0


def perform(table: Table, position: Position, move: Move, when: When) -> Timing:
    """Carry out `move` on the table."""
    victim = position.victim_square(move)
    if move.is_castling:
        return _castle(table, move, when)
    if move.promotion is not None:
        return _promote(table, move, Piece(position.turn, move.promotion), victim, when)
    if victim is None:
        return _quiet(table, position, move, when)
    if move.is_en_passant:
        return _take_in_passing(table, move, victim, when)
    return _capture(table, move.origin, move.landing, when)


def pick(table: Table, ways: Mapping[Way, float]) -> Way:
    """One of the ways, by weight; told in the truth where it is not the first."""
    way = table.rng.choices(list(ways), list(ways.values()))[0]
    if way is not next(iter(ways)):
        table.note_way(way.value)
    return way


def _quiet(table: Table, position: Position, move: Move, when: When) -> Timing:
    origin, lifted = move.origin, when.start_ms
    if table.chance(table.habits.second_thought):
        others = [s for s in squares_of(position.destinations(move.origin)) if s not in table.men and s != move.landing]
        if others:
            way = table.rng.choice(others)
            lifted, there = carry(table, origin, way, *when)
            table.note(there, "second thought")
            _, settled = carry(table, way, move.landing, there + table.rng.uniform(120, 800))
            return Timing(lifted, settled)
    return Timing(*carry(table, origin, move.landing, *when))


def _capture(table: Table, origin: Square, square: Square, when: When) -> Timing:
    rng = table.rng
    match pick(table, table.habits.captures):
        case CaptureWay.VICTIM_FIRST:
            lifted = table.take_off(square, when.start_ms)
            _, settled = carry(table, origin, square, lifted + _beat(table), when.earliest_ms)
        case CaptureWay.CAPTURER_FIRST:
            man, lifted = table.raise_from(origin, when.start_ms)
            gone = table.take_off(square, lifted + _beat(table))
            settled = table.set_down(man, square, gone + _beat(table), when.earliest_ms)
        case CaptureWay.ONE_GRIP:
            man, lifted = table.raise_from(origin, when.start_ms)
            gone = table.take_off(square, lifted + table.spread(table.habits.carry_ms, 0.3))
            table.left_ms[square] = 0
            settled = table.set_down(man, square, gone + rng.uniform(60, 220), when.earliest_ms)
        case CaptureWay.UNSEEN:
            man, lifted = table.raise_from(origin, when.start_ms)
            victim = table.men.pop(square)
            arrives = max(lifted + table.spread(table.habits.carry_ms, 0.3), victim.free_ms + STANDS_MS)
            settled = table.set_down(man, square, arrives, when.earliest_ms)
            table.discard(victim, settled - 20)
        case _ as never:
            assert_never(never)
    return Timing(lifted, settled)


def _take_in_passing(table: Table, move: Move, victim: Square, when: When) -> Timing:
    match pick(table, table.habits.passants):
        case PassantWay.CAPTURER_FIRST:
            lifted, there = carry(table, move.origin, move.landing, *when)
            settled = table.take_off(victim, there + _beat(table)) + CLEAR_MS
        case PassantWay.VICTIM_FIRST:
            lifted = table.take_off(victim, when.start_ms)
            _, settled = carry(table, move.origin, move.landing, lifted + _beat(table), when.earliest_ms)
        case PassantWay.BOTH_IN_AIR:
            man, lifted = table.raise_from(move.origin, when.start_ms)
            gone = table.take_off(victim, lifted + _beat(table))
            settled = table.set_down(man, move.landing, gone + _beat(table), when.earliest_ms)
        case _ as never:
            assert_never(never)
    return Timing(lifted, settled)


def _castle(table: Table, move: Move, when: When) -> Timing:
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
            return _both_in_air(table, king, rook, when, (_beat(table), _beat(table)))
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
    _, settled = carry(table, *second, there + (_beat(table) if first[0] != first[1] else 0), when.earliest_ms)
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


def _promote(table: Table, move: Move, piece: Piece, victim: Square | None, when: When) -> Timing:
    square, rng = move.landing, table.rng
    way = pick(table, table.habits.promotions)
    if way is PromotionWay.PAWN_STAYS and piece.role is not Role.QUEEN:
        way = PromotionWay.EXCHANGED
    lifted = when.start_ms
    now = when.start_ms
    if victim is not None and way in (PromotionWay.PAWN_OFF, PromotionWay.QUEEN_FIRST):
        lifted = table.take_off(victim, when.start_ms)
        now = lifted + _beat(table)
    match way:
        case PromotionWay.EXCHANGED | PromotionWay.PAWN_STAYS:
            if victim is not None:
                timing = _capture(table, move.origin, square, When(now, when.earliest_ms))
            else:
                timing = Timing(*carry(table, move.origin, square, now, when.earliest_ms))
            if way is PromotionWay.PAWN_STAYS:
                return timing
            off = table.take_off(square, timing.settled_ms + rng.uniform(200, 1500))
            settled = table.bring_on(piece, square, off + rng.uniform(400, 1500))
            return Timing(timing.lifted_ms, settled)
        case PromotionWay.PAWN_OFF:
            off = table.take_off(move.origin, now)
            settled = table.bring_on(piece, square, off + rng.uniform(400, 1500), when.earliest_ms)
            return Timing(lifted if victim is not None else off, settled)
        case PromotionWay.QUEEN_FIRST:
            there = table.bring_on(piece, square, now + rng.uniform(400, 900), when.earliest_ms)
            off = table.take_off(move.origin, there + _beat(table))
            return Timing(lifted if victim is not None else there, off + CLEAR_MS)
        case _ as never:
            assert_never(never)


def _beat(table: Table) -> float:
    """The time between two gestures of one ply."""
    return table.habits.carry_ms * table.rng.uniform(0.3, 1.2)
