"""What people say that is evidence of what they do: presses of the clock, a takeback announced, j'adoube.

House rules.
1. The pieces decide. What is said makes explanations cheaper or dearer; it neither makes a ply nor takes one back.
2. A press says that the presser's move is made. It may come a moment before the last piece stands.
3. After a takeback was announced, taking back costs nothing, and a ply that goes on from there instead is dear.
4. After j'adoube a ply is told only once it has stood for long, and nothing in the hand is taken for a capture.
"""

from __future__ import annotations

from board_driver.recorder.beam import Beam
from board_driver.recorder.hypothesis import Hypothesis, Stance, Step
from board_driver.recorder.prices import Prices, Times
from board_driver.scan import Press
from rules.squares import Colour


class Sayings:
    """What was said lately, and what follows from it."""

    def __init__(self, prices: Prices, times: Times) -> None:
        self._prices = prices
        self._times = times
        self._presses: list[Press] = []
        self._taking_back_until: int | None = None
        self._adjusting_until: int | None = None

    # ------------------------------------------------------------------ said
    def press(self, press: Press) -> None:
        """A player pressed the clock."""
        self._presses.append(press)

    def take_back(self, beam: Beam, step: Step, now_ms: int) -> None:
        """Somebody wants the plies up to that step back."""
        beam.unwanted = step
        self._taking_back_until = now_ms + self._times.taking_back

    def adjust(self, now_ms: int) -> None:
        """Somebody puts pieces straight."""
        self._adjusting_until = now_ms + self._times.adjusting

    # ------------------------------------------------------------------ what follows
    def wake_ms(self) -> int | None:
        """When to come to next, should nothing be said."""
        times = [press.t_ms + self._times.press for press in self._presses[:1]]
        times += [t for t in (self._taking_back_until, self._adjusting_until) if t is not None]
        return min(times) if times else None

    def come_to(self, beam: Beam, now_ms: int) -> None:
        """Let time come to that moment."""
        while self._presses and self._presses[0].t_ms + self._times.press <= now_ms:
            _weigh(beam, self._presses.pop(0), self._times.press)
        if self._adjusting_until is not None and self._adjusting_until <= now_ms:
            self._adjusting_until = None
        if self._taking_back_until is not None and self._taking_back_until <= now_ms:
            self._stop_taking_back(beam)

    def published(self, beam: Beam) -> None:
        """A ply was told: what was said before is over."""
        self._adjusting_until = None
        if self._taking_back_until is not None:
            self._stop_taking_back(beam)

    @property
    def adjusting(self) -> bool:
        """Are pieces being put straight?"""
        return self._adjusting_until is not None

    @property
    def publish_ms(self) -> int:
        """How long a ply must have stood now to be told."""
        return self._times.adjusted if self.adjusting else self._times.publish

    def _stop_taking_back(self, beam: Beam) -> None:
        """What was settled weighs no longer: explanations that went on all the same get back what they paid."""
        self._taking_back_until = None
        unwanted, beam.unwanted = beam.unwanted, None
        if unwanted is None:
            return
        for hypothesis in beam.alive.values():
            if any(step.parent is unwanted for step in hypothesis.step.back()):
                hypothesis.cost -= self._prices.unwanted
        beam.version += 1


def _weigh(beam: Beam, press: Press, grace_ms: int) -> None:
    """Explanations by which the presser had no move made then are dearer than the others.

    The best one's own cost stays, so that the game is no dearer than before: it may be a clock put right, or one that
    is wired the wrong way round.
    """
    following = [h for h in beam.alive.values() if h.stance is not Stance.AWAY]
    if not following:
        return
    best = min(following, key=lambda h: h.cost)
    expected = _has_moved(best, press.colour, press.t_ms, grace_ms)
    for hypothesis in following:
        if _has_moved(hypothesis, press.colour, press.t_ms, grace_ms) is not expected:
            hypothesis.cost += beam.prices.press if expected else -beam.prices.press
    beam.version += 1


def _has_moved(hypothesis: Hypothesis, colour: Colour, t_ms: int, grace_ms: int) -> bool:
    """Was it the other side's turn at the time of the press, or soon after it?"""
    for step in hypothesis.step.back():
        if step.rested_ms <= t_ms + grace_ms and step.place.position.turn is colour.opponent:
            return True
        if step.rested_ms <= t_ms:
            return False
    return True
