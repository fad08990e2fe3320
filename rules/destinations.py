"""The moves of one man, without making the list of all."""

from __future__ import annotations

from rules.checks import Guard
from rules.generate import en_passant, lone_pawn_moves
from rules.geometry import BETWEEN, BIT, KNIGHT_STEPS, LINE, PAWN_ATTACKS
from rules.kings import king_moves
from rules.move import Move
from rules.pawns import LONE_PAWN
from rules.squares import FULL, Bitboard
from rules.tables import BISHOPS, KNIGHTS, ROOKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules.position import Position


def destinations(position: Position, square: int) -> Bitboard:
    """See `Position.destinations`."""
    mask = BIT[square]
    pawns, knights, diagonal, straight, king, own = position.us
    guard = position.guard()
    if king & mask:
        reached = 0
        for move in king_moves(position.us, position.them, position.side, guard):
            reached |= move.landing_bit
        return reached
    theirs = position.them[5]
    if knights & mask:
        reached = KNIGHT_STEPS[square]
    elif pawns & mask:
        one, _, two, _, _ = LONE_PAWN[position.side.turn][square]
        reached = PAWN_ATTACKS[position.side.turn][square] & theirs
        if not one & (own | theirs):
            reached |= one | two ^ two & theirs
    else:
        reached = 0
        if diagonal & mask:
            reached = BISHOPS[square].attacks(own | theirs)
        if straight & mask:
            reached |= ROOKS[square].attacks(own | theirs)
    reached ^= reached & own
    if guard[1] or guard[2]:
        reached &= allowed_squares(guard, square)
    if position.ep and pawns & mask:
        for move in en_passant(position):
            if move.origin == square:
                reached |= position.ep
    return reached


def moves_from(position: Position, square: int, targets: Bitboard = FULL) -> list[Move]:
    """The legal moves of the man on a square that land on one of `targets`; see `Position.moves_from`."""
    mask = BIT[square]
    pawns, knights, diagonal, straight, king, own = position.us
    if not own & mask:
        return []
    guard = position.guard()
    if king & mask:
        return [move for move in king_moves(position.us, position.them, position.side, guard) if move.landing_bit & targets]
    ep = position.ep & targets
    if guard[1] or guard[2]:
        targets &= allowed_squares(guard, square)
    if pawns & mask:
        moves = lone_pawn_moves(position, square, targets)
        if ep:
            moves += [move for move in en_passant(position) if move.origin == square]
        return moves
    targets ^= targets & own
    if knights & mask:
        return [*KNIGHTS[square].moves(targets)]
    occupied = own | position.them[5]
    moves = []
    if diagonal & mask:
        moves += BISHOPS[square].moves(occupied, targets)
    if straight & mask:
        moves += ROOKS[square].moves(occupied, targets)
    return moves


def allowed_squares(guard: Guard, square: int) -> Bitboard:
    """Where a man other than the king may go without leaving its king in check."""
    king, checkers, pinned = guard
    allowed = LINE[king][square] if pinned & BIT[square] else FULL
    if checkers:
        allowed &= 0 if checkers & (checkers - 1) else checkers | BETWEEN[king][checkers.bit_length() - 1]
    return allowed
