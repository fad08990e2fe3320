"""One man at a time: what it reaches, and its moves there. The king, en passant and castling are treated elsewhere."""

from __future__ import annotations

from rules.geometry import BIT, KNIGHT_STEPS, ROOK_LINES
from rules.move import Moves
from rules.squares import Bitboard
from rules.tables import BISHOPS, KNIGHTS, ROOKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules.position import Position


def reach(position: Position, square: int) -> Bitboard:
    """The squares where the man on a square may land if its king's safety did not matter; none if it is not ours."""
    mask = BIT[square]
    pawns, knights, diagonal, straight, _, own = position.us
    theirs = position.them[5]
    if pawns & mask:
        attacks, one, two, _ = position.side.lone_pawns[square]
        reached = attacks & theirs
        if not one & (own | theirs):
            reached |= one
            if two:
                reached |= two ^ two & (own | theirs)
        return reached
    if knights & mask:
        reached = KNIGHT_STEPS[square]
    else:
        reached = 0
        if diagonal & mask:
            reached = BISHOPS[square].attacks(own | theirs)
        if straight & mask:
            reached |= ROOKS[square].attacks(own | theirs)
    return reached ^ reached & own


def moves_to(position: Position, square: int, reached: Bitboard) -> Moves:
    """The moves of the man on a square to squares that it reaches: four to a square where it promotes."""
    mask = BIT[square]
    pawns, knights, diagonal, straight, _, _ = position.us
    if pawns & mask:
        return position.side.lone_pawns[square][3][reached]
    if knights & mask:
        return KNIGHTS[square].moves(reached)
    if not straight & mask:
        return BISHOPS[square].moves_to(reached)
    if not diagonal & mask:
        return ROOKS[square].moves_to(reached)
    along = reached & ROOK_LINES[square]
    return BISHOPS[square].moves_to(reached ^ along) + ROOKS[square].moves_to(along)
