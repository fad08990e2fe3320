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
from board_driver.recorder.stood import Standing, Stood
from rules.inverse import leading_to, leading_to_in_two
from rules.move import Move
from rules.pieces import Role
from rules.squares import Bitboard

REACH = 40
"""Plies looked back for the place where the game was left or taken up again."""
RETURNS_TO = 12
"""Plies looked back for a position to return to."""
SIGN_MS = 6000
"""A king's step to the centre no longer ago than this may belong to the sign for the result."""
SIGN_AFTER_MS = 300
"""The kings go to the centre no sooner than this after the last ply."""
TOGETHER = 1000
"""The price of each ply more when several are taken back at once."""
LAME_CHANGES = 9
"""Squares in which a picture differs at most from a position two plies before, both castling, if one square lies."""
FELT_NO_MORE = 2
"""Men who may not be felt any more once the game is taken up again."""
LONG_GONE_MS = 1000
"""A man who has been gone for longer may have been set back where he is not felt."""
AWAY_FROM = 4
"""Plies looked back for where the board was left for good."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A step of the trail, and what it costs to have come back to it by the time of the present picture."""

    step: Step
    left: Leaving
    cost: int
    """The cheapest way to be back at this step, moves after it taken back."""
    undone: int
    """The same if all the board shows is that position, so that the plies since were taken back in whatever order."""


def look_around(beam: Beam, leader: Hypothesis, arrays: Sequence[Place], standing: Standing) -> bool:
    """Add to the beam the explanations by which the present picture is something else than moves in order.

    True where legal moves explain it.
    """
    departures = departures_of(beam, leader)
    _signs(beam, departures)
    _stay_away(beam, departures)
    _stay_away(beam, departures_of(beam, _last_to_follow(beam)))
    _unfelt_returns(beam, departures[:2])
    found = (
        list(_returns(beam, departures, arrays))
        or list(_lame_returns(beam, departures[:2]))
        or list(_three_plies(beam, departures[0]))
    )
    for hypothesis in found:
        beam.add(hypothesis)
    for array in arrays:
        _reset(beam, departures, array, standing.before(array))
    return bool(found)


def _last_to_follow(beam: Beam) -> Hypothesis:
    """The explanation that followed the board best until it was left; where a lot changes at once, others lead."""

    def cost(h: Hypothesis) -> int:
        return h.cost if h.stance is Stance.AWAY else h.left.cost + max(0, beam.toll - h.left.toll)

    return min(beam.alive.values(), key=cost)


def departures_of(beam: Beam, leader: Hypothesis) -> list[Departure]:
    """The steps at which the game may have been left, the newest first."""
    prices = beam.prices
    step, left = leader.step, leader.left
    if leader.stance is Stance.REST and not leader.differs & ~leader.excused:
        left = beam.leaving(leader.cost)
    carried: int | None = leader.cost if leader.stance is Stance.AWAY else None
    toll = beam.toll - prices.away * (beam.now_ms - beam.changed_ms)
    out: list[Departure] = []
    undone = left.cost + prices.excursion + beam.undoing + prices.away * (beam.changed_ms - left.ms)
    for back in range(REACH):
        cost = left.cost + prices.excursion + max(0, toll - left.toll)
        if carried is not None:
            cost = min(cost, carried)
        out.append(Departure(step, left, cost, undone + back * TOGETHER))
        if step.parent is None or step.origin is not Origin.PLY:
            break
        carried = cost + beam.undoing
        step, left = step.parent, step.left
    return out


def _rest(beam: Beam, step: Step, cost: int, excused: Bitboard = 0) -> Hypothesis:
    """An explanation that has stood in that step since the picture came to be."""
    return Hypothesis(Stance.REST, step, None, cost, beam.changed_ms, beam.leaving(cost), excused=excused)


def _ply(beam: Beam, departure: Departure, parent: Step, move: Move) -> Step:
    passage = beam.atlas.passage(parent.place.position, move)
    return Step(parent, parent.place.after(move), passage, Origin.PLY, beam.changed_ms, departure.left)


def _returns(beam: Beam, departures: list[Departure], arrays: Sequence[Place]) -> Iterator[Hypothesis]:
    """Back in a position of the game, or one or two plies on from one."""
    prices = beam.prices
    seen = beam.seen
    after = beam.occupied
    for index, departure in enumerate(departures[:RETURNS_TO]):
        step = departure.step
        position = step.place.position
        if step.place.expected == seen:
            together = index > 1 and not any(step.place is array for array in arrays)
            yield _rest(beam, step, min(departure.cost, departure.undone) if together else departure.cost)
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
        if (step.place.position.occupied ^ beam.occupied).bit_count() > LAME_CHANGES:
            continue
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


def set_back_unfelt(beam: Beam) -> None:
    """Add to the beam that men long in the hand have been set back on squares that do not feel them any more."""
    prices = beam.prices
    long_gone: dict[Step, Hypothesis] = {}
    for hand in beam.alive.values():
        if hand.stance.is_in_hand and beam.now_ms - hand.left.ms >= LONG_GONE_MS and beam.is_near(hand):
            other = long_gone.get(hand.step)
            if other is None or hand.cost < other.cost:
                long_gone[hand.step] = hand
    for step, hand in long_gone.items():
        gone = _felt_no_more(beam, step)
        if gone:
            cost = hand.cost - prices.ply + (gone & ~hand.excused).bit_count() * prices.excuse
            beam.add(Hypothesis(Stance.REST, step, None, cost, hand.left.ms, beam.leaving(cost), excused=gone))


def _unfelt_returns(beam: Beam, departures: list[Departure]) -> None:
    """Back in a position of the game, some of its men not felt."""
    for departure in departures:
        gone = _felt_no_more(beam, departure.step)
        if gone:
            cost = departure.cost + gone.bit_count() * beam.prices.excuse
            beam.add(_rest(beam, departure.step, cost, gone))


def _felt_no_more(beam: Beam, step: Step) -> Bitboard:
    """The few squares whose men are not felt, if the pieces else stand in that position; 0 if they do not."""
    gone = beam.atlas.differing(beam.seen, step.place.expected) & beam.trusted
    return gone if gone.bit_count() <= FELT_NO_MORE and not gone & beam.occupied else 0


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


def _reset(beam: Beam, departures: list[Departure], start: Place, stood: Stood | None) -> None:
    """The start array stands: a new game, unless the moves themselves lead here."""
    if beam.seen != start.expected or departures[0].step.place is start:
        return
    step, left = (departures[0].step, departures[0].left) if stood is None else (stood.step, stood.left)
    cost = left.cost + beam.prices.excursion + max(0, beam.toll - left.toll)
    cost = min(cost, *(departure.cost for departure in departures)) + beam.prices.reset
    for shown in [h for h in beam.alive.values() if h.result is not None]:
        shown.cost = max(shown.cost, cost + beam.prices.excursion)  # the kings have gone home: that sign is over
    beam.add(_rest(beam, Step(step, start, None, Origin.START, beam.changed_ms, left), cost))


def _signs(beam: Beam, departures: list[Departure]) -> None:
    """The kings show the result. Steps they made to the centre just before belong to the sign."""
    left = {d.step: d.left for d in departures[:AWAY_FROM]}
    left |= {h.step: h.left for h in beam.alive.values() if h.stance is Stance.AWAY}
    shown = []
    for step, leaving in left.items():
        sign = sign_of(step.place.position, beam.occupied, beam.touched_since(step.rested_ms + SIGN_AFTER_MS))
        if sign is None or beam.never_felt(step):
            continue
        if not _steps_to_the_centre(step, beam.last_changed_ms(CENTRE & beam.occupied)):
            shown.append((sign.missing, -step.depth, leaving.cost, step, leaving, sign.result))
    if shown:
        _, _, cost, step, leaving, result = min(shown, key=lambda found: found[:3])
        cost += beam.prices.sign
        beam.add(Hypothesis(Stance.AWAY, step, None, cost, beam.changed_ms, leaving, result=result))


def _steps_to_the_centre(step: Step, shown_ms: int) -> bool:
    """Was the last ply, just before the sign was complete, a king's step to the centre or a capture inside it?"""
    if step.parent is None or step.passage is None or shown_ms - step.rested_ms > SIGN_MS:
        return False
    move = step.passage.move
    piece = step.parent.place.position.piece_at(move.origin)
    if piece is None or not CENTRE >> move.landing & 1:
        return False
    return piece.role is Role.KING or bool(CENTRE >> move.origin & 1)


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
