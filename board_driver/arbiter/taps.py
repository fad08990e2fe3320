"""A king lifted and set back several times: how a player says something without a button.

It is the king of the player who has just moved. His opponent has the move, so that lifting him is no touch of anybody's
(D1: he cannot be captured), whichever of the two does it, and nothing of it can be a move.

House rules:

1. Three times: the player who has just moved offers a draw (FIDE Laws 9.1.2.1). He is answered by touching a man, or by
   the kings in the centre (`kingsign`), or by button.
2. Five times: the player having the move claims the draw that he may claim (9.2, 9.3). Where there is none, nothing
   happens: a gesture costs nobody time.
3. Each lift is a short one, they follow each other, and no other man is moved in between. What was meant is clear when
   the king has rested.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from board_driver.arbiter.turn import Turn
from board_driver.sensing.settle import SettledChange
from rules.pieces import Role

OFFER_TAPS = 3
CLAIM_TAPS = 5
LONGEST_MS = 1500
"""Longer up, or longer down before the next lift, and it is no gesture."""
REST_MS = 1500


class Said(Enum):
    """What was said so."""

    OFFER = "offer"
    CLAIM = "claim"


class Taps:
    """Counts how often the king of the side that does not have the move was lifted and set back."""

    __slots__ = ("_changed_ms", "_count", "_square")

    def __init__(self) -> None:
        self._square = -1
        self._count = 0
        self._changed_ms = 0

    def note(self, changes: Sequence[SettledChange], turn: Turn) -> None:
        """Something was lifted or set down."""
        for change in changes:
            king = turn.position.pieces(turn.mover.opponent, Role.KING).bit_length() - 1
            late = change.began_ms - self._changed_ms > LONGEST_MS
            if change.square != king or king != self._square or late:
                self._count = 0
            self._square = king if change.square == king else -1
            self._changed_ms = change.began_ms
            if self._square >= 0 and change.placed and not change.lifted:
                self._count += 1

    def due_ms(self) -> int | None:
        """When it is clear what was meant; None if nothing was."""
        return self._changed_ms + REST_MS if self._count >= OFFER_TAPS else None

    def take(self) -> Said | None:
        """What was said, once it is due."""
        count, self._count = self._count, 0
        if count >= CLAIM_TAPS:
            return Said.CLAIM
        return Said.OFFER if count >= OFFER_TAPS else None
