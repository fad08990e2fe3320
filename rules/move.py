"""Moves.

A move is a small fixed value: where the piece starts, where it ends, what it becomes, and of which kind it is. There
are some thousands of them in all, and each is made once: equal moves are the same object, to be compared with `is`.

Castling is king takes rook, in ordinary chess too: `destination` is the rook's square, which says without doubt what
is meant in Chess960, while `landing` is where the king ends.
"""

from __future__ import annotations

from rules.geometry import BIT, LAST_RANKS
from rules.pieces import Role
from rules.squares import SQUARE_NAMES, Bitboard, Square

# Kinds of moves: what has to be done on the board. Plain ints, as they are compared in the hottest code; in this order,
# so that officers are `<= KING` and moves that do no more than move a man are `<= DOUBLE`.
DIAGONAL = 0
"""A bishop or a queen along a diagonal."""
STRAIGHT = 1
"""A rook or a queen along a file or a rank."""
KNIGHT = 2
KING = 3
"""One step."""
PAWN = 4
"""One step, or a capture, not to the last rank."""
DOUBLE = 5
"""A pawn's first move of two steps."""
PROMOTION = 6
CASTLING = 7
EN_PASSANT = 8

_KINGSIDE_FILES = (6, 5)
"""Where king and rook land."""
_QUEENSIDE_FILES = (2, 3)


class Move:
    """One move. Interned: compare with `is`; make none, take them from a position.

    The squares, for people:

    - `origin`, `landing`: where the moved piece (in castling, the king) starts and ends;
    - `destination`: the same as `landing`, but in castling the rook's square;
    - `promotion`: the role that a pawn becomes, or None.

    And the sets, for machines:

    - `origin_bit`, `landing_bit`, and `delta`: those of the moved piece that differ (none if a Chess960 king castles on
      the spot);
    - `change`: the squares whose occupancy changes if nothing stands on `landing`; so `change ^ delta` is the victim
      of a capture en passant, and in castling what the rook changes;
    - `edge`: those of the touched squares where a right to castle may be lost.
    """

    __slots__ = (
        "change", "delta", "destination", "edge", "kind", "landing", "landing_bit", "origin", "origin_bit", "promotion",
    )  # fmt: skip

    kind: int
    origin: Square
    landing: Square
    destination: Square
    promotion: Role | None
    origin_bit: Bitboard
    landing_bit: Bitboard
    delta: Bitboard
    change: Bitboard
    edge: Bitboard

    @property
    def is_castling(self) -> bool:
        return self.kind == CASTLING

    @property
    def is_en_passant(self) -> bool:
        return self.kind == EN_PASSANT

    @property
    def rook_origin(self) -> Square | None:
        """In castling, where the rook starts."""
        return self.destination if self.kind == CASTLING else None

    @property
    def rook_landing(self) -> Square | None:
        """In castling, where the rook ends."""
        return _castled(self.origin, self.destination)[1] if self.kind == CASTLING else None

    @property
    def touches(self) -> Bitboard:
        """Every square where a hand lifts a man or sets one down, the victim's included."""
        return self.delta | self.change

    def __str__(self) -> str:
        """Origin and destination, such as `e2e4` or `e7e8q`; castling as king takes rook."""
        suffix = self.promotion.letter.lower() if self.promotion else ""
        return SQUARE_NAMES[self.origin] + SQUARE_NAMES[self.destination] + suffix

    def __repr__(self) -> str:
        return f"<Move {self}>"

    def __reduce__(self) -> tuple[object, tuple[int, int, int, Role | None]]:
        return move_of, (self.kind, self.origin, self.destination, self.promotion)


Moves = tuple[Move, ...]

_MOVES: dict[int, Move] = {}
"""Every move made so far. Never emptied, as moves are compared by identity; geometry bounds it to some 8,000."""


def move_of(kind: int, origin: int, destination: int, promotion: Role | None = None) -> Move:
    """The one move of that kind between those squares (in castling, from the king's to the rook's)."""
    key = origin | destination << 6 | kind << 12 | (promotion or 0) << 16
    move = _MOVES.get(key)
    if move is None:
        move = _MOVES[key] = _make(kind, origin, destination, promotion)
    return move


def _make(kind: int, origin: int, destination: int, promotion: Role | None) -> Move:
    move = Move()
    move.kind = kind
    move.origin, move.destination, move.landing = _SQUARES[origin], _SQUARES[destination], _SQUARES[destination]
    move.promotion = promotion
    move.origin_bit = origin_bit = BIT[origin]
    move.landing_bit = landing_bit = BIT[destination]
    move.delta = move.change = origin_bit ^ landing_bit
    move.edge = move.delta & LAST_RANKS
    if kind == CASTLING:
        move.landing, rook_landing = _castled(origin, destination)
        move.landing_bit = BIT[move.landing]
        move.delta = origin_bit ^ move.landing_bit
        move.change = move.delta ^ BIT[destination] ^ BIT[rook_landing]
    elif kind == EN_PASSANT:
        move.change |= BIT[origin & 56 | destination & 7]
    return move


def _castled(king: int, rook: int) -> tuple[Square, Square]:
    """Where king and rook land."""
    king_file, rook_file = _KINGSIDE_FILES if rook > king else _QUEENSIDE_FILES
    return _SQUARES[king & 56 | king_file], _SQUARES[king & 56 | rook_file]


_SQUARES = tuple(Square(square) for square in range(64))
