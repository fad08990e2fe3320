"""The moves of one man, without making the list of all."""

from __future__ import annotations

from rules.generate import en_passant, king_reach, lone_pawn_moves
from rules.geometry import BETWEEN, BIT, KNIGHT_STEPS, LINE, PAWN_ATTACKS
from rules.move import Move
from rules.pawns import LONE_PAWN
from rules.squares import FULL, Bitboard
from rules.tables import BISHOPS, KINGS, KNIGHTS, ROOKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules.position import Position


def allowed_squares(position: Position, square: int) -> Bitboard:
    """Where a man other than the king may go without leaving its king in check."""
    king, checkers, pinned = position.guard()
    allowed = FULL
    if pinned & BIT[square]:
        allowed = LINE[king][square]
    if checkers:
        allowed &= 0 if checkers & (checkers - 1) else checkers | BETWEEN[king][checkers.bit_length() - 1]
    return allowed


def destinations(position: Position, square: int) -> Bitboard:
    """See `Position.destinations`."""
    mask = BIT[square]
    pawns, knights, diagonal, straight, king, own = position.us
    if king & mask:
        reached, castles = king_reach(position)
        for move in castles:
            reached |= move.landing_bit
        return reached
    theirs = position.them[5]
    occupied = own | theirs
    if pawns & mask:
        turn = position.side.turn
        one, _, two, _, _ = LONE_PAWN[turn][square]
        reached = PAWN_ATTACKS[turn][square] & theirs
        if not one & occupied:
            reached |= one | two
            reached ^= two & occupied
    elif knights & mask:
        reached = KNIGHT_STEPS[square]
    else:
        reached = 0
        if diagonal & mask:
            reached = BISHOPS[square].attacks(occupied)
        if straight & mask:
            reached |= ROOKS[square].attacks(occupied)
    reached ^= reached & own
    reached &= allowed_squares(position, square)
    if position.ep and pawns & mask and PAWN_ATTACKS[position.side.turn][square] & position.ep:
        for move in en_passant(position):
            if move.origin == square:
                reached |= position.ep
    return reached


def moves_from(position: Position, square: int) -> list[Move]:
    """See `Position.moves_from`."""
    mask = BIT[square]
    pawns, knights, diagonal, straight, king, own = position.us
    if not own & mask:
        return []
    if king & mask:
        steps, castles = king_reach(position)
        return [*KINGS[square].moves(steps), *castles]
    allowed = allowed_squares(position, square)
    if pawns & mask:
        moves = lone_pawn_moves(position, square, allowed)
        if position.ep and PAWN_ATTACKS[position.side.turn][square] & position.ep:
            moves += [move for move in en_passant(position) if move.origin == square]
        return moves
    allowed &= own ^ FULL
    if knights & mask:
        return [*KNIGHTS[square].moves(allowed)]
    occupied = own | position.them[5]
    moves = []
    if diagonal & mask:
        moves += BISHOPS[square].moves(occupied, allowed)
    if straight & mask:
        moves += ROOKS[square].moves(occupied, allowed)
    return moves
