"""Which way the board lies: tried out when the pieces make no sense as they are read.

What was seen since the start array stood is kept for as long as it may matter. When the board stays a puzzle, the same
scans are followed again, a few at a time, with the board turned or mirrored; the way that explains them best is taken.
"""

from __future__ import annotations

from dataclasses import replace

from board_driver.recorder.evidence import occupied
from board_driver.recorder.follower import START_RANKS, Follower, Ground
from board_driver.recorder.hypothesis import Origin, Step
from board_driver.recorder.turns import Turn
from rules.position import Position

FIRST_MOVES = 9
"""Changes of the picture within which moves that cost too much make one doubt the board's lie."""
YOUNG = 24
DOUBTABLE = 160
MEMORY = 400
"""Changes of the picture within which a puzzle soon makes one doubt the board's lie, after which no new doubt comes up,
and after which it is settled."""
AT_ONCE = 3
PAUSE_YOUNG_MS, PAUSE_MS = 40, 200
"""Changes followed again in one go, and the time between two goes, so that no scan waits long."""
PLIES_LESS = 2
"""The right way must explain about as many plies as the wrong one did."""
STRAY = 4
"""Squares in which the first picture may differ from the start array."""
_ARRAY = Position.initial()
START_FILES = Turn.RIGHT.turned(START_RANKS)


class Trial:
    """What was seen, followed again with the board lying another way."""

    def __init__(self, ground: Ground, turn: Turn) -> None:
        self.follower = Follower(ground, turn)
        self.follower.on_trial = True
        self._followed = 0

    def is_behind(self, memory: list[tuple[int, int]]) -> bool:
        """Is there something it has not followed yet?"""
        return self._followed < len(memory)

    def follow(self, memory: list[tuple[int, int]], now_ms: int, at_most: int) -> bool:
        """Follow some more; True when all of it was."""
        follower = self.follower
        some = memory[self._followed : self._followed + at_most]
        self._followed += len(some)
        for t_ms, planes in some:
            if follower.look_ms is not None and follower.look_ms <= t_ms:
                follower.come_to(follower.look_ms)
            follower.see(t_ms, planes)
        if self._followed < len(memory):
            return False
        follower.come_to(now_ms)
        return True


class Orientation:
    """Follows the board, the way it seems to lie."""

    def __init__(self, ground: Ground) -> None:
        self.change_ground(ground)

    def change_ground(self, ground: Ground) -> None:
        """Begin anew against that ground: what was seen until now counts no more."""
        self._ground = ground
        self.follower = Follower(ground, Turn.AS_IS)
        self._settled = ground.start.occupied != START_RANKS
        self._memory: list[tuple[int, int]] = []
        self._trials: list[Trial] = []
        self._untried: list[Turn] = []
        self._try_ms: int | None = None
        self._puzzled = False
        self._hold_off = 0
        self._paid = 0
        """What the present way had paid before what is remembered."""
        self._planes = 0
        """The last reading, as the sensors gave it."""
        self._since_ms = 0
        self._array_at: int | None = None
        """Since when the start array stood that was looked at last."""

    def commit(self, head: Step) -> None:
        """A new game or fragment began there: nothing before it matters any more.

        Before a game people may have changed sides, so that the board lies otherwise from now on.
        """
        self.follower.commit(head)
        start = head.place.position
        if head.origin is Origin.START and start.occupied == START_RANKS:
            self._begin_doubts(start)

    def settle(self) -> None:
        """The game is over: whatever is moved about on the board says nothing about its lie."""
        self._settled = True

    def _begin_doubts(self, start: Position) -> None:
        """A game begins from that position, which stands on the board: which way it lies is open."""
        self._ground = replace(self._ground, start=start)
        self._settled = False
        self._memory = [(self._since_ms, self._planes)]
        self._trials, self._untried, self._try_ms = [], [], None
        self._puzzled = False
        self._hold_off = 0
        self._paid = self.follower.best().cost

    @property
    def doubting(self) -> bool:
        """Might the board still turn out to lie otherwise, so that what seems illegal is not?"""
        return not self._settled and (bool(self._trials or self._untried) or self._may_doubt())

    # ------------------------------------------------------------------ scans and time
    def see(self, now_ms: int, planes: int) -> bool:
        """Take a reading as the sensors gave it; False if it is the one before."""
        if not self.follower.see(now_ms, planes):
            return False
        self._planes, self._since_ms = planes, now_ms
        if self._settled:
            return True
        strays = self._strays(planes)
        if not strays and len(self._memory) <= STRAY:
            self._memory, self._trials, self._try_ms = [], [], None
        if self._memory or strays <= STRAY:
            self._memory.append((now_ms, planes))
            self._settled = len(self._memory) > MEMORY
        return True

    def _strays(self, planes: int) -> int:
        """In how many squares the picture differs from the start array, on ranks or on files."""
        seen = occupied(planes, self._ground.evidence)
        return min((seen ^ START_RANKS).bit_count(), (seen ^ START_FILES).bit_count())

    def wake_ms(self) -> int | None:
        """When something is to be done, should nothing change."""
        times = (self.follower.wake_ms(), None if self._settled else self._try_ms, self._array_ms())
        due = [t for t in times if t is not None]
        return min(due) if due else None

    def come_to(self, now_ms: int) -> None:
        """Let time come to that moment. `follower` may be another one afterwards."""
        self.follower.come_to(now_ms)
        array_ms = self._array_ms()
        if array_ms is not None and array_ms <= now_ms:
            self._look_at_array(now_ms)
        if self._settled:
            return
        if self._try_ms is None:
            if self._may_doubt() and self._is_odd():
                self._try_ms = now_ms + self._patience()
        elif now_ms >= self._try_ms:
            self._try_ms = self._go_on(now_ms)

    # ------------------------------------------------------------------ the start array
    def _array_ms(self) -> int | None:
        """When the start array will have stood that stands now, on ranks or on files; None where none does."""
        if self._array_at == self._since_ms:
            return None
        if occupied(self._planes, self._ground.evidence) not in (START_RANKS, START_FILES):
            return None
        return self._since_ms + self._ground.times.gesture

    def _look_at_array(self, now_ms: int) -> None:
        """A start array has stood: which way the board lies is open again if a game begins from it."""
        self._array_at = self._since_ms
        wanted = self._ground.evidence.of_position(_ARRAY)
        turns = [turn for turn in Turn if turn.turned(self._planes) == wanted]
        if turns and self.follower.turn not in turns:
            self._turn_over(now_ms, turns[0])
        elif (start := self.follower.may_begin_from()) is not None and start.occupied == START_RANKS:
            self._begin_doubts(start)

    def _turn_over(self, now_ms: int, turn: Turn) -> None:
        """Players who sit otherwise have set the pieces up: a game begins."""
        before = self.follower
        self.follower = Follower(replace(self._ground, start=_ARRAY), turn)
        self.follower.see(now_ms, self._planes)
        self.follower.come_to(now_ms)
        self.follower.root.parent = before.left_at()
        self._begin_doubts(_ARRAY)

    # ------------------------------------------------------------------ doubts
    def _may_doubt(self) -> bool:
        if self.follower.beam.unwanted is not None:
            return False  # a takeback was announced, and what comes may look like anything
        return max(1, self._hold_off) <= len(self._memory) <= DOUBTABLE

    def _is_odd(self) -> bool:
        """Is what stands on the board no plain continuation, or did the first moves cost too much to be any?"""
        if not self._strays(self._planes):
            return False  # the pieces are set up: what was before matters no more, and what comes is still to come
        if self.follower.is_puzzled():
            return True
        usual = self._ground.prices.ply * self.follower.best().step.depth
        return len(self._memory) <= FIRST_MOVES and self._cost(self.follower) > usual + self._ground.prices.excursion

    def _cost(self, follower: Follower) -> int:
        """What that way pays for what is remembered."""
        return follower.best().cost - (self._paid if follower is self.follower else 0)

    def _is_young(self) -> bool:
        return len(self._memory) <= YOUNG

    def _patience(self) -> int:
        times = self._ground.times
        return times.turn if self._is_young() else times.turn_late

    def _go_on(self, now_ms: int) -> int | None:
        """Wonder, or follow a trial some way, or judge them all; when to go on, if at all."""
        if not self._trials and not self._untried and not self._wonder():
            return now_ms + self._patience() if self._puzzled else None
        behind = next((trial for trial in self._trials if trial.is_behind(self._memory)), None)
        if behind is not None:
            if behind.follow(self._memory, now_ms, AT_ONCE) and self._is_hopeless(behind):
                self._trials.remove(behind)
        elif self._untried:
            self._trials.append(Trial(self._ground, self._untried.pop(0)))
        else:
            self._judge(now_ms)
            return None
        return now_ms + (PAUSE_YOUNG_MS if self._is_young() else PAUSE_MS)

    def _is_hopeless(self, trial: Trial) -> bool:
        dear = self._cost(self.follower) + self._ground.prices.excursion
        return trial.follower.best().cost > dear

    def _wonder(self) -> bool:
        """Begin trials if the board has been a puzzle twice in a row."""
        puzzled = self._may_doubt() and self._is_odd()
        begin = puzzled and self._puzzled
        self._puzzled = puzzled and not begin
        if begin:
            self._hold_off = 2 * len(self._memory)
            self._untried = [turn for turn in Turn if turn is not self.follower.turn]
        return begin

    def _judge(self, now_ms: int) -> None:
        """Take the way that explains all that was seen, clearly better than the present one and any likelier one.

        Where the present one is at a loss, one that explains what was seen need not be cheaper.
        """
        best = self.follower
        depth = best.best().step.depth - PLIES_LESS
        margin = self._ground.prices.excursion
        at_a_loss = best.is_puzzled()
        for trial in self._trials:
            trial.follow(self._memory, now_ms, 0)
            follower = trial.follower
            if not follower.explains_all() or follower.best().step.depth < max(1, depth):
                continue
            grace = margin if best is self.follower and at_a_loss else -margin
            if self._cost(follower) < self._cost(best) + grace:
                best = follower
        self._trials = []
        if best is not self.follower:
            self.follower = best
            self._paid = 0
            best.on_trial = False
