"""How pieces move and attack when their own king's safety is left out: for telling what is wrong with an illegal move.

Move generation never asks these questions; a ruling asks one of them now and then, so plain ray walks are enough.
"""

from __future__ import annotations

from rules.pieces import Piece, Role
from rules.position import Position
from rules.squares import Bitboard, Colour, squares_of

_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_SLIDES = {Role.BISHOP: _DIAGONAL, Role.ROOK: _STRAIGHT, Role.QUEEN: _DIAGONAL + _STRAIGHT}
_STEPS = {Role.KNIGHT: _KNIGHT, Role.KING: _DIAGONAL + _STRAIGHT}


def attacks(piece: Piece, square: int, occupied: Bitboard) -> Bitboard:
    """The squares that piece attacks from there; rays end on the first occupied square."""
    if piece.role is Role.PAWN:
        up = 1 if piece.colour is Colour.WHITE else -1
        return _walk(square, ((-1, up), (1, up)), 0, once=True)
    if piece.role in _STEPS:
        return _walk(square, _STEPS[piece.role], 0, once=True)
    return _walk(square, _SLIDES[piece.role], occupied, once=False)


def is_attacked(position: Position, square: int, by: Colour, occupied: Bitboard) -> bool:
    """Whether a piece of that side attacks the square, with `occupied` standing in the way.

    A piece on a square outside `occupied`, or on `square` itself, counts as gone.
    """
    for origin in squares_of(position.occupied_by(by) & occupied & ~(1 << square)):
        piece = position.piece_at(origin)
        if piece is not None and attacks(piece, origin, occupied) >> square & 1:
            return True
    return False


def is_pseudo_legal(position: Position, origin: int, square: int) -> bool:
    """Whether the piece on `origin` moves to `square` as its kind moves, apart from en passant and castling.

    Its own king's safety and whose turn it is are left out.
    """
    piece = position.piece_at(origin)
    if piece is None or position.occupied_by(piece.colour) >> square & 1:
        return False
    if piece.role is not Role.PAWN:
        return bool(attacks(piece, origin, position.occupied) >> square & 1)
    if position.occupied >> square & 1:
        return bool(attacks(piece, origin, position.occupied) >> square & 1)
    return square in _pushes(piece.colour, origin, position.occupied)


def _pushes(colour: Colour, origin: int, occupied: Bitboard) -> list[int]:
    step, home = (8, 1) if colour is Colour.WHITE else (-8, 6)
    one = origin + step
    if not 0 <= one < 64 or occupied >> one & 1:
        return []
    two = one + step
    return [one, two] if origin >> 3 == home and not occupied >> two & 1 else [one]


def _walk(square: int, directions: tuple[tuple[int, int], ...], occupied: Bitboard, once: bool) -> Bitboard:
    bitboard = 0
    for file_step, rank_step in directions:
        file, rank = (square & 7) + file_step, (square >> 3) + rank_step
        while 0 <= file < 8 and 0 <= rank < 8:
            bitboard |= 1 << (file + 8 * rank)
            if once or occupied >> (file + 8 * rank) & 1:
                break
            file, rank = file + file_step, rank + rank_step
    return bitboard
