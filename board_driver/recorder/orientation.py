"""Which way the board lies: tried out when the pieces make no sense as they are read.

What was seen since the first scan is kept for as long as it may matter. When a picture stays unexplained, the same
scans are followed again, a few at a time, with the board turned or mirrored; the way that explains them best is taken.
"""

from __future__ import annotations

from board_driver.recorder.follower import START_RANKS, Follower, Ground
from board_driver.recorder.hypothesis import Step
from board_driver.recorder.turns import Turn

YOUNG = 24
DOUBTABLE = 160
MEMORY = 400
"""Changes of the picture within which a puzzle soon makes one doubt the board's lie, after which no new doubt comes up,
and after which it is settled."""
AT_ONCE = 4
PAUSE_YOUNG_MS, PAUSE_MS = 40, 200
"""Changes followed again in one go, and the time between two goes, so that no scan waits long."""
PLIES_LESS = 2
"""The right way must explain about as many plies as the wrong one did."""


class Orientation:
    """Follows the board, the way it seems to lie."""

    def __init__(self, ground: Ground) -> None:
        self.follower = Follower(ground, Turn.AS_IS)
        self._ground = ground
        self._memory: list[tuple[int, int]] | None = [] if ground.start.occupied == START_RANKS else None
        self._untried: list[Turn] = []
        self._trial: Follower | None = None
        self._better: Follower | None = None
        self._better_followed = 0
        self._followed = 0
        self._try_ms: int | None = None
        self._hold_off = 0

    def change_ground(self, ground: Ground) -> None:
        """Begin anew against that ground: what was seen until now counts no more."""
        self.__init__(ground)  # type: ignore[misc]

    def commit(self, head: Step) -> None:
        """A new game began there: nothing before it matters any more."""
        self.follower.beam.commit(head)
        self._memory = None

    def see(self, now_ms: int, planes: int) -> bool:
        """Take a reading as the sensors gave it; False if it is the one before."""
        if not self.follower.see(now_ms, planes):
            return False
        if self._trial is None:
            times = self._ground.times
            self._try_ms = now_ms + (times.turn if self._is_young() else times.turn_late)
        if self._memory is not None:
            self._memory.append((now_ms, planes))
            if len(self._memory) > MEMORY:
                self._memory = None
        return True

    def wake_ms(self) -> int | None:
        """When something is to be done, should nothing change."""
        trial_ms = None if self._memory is None else self._try_ms
        times = [t for t in (self.follower.look_ms, trial_ms) if t is not None]
        return min(times) if times else None

    def come_to(self, now_ms: int) -> None:
        """Let time come to that moment. `follower` may be another one afterwards."""
        self.follower.come_to(now_ms)
        if self._memory is None or self._try_ms is None or now_ms < self._try_ms:
            return
        self._try_ms = None
        if self._trial is None:
            self._begin_trial(now_ms)
        elif self._follow_on(self._trial, now_ms):
            self._judge(self._trial)
            self._begin_trial(now_ms)
        if self._trial is not None:
            self._try_ms = now_ms + (PAUSE_YOUNG_MS if self._is_young() else PAUSE_MS)

    def _is_young(self) -> bool:
        return self._memory is not None and len(self._memory) <= YOUNG

    def _begin_trial(self, now_ms: int) -> None:
        """Start following again with the board lying another way, if there is reason to."""
        self._trial = None
        assert self._memory is not None
        if not self._untried:
            if self._better is not None:
                self._catch_up(self._better, self._better_followed, now_ms)
                self.follower, self._better = self._better, None
            elif self._hold_off <= len(self._memory) <= DOUBTABLE and self.follower.is_puzzled():
                self._untried = [turn for turn in Turn if turn is not self.follower.turn]
                self._hold_off = 2 * len(self._memory)
            if not self._untried:
                return
        self._trial = Follower(self._ground, self._untried.pop(0))
        self._followed = 0

    def _follow_on(self, trial: Follower, now_ms: int) -> bool:
        """Follow some more of what was seen; True when all of it was."""
        assert self._memory is not None
        some = self._memory[self._followed : self._followed + AT_ONCE]
        self._followed += len(some)
        for t_ms, planes in some:
            if trial.look_ms is not None and trial.look_ms <= t_ms:
                trial.come_to(trial.look_ms)
            trial.see(t_ms, planes)
        if self._followed < len(self._memory):
            return False
        trial.come_to(now_ms)
        return True

    def _catch_up(self, trial: Follower, followed: int, now_ms: int) -> None:
        """Follow what was seen since that trial was judged."""
        self._followed = followed
        while not self._follow_on(trial, now_ms):
            pass

    def _judge(self, trial: Follower) -> None:
        """Keep that way in mind if it explains all, and better than any other."""
        best = self._better or self.follower
        as_far = trial.best().step.depth + PLIES_LESS >= self.follower.best().step.depth
        dear = best.best().cost + (self._ground.prices.excursion if best is self.follower else 0)
        if trial.explains_all() and not trial.is_puzzled() and as_far and trial.best().cost < dear:
            self._better, self._better_followed = trial, self._followed
