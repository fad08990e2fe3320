"""The sign for a result: after the game the kings are put on the centre squares.

The convention of the broadcast boards: both kings on the light squares e4 and d5, White won; both on the dark squares
d4 and e5, Black won; one on a light and one on a dark square, a draw. No such pair of squares can hold the kings of a
game, since they touch.
"""

from __future__ import annotations

from rules.outcome import Result
from rules.pieces import Role
from rules.position import Position
from rules.squares import Bitboard, Colour, set_of

D4, E4, D5, E5 = 27, 28, 35, 36
LIGHT: Bitboard = set_of((E4, D5))
DARK: Bitboard = set_of((D4, E5))
CENTRE: Bitboard = LIGHT | DARK
CLEARED = 6
"""Other pieces that may be off the board by then."""


def sign_of(position: Position, occupied: Bitboard) -> Result | None:
    """The result that the kings on the centre squares show, if the rest of that position still stands; else None."""
    pair = occupied & CENTRE
    if pair.bit_count() != 2:
        return None
    kings = position.pieces(Colour.WHITE, Role.KING) | position.pieces(Colour.BLACK, Role.KING)
    others = position.occupied & ~kings & ~CENTRE
    standing = occupied & ~CENTRE
    if kings & standing or standing & ~others or (others & ~standing).bit_count() > CLEARED:
        return None
    if pair & position.occupied & ~kings == pair:
        return None
    if pair == LIGHT:
        return Result.WHITE_WINS
    return Result.BLACK_WINS if pair == DARK else Result.DRAW
