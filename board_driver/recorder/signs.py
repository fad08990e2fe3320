"""The sign for a result: after the game the kings are put on the centre squares.

The convention of the broadcast boards: both kings on the light squares e4 and d5, White won; both on the dark squares
d4 and e5, Black won; one on a light and one on a dark square, a draw. No such pair of squares can hold the kings of a
game, since they touch.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.outcome import Result
from rules.pieces import Role
from rules.position import Position
from rules.squares import Bitboard, Colour, set_of

D4, E4, D5, E5 = 27, 28, 35, 36
LIGHT: Bitboard = set_of((E4, D5))
DARK: Bitboard = set_of((D4, E5))
CENTRE: Bitboard = LIGHT | DARK
CLEARED = 6
"""Other pieces that may be off the board by then, if only one of the kings was seen to arrive."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A result shown, and how many other pieces of the position are off the board."""

    result: Result
    missing: int


def sign_of(position: Position, occupied: Bitboard, touched: Bitboard) -> Sign | None:
    """The result that the kings on the centre squares show, if the rest of that position still stands; else None.

    `touched` are the squares whose reading has changed since the game was left. A king may have stood in the centre
    before, or have taken the place of a piece there in one grip: then nothing else may stand in the centre.
    """
    pair = occupied & CENTRE & touched
    both_seen = pair.bit_count() == 2
    if not both_seen:
        pair = occupied & CENTRE
    if pair.bit_count() != 2 or not pair & touched:
        return None
    kings = position.pieces(Colour.WHITE, Role.KING) | position.pieces(Colour.BLACK, Role.KING)
    others = position.occupied & ~kings & ~pair
    standing = occupied & ~pair
    missing = (others & ~standing).bit_count()
    if standing & ~others or (missing > CLEARED and not both_seen):
        return None
    result = Result.WHITE_WINS if pair == LIGHT else Result.BLACK_WINS if pair == DARK else Result.DRAW
    return Sign(result, missing)
