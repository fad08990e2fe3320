"""Kings: whence they could be checked, and where they may go.

A king keeps off every attacked square, so what the other side attacks has to be known, but only on the few squares the
king might go to: its steps that are not blocked by its own men, and the squares it goes across in castling. A table
says, for a set of such goals, which men could attack any of them at all; often there is none of these.
"""

from __future__ import annotations

from rules.castling import opens_rank
from rules.geometry import BETWEEN, BISHOP_LINES, BIT, KING_STEPS, KNIGHT_STEPS, PAWN_ATTACKS, ROOK_LINES, squares_down
from rules.memo import Memo
from rules.move import Move
from rules.squares import Bitboard, Colour
from rules.tables import BISHOP_RECORDS, KINGS, KNIGHTS_ATTACK, ROOK_RECORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules.checks import Guard
    from rules.position import Army
    from rules.side import Side

Threats = Memo[Bitboard, tuple[tuple[Bitboard, Bitboard], ...]]
Watch = tuple[int, Bitboard, Bitboard, Bitboard, Bitboard, Threats]
"""A king's square; whence a knight, a pawn, a rook and a bishop could check it if nothing stood between; and by set of
such men, what lies between each and the king."""

Zone = tuple[Bitboard, Bitboard, Bitboard]
"""Whence a pawn, knight or king, a rook, and a bishop could attack one of some squares if nothing stood between."""



def _watch(colour: Colour, king: int) -> Watch:
    def threats(men: Bitboard) -> tuple[tuple[Bitboard, Bitboard], ...]:
        return tuple([(BETWEEN[king][square], BIT[square]) for square in squares_down(men)])

    whence = KNIGHT_STEPS[king], PAWN_ATTACKS[colour][king], ROOK_LINES[king], BISHOP_LINES[king]
    return king, *whence, Memo(threats, 1024)


def _zones(colour: Colour) -> Memo[Bitboard, Zone]:
    def fill(goals: Bitboard) -> Zone:
        steppers = rooks = bishops = 0
        for square in squares_down(goals):
            steppers |= KNIGHT_STEPS[square] | KING_STEPS[square] | PAWN_ATTACKS[colour][square]
            rooks |= ROOK_LINES[square]
            bishops |= BISHOP_LINES[square]
        return steppers, rooks, bishops

    return Memo(fill)


WATCHES = tuple(tuple(_watch(colour, king) for king in range(64)) for colour in Colour)
"""By colour of the king and its square."""
ZONES = (_zones(Colour.WHITE), _zones(Colour.BLACK))
"""By colour of the king, and set of squares it may go to."""


def king_moves(us: Army, them: Army, side: Side, guard: Guard, targets: Bitboard) -> list[Move]:
    """The king's legal castlings, and steps to `targets` (none of them our men's), in a new list."""
    square, checkers, _ = guard
    own = us[5]
    pawns, knights, diagonal, straight, their_king, theirs = them
    steps, fan, stepper = KINGS[square].record
    steps &= targets
    goals = steps
    wings = []
    if side.wings and not checkers:
        for wing in side.wings:
            if not wing[0] & (own | theirs):
                wings.append(wing)
                goals |= wing[1]
    danger = 0
    if goals:
        steppers, rooks, bishops = side.zones[goals]
        if steppers & theirs:
            danger = side.their_shifts[pawns][3] | KNIGHTS_ATTACK[knights] | KING_STEPS[their_king.bit_length() - 1]
        rooks &= straight
        if rooks:
            lifted = own ^ us[4] | theirs
            for mask, lines, _, slider in ROOK_RECORDS[rooks]:
                try:
                    danger |= lines[lifted & mask]
                except KeyError:
                    danger |= slider.attacks(lifted)
        bishops &= diagonal
        if bishops:
            lifted = own ^ us[4] | theirs
            for mask, lines, _, slider in BISHOP_RECORDS[bishops]:
                try:
                    danger |= lines[lifted & mask]
                except KeyError:
                    danger |= slider.attacks(lifted)
        steps ^= steps & danger
    try:
        moves = [*fan[steps]]
    except KeyError:
        moves = [*stepper.moves(steps)]
    for _, walk, behind, move in wings:
        if not walk & danger and not (behind & straight and opens_rank(move, own | theirs, behind & straight)):
            moves.append(move)
    return moves
