"""The lights that lead a hand through a move which it carries out for a player without hands [pure].

From, what has to come off, to: each only as long as it is still to be done. Castling goes king first (FIDE Laws 3.8.2).
"""

from __future__ import annotations

from collections.abc import Iterator

from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.turn import Turn
from board_driver.lights.picture import Meaning
from rules.move import Move
from rules.squares import Bitboard


def guide(turn: Turn, view: BoardView) -> dict[int, Meaning]:
    """What is still to be done of the command of this turn; nothing without one."""
    move = turn.command
    if move is None:
        return {}
    lights: dict[int, Meaning] = {}
    for origin, landing in _ways(view.occupied, move):
        if view.occupied >> origin & 1:
            lights[origin] = Meaning.COMMAND_FROM
        if landing not in lights:
            lights[landing] = Meaning.COMMAND_TO
    victim = turn.position.victim_square(move)
    if victim is None:
        return lights
    if move.is_en_passant and view.occupied >> move.landing & 1:
        del lights[move.landing]
    if view.occupied >> victim & 1:
        lights[victim] = Meaning.REMOVE
    return lights


def _ways(occupied: Bitboard, move: Move) -> Iterator[tuple[int, int]]:
    """(from, to) of the men that have still to go, of castling the king's until it is there and then the rook's."""
    if move.rook_origin is None or move.rook_landing is None:
        yield move.origin, move.landing
        return
    homes = 1 << move.origin | 1 << move.rook_origin
    goals = 1 << move.landing | 1 << move.rook_landing
    if homes & goals:  # the two change places or pass (Chess960): both have to be taken up
        yield move.origin, move.landing
        yield move.rook_origin, move.rook_landing
    elif occupied >> move.origin & 1 or not occupied >> move.landing & 1:
        yield move.origin, move.landing
    else:
        yield move.rook_origin, move.rook_landing
