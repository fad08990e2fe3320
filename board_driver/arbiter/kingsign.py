"""The result shown with the kings.

Both on the light centre squares (e4, d5) White has won, both on the dark ones (d4, e5) Black, one on each a draw.

It counts only as a sign: the kings stand there as no legal play lets them, everything else stands as in the position,
and they rest.
"""

from __future__ import annotations

from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.turn import Turn
from rules.outcome import LIGHT_SQUARES, Result
from rules.pieces import Role
from rules.squares import Colour, set_of

REST_MS = 2500
_CENTRE = set_of((27, 28, 35, 36))
_LIGHT = _CENTRE & LIGHT_SQUARES


def result_shown(turn: Turn, view: BoardView) -> Result | None:
    """The result that the kings show; None if they show none."""
    kings = turn.position.pieces(Colour.WHITE, Role.KING) | turn.position.pieces(Colour.BLACK, Role.KING)
    others = turn.position.occupied & ~kings
    centre = view.occupied & _CENTRE & ~others
    if centre.bit_count() != 2 or (view.occupied ^ (others | centre)) & view.live or centre == kings:
        return None
    if centre == centre & _LIGHT:
        return Result.WHITE_WINS
    return Result.DRAW if centre & _LIGHT else Result.BLACK_WINS
