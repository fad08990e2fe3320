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

from board_driver.recorder.evidence import occupied
from board_driver.recorder.hypothesis import Hypothesis, Leaving, Origin, Stance, Step
from board_driver.recorder.place import Atlas, Passage
from board_driver.recorder.prior import poorness
from board_driver.recorder.prices import BEAM, Prices
from rules.squares import FULL, Bitboard, squares_of

PLIES_IN_ONE_SCAN = 2
"""Plies that may begin and end between one scan and the next."""
DOUBT_AFTER_MS = 1500
"""How long a square must be wrong, while plies are made elsewhere, before its sensor is doubted."""
HASTY_MS = 400
"""A rest shorter than this is hardly one, if the same piece moves on."""
SQUARES_IN_ONE_SCAN = 8
"""With more squares disagreeing than that, something other than moves is going on."""


def _approaches(square: int) -> Bitboard:
    """The squares something could take on that square from: along a line or by a knight's jump."""
    from_here = 0
    for other in range(64):
        files, ranks = abs((other & 7) - (square & 7)), abs((other >> 3) - (square >> 3))
        if other != square and (files == ranks or not files or not ranks or files + ranks == 3):
            from_here |= 1 << other
    return from_here


APPROACHES = tuple(_approaches(square) for square in range(64))


class Beam:
    """All explanations that are still worth having, at one moment."""

    def __init__(self, atlas: Atlas, prices: Prices, trusted: Bitboard = FULL) -> None:
        self.atlas = atlas
        self.prices = prices
        self.trusted = trusted
        """Squares whose sensors work."""
        self.now_ms = 0
        self.changed_ms = 0
        """When the reading last changed."""
        self.seen = 0
        """The planes of the present reading."""
        self.occupied: Bitboard = 0
        """The occupied squares of it."""
        self.doubted: Bitboard = 0
        """Squares whose readings seem not to be true at present."""
        self._changed_at = [0] * 64
        self.toll = 0
        """What an explanation would have paid that never followed the board."""
        self.alive: dict[object, Hypothesis] = {}
        self._queue: list[tuple[Hypothesis, int]] = []
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
    def observe(self, now_ms: int, seen: int) -> None:
        """Take a reading that differs from the one before."""
        self.advance(now_ms)
        self._doubt_squares(seen)
        self.see(seen)
        self.changed_ms = now_ms
        self.toll += self.prices.unfollowed
        met = self.alive
        self.alive = {}
        self._floor = _floor(met)
        for hypothesis in met.values():
            self._meet(hypothesis, 0, False)
        self._work_off()
        self._prune()

    def _doubt_squares(self, seen: int) -> None:
        """Doubt the squares that kept a reading nobody believes while the game went on elsewhere.

        A sensor fails, a magnet is weak, a reed is open under the very middle of a piece: such a square must not drag
        every explanation down. It is trusted again when its reading changes.
        """
        changed = self.atlas.differing(self.seen, seen)
        for square in squares_of(changed):
            self._changed_at[square] = self.now_ms
        self.doubted &= ~changed
        following = [h for h in self.alive.values() if h.stance is not Stance.AWAY]
        if not following:
            return
        leader = min(following, key=lambda h: h.cost)
        wrong = self.atlas.differing(self.seen, leader.step.place.expected) & self.trusted & ~changed & ~self.doubted
        for square in squares_of(wrong & ~(leader.passage.touched if leader.passage else leader.held)):
            if self._changed_at[square] < min(leader.step.rested_ms, self.now_ms - DOUBT_AFTER_MS):
                self.doubted |= 1 << square

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
        queue = self._queue
        while queue:
            hypothesis, plies = queue.pop()
            if hypothesis.cost <= self._floor + self.prices.forget:
                self._meet(hypothesis, plies)

    def _keep(self, hypothesis: Hypothesis) -> bool:
        """Keep it unless one with the same future is as cheap. False where it is not kept."""
        alive = self.alive
        other = alive.get(hypothesis.key)
        if other is None or other is hypothesis:
            alive[hypothesis.key] = hypothesis
            return True
        better, worse = (hypothesis, other) if hypothesis.cost < other.cost else (other, hypothesis)
        alive[hypothesis.key] = better
        if better.stance is Stance.REST and worse.cost - better.cost <= self.prices.doubt:
            self._remember(better.step, worse.step, worse.cost - better.cost)
        return better is hypothesis

    @staticmethod
    def _remember(step: Step, rival: Step, worse_by: int) -> None:
        if step is not rival and len(step.rivals) < 4 and not step.same_moves(rival):
            step.rivals.append((rival, worse_by))

    def _meet(self, hypothesis: Hypothesis, plies: int, fresh: bool = True) -> None:
        """Bring an explanation face to face with the present reading."""
        match hypothesis.stance:
            case Stance.REST:
                self._meet_rest(hypothesis, plies)
            case Stance.MOVING:
                self._meet_moving(hypothesis, plies)
            case Stance.UNDOING:
                self._meet_undoing(hypothesis, plies)
            case Stance.HOLDING:
                self._meet_holding(hypothesis, plies)
            case Stance.AWAY:
                if not fresh:
                    hypothesis.cost += self.prices.unfollowed
                hypothesis.rate = self.prices.away
                self._keep(hypothesis)

    def _rate(self, differs: Bitboard, way: Bitboard) -> int:
        """What those squares cost for each millisecond, if a piece in the hand may be passing over `way`."""
        doubted = differs & self.doubted
        if doubted:
            differs ^= doubted
        passed = differs & way
        prices = self.prices
        return (
            prices.disagree * (differs ^ passed).bit_count()
            + prices.way * passed.bit_count()
            + prices.doubted * doubted.bit_count()
        )

    def _meet_rest(self, rest: Hypothesis, plies: int) -> None:
        differs = self.atlas.differing(self.seen, rest.step.place.expected) & self.trusted
        fresh = differs & ~rest.differs
        if not rest.differs:
            rest.left = self.leaving(rest.cost)
        rest.differs = differs
        rest.rate = self._rate(differs, 0)
        if not self._keep(rest):
            return
        if (
            fresh
            and plies < PLIES_IN_ONE_SCAN
            and differs.bit_count() <= SQUARES_IN_ONE_SCAN
            and rest.cost <= self._floor + self.prices.propose
        ):
            self._propose(rest, fresh, plies)

    def _propose(self, rest: Hypothesis, fresh: Bitboard, plies: int) -> None:
        """All moves that lift from or set down on those squares may have begun; so may the last move's undoing."""
        step, left = rest.step, rest.left
        cost = rest.cost + self.prices.ply
        hardly_rested = self._hardly_rested(step)
        for passage in step.place.touching(fresh):
            moving = Hypothesis(Stance.MOVING, step, passage, cost, self.now_ms, left)
            if passage.move.origin == hardly_rested:
                moving.cost += self.prices.hasty
            self._queue.append((moving, plies))
        passage_back = step.passage
        if passage_back is not None and passage_back.touched & fresh and step.origin is Origin.PLY:
            undoing = Hypothesis(Stance.UNDOING, step, passage_back, rest.cost, self.now_ms, left)
            self._queue.append((undoing, plies))

        for square in squares_of(fresh & ~self.occupied):
            holding = Hypothesis(Stance.HOLDING, step, None, rest.cost, self.now_ms, left, held=1 << square)
            self._queue.append((holding, plies))

    def _meet_holding(self, holding: Hypothesis, plies: int) -> None:
        differs = self.atlas.differing(self.seen, holding.step.place.expected) & self.trusted
        holding.rate = self.prices.transit + self._rate(differs & ~holding.held, 0)
        if self._keep(holding) and not differs & holding.held:
            self._return(holding, plies)

    def _hardly_rested(self, step: Step) -> int | None:
        """Where the piece of the mover's ply before stands, if it came there only just now."""
        before = step.parent
        if before is None or before.passage is None or self.now_ms - before.rested_ms >= HASTY_MS:
            return None
        return before.passage.move.landing

    def _meet_moving(self, moving: Hypothesis, plies: int) -> None:
        passage = moving.passage
        assert passage is not None
        prices = self.prices
        place = moving.step.place
        atlas = self.atlas
        differs = atlas.differing(self.seen, place.expected) & self.trusted
        touched = passage.touched
        if passage.victim & differs and not moving.seen:
            moving.seen = True
            moving.key = (place, passage, True)
        outside = differs & ~touched
        moving.rate = prices.transit + self._rate(outside, passage.way & self.occupied)
        if not self._keep(moving):
            return
        if atlas.evidence.planes == 1:
            unlike = (differs ^ passage.change) & self.trusted
        else:
            unlike = atlas.differing(self.seen, place.after(passage.move).expected) & self.trusted
        if not unlike & touched & ~self.doubted:
            self._land(moving, passage, plies, bool(unlike & touched))
        elif not differs & touched:
            self._return(moving, plies)
        else:
            self._land_blind(moving, passage, outside, plies)

    def _land_blind(self, moving: Hypothesis, passage: Passage, outside: Bitboard, plies: int) -> None:
        """The piece may have come to rest and been taken at once, by something that has just been lifted."""
        landing = passage.move.landing
        lifted = outside & ~self.occupied & ~moving.differs & APPROACHES[landing]
        moving.differs = outside
        if not lifted or passage.victim or self.occupied >> landing & 1 or plies >= PLIES_IN_ONE_SCAN:
            return
        if self.occupied >> passage.move.origin & 1 or moving.cost > self._floor + self.prices.propose:
            return
        place = moving.step.place.after(passage.move)
        step = Step(moving.step, place, passage, Origin.PLY, self.now_ms, moving.left)
        cost = moving.cost + self.prices.blind + self.prices.ply
        for reply in place.touching(lifted):
            if reply.victim >> landing & 1 and lifted >> reply.move.origin & 1:
                taking = Hypothesis(Stance.MOVING, step, reply, cost, self.now_ms, moving.left, True)
                self._queue.append((taking, plies + 1))

    def _land(self, moving: Hypothesis, passage: Passage, plies: int, doubted: bool) -> None:
        """The move came to rest. It also stays in the air: a piece may only seem to have landed."""
        prices = self.prices
        cost = moving.cost
        if passage.victim and not moving.seen:
            cost += prices.unseen + prices.poor * poorness(moving.step.place, passage)
        if doubted:
            cost += prices.blind
        if passage.under:
            cost += prices.underpromotion
        step = Step(
            moving.step,
            moving.step.place.after(passage.move),
            passage,
            Origin.PLY,
            self.now_ms,
            moving.left,
        )
        rest = Hypothesis(Stance.REST, step, None, cost, self.now_ms, self.leaving(cost))
        self._queue.append((rest, plies + 1))

    def _return(self, moving: Hypothesis, plies: int) -> None:
        """The piece went back to where it was."""
        cost = moving.cost + self.prices.returned
        if moving.stance is Stance.MOVING:
            cost -= self.prices.ply
        rest = Hypothesis(Stance.REST, moving.step, None, cost, moving.left.ms, self.leaving(cost))
        self._queue.append((rest, plies))

    def _meet_undoing(self, undoing: Hypothesis, plies: int) -> None:
        passage = undoing.passage
        assert passage is not None
        parent = undoing.step.parent
        assert parent is not None
        prices = self.prices
        atlas = self.atlas
        differs = atlas.differing(self.seen, undoing.step.place.expected) & self.trusted
        outside = differs & ~passage.touched
        undoing.rate = prices.transit + self._rate(outside, passage.way & self.occupied)
        if not self._keep(undoing):
            return
        unlike = atlas.differing(self.seen, parent.place.expected) & self.trusted
        if not unlike & passage.touched:
            cost = undoing.cost + prices.takeback
            rest = Hypothesis(Stance.REST, parent, None, cost, self.now_ms, self.leaving(cost))
            self._queue.append((rest, plies + 1))
        elif not differs & passage.touched:
            self._return(undoing, plies)

    # ------------------------------------------------------------------ pruning
    def _prune(self) -> None:
        """Drop what is hopeless, and all but the best few hundred."""
        alive = self.alive
        limit = _floor(alive) + self.prices.forget
        kept = [h for h in alive.values() if h.cost <= limit]
        if len(kept) > BEAM:
            kept.sort(key=lambda h: h.cost)
            del kept[BEAM:]
        if len(kept) != len(alive):
            self.alive = {h.key: h for h in kept}


def _floor(alive: dict[object, Hypothesis]) -> int:
    """The cost of the best explanation that follows the board; one that does not is no measure for the others."""
    following = [h.cost for h in alive.values() if h.stance is not Stance.AWAY]
    return min(following) if following else min(h.cost for h in alive.values())
