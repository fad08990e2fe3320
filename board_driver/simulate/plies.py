"""How a ply is carried out, for every kind of move."""

from __future__ import annotations

from board_driver.simulate.castling import castle
from board_driver.simulate.gestures import carry
from board_driver.simulate.promoting import Promotion, promote
from board_driver.simulate.table import Table
from board_driver.simulate.taking import capture, take_in_passing
from board_driver.simulate.ways import Timing, When
from rules.move import Move
from rules.pieces import Piece
from rules.position import Position
from rules.squares import squares_of


def perform(table: Table, position: Position, move: Move, when: When) -> Timing:
    """Carry out `move` on the table."""
    victim = position.victim_square(move)
    if move.is_castling:
        return castle(table, move, when)
    if move.promotion is not None:
        return promote(table, Promotion(move, Piece(position.turn, move.promotion), victim), when)
    if victim is None:
        return _quiet(table, position, move, when)
    if move.is_en_passant:
        return take_in_passing(table, move, victim, when)
    return capture(table, move.origin, move.landing, when)


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
