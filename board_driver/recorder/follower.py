"""Follows one board lying one way: the beam in step with its scans, and a look around when nothing explains them."""

from __future__ import annotations

from dataclasses import dataclass

from board_driver.recorder.beam import Beam
from board_driver.recorder.bypath import Bypath
from board_driver.recorder.evidence import Evidence, occupied
from board_driver.recorder.excursion import look_around, set_back_unfelt, unexplained
from board_driver.recorder.hypothesis import Hypothesis, Leaving, Origin, Stance, Step
from board_driver.recorder.place import Atlas, Place
from board_driver.recorder.prices import Prices, Times
from board_driver.recorder.repair import Repair
from board_driver.recorder.stood import Standing
from board_driver.recorder.turns import Turn
from rules.fen import START_FEN, parse_fen
from rules.position import Position
from rules.squares import Bitboard

MISSING = 12
"""Pieces of the start position that the first scan may lack: their magnets are weak, or they are still to come."""
PUZZLING = 2
"""With fewer squares unexplained, a piece is just being put straight."""
START_RANKS: Bitboard = 0xFFFF00000000FFFF


@dataclass(frozen=True, slots=True)
class Ground:
    """What a board is read against."""

    start: Position
    evidence: Evidence
    trusted: Bitboard
    prices: Prices
    times: Times


class Follower:
    """The explanations of what one board shows, lying one way."""

    def __init__(self, ground: Ground, turn: Turn) -> None:
        self.ground = ground
        self.turn = turn
        self.beam = Beam(Atlas(ground.evidence), ground.prices, ground.trusted)
        self.start = self.beam.atlas.place(ground.start)
        self.arrays = self._arrays()
        self.root = Step(None, self.start, None, Origin.START, 0, Leaving(0, 0, 0))
        self.look_ms: int | None = None
        """When to look around, should the picture stay as it is."""
        self.on_trial = False
        """Is the board only tried out lying that way? Then moves that are not legal do not count."""
        self.repair = Repair()
        self.bypath = Bypath()
        self.standing = Standing()
        self._best: Hypothesis | None = None
        self._best_at = (0, 0)
        self._began = False

    def _arrays(self) -> tuple[Place, ...]:
        """The arrays that new games start from."""
        if self.ground.start.occupied == START_RANKS:
            return (self.start,)
        return self.start, self.beam.atlas.place(parse_fen(START_FEN))

    # ------------------------------------------------------------------ scans and time
    def see(self, now_ms: int, planes: int) -> bool:
        """Take a reading, as the sensors gave it; False if it is the one before."""
        seen = self.turn.turned(planes)
        if not self._began:
            self._begin(now_ms, seen)
        elif seen == self.beam.seen:
            return False
        else:
            self.beam.advance(now_ms)
            self.standing.note(self.best(), self.beam.changed_ms, self.beam.leaving(self.best().cost))
            self.beam.observe(now_ms, seen)
            self.bypath.observe(now_ms, seen)
        self.repair.remember(now_ms, seen)
        self.look_ms = now_ms + self.ground.times.stable
        return True

    def wake_ms(self) -> int | None:
        """When something is to be done, should nothing change."""
        times = [t for t in (self.look_ms, self.repair.due_ms, self.bypath.due_ms) if t is not None]
        return min(times) if times else None

    def _begin(self, now_ms: int, seen: int) -> None:
        """The first scan: the pieces stand in the start position, or will."""
        self._began = True
        beam = self.beam
        beam.now_ms = beam.changed_ms = now_ms
        beam.see(seen)
        self.root.rested_ms = now_ms
        left = beam.leaving(0)
        missing = self.start.position.occupied & ~occupied(seen, self.ground.evidence)
        if missing.bit_count() <= MISSING:
            beam.doubt(missing)
        beam.add(Hypothesis(Stance.REST, self.root, None, 0, now_ms, left))
        if seen != self.start.expected:
            beam.add(Hypothesis(Stance.AWAY, self.root, None, self.ground.prices.excursion, now_ms, left))

    def come_to(self, now_ms: int) -> None:
        """Let time come to that moment; look around if it is time to, and repair what was lost."""
        self.beam.advance(now_ms)
        self.repair.watch(self.beam, self.best(), now_ms)
        if self.look_ms is not None and now_ms >= self.look_ms:
            self.look_ms = None
            self._look()
        self.bypath.watch(self.beam, self.best(), now_ms)

    def _look(self) -> None:
        """Look for what else may have happened, unless all is plain."""
        set_back_unfelt(self.beam)
        leader = self.best()
        if leader.stance is Stance.AWAY or self.unexplained() or any(
            self.beam.seen == array.expected and leader.step.place is not array for array in self.arrays
        ):
            if not look_around(self.beam, leader, self.arrays, self.standing) and not self.on_trial:
                for illegal in self.bypath.look(self.beam, leader):
                    self.beam.add(illegal)
        elif leader.excused and not self.on_trial:
            self.bypath.look(self.beam, leader)

    def commit(self, head: Step) -> None:
        """Give up all explanations in which no game began there."""
        self.beam.commit(head)
        self.bypath.commit(head)
        self.standing.commit(head)

    def may_begin_from(self) -> Position | None:
        """The position from which a game may begin now, no ply of it made yet; None if one is under way."""
        limit = self.best().cost + 2 * self.ground.prices.takeback
        heads = (h for h in self.beam.alive.values() if h.stance is Stance.REST and not h.step.depth)
        return next((h.step.place.position for h in heads if not h.differs and h.cost <= limit), None)

    def left_at(self) -> Step | None:
        """Where the game was left, now that the pieces are set up anew; None if no ply has been made."""
        stood = self.standing.before(self.start)
        step = self.best().step if stood is None else stood.step
        return step if step.depth or step.parent is not None else None

    # ------------------------------------------------------------------ what it makes of them
    def best(self) -> Hypothesis:
        """The cheapest explanation."""
        moment = self.beam.now_ms, self.beam.version
        if self._best is None or self._best_at != moment:
            self._best_at = moment
            self._best = min(self.beam.alive.values(), key=by_cost)
        return self._best

    def unexplained(self) -> Bitboard:
        """The squares that the best explanation has no reason for."""
        return unexplained(self.beam, self.best())

    def explains_all(self) -> bool:
        """Do the pieces stand in a position of the game, or is a move being made, with nothing left over or excused?"""
        best = self.best()
        if best.stance is Stance.REST:
            return not best.differs
        return best.stance.is_in_hand and not best.excused and not self.unexplained()

    def is_puzzled(self) -> bool:
        """Is what stands on the board no plain continuation of the game?"""
        best = self.best()
        if best.stance is Stance.AWAY or self.unexplained().bit_count() >= PUZZLING:
            return True
        head = best.step.head
        return head.origin is Origin.ILLEGAL and head.parent is not None


def by_cost(hypothesis: Hypothesis) -> tuple[int, bool]:
    """Cheapest first; of two equally good, the one whose pieces stand."""
    return hypothesis.cost, hypothesis.stance is not Stance.REST
