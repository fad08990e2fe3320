"""Illegal moves that may have stood, followed beside the game until they have proved themselves.

An explanation that goes on from an illegal move is so dear at first that it would be dropped long before the moves
after it speak for it. So such explanations have a beam of their own, and join the others when some plies have been
played on and the best of them explains more cheaply than anything else. Where the others explain what is seen, they
soon cost too much, and are given up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from board_driver.recorder.beam import Beam
from board_driver.recorder.excursion import Departure, departures_of
from board_driver.recorder.fragments import illegal_moves, left_in_check
from board_driver.recorder.hypothesis import Hypothesis, Leaving, Origin, Stance, Step
from rules.inverse import leading_to
from rules.pieces import Role
from rules.position import Position
from rules.squares import square_name

PLIES_ON = 2
"""Plies that must have been played on."""
GIVEN_UP = 2
"""How many times the price at which an explanation is dropped they may cost more than the others' best."""
LAME = 2
"""Where legal moves explain all but fewer squares than that, a sensor is at fault and no player."""
LONG_ENOUGH = 12
"""Plies by which they must have proved themselves, unless nothing else explains what is seen."""
WAITED_MS = 100
"""How long to wait at least before looking again."""
LEFT_OFF = 2
"""Plies looked back for the position in which the illegal move was made."""
UNANSWERED = 8
"""Illegal moves that left a king in check, kept until somebody replies."""


@dataclass(frozen=True, slots=True)
class _Unanswered:
    """An illegal move that left its king in check: nothing can be played on from there before the reply."""

    departure: Departure
    position: Position
    text: str
    cost: int


class Bypath:
    """The explanations that go on from an illegal move, and when to look at them again."""

    def __init__(self) -> None:
        self._beam: Beam | None = None
        self._unanswered: list[_Unanswered] = []
        self.due_ms: int | None = None
        """When the best of them will be the best of all, should nothing change."""

    # ------------------------------------------------------------------ how they begin
    def look(self, beam: Beam, leader: Hypothesis) -> list[Hypothesis]:
        """Follow those too by which the present picture came of an illegal move; what was found."""
        departures = departures_of(beam, leader)[:LEFT_OFF]
        found = [*_illegal(beam, departures), *self._answered(beam)]
        for departure in departures:
            self._unanswered += _in_check(beam, departure)
        del self._unanswered[:-UNANSWERED]
        for hypothesis in found:
            self._side_of(beam).add(_copy(hypothesis))
        return found

    def _side_of(self, beam: Beam) -> Beam:
        side = self._beam
        if side is None:
            self._beam = side = Beam(beam.atlas, beam.prices, beam.trusted)
            side.now_ms, side.changed_ms, side.toll = beam.now_ms, beam.changed_ms, beam.toll
            side.see(beam.seen)
        return side

    def _answered(self, beam: Beam) -> Iterator[Hypothesis]:
        for left in self._unanswered:
            for move in leading_to(left.position, beam.occupied):
                taken = left.position.piece_at(move.landing)
                if taken is not None and taken.role is Role.KING:
                    continue
                place = beam.atlas.place(left.position.play(move))
                if place.expected == beam.seen:
                    reply = f"{square_name(move.origin)}{square_name(move.landing)}"
                    cost = left.cost + beam.prices.ply
                    yield _fragment(beam, left.departure, place.position, f"{left.text}; {reply} was the reply", cost)

    # ------------------------------------------------------------------ how they go on
    def observe(self, now_ms: int, seen: int) -> None:
        """Take a reading that differs from the one before."""
        if self._beam is not None:
            self._beam.observe(now_ms, seen)

    def watch(self, beam: Beam, best: Hypothesis, now_ms: int) -> None:
        """Let them join the others if they have proved themselves, or give them up; `best` leads the others."""
        self.due_ms = None
        side = self._beam
        if side is None:
            return
        side.advance(now_ms)
        first = min(side.alive.values(), key=lambda h: h.cost)
        unproved = first.step.depth >= LONG_ENOUGH and best.stance is not Stance.AWAY
        if unproved or first.cost > best.cost + GIVEN_UP * beam.prices.forget:
            self._beam = None
        elif first.stance is Stance.REST and not first.differs and first.step.depth >= PLIES_ON:
            self._join(beam, side, first, best)

    def _join(self, beam: Beam, side: Beam, first: Hypothesis, best: Hypothesis) -> None:
        ahead = first.cost - best.cost
        if best.stance is not Stance.AWAY:
            if beam.atlas.differing(beam.seen, best.step.place.expected).bit_count() < LAME:
                return
            ahead += beam.prices.illegal  # legal moves explain it too, if not as well
        if ahead < 0:
            self._beam = None
            for hypothesis in side.alive.values():
                beam.keep(hypothesis)
        elif best.rate > first.rate:
            self.due_ms = side.now_ms + max(WAITED_MS, ahead // (best.rate - first.rate) + 1)

    def commit(self, head: Step) -> None:
        """Give up all explanations in which no game began there."""
        self._unanswered.clear()
        side = self._beam
        if side is None:
            return
        side.alive = {key: h for key, h in side.alive.items() if any(step is head for step in h.step.back())}
        if not side.alive:
            self._beam = None


def _illegal(beam: Beam, departures: list[Departure]) -> Iterator[Hypothesis]:
    """On from a move that is not legal but stands."""
    for departure in departures:
        before = departure.step.place.position
        for position, text in illegal_moves(before, beam.occupied):
            price = beam.prices.illegal * (1 if position.turn is not before.turn else 2)
            if beam.atlas.place(position).expected == beam.seen:
                yield _fragment(beam, departure, position, text, departure.cost + price)


def _in_check(beam: Beam, departure: Departure) -> Iterator[_Unanswered]:
    before = departure.step.place.position
    for position, text in left_in_check(before, beam.occupied):
        yield _Unanswered(departure, position, text, departure.cost + beam.prices.illegal)


def _fragment(beam: Beam, departure: Departure, position: Position, text: str, cost: int) -> Hypothesis:
    """An explanation that stands in that position since the picture came to be."""
    place = beam.atlas.place(position)
    step = Step(departure.step, place, None, Origin.ILLEGAL, beam.changed_ms, departure.left, text)
    return Hypothesis(Stance.REST, step, None, cost, beam.changed_ms, beam.leaving(cost))


def _copy(of: Hypothesis) -> Hypothesis:
    """The same explanation for another beam, which will change it."""
    left = Leaving(of.left.ms, of.left.cost, of.left.toll)
    return Hypothesis(
        of.stance, of.step, of.passage, of.cost, of.since_ms, left, of.seen, of.excused, of.result, of.awaited
    )
