"""Legal moves, all at once.

No move is tried out. A check narrows `targets` (the squares where anyone but the king may go) to the checker and what
lies before it; a pinned man is taken out of the sets and done alone, on its line; the king keeps off what is attacked.
Only en passant is tried on the occupied squares, because two pawns leave the king's lines at once.
"""

from __future__ import annotations

from rules.checks import Guard
from rules.geometry import BETWEEN, KNIGHT_STEPS, LINE, PAWN_ATTACKS
from rules.kings import king_moves
from rules.men import moves_to, reach
from rules.move import CASTLING, EN_PASSANT, Move, move_of
from rules.squares import FULL, Bitboard
from rules.tables import (
    BISHOP_RECORDS,
    BISHOPS,
    KNIGHT_RECORDS,
    ROOK_RECORDS,
    ROOKS,
    SQUARES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules.position import Position


def legal_moves(position: Position, guard: Guard) -> list[Move]:
    """All legal moves, in a new list. `guard` is the position's."""
    king, checkers, pinned = guard
    pawns, knights, diagonal, straight, _, own = position.us
    theirs = position.them[5]
    occupied = own | theirs
    targets = own ^ FULL
    moves = king_moves(position.us, position.them, position.side, guard, targets)
    if checkers:
        if checkers & (checkers - 1):
            return moves
        targets = checkers | BETWEEN[king][checkers.bit_length() - 1]
    if pinned:
        moves += pinned_moves(position, king, pinned, targets)
        free = own ^ pinned
        pawns &= free
        knights &= free
        diagonal &= free
        straight &= free
    if knights:
        for attacks, fan, knight in KNIGHT_RECORDS[knights]:
            try:
                moves += fan[attacks & targets]
            except KeyError:
                moves += knight.moves(targets)
    if diagonal:
        for mask, lines, fan, slider in BISHOP_RECORDS[diagonal]:
            try:
                moves += fan[lines[occupied & mask] & targets]
            except KeyError:
                moves += slider.moves(occupied, targets)
    if straight:
        for mask, lines, fan, slider in ROOK_RECORDS[straight]:
            try:
                moves += fan[lines[occupied & mask] & targets]
            except KeyError:
                moves += slider.moves(occupied, targets)
    if pawns:
        shifts, ones, twos, wests, easts = position.side.pawns
        ahead, west, east, _ = shifts[pawns]
        ahead ^= ahead & occupied
        steps, again = ones[ahead]
        if again:
            again ^= again & occupied
        if checkers:
            steps, _ = ones[ahead & targets]
            again &= targets
            theirs &= targets
        moves += steps
        if again:
            moves += twos[again]
        west &= theirs
        if west:
            moves += wests[west]
        east &= theirs
        if east:
            moves += easts[east]
        if position.ep:
            moves += en_passant(position)
    return moves


def castlings(position: Position) -> list[Move]:
    """The legal castlings."""
    if not position.side.wings:
        return []
    moves = king_moves(position.us, position.them, position.side, position.guard(), 0)
    return [move for move in moves if move.kind == CASTLING]


def pinned_moves(position: Position, king: int, pinned: Bitboard, targets: Bitboard) -> list[Move]:
    """The moves of the pinned men, each on its own line."""
    line = LINE[king]
    moves: list[Move] = []
    for square in SQUARES[pinned]:
        moves += moves_to(position, square, reach(position, square) & targets & line[square])
    return moves


def en_passant(position: Position) -> list[Move]:
    """The legal captures en passant."""
    square, checkers, _ = position.guard()
    ep, turn = position.ep, position.side.turn
    pawns, knights, diagonal, straight, _, _ = position.them
    target = ep.bit_length() - 1
    moves = []
    for origin in SQUARES[PAWN_ATTACKS[turn ^ 1][target] & position.us[0]]:
        move = move_of(EN_PASSANT, origin, target)
        victim = move.change ^ move.delta
        if checkers & (pawns | knights) & ~victim:
            continue
        occupied = position.occupied ^ move.change
        if not (ROOKS[square].attacks(occupied) & straight or BISHOPS[square].attacks(occupied) & diagonal):
            moves.append(move)
    return moves


def has_move(position: Position) -> bool:
    """Is there a legal move? Looks first where one is found soonest."""
    _, checkers, pinned = position.guard()
    if not checkers:
        pawns, knights, _, _, _, own = position.us
        free = own ^ pinned
        for square in SQUARES[knights & free]:
            if KNIGHT_STEPS[square] & ~own:
                return True
        ahead = position.side.pawns[0][pawns & free][0]
        if ahead & ~position.occupied:
            return True
    return bool(position.legal_moves())
