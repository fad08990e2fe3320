"""What people would hardly play: asked only of captures that nobody saw, where the sensors say nothing.

Of two pieces that may have been taken unseen, the one that gained most is the likelier. A rough count of the exchange
on the square is enough: what was taken, less the capturer if it can be taken back.
"""

from __future__ import annotations

from board_driver.recorder.place import Passage, Place
from rules.pieces import Role
from rules.squares import Square, squares_of

WORTH = {Role.PAWN: 1, Role.KNIGHT: 3, Role.BISHOP: 3, Role.ROOK: 5, Role.QUEEN: 9, Role.KING: 0}
"""In pawns."""
GOOD = 5
"""A capture that gains this or more needs no excuse, in pawns."""


def poorness(place: Place, passage: Passage) -> int:
    """How many pawns the capture falls short of a good one; 0 for a good one."""
    position = place.position
    taken = position.piece_at(squares_of(passage.victim)[0])
    capturer = position.piece_at(passage.move.origin)
    if taken is None or capturer is None:
        return 0
    gain = WORTH[taken.role]
    if _can_be_taken(place.after(passage.move), passage.move.landing):
        gain -= WORTH[capturer.role]
    return max(0, GOOD - gain)


def _can_be_taken(place: Place, square: Square) -> bool:
    return any(reply.victim >> square & 1 for reply in place.passages())
