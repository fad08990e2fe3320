"""The positions in which the game has stood for a moment: where it was left when the pieces are set up anew.

Setting up looks like moves for a while: a knight that goes home may be a legal move or a takeback. But it puts pieces
home, and hastily. So the game ended in the last position that stood, less those at the end that came about only by
pieces going home and did not stand for long. Explanations come and go; what stood is remembered here.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from board_driver.recorder.hypothesis import Hypothesis, Leaving, Stance, Step
from board_driver.recorder.place import Place
from rules.pieces import Role
from rules.squares import Colour

KEPT = 24
"""Positions remembered."""
MOMENT_MS = 200
"""How long a position must stand to count, if the picture shows all of it."""
LAME_MS = 1000
"""The same if it does not show all."""
THOUGHT_MS = 6000
"""A position that stood for longer is no part of setting up."""


@dataclass(frozen=True, slots=True)
class Stood:
    """A position that stood."""

    step: Step
    ms: int
    """For how long."""
    left: Leaving
    """When it was left."""


class Standing:
    """The last positions that stood."""

    def __init__(self) -> None:
        self._stood: deque[Stood] = deque(maxlen=KEPT)

    def note(self, best: Hypothesis, since_ms: int, left: Leaving) -> None:
        """The picture has stood since then and is left now; `best` explained it."""
        if best.stance is not Stance.REST or best.differs & ~best.excused:
            return
        ms = left.ms - max(since_ms, best.since_ms)
        last = self._stood[-1] if self._stood else None
        if last is not None and last.step is best.step:
            self._stood[-1] = Stood(best.step, last.ms + max(0, ms), left)
        elif ms >= (LAME_MS if best.excused else MOMENT_MS):
            self._stood.append(Stood(best.step, ms, left))

    def commit(self, head: Step) -> None:
        """Forget all that was not after that step."""
        kept = [stood for stood in self._stood if any(step is head for step in stood.step.back())]
        self._stood = deque(kept, maxlen=KEPT)

    def before(self, array: Place) -> Stood | None:
        """Where the game was left, now that this array stands; None if nothing is known."""
        stood = [each for each in self._stood if each.step.place is not array]
        while len(stood) > 1 and stood[-1].ms <= THOUGHT_MS:
            if _at_home(stood[-1].step.place, array) <= _at_home(stood[-2].step.place, array):
                break
            stood.pop()
        return stood[-1] if stood else None


def _at_home(place: Place, array: Place) -> int:
    """How many pieces stand where they do in the array."""
    position, start = place.position, array.position
    return sum(
        (position.pieces(colour, role) & start.pieces(colour, role)).bit_count() for colour in Colour for role in Role
    )
