"""When the pieces are set up anew, another game begins.

The start array alone is not enough, since legal moves and takebacks lead there too. It counts once the game is over and
something has been moved since, or if the game has got away from the start and the array does not fit its position; and
only when it has been left alone for a while.
"""

from __future__ import annotations

AFTER_THE_END_MS = 1500
IN_MID_GAME_MS = 3000


class FreshStart:
    """Watches for the start array. Fed after every settled change."""

    __slots__ = ("_due_ms",)

    def __init__(self) -> None:
        self._due_ms: int | None = None

    def observe(self, stands_as_start: bool, over: bool, plies: int, fits_game: bool, now_ms: int) -> None:
        """Something was moved: does the board stand as a game starts, and does that not belong to the present one?"""
        self._due_ms = None
        if stands_as_start and over:
            self._due_ms = now_ms + AFTER_THE_END_MS
        elif stands_as_start and plies and not fits_game:
            self._due_ms = now_ms + IN_MID_GAME_MS

    def due_ms(self) -> int | None:
        """When a new game begins if nothing is moved before; None if none is about to."""
        return self._due_ms

    def begun(self) -> None:
        """The new game has begun."""
        self._due_ms = None
