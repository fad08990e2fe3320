"""What people would hardly play: asked only of captures that nobody saw, where the sensors say nothing.

Of two pieces that may have been taken unseen, the one that could be taken for nothing is the likelier. A rough count
of the exchange on the square is enough: what was taken, against the capturer if it can be taken back.
"""

from __future__ import annotations

from board_driver.recorder.place import Passage, Place
from rules.pieces import Role
from rules.squares import Square, squares_of

WORTH = {Role.PAWN: 1, Role.KNIGHT: 3, Role.BISHOP: 3, Role.ROOK: 5, Role.QUEEN: 9, Role.KING: 0}
"""In pawns."""
WORST = 6
"""No move is held to be worse than this, in pawns."""


def lost_by(place: Place, passage: Passage) -> int:
    """About how many pawns' worth the capture loses, from 0 to `WORST`."""
    position = place.position
    taken = position.piece_at(squares_of(passage.victim)[0])
    capturer = position.piece_at(passage.move.origin)
    if taken is None or capturer is None:
        return 0
    gain = WORTH[taken.role]
    stake = WORTH[capturer.role]
    if stake > gain and _can_be_taken(place.after(passage.move), passage.move.landing):
        return min(WORST, stake - gain)
    return 0


def _can_be_taken(place: Place, square: Square) -> bool:
    return any(reply.victim >> square & 1 for reply in place.passages())
