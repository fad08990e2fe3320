"""Late repair: the last plies followed once more, when the trail was lost.

If the board has been away from the game for a while although men still stand on it, the right explanation may have
been dropped too early. Then the scans since some plies ago are followed again from there, a few at a time, by a wider
beam that also believes in pieces nobody saw arrive. What it finds joins the explanations at the prices it paid; if it
is the better one, the score is revised.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from board_driver.recorder.beam import Beam
from board_driver.recorder.excursion import set_back_unfelt
from board_driver.recorder.hypothesis import Hypothesis, Leaving, Stance, Step

HISTORY = 240
"""Changes of the picture kept."""
PLIES_BACK = 8
"""Plies before the lost trail's end from which the scans are followed again."""
AT_ONCE = 1
PAUSE_MS = 250
"""Changes followed again in one go, and the time between two goes."""
WAIT_MS = 1500
"""How long the board must have been away."""
CHANGES = 6
"""Changes of the picture since then: a piece set down wrongly is no reason to doubt what was before."""
STOOD_MS = 200
"""How long a picture must have stood for a man to have been set back in it unfelt."""
WIDER = 2
"""How many times worse than usual an explanation may be and still be kept."""


class Repair:
    """Keeps what was seen lately, and follows it again when asked to."""

    def __init__(self) -> None:
        self._history: deque[tuple[int, int]] = deque(maxlen=HISTORY)
        self._wide: Beam | None = None
        self._since: list[tuple[int, int]] = []
        self._tried: Step | None = None
        self.due_ms: int | None = None
        """When to go on, should nothing change."""

    def remember(self, now_ms: int, seen: int) -> None:
        """Keep a reading that differs from the one before."""
        self._history.append((now_ms, seen))
        if self._wide is not None:
            self._since.append((now_ms, seen))

    def watch(self, beam: Beam, leader: Hypothesis, now_ms: int) -> None:
        """Begin, go on or finish, as it is time to."""
        if self.due_ms is not None and now_ms >= self.due_ms:
            self.due_ms = None
            if self._wide is None:
                self._begin(beam, leader, now_ms)
            else:
                self._go_on(self._wide, beam, now_ms)
        elif self.due_ms is None and self._is_lost(beam, leader):
            self.due_ms = max(now_ms + 1, leader.left.ms + WAIT_MS)

    def _is_lost(self, beam: Beam, leader: Hypothesis) -> bool:
        if leader.stance is not Stance.AWAY or leader.result is not None or leader.step is self._tried:
            return False
        return beam.toll - leader.left.toll >= CHANGES * beam.prices.unfollowed

    def _begin(self, beam: Beam, leader: Hypothesis, now_ms: int) -> None:
        if not self._is_lost(beam, leader):
            return
        self._tried = leader.step
        base, left = _base(leader)
        if not self._history or base.rested_ms < self._history[0][0]:
            return
        prices = beam.prices
        wide = Beam(beam.atlas, replace(prices, forget=WIDER * prices.forget, propose=WIDER * prices.propose))
        wide.bold = True
        wide.now_ms = wide.changed_ms = left.ms
        wide.see(base.place.expected)
        wide.add(Hypothesis(Stance.REST, base, None, left.cost, left.ms, left))
        self._wide = wide
        self._since = [(t_ms, seen) for t_ms, seen in self._history if t_ms >= left.ms]
        self.due_ms = now_ms + PAUSE_MS

    def _go_on(self, wide: Beam, beam: Beam, now_ms: int) -> None:
        for t_ms, seen in self._since[:AT_ONCE]:
            if t_ms - wide.now_ms >= STOOD_MS:
                wide.advance(wide.now_ms + STOOD_MS)
                set_back_unfelt(wide)
            if seen != wide.seen:
                wide.observe(t_ms, seen)
        del self._since[:AT_ONCE]
        if self._since:
            self.due_ms = now_ms + PAUSE_MS
            return
        wide.advance(beam.now_ms)
        for hypothesis in wide.alive.values():
            beam.keep(hypothesis)
        self._wide = None


def _base(leader: Hypothesis) -> tuple[Step, Leaving]:
    """The step from which to follow again, and how it was left on the lost trail."""
    step, left = leader.step, leader.left
    for _ in range(PLIES_BACK):
        if step.depth == 0 or step.parent is None:
            break
        step, left = step.parent, step.left
    return step, left
