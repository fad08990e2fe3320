"""Checks: who gives check, who is pinned, what is attacked.

Legality is never tried out by making a move. Checkers and pins are found first; then a check narrows where the men may
go, a pin narrows one man to its line, and what is generated is legal as it stands.
"""

from __future__ import annotations

from rules.geometry import BETWEEN, BISHOP_LINES, KNIGHT_STEPS, LINE, PAWN_ATTACKS, ROOK_LINES
from rules.kings import Watch
from rules.move import DOUBLE, KNIGHT, PAWN, STRAIGHT, Move
from rules.squares import Bitboard
from rules.tables import SQUARES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules.position import Army, Position

Guard = tuple[int, Bitboard, Bitboard]
"""A king's square, the men that give it check, and the men of its side pinned to it."""


def find_guard(us: Army, them: Army, watches: tuple[Watch, ...]) -> Guard:
    """The checkers and the pins of one side."""
    _, _, _, _, king, own = us
    their_pawns, their_knights, their_diagonal, their_straight, _, theirs = them
    square, knights, pawns, straight, diagonal, threats = watches[king.bit_length() - 1]
    checkers = pinned = 0
    men = their_knights & knights | their_pawns & pawns | their_straight & straight | their_diagonal & diagonal
    if men:
        occupied = own | theirs
        for between, man in threats[men]:
            blockers = between & occupied
            if not blockers:
                checkers |= man
            elif not blockers & (blockers - 1):
                pinned |= blockers & own
    return square, checkers, pinned


def gives_check(position: Position, move: Move) -> bool:
    """Will this legal move give check?"""
    kind = move.kind
    if kind > DOUBLE:
        return position.play(move).is_check()
    _, _, diagonal, straight, _, own = position.us
    _, _, _, _, their_king, theirs = position.them
    occupied = own | theirs
    king = their_king.bit_length() - 1
    origin, landing = move.origin_bit, move.landing_bit
    if kind == KNIGHT:
        if KNIGHT_STEPS[king] & landing:
            return True
    elif kind >= PAWN:
        if PAWN_ATTACKS[position.side.turn ^ 1][king] & landing:
            return True
    elif kind <= STRAIGHT:
        on_line = (BISHOP_LINES[king] if diagonal & origin else 0) | (ROOK_LINES[king] if straight & origin else 0)
        if on_line & landing and not BETWEEN[king][move.landing] & (occupied ^ origin):
            return True
    line = LINE[king][move.origin]
    return bool(line) and not line & landing and origin & veils(position, king, occupied) != 0


def veils(position: Position, king: int, occupied: Bitboard) -> Bitboard:
    """The men of the side to move that alone stand between their king and an attacker of the side to move."""
    _, _, diagonal, straight, _, own = position.us
    found = 0
    for square in SQUARES[ROOK_LINES[king] & straight | BISHOP_LINES[king] & diagonal]:
        blockers = BETWEEN[king][square] & occupied
        if blockers & own and not blockers & (blockers - 1):
            found |= blockers
    return found
