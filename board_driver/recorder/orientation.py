"""Which way the board lies: tried out when the pieces make no sense as they are read.

Everything seen since the first scan is kept for as long as it may matter. When a picture stays unexplained, the same
scans are followed again with the board turned or mirrored; the first way that explains all that stands is taken.
"""

from __future__ import annotations

from board_driver.recorder.follower import START_RANKS, Follower, Ground
from board_driver.recorder.turns import Turn

MEMORY = 400
"""Changes of the picture after which the board's lie is settled."""


class Orientation:
    """Follows the board, the way it seems to lie."""

    def __init__(self, ground: Ground) -> None:
        self.follower = Follower(ground, Turn.AS_IS)
        self._ground = ground
        self._memory: list[tuple[int, int]] | None = [] if ground.start.occupied == START_RANKS else None
        self._untried: list[Turn] = []
        self._try_ms: int | None = None
        self._hold_off = 0

    def change_ground(self, ground: Ground) -> None:
        """Begin anew against that ground: what was seen until now counts no more."""
        self.__init__(ground)  # type: ignore[misc]

    def see(self, now_ms: int, planes: int) -> bool:
        """Take a reading as the sensors gave it; False if it is the one before."""
        if not self.follower.see(now_ms, planes):
            return False
        self._untried = []
        self._try_ms = now_ms + self._ground.times.turn
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
        if not self._untried:
            if not self.follower.unexplained() or len(self._memory) < self._hold_off:
                return
            self._untried = [turn for turn in Turn if turn is not self.follower.turn]
        turned = self._follow_again(self._untried.pop(0), now_ms)
        if turned.explains_all() and turned.best().cost < self.follower.best().cost + self._ground.prices.excursion:
            self.follower = turned
            self._untried = []
        elif self._untried:
            self._try_ms = now_ms + 1
        else:
            self._hold_off = 2 * len(self._memory)

    def _follow_again(self, turn: Turn, now_ms: int) -> Follower:
        follower = Follower(self._ground, turn)
        assert self._memory is not None
        for t_ms, planes in self._memory:
            if follower.look_ms is not None and follower.look_ms <= t_ms:
                follower.come_to(follower.look_ms)
            follower.see(t_ms, planes)
        follower.come_to(now_ms)
        return follower
