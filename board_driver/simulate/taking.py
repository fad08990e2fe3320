"""Captures: which of the two men goes first, and whether the square is ever seen empty."""

from __future__ import annotations

from typing import assert_never

from board_driver.simulate.gestures import carry
from board_driver.simulate.levels import CaptureWay, PassantWay
from board_driver.simulate.table import CLEAR_MS, STANDS_MS, Table
from board_driver.simulate.ways import Timing, When, beat, pick
from rules.move import Move
from rules.squares import Square


def capture(table: Table, origin: Square, square: Square, when: When) -> Timing:
    """The man on `origin` takes the one on `square`."""
    rng = table.rng
    match pick(table, table.habits.captures):
        case CaptureWay.VICTIM_FIRST:
            lifted = table.take_off(square, when.start_ms)
            _, settled = carry(table, origin, square, lifted + beat(table), when.earliest_ms)
        case CaptureWay.CAPTURER_FIRST:
            man, lifted = table.raise_from(origin, when.start_ms)
            gone = table.take_off(square, lifted + beat(table))
            settled = table.set_down(man, square, gone + beat(table), when.earliest_ms)
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


def take_in_passing(table: Table, move: Move, victim: Square, when: When) -> Timing:
    """A pawn takes the one on `victim`, which it passes."""
    match pick(table, table.habits.passants):
        case PassantWay.CAPTURER_FIRST:
            lifted, there = carry(table, move.origin, move.landing, *when)
            settled = table.take_off(victim, there + beat(table)) + CLEAR_MS
        case PassantWay.VICTIM_FIRST:
            lifted = table.take_off(victim, when.start_ms)
            _, settled = carry(table, move.origin, move.landing, lifted + beat(table), when.earliest_ms)
        case PassantWay.BOTH_IN_AIR:
            man, lifted = table.raise_from(move.origin, when.start_ms)
            gone = table.take_off(victim, lifted + beat(table))
            settled = table.set_down(man, move.landing, gone + beat(table), when.earliest_ms)
        case _ as never:
            assert_never(never)
    return Timing(lifted, settled)
