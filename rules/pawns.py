"""Pawns.

The pawns of one side move as a set: three shifts say where they all go, and one look-up for each kind of step turns the
squares reached into moves, since the square and the kind of step tell where the pawn came from. A set of squares not
seen before is joined from its west and its east half, so that the tables fill soon.

A pawn alone (pinned, or asked for by its square) has a record of its own.
"""

from __future__ import annotations

from rules.geometry import BIT, LAST_RANKS, NOT_FILE_A, NOT_FILE_H, PAWN_ATTACKS, RANKS, squares_down
from rules.memo import Memo
from rules.move import DOUBLE, PAWN, PROMOTION, Move, Moves, move_of
from rules.pieces import PROMOTION_ROLES
from rules.squares import Bitboard, Colour

_WEST: Bitboard = 0x0F0F0F0F0F0F0F0F
_EAST: Bitboard = 0xF0F0F0F0F0F0F0F0


def _arrivals(origin: int, target: int, kind: int = PAWN) -> Moves:
    """The moves from one square to another: four if it promotes, the queen first."""
    if BIT[target] & LAST_RANKS:
        return tuple([move_of(PROMOTION, origin, target, role) for role in PROMOTION_ROLES])
    return (move_of(kind, origin, target),)


def _by_arrival(step: int, kind: int = PAWN) -> Memo[Bitboard, Moves]:
    """Squares that pawns have come to, each by the same step -> the moves."""

    def fill(reached: Bitboard) -> Moves:
        if reached & _WEST and reached & _EAST:
            return table[reached & _WEST] + table[reached & _EAST]
        moves: list[Move] = []
        for target in squares_down(reached):
            moves += _arrivals(target - step, target, kind)
        return tuple(moves)

    table = Memo(fill, 8192)
    return table


Shifts = tuple[Bitboard, Bitboard, Bitboard, Bitboard]
Advances = tuple[Moves, Bitboard]


def _shifts(colour: Colour) -> Memo[Bitboard, Shifts]:
    """Pawns -> the squares one step ahead, those taken on to the west, to the east, and all they attack."""

    def fill(pawns: Bitboard) -> Shifts:
        if colour is Colour.WHITE:
            ahead, west, east = pawns << 8, (pawns & NOT_FILE_A) << 7, (pawns & NOT_FILE_H) << 9
        else:
            ahead, west, east = pawns >> 8, (pawns & NOT_FILE_A) >> 9, (pawns & NOT_FILE_H) >> 7
        return ahead, west, east, west | east

    return Memo(fill, 8192)


def _advances(colour: Colour) -> Memo[Bitboard, Advances]:
    """Squares that pawns step to -> the moves, and the squares that may be stepped to from there."""
    third = RANKS[2] if colour is Colour.WHITE else RANKS[5]
    moves = _by_arrival(8 if colour is Colour.WHITE else -8)

    def fill(ahead: Bitboard) -> Advances:
        again = ahead & third
        return moves[ahead], again << 8 if colour is Colour.WHITE else again >> 8

    return Memo(fill, 8192)


class PawnTables:
    """All tables of one side's pawns taken together."""

    __slots__ = ("record", "shifts")

    def __init__(self, colour: Colour) -> None:
        up = 8 if colour is Colour.WHITE else -8
        self.shifts = _shifts(colour)
        self.record = (
            self.shifts, _advances(colour), _by_arrival(2 * up, DOUBLE), _by_arrival(up - 1), _by_arrival(up + 1)
        )  # fmt: skip


PAWN_TABLES = (PawnTables(Colour.WHITE), PawnTables(Colour.BLACK))

LonePawn = tuple[Bitboard, Bitboard, Bitboard, Memo[Bitboard, Moves]]
"""What it attacks, the square one step ahead, that two steps ahead (none off the home rank); squares -> its moves."""


def _lone_pawn(colour: Colour, square: int) -> LonePawn:
    up, home = (8, 1) if colour is Colour.WHITE else (-8, 6)
    one, two = square + up, square + 2 * up

    def moves(reached: Bitboard) -> Moves:
        arrivals: list[Move] = []
        for target in squares_down(reached):
            arrivals += _arrivals(square, target, DOUBLE if target == two else PAWN)
        return tuple(arrivals)

    ahead = BIT[one] if 0 <= one < 64 else 0
    return PAWN_ATTACKS[colour][square], ahead, BIT[two] if square >> 3 == home else 0, Memo(moves)


LONE_PAWNS = tuple(tuple(_lone_pawn(colour, square) for square in range(64)) for colour in Colour)
"""By colour and square."""
