"""The legal moves of one man, without making the list of all."""

from __future__ import annotations

from collections.abc import Sequence

from rules.checks import Guard
from rules.generate import en_passant
from rules.geometry import BETWEEN, BIT, LINE
from rules.kings import king_moves
from rules.men import moves_to, reach
from rules.move import KING, Move
from rules.squares import FULL, Bitboard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules.position import Position


def destinations(position: Position, square: int, guard: Guard) -> Bitboard:
    """See `Position.destinations`; `guard` is the position's."""
    if square == guard[0]:
        us = position.us
        reached = 0
        for move in king_moves(us, position.them, position.side, guard, us[5] ^ FULL):
            reached |= move.landing_bit
        return reached
    reached = reach(position, square)
    if guard[1] or guard[2]:
        reached &= allowed_squares(guard, square)
    if position.ep:
        for move in en_passant(position):
            if move.origin == square:
                reached |= position.ep
    return reached


def moves_from(position: Position, square: int, targets: Bitboard = FULL) -> list[Move]:
    """The legal moves of the man on a square that land on one of `targets`; see `Position.moves_from`."""
    guard = position.guard()
    if square == guard[0]:
        us = position.us
        moves = king_moves(us, position.them, position.side, guard, targets ^ targets & us[5])
        return moves if targets == FULL else [move for move in moves if move.landing_bit & targets]
    moves = [*plain_moves(position, square, targets, guard)]
    if position.ep & targets:
        moves += [move for move in en_passant(position) if move.origin == square]
    return moves


def plain_moves(position: Position, square: int, targets: Bitboard, guard: Guard) -> Sequence[Move]:
    """The same less castling and captures en passant; `guard` is the position's."""
    if square == guard[0]:
        us = position.us
        moves = king_moves(us, position.them, position.side, guard, targets ^ targets & us[5])
        return [move for move in moves if move.kind == KING] if position.side.wings else moves
    reached = reach(position, square) & targets
    if reached and (guard[1] or guard[2]):
        reached &= allowed_squares(guard, square)
    return moves_to(position, square, reached) if reached else ()


def allowed_squares(guard: Guard, square: int) -> Bitboard:
    """Where a man other than the king may go without leaving its king in check."""
    king, checkers, pinned = guard
    allowed = LINE[king][square] if pinned & BIT[square] else FULL
    if checkers:
        allowed &= 0 if checkers & (checkers - 1) else checkers | BETWEEN[king][checkers.bit_length() - 1]
    return allowed
