"""Moves.

A move is a small fixed value: where the piece starts, where it ends, what it becomes, and of which kind it is. There are
some thousands of them in all, and each is made once: equal moves are the same object, to be compared with `is`.

Castling is king takes rook, in ordinary chess too: `destination` is the rook's square, which says without doubt what is
meant in Chess960, while `landing` is where the king ends.
"""

from __future__ import annotations

from rules.geometry import BIT, KING_STEPS, RANKS
from rules.memo import Memo
from rules.pieces import Role
from rules.squares import SQUARE_NAMES, Bitboard, Square

# Kinds of moves: what has to be done on the board. Plain ints, as they are compared in the hottest code.
DIAGONAL = 0
"""A bishop or a queen along a diagonal."""
STRAIGHT = 1
"""A rook or a queen along a file or a rank."""
PAWN = 2
"""One step, or a capture, not to the last rank."""
KNIGHT = 3
KING = 4
"""One step."""
DOUBLE = 5
"""A pawn's first move of two steps."""
PROMOTION = 6
CASTLING = 7
EN_PASSANT = 8

_KINGSIDE_FILES = (6, 5)
_QUEENSIDE_FILES = (2, 3)


class Move:
    """One move. Interned: compare with `is`; make none, take them from a position.

    The squares, for people:

    - `origin`, `landing`: where the moved piece (in castling, the king) starts and ends;
    - `destination`: the same as `landing`, but in castling the rook's square;
    - `promotion`: the role a pawn becomes, or None;
    - `rook_origin`, `rook_landing`: in castling, else None.

    And the sets, for machines:

    - `origin_bit`, `landing_bit`, and `delta`, the two together (none, if a Chess960 king castles on the spot);
    - `rook_delta`: the same for the rook in castling, else none;
    - `touches`: every square a hand lifts from or sets down on, captures on `landing` included;
    - `change`: the squares whose occupancy changes if nothing stands on `landing`;
    - `skipped`, and `beside`: after two steps of a pawn, the square between, and those from which a pawn may take there.
    """

    __slots__ = (
        "beside",
        "change",
        "delta",
        "destination",
        "kind",
        "landing",
        "landing_bit",
        "origin",
        "origin_bit",
        "promotion",
        "rook_delta",
        "rook_landing",
        "rook_origin",
        "skipped",
        "touches",
    )

    origin: Square
    destination: Square
    landing: Square
    promotion: Role | None
    kind: int
    rook_origin: Square | None
    rook_landing: Square | None
    origin_bit: Bitboard
    landing_bit: Bitboard
    delta: Bitboard
    rook_delta: Bitboard
    touches: Bitboard
    change: Bitboard
    skipped: Bitboard
    beside: Bitboard

    @property
    def is_castling(self) -> bool:
        return self.kind == CASTLING

    @property
    def is_en_passant(self) -> bool:
        return self.kind == EN_PASSANT

    @property
    def is_promotion(self) -> bool:
        return self.kind == PROMOTION

    def __str__(self) -> str:
        """Origin and destination, such as `e2e4` or `e7e8q`; castling as king takes rook."""
        suffix = self.promotion.letter.lower() if self.promotion else ""
        return SQUARE_NAMES[self.origin] + SQUARE_NAMES[self.destination] + suffix

    def __repr__(self) -> str:
        return f"<Move {self}>"

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return _interned, (_key(self.kind, self.origin, self.destination, self.promotion),)


def _key(kind: int, origin: int, destination: int, promotion: int | None) -> int:
    return origin | destination << 6 | (promotion or 0) << 12 | kind << 15


def _make(key: int) -> Move:
    move = Move()
    move.kind = key >> 15
    move.origin = Square(key & 63)
    move.destination = move.landing = Square(key >> 6 & 63)
    move.promotion = Role(key >> 12 & 7) if key >> 12 & 7 else None
    move.rook_origin = move.rook_landing = None
    move.rook_delta = move.skipped = move.beside = 0
    if move.kind == CASTLING:
        _castle(move)
    move.origin_bit, move.landing_bit = BIT[move.origin], BIT[move.landing]
    move.delta = move.origin_bit ^ move.landing_bit
    move.change = move.delta ^ move.rook_delta
    move.touches = move.origin_bit | move.landing_bit | move.rook_delta | BIT[move.destination]
    if move.kind == EN_PASSANT:
        move.change |= BIT[move.origin & 56 | move.landing & 7]
        move.touches = move.change
    elif move.kind == DOUBLE:
        move.skipped = BIT[(move.origin + move.landing) >> 1]
        move.beside = KING_STEPS[move.landing] & RANKS[move.landing >> 3]
    return move


def _castle(move: Move) -> None:
    """The squares of castling: king to the c- or g-file, rook to the d- or f-file."""
    king_file, rook_file = _KINGSIDE_FILES if move.destination > move.origin else _QUEENSIDE_FILES
    back_rank = move.origin & 56
    move.landing = Square(back_rank | king_file)
    move.rook_origin = move.destination
    move.rook_landing = Square(back_rank | rook_file)
    move.rook_delta = BIT[move.rook_origin] ^ BIT[move.rook_landing]


_MOVES = Memo(_make, 1 << 30)
"""Every move made so far. Never emptied, as moves are compared by identity; geometry bounds it to some 8,000."""


def _interned(key: int) -> Move:
    return _MOVES[key]


def move_of(kind: int, origin: int, destination: int, promotion: Role | None = None) -> Move:
    """The one move of that kind between those squares (in castling, from the king's to the rook's)."""
    return _MOVES[_key(kind, origin, destination, promotion)]
