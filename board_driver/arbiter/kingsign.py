"""The result shown with the kings.

Both on the light centre squares (e4, d5) White has won, both on the dark ones (d4, e5) Black, one on each a draw.

House rules:

1. It counts only as a sign: both kings were taken up and set there, which no legal play does, since any two of those
   squares touch; and they rest. A king who came there by a legal move just before is part of the sign. With both in
   hand one set there has not moved, unless the other goes back or the clock is pressed.
2. A man who stands on one of the squares makes room: he goes off, or the king takes his place. Everything else stands
   as in the position.
3. Both kings taken up show the choice; put back, they end nothing.
4. One king alone shows nothing. If the board is cleared after his move to the centre, that move is doubtful.
"""

from __future__ import annotations

from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.turn import Turn
from rules.outcome import LIGHT_SQUARES, Result
from rules.pieces import Role
from rules.squares import Bitboard, Colour, set_of, squares_of

REST_MS = 2500
STRICT_REST_MS = 5000
"""Where a king beside a king may be an illegal move as well, it is put right before."""
CENTRE = set_of((27, 28, 35, 36))
_LIGHT = CENTRE & LIGHT_SQUARES
CLEARED_MEN = 3
"""So many men off the board, and half of them at least, are a board that is being cleared."""


def result_shown(turn: Turn, view: BoardView, moved: Bitboard = 0) -> Result | None:
    """The result that the kings show; None if they show none. `moved`: where a king has just moved to show it."""
    kings = _kings(turn)
    others = turn.position.occupied & ~kings
    if (view.occupied & ~others & ~CENTRE & ~kings | others & ~view.occupied & ~CENTRE) & view.live:
        return None
    shown = view.occupied & CENTRE & (~turn.position.occupied | _set_anew(turn, view) | moved)
    if shown.bit_count() != 2 or kings & view.occupied & ~shown & view.live:
        return None
    if shown == shown & _LIGHT:
        return Result.WHITE_WINS
    return Result.DRAW if shown & _LIGHT else Result.BLACK_WINS


def is_being_shown(turn: Turn, view: BoardView) -> bool:
    """Whether both kings have been taken up and are in hand or in the centre, and nothing else is wrong.

    A man who made room for one may be off.
    """
    kings = _kings(turn)
    if kings & view.occupied & ~CENTRE:
        return False
    others = turn.position.occupied & ~kings
    wrong = (view.occupied ^ others) & ~kings & view.live & ~CENTRE
    home = kings & view.occupied & ~_set_anew(turn, view)
    lifted = all(view.lifted[s] > turn.began for s in squares_of(kings))
    return lifted and not home and not wrong and not kings & ~view.live


def is_cleared(turn: Turn, view: BoardView) -> bool:
    """Whether the men are being taken off the board."""
    gone = turn.position.occupied & ~view.occupied & view.live
    surplus = view.occupied & ~turn.position.occupied & view.live
    men = gone.bit_count()
    return not surplus and men >= CLEARED_MEN and 2 * men >= turn.position.occupied.bit_count()


def _kings(turn: Turn) -> Bitboard:
    return turn.position.pieces(Colour.WHITE, Role.KING) | turn.position.pieces(Colour.BLACK, Role.KING)


def _set_anew(turn: Turn, view: BoardView) -> Bitboard:
    """Centre squares that were filled before and have been emptied and filled again in this turn.

    One on which a king stood all the time has been filled since the other king was lifted: else he was straightened.
    """
    kings = _kings(turn)
    last = max(view.lifted[s] for s in squares_of(kings))
    return set_of(
        s
        for s in squares_of(CENTRE & turn.position.occupied & view.occupied)
        if turn.began < view.lifted[s] <= view.placed[s] and (not kings >> s & 1 or view.placed[s] > last)
    )
