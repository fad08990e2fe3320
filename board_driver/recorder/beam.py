"""The surviving explanations, kept in step with the scans.

Theory. The hidden state is a path through the tree of legal moves; each position on it is either at rest or being
left by one legal move. At rest, an explanation pays for every square where scan and position disagree, for as long as
they do. While a move is made, the squares it touches are free, those it passes over are cheap, and time costs a
little. A move may come to rest as soon as the scan shows its last picture on the squares it touches. Nothing is
debounced: a glitch costs little because it is short.

House rules.
1. A reading holds until the next one; all costs are sums of (rate x milliseconds) and fixed prices, in whole numbers.
   So repeating a reading, or splitting the time between two, changes nothing.
2. New explanations are proposed only by squares that begin to disagree, so a quiet board costs nothing.
3. Explanations with the same future are merged; the cheapest stays, and remembers near rivals.
4. The number kept and the depth looked into one scan are bounded, whatever comes in.
"""

from __future__ import annotations

from heapq import heappop, heappush

from board_driver.recorder.at_rest import meet_rest
from board_driver.recorder.choice import Choice
from board_driver.recorder.evidence import occupied
from board_driver.recorder.hypothesis import Hypothesis, Leaving, Stance, Step
from board_driver.recorder.in_hand import meet_lifted, meet_moving, meet_undoing
from board_driver.recorder.place import Atlas
from board_driver.recorder.prices import BEAM, Prices
from rules.squares import FULL, Bitboard, set_of, squares_of

PROPOSALS = 400
"""New explanations that may meet one reading."""
DOUBT_AFTER_MS = 1500
"""How long a square must have been wrong before its sensor is doubted."""


class Beam:
    """All explanations that are still worth having, at one moment."""

    def __init__(self, atlas: Atlas, prices: Prices, trusted: Bitboard = FULL) -> None:
        self.atlas = atlas
        self.prices = prices
        self.trusted = trusted
        """Squares whose readings count at present."""
        self._working = trusted
        self._doubted: Bitboard = 0
        self._changed_at = [0] * 64
        self.now_ms = 0
        self.changed_ms = 0
        """When the reading last changed."""
        self.seen = 0
        """The planes of the present reading."""
        self.occupied: Bitboard = 0
        """The occupied squares of it."""
        self.version = 0
        """Grows whenever the explanations change."""
        self.bold = False
        """Does it believe in pieces that come to rest unseen, even if they have not been gone for long?"""
        self.chosen: Choice | None = None
        """What a player has chosen for the next promotion."""
        self.unwanted: Step | None = None
        """Where somebody has announced a takeback: going on from there is dear, and going back costs nothing."""
        self.toll = 0
        """What an explanation would have paid that never followed the board."""
        self.alive: dict[object, Hypothesis] = {}
        self._queue: list[tuple[int, int, Hypothesis, int]] = []
        self._proposed = 0
        self._floor = 0

    # ------------------------------------------------------------------ time
    def advance(self, now_ms: int) -> None:
        """Let every explanation pay for the time up to `now_ms`."""
        passed = now_ms - self.now_ms
        if passed > 0:
            for hypothesis in self.alive.values():
                hypothesis.cost += passed * hypothesis.rate
            self.toll += passed * self.prices.away
            self.now_ms = now_ms

    def leaving(self, cost: int) -> Leaving:
        """The present moment, for an explanation that has paid that much."""
        return Leaving(self.now_ms, cost, self.toll)

    # ------------------------------------------------------------------ scans
    @property
    def undoing(self) -> int:
        """What it costs to take a ply back."""
        return self.prices.takeback if self.unwanted is None else 0

    @property
    def unfollowed(self) -> int:
        """What a change of the picture costs that no explanation follows."""
        return self.prices.unfollowed if self.unwanted is None else 0

    def observe(self, now_ms: int, seen: int) -> None:
        """Take a reading that differs from the one before."""
        self.advance(now_ms)
        self._doubt_sensors(self.atlas.differing(self.seen, seen))
        self.see(seen)
        self.changed_ms = now_ms
        self.toll += self.unfollowed
        met = self.alive
        self.alive = {}
        self._floor = _floor(met)
        for hypothesis in met.values():
            if hypothesis.stance is Stance.AWAY:
                hypothesis.cost += self.unfollowed
            self._meet(hypothesis, 0)
        self._work_off()
        self._prune()

    def touched_since(self, ms: int) -> Bitboard:
        """The squares whose reading has changed since then."""
        return set_of(square for square in range(64) if self._changed_at[square] >= ms)

    def last_changed_ms(self, squares: Bitboard) -> int:
        """When the reading of any of those squares last changed."""
        return max((self._changed_at[square] for square in squares_of(squares)), default=0)

    def never_felt(self, step: Step) -> bool:
        """Has its piece come to rest on a square that has not felt it since?"""
        return bool(step.unfelt) and self.last_changed_ms(step.unfelt) <= step.rested_ms

    def doubt(self, squares: Bitboard) -> None:
        """Ignore what those squares read until it changes."""
        self._doubted |= squares
        self.trusted = self._working & ~self._doubted

    def _doubt_sensors(self, changed: Bitboard) -> None:
        """Doubt the squares that the best explanation excuses while the game goes on elsewhere.

        A weak magnet or a sensor that sticks must not use up the excuses for what else happens.
        """
        for square in squares_of(changed):
            self._changed_at[square] = self.now_ms
        self._doubted &= ~changed
        following = [h for h in self.alive.values() if h.stance is not Stance.AWAY]
        if following:
            leader = min(following, key=lambda h: h.cost)
            for square in squares_of(leader.excused & ~leader.awaited & ~changed):
                if self._changed_at[square] < min(leader.step.rested_ms, self.now_ms - DOUBT_AFTER_MS):
                    self._doubted |= 1 << square
        self.trusted = self._working & ~self._doubted

    def commit(self, head: Step) -> None:
        """Give up all explanations in which no game began there, and forget what came before it."""
        self.version += 1
        self.alive = {key: h for key, h in self.alive.items() if any(step is head for step in h.step.back())}
        head.parent = None

    def see(self, seen: int) -> None:
        """Make that the present reading."""
        self.seen = seen
        self.occupied = occupied(seen, self.atlas.evidence)

    def add(self, hypothesis: Hypothesis) -> None:
        """Take in an explanation found by other means, and meet the present reading with it."""
        self._floor = _floor(self.alive) if self.alive else hypothesis.cost
        self._meet(hypothesis, 0)
        self._work_off()

    def _work_off(self) -> None:
        """Let the proposed explanations meet the reading, the best ones first, and no more of them than is fair."""
        queue = self._queue
        met = 0
        while queue and met < PROPOSALS:
            _, _, hypothesis, plies = heappop(queue)
            if hypothesis.cost > self._floor + self.prices.forget:
                break
            self._meet(hypothesis, plies)
            met += 1
        queue.clear()

    # ------------------------------------------------------------------ for those that meet a reading
    def propose(self, hypothesis: Hypothesis, plies: int) -> None:
        """Let a new explanation meet the present reading; it has made that many plies within it."""
        self._proposed += 1
        heappush(self._queue, (hypothesis.cost, self._proposed, hypothesis, plies))

    def compare(self, expected: int) -> tuple[Bitboard, int]:
        """The squares that do not show what was expected, and how many more do not but are doubted."""
        differs = self.atlas.differing(self.seen, expected)
        if not self._doubted:
            return differs & self.trusted, 0
        return differs & self.trusted, (differs & self._doubted & self._working).bit_count()

    def is_near(self, hypothesis: Hypothesis) -> bool:
        """Is it good enough to propose moves?"""
        return hypothesis.cost <= self._floor + self.prices.propose

    def is_hopeful(self, cost: int) -> bool:
        """Is an explanation at that cost worth keeping?"""
        return cost <= self._floor + self.prices.forget

    def keep(self, hypothesis: Hypothesis) -> bool:
        """Keep it unless one with the same future is as cheap. False where it is not kept."""
        alive = self.alive
        self.version += 1
        key = hypothesis.key()
        other = alive.get(key)
        if other is None or other is hypothesis:
            alive[key] = hypothesis
            return True
        better, worse = (hypothesis, other) if hypothesis.cost < other.cost else (other, hypothesis)
        alive[key] = better
        if better.stance is Stance.REST and worse.cost - better.cost <= self.prices.doubt:
            self._remember(better.step, worse.step, worse.cost - better.cost)
        return better is hypothesis

    @staticmethod
    def _remember(step: Step, rival: Step, worse_by: int) -> None:
        if step is not rival and len(step.rivals) < 4 and not step.same_moves(rival):
            step.rivals.append((rival, worse_by))

    def _meet(self, hypothesis: Hypothesis, plies: int) -> None:
        """Bring an explanation face to face with the present reading."""
        match hypothesis.stance:
            case Stance.REST:
                meet_rest(self, hypothesis, plies)
            case Stance.LIFTED:
                meet_lifted(self, hypothesis, plies)
            case Stance.MOVING:
                meet_moving(self, hypothesis, plies)
            case Stance.UNDOING:
                meet_undoing(self, hypothesis, plies)
            case Stance.AWAY:
                hypothesis.rate = self.prices.away
                self.keep(hypothesis)

    # ------------------------------------------------------------------ pruning
    def _prune(self) -> None:
        """Drop what is hopeless, and all but the best few hundred."""
        alive = self.alive
        self._floor = _floor(alive)
        limit = self._floor + self.prices.forget
        kept = [h for h in alive.values() if h.cost <= limit]
        if len(kept) > BEAM:
            kept.sort(key=lambda h: h.cost)
            del kept[BEAM:]
        if len(kept) != len(alive):
            self.alive = {h.key(): h for h in kept}


def _floor(alive: dict[object, Hypothesis]) -> int:
    """The cost of the best explanation that follows the board; one that does not is no measure for the others."""
    following = [h.cost for h in alive.values() if h.stance is not Stance.AWAY]
    return min(following) if following else min(h.cost for h in alive.values())
