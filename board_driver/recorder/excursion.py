"""What else than a move may have happened: looked into when an unexplained picture has stood for a moment.

The hands left the game somewhere on the trail, did something nobody need follow (put knocked pieces back, took moves
back, played on while scans were lost, set the pieces up anew, swept them off), and the picture that stands now tells
where they came back to. Only what is at the end counts, so one formula prices them all: what the trail had paid when
it was left, a fixed price, a little for the time, and what the kind of return costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from board_driver.recorder.beam import Beam
from board_driver.recorder.hypothesis import Hypothesis, Leaving, Origin, Stance, Step
from board_driver.recorder.place import Place
from board_driver.recorder.signs import CENTRE, sign_of
from rules.inverse import leading_to, leading_to_in_two
from rules.move import Move
from rules.pieces import Role
from rules.squares import Bitboard, Colour

REACH = 40
"""Plies looked back for the place where the game was left or taken up again."""
RETURNS_TO = 12
"""Plies looked back for a position to return to."""
SETTING_UP_MS = 6000
"""A longer pause than this between two plies does not belong to setting up."""
SIGN_MS = 6000
"""A king's step to the centre no longer ago than this may belong to the sign for the result."""
SIGN_AFTER_MS = 300
"""The kings go to the centre no sooner than this after the last ply."""
AWAY_FROM = 4
"""Plies looked back for where the board was left for good."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A step of the trail, and what it costs to have come back to it by the time of the present picture."""

    step: Step
    left: Leaving
    cost: int
    """The cheapest way to be back at this step, moves after it taken back."""


def look_around(beam: Beam, leader: Hypothesis, arrays: Sequence[Place]) -> bool:
    """Add to the beam the explanations by which the present picture is something else than moves in order.

    True where legal moves explain it.
    """
    departures = departures_of(beam, leader)
    _signs(beam, departures)
    _stay_away(beam, departures)
    found = (
        list(_returns(beam, departures))
        or list(_lame_returns(beam, departures[:2]))
        or list(_three_plies(beam, departures[0]))
    )
    for hypothesis in found:
        beam.add(hypothesis)
    for array in arrays:
        _reset(beam, departures, array)
    return bool(found)


def departures_of(beam: Beam, leader: Hypothesis) -> list[Departure]:
    """The steps at which the game may have been left, the newest first."""
    prices = beam.prices
    step, left = leader.step, leader.left
    if leader.stance is Stance.REST and not leader.differs & ~leader.excused:
        left = beam.leaving(leader.cost)
    carried: int | None = leader.cost if leader.stance is Stance.AWAY else None
    toll = beam.toll - prices.away * (beam.now_ms - beam.changed_ms)
    out: list[Departure] = []
    for _ in range(REACH):
        cost = left.cost + prices.excursion + max(0, toll - left.toll)
        if carried is not None:
            cost = min(cost, carried)
        out.append(Departure(step, left, cost))
        if step.parent is None or step.origin is not Origin.PLY:
            break
        carried = cost + prices.takeback
        step, left = step.parent, step.left
    return out


def _rest(beam: Beam, step: Step, cost: int, excused: Bitboard = 0) -> Hypothesis:
    """An explanation that has stood in that step since the picture came to be."""
    return Hypothesis(Stance.REST, step, None, cost, beam.changed_ms, beam.leaving(cost), excused=excused)


def _ply(beam: Beam, departure: Departure, parent: Step, move: Move) -> Step:
    passage = beam.atlas.passage(parent.place.position, move)
    return Step(parent, parent.place.after(move), passage, Origin.PLY, beam.changed_ms, departure.left)


def _returns(beam: Beam, departures: list[Departure]) -> Iterator[Hypothesis]:
    """Back in a position of the game, or one or two plies on from one."""
    prices = beam.prices
    seen = beam.seen
    after = beam.occupied
    for index, departure in enumerate(departures[:RETURNS_TO]):
        step = departure.step
        position = step.place.position
        if step.place.expected == seen:
            yield _rest(beam, step, departure.cost)
        for move in leading_to(position, after):
            ply = _ply(beam, departure, step, move)
            if ply.place.expected == seen:
                yield _rest(beam, ply, departure.cost + prices.ply + _oddity(beam, ply))
        if index < 2:
            for first, second in leading_to_in_two(position, after):
                one = _ply(beam, departure, step, first)
                two = _ply(beam, departure, one, second)
                if two.place.expected == seen:
                    yield _rest(beam, two, departure.cost + 2 * prices.ply + _oddity(beam, one) + _oddity(beam, two))


def _lame_returns(beam: Beam, departures: list[Departure]) -> Iterator[Hypothesis]:
    """One or two plies on, if one square does not read what it should."""
    prices = beam.prices
    for departure in departures:
        step = departure.step
        for square in range(64):
            lame = 1 << square
            after = beam.occupied ^ lame
            cost = departure.cost + prices.amiss + prices.ply
            for move in leading_to(step.place.position, after):
                one = _ply(beam, departure, step, move)
                if beam.atlas.differing(beam.seen, one.place.expected) == lame:
                    yield _rest(beam, one, cost + _oddity(beam, one), lame)
            for first, second in leading_to_in_two(step.place.position, after):
                one = _ply(beam, departure, step, first)
                two = _ply(beam, departure, one, second)
                if beam.atlas.differing(beam.seen, two.place.expected) == lame:
                    yield _rest(beam, two, cost + prices.ply + _oddity(beam, one) + _oddity(beam, two), lame)


def _three_plies(beam: Beam, departure: Departure) -> Iterator[Hypothesis]:
    """Three plies on, played while little could be read; a ply that left no trace at all is not assumed."""
    prices = beam.prices
    touched = beam.touched_since(departure.left.ms)
    for passage in departure.step.place.touching(touched):
        one = _ply(beam, departure, departure.step, passage.move)
        for second, third in leading_to_in_two(one.place.position, beam.occupied):
            two = _ply(beam, departure, one, second)
            three = _ply(beam, departure, two, third)
            left_traces = all(step.passage is not None and step.passage.touched & touched for step in (two, three))
            if left_traces and three.place.expected == beam.seen:
                odd = sum(_oddity(beam, step) for step in (one, two, three))
                yield _rest(beam, three, departure.cost + 3 * prices.ply + odd)


def _oddity(beam: Beam, step: Step) -> int:
    """What a ply nobody watched costs beside its being a ply."""
    passage = step.passage
    assert passage is not None
    return beam.prices.underpromotion if passage.under else 0


def _reset(beam: Beam, departures: list[Departure], start: Place) -> None:
    """The start array stands: a new game, unless the moves themselves lead here."""
    if beam.seen != start.expected or departures[0].step.place is start:
        return
    departure = _before_setting_up(departures, start)
    cost = departure.left.cost + beam.prices.excursion + beam.prices.reset + max(0, beam.toll - departure.left.toll)
    cost = min(cost, min(d.cost for d in departures) + beam.prices.reset)
    step = Step(departure.step, start, None, Origin.START, beam.changed_ms, departure.left)
    beam.add(_rest(beam, step, cost))


def _before_setting_up(departures: list[Departure], array: Place) -> Departure:
    """Where the game was left.

    Setting up puts pieces home; a game takes them away from there. So the game ended where the fewest pieces stood at
    home, looking back over plies that followed each other without a pause; and a piece on its way home, which is
    moved again, belongs to the setting up.
    """
    least, found = 65, 0
    for index, departure in enumerate(departures):
        at_home = _at_home(departure.step.place, array)
        if at_home < least:
            least, found = at_home, index
        parent = departure.step.parent
        if parent is None or departure.step.rested_ms - parent.rested_ms > SETTING_UP_MS:
            break
    moved_on = {d.step.passage.move.origin for d in departures[:found] if d.step.passage is not None}
    while found + 1 < len(departures):
        passage = departures[found].step.passage
        before = departures[found + 1].step.place
        if passage is None or passage.move.landing not in moved_on or _at_home(before, array) != least:
            break
        found += 1
    return departures[found]


def _at_home(place: Place, array: Place) -> int:
    """How many pieces stand where they do in the start array."""
    position, start = place.position, array.position
    return sum(
        (position.pieces(colour, role) & start.pieces(colour, role)).bit_count() for colour in Colour for role in Role
    )


def _signs(beam: Beam, departures: list[Departure]) -> None:
    """The kings show the result. Steps they made to the centre just before belong to the sign."""
    left = {d.step: d.left for d in departures[:AWAY_FROM]}
    left |= {h.step: h.left for h in beam.alive.values() if h.stance is Stance.AWAY}
    shown = []
    for step, leaving in left.items():
        sign = sign_of(step.place.position, beam.occupied, beam.touched_since(step.rested_ms + SIGN_AFTER_MS))
        if sign is not None and not _steps_to_the_centre(step, beam.now_ms):
            shown.append((sign.missing, -step.depth, leaving.cost, step, leaving, sign.result))
    if shown:
        _, _, cost, step, leaving, result = min(shown, key=lambda found: found[:3])
        cost += beam.prices.sign
        beam.add(Hypothesis(Stance.AWAY, step, None, cost, beam.changed_ms, leaving, result=result))


def _steps_to_the_centre(step: Step, now_ms: int) -> bool:
    """Was the last ply a king's step to a centre square, just now?"""
    if step.parent is None or step.passage is None or now_ms - step.rested_ms > SIGN_MS:
        return False
    move = step.passage.move
    piece = step.parent.place.position.piece_at(move.origin)
    return piece is not None and piece.role is Role.KING and bool(CENTRE >> move.landing & 1)


def _stay_away(beam: Beam, departures: list[Departure]) -> None:
    """The board may have been left for a while."""
    for departure in departures[:AWAY_FROM]:
        left = departure.left
        cost = left.cost + beam.prices.excursion + max(0, beam.toll - left.toll)
        beam.add(Hypothesis(Stance.AWAY, departure.step, None, cost, beam.now_ms, left))


def unexplained(beam: Beam, leader: Hypothesis) -> Bitboard:
    """The squares that the leading explanation has no reason for; 0 where it explains all."""
    differs = beam.atlas.differing(beam.seen, leader.step.place.expected) & beam.trusted & ~leader.excused
    return differs if leader.passage is None else differs & ~leader.passage.touched
