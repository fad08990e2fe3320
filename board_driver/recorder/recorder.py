"""The recorder: record mode's mind. It enforces nothing, never blocks, and writes the most likely game down.

One scan on its way: `evidence` turns the reading into planes; `beam` lets all explanations meet it; when a picture
nobody can explain has stood for a moment, `excursion` looks for what else may have happened; `publish` compares the
leading explanation with the score told so far; `doubts` says which plies the evidence does not settle.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.events import Event, Unsure
from board_driver.gamerecord import GameRecord
from board_driver.lights.picture import DARK, Meaning, Picture
from board_driver.mind import Settings
from board_driver.recorder.beam import Beam
from board_driver.recorder.doubts import doubtful
from board_driver.recorder.evidence import evidence_for
from board_driver.recorder.excursion import look_around, unexplained
from board_driver.recorder.hypothesis import Hypothesis, Leaving, Origin, Stance, Step
from board_driver.recorder.place import Atlas
from board_driver.recorder.prices import Prices, Times
from board_driver.recorder.publish import Publisher
from board_driver.recorder.report import summary_of
from board_driver.scan import Button, Input, Press, Scan
from rules.fen import parse_fen
from rules.squares import FULL, set_of
from rules.uci import write_uci


class Recorder:
    """A pure state machine: inputs and time in, events out (the `Mind` protocol)."""

    def __init__(self, settings: Settings, prices: Prices | None = None, times: Times | None = None) -> None:
        self._settings = settings
        self._prices = prices or Prices()
        self._times = times or Times()
        self._evidence = evidence_for(settings.sensing)
        trusted = FULL & ~set_of(settings.dead_squares)
        self._atlas = Atlas(self._evidence)
        self._beam = Beam(self._atlas, self._prices, trusted)
        self._start = self._atlas.place(parse_fen(settings.start_fen, settings.chess960))
        root = Step(None, self._start, None, Origin.START, 0, Leaving(0, 0, 0))
        self._publisher = Publisher(root, self._times)
        self._leader = Hypothesis(Stance.REST, root, None, 0, 0, root.left)
        self._began = False
        self._looked = True
        self._wake_ms: int | None = None
        self._guess_ms: int | None = None
        self._doubting = False

    # ------------------------------------------------------------------ the protocol
    def receive(self, item: Input) -> Sequence[Event]:
        """Take one input (all timers due before it fire first); what was decided, in order."""
        events = list(self.advance(item.t_ms))
        match item:
            case Scan():
                events.extend(self._scan(item))
            case Press():
                pass
            case Button():
                pass
        return events

    def advance(self, now_ms: int) -> Sequence[Event]:
        """Let time come to `now_ms` without input; what was decided, in order."""
        events: list[Event] = []
        while self._wake_ms is not None and self._wake_ms <= now_ms:
            events.extend(self._wake(self._wake_ms))
        return events

    def next_wake_ms(self) -> int | None:
        """When `advance` should be called if nothing comes in before; None when nothing is waited for."""
        return self._wake_ms

    def picture(self) -> Picture:
        """The last move; squares that nothing explains, once the picture has stood."""
        lights: dict[int, Meaning] = {}
        plies = self._publisher.score.plies
        if plies:
            move = plies[-1].move
            lights = {move.origin: Meaning.LAST_MOVE, move.landing: Meaning.LAST_MOVE}
        return lights or DARK

    def summary(self) -> dict[str, object]:
        """The replay contract's summary of the present game (without `log`)."""
        return summary_of(self._publisher.scores)

    def games(self) -> Sequence[GameRecord]:
        """All games so far, the present one last."""
        final = self._final()
        last = len(self._publisher.scores) - 1
        return [
            score.record(final if index == last else len(score.plies))
            for index, score in enumerate(self._publisher.scores)
        ]

    # ------------------------------------------------------------------ inside
    def _scan(self, scan: Scan) -> list[Event]:
        seen = self._evidence.of_reading(scan.reading)
        if not self._began:
            self._begin(scan.t_ms, seen)
        elif seen != self._beam.seen:
            self._beam.observe(scan.t_ms, seen)
        else:
            return []
        self._looked = False
        return self._decide(scan.t_ms)

    def _begin(self, now_ms: int, seen: int) -> None:
        """The first scan: the pieces stand in the start position, or will."""
        self._began = True
        beam = self._beam
        beam.now_ms = beam.changed_ms = now_ms
        beam.see(self._start.expected)
        root = self._publisher.score.head
        root.rested_ms = now_ms
        left = beam.leaving(0)
        self._publisher.score.began_ms = now_ms
        beam.add(Hypothesis(Stance.REST, root, None, 0, now_ms, left))
        if seen != beam.seen:
            beam.add(Hypothesis(Stance.AWAY, root, None, self._prices.excursion, now_ms, left))
            beam.observe(now_ms, seen)

    def _wake(self, now_ms: int) -> list[Event]:
        self._beam.advance(now_ms)
        if not self._looked and now_ms >= self._beam.changed_ms + self._times.stable:
            self._looked = True
            if self._puzzling():
                look_around(self._beam, self._lead(), self._start)
        return self._decide(now_ms)

    def _puzzling(self) -> bool:
        leader = self._lead()
        return bool(unexplained(self._beam, leader)) or (
            self._beam.seen == self._start.expected and leader.step.depth > 0
        )

    def _lead(self) -> Hypothesis:
        """The best explanation; among nearly equals, one that agrees with what is published."""
        alive = self._beam.alive.values()
        best = min(alive, key=_by_cost)
        limit = best.cost + self._prices.cling
        if best.cost < limit and not self._publisher.agrees(best.step):
            near = [h for h in alive if h.cost <= limit and self._publisher.agrees(h.step)]
            if near:
                return min(near, key=_by_cost)
        return best

    def _or_guess(self, now_ms: int, leader: Hypothesis) -> Hypothesis:
        """The leader; or, where a piece has long been gone, the capture that would account for it."""
        self._guess_ms = None
        if leader.stance is not Stance.MOVING and not leader.excused or leader.stance is Stance.AWAY:
            return leader
        step = leader.step
        captures = [
            h
            for h in self._beam.alive.values()
            if h.stance is Stance.REST
            and h.step.parent is step
            and not h.differs
            and h.cost <= leader.cost + self._prices.guess
        ]
        if not captures:
            return leader
        guess = min(captures, key=_by_cost)
        due = guess.step.rested_ms + self._times.in_hand
        if due <= now_ms:
            return guess
        self._guess_ms = due
        return leader

    def _decide(self, now_ms: int) -> list[Event]:
        """Publish what has to be published now, and set the next timer."""
        self._leader = leader = self._or_guess(now_ms, self._lead())
        events = self._publisher.update(now_ms, leader)
        if self._guess_ms is not None:
            self._publisher.wait(self._guess_ms)
        events.extend(self._doubts(now_ms))
        self._set_timer(now_ms)
        return events

    def _doubts(self, now_ms: int) -> list[Event]:
        """Mark the plies that the evidence does not settle, and unmark those it now does."""
        score = self._publisher.score
        plies = score.plies
        found = doubtful(plies, self._leader, self._beam.alive.values(), self._prices.doubt)
        self._doubting = bool(found)
        marked = [number for number, ply in enumerate(plies, 1) if ply.alternatives]
        events: list[Event] = []
        for number in sorted({*found, *marked}):
            ply = plies[number - 1]
            moves = found.get(number, set())
            if moves and now_ms < ply.made_ms + self._times.doubt:
                self._publisher.wait(ply.made_ms + self._times.doubt)
                continue
            before = plies[number - 2].position if number > 1 else score.start
            legal = before.legal_moves()
            alternatives = tuple(sorted(write_uci(before, move) for move in moves if move in legal))
            if alternatives != ply.alternatives:
                ply.alternatives = alternatives
                events.append(Unsure(now_ms, number, alternatives))
        return events

    def _set_timer(self, now_ms: int) -> None:
        times = [self._publisher.wake_ms, self._crossing_ms(now_ms)]
        if not self._looked:
            times.append(self._beam.changed_ms + self._times.stable)
        due = [t for t in times if t is not None]
        self._wake_ms = max(now_ms + 1, min(due)) if due else None

    def _crossing_ms(self, now_ms: int) -> int | None:
        """When, should nothing change, another explanation takes the lead or leaves the neighbourhood."""
        leader = self._leader
        soonest: int | None = None
        for other in self._beam.alive.values():
            faster = leader.rate - other.rate
            if faster > 0:
                ahead = other.cost - leader.cost + 1
                if ahead <= 0:
                    ahead += self._prices.cling
            elif self._doubting and faster < 0 and other.cost - leader.cost <= self._prices.doubt and other.step is not leader.step:
                faster = -faster
                ahead = leader.cost + self._prices.doubt + 1 - other.cost
            else:
                continue
            wait = -(-ahead // faster)
            if soonest is None or wait < soonest:
                soonest = wait
        return None if soonest is None else now_ms + max(1, soonest)

    def _final(self) -> int:
        """How many plies of the present game all surviving explanations share."""
        plies = self._publisher.score.plies
        final = len(plies)
        for hypothesis in self._beam.alive.values():
            for step in hypothesis.step.back():
                if step.depth <= final and (step.depth == 0 or plies[step.depth - 1].step is step):
                    final = step.depth
                    break
        return final


def _by_cost(hypothesis: Hypothesis) -> tuple[int, bool]:
    """Cheapest first; of two equally good, the one whose pieces stand."""
    return hypothesis.cost, hypothesis.stance is not Stance.REST
