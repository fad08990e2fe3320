"""Whose clock runs, as far as presses tell. Times of the clock itself are not kept here."""

from __future__ import annotations

from enum import Enum, auto

from rules.squares import Colour

BOUNCE_MS = 300
"""Two presses by one player within this time are one."""
TOGETHER_MS = 100
"""Nobody can have seen his clock start so shortly before: both pressed together, and the second press is nothing."""


class Pressed(Enum):
    """What a press means before the board is looked at."""

    NOTHING = auto()
    """The clock of that player does not run (FIDE Laws 6.1), or there is none."""
    COMPLETES = auto()
    """It completes a move that was made, be it late (FIDE Laws 6.2.1, 6.2.2), or only sets the right clock running."""
    WITHOUT_MOVE = auto()
    """No move of his is waiting for a press: the board has to be judged (FIDE Laws 7.5)."""


class ClockSide:
    """The running side and the made moves that wait for their press."""

    __slots__ = ("_pressed_ms", "_switched_ms", "_unpressed", "in_use", "running")

    def __init__(self, in_use: bool, running: Colour) -> None:
        self.in_use = in_use
        self.running = running
        self._unpressed: set[Colour] = set()
        self._pressed_ms: dict[Colour, int] = {}
        self._switched_ms: int | None = None
        """When a press started the clock that runs; None: it was no press."""

    def made(self, mover: Colour) -> None:
        """A move was made; it waits for its press."""
        self._unpressed.add(mover)

    def withdrawn(self, mover: Colour) -> None:
        """That player's last move was taken back: no press waits for it, and his clock runs."""
        self._unpressed.discard(mover)
        self.running = mover

    def has_made(self, mover: Colour) -> bool:
        """Whether a move of that player waits for its press."""
        return mover in self._unpressed

    def waits_for(self, mover: Colour) -> bool:
        """Whether that player's clock still runs on a move that he has made (FIDE Laws 6.2.5)."""
        return self.in_use and self.running is mover and mover in self._unpressed

    def press(self, colour: Colour, t_ms: int, mover: Colour) -> Pressed:
        """What that player's press is while `mover` has the move. A bounce is nothing.

        A press that completes a move starts the other clock. So does that of a player whose clock runs though his
        opponent has the move, after late presses by both: there is no move that he could have failed to make.
        """
        before_ms = self._pressed_ms.get(colour)
        if not self.in_use or (before_ms is not None and t_ms - before_ms < BOUNCE_MS):
            return Pressed.NOTHING
        self._pressed_ms[colour] = t_ms
        if colour is not self.running:
            return Pressed.NOTHING
        switched_ms, self._switched_ms = self._switched_ms, t_ms
        if self.complete_if_made(colour):
            return Pressed.COMPLETES
        if colour is mover:
            self._switched_ms = switched_ms
            together = switched_ms is not None and t_ms - switched_ms < TOGETHER_MS
            return Pressed.NOTHING if together else Pressed.WITHOUT_MOVE
        self.running = mover
        return Pressed.COMPLETES

    def complete_if_made(self, colour: Colour) -> bool:
        """If a move of that player waits for its press, it is completed and the other clock runs."""
        if colour not in self._unpressed:
            return False
        self._unpressed.discard(colour)
        self.running = colour.opponent
        return True
