"""How an explanation whose pieces stand meets a reading: what it pays from now on, and which explanations come of it.

Squares that begin to disagree may mean that a move has begun (any legal move that lifts from them or sets down on
them), that the last move is being taken back, or that the square is *excused*: a piece is being put straight, a magnet
is weak, a sensor sticks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from board_driver.recorder.hypothesis import Hypothesis, Origin, Stance, Step
from board_driver.recorder.place import Lift, Passage
from rules.squares import Bitboard, set_of, squares_of

if TYPE_CHECKING:
    from board_driver.recorder.beam import Beam

PLIES_IN_ONE_SCAN = 2
"""Plies that may begin and end between one scan and the next."""
SQUARES_IN_ONE_SCAN = 8
"""With more squares disagreeing than that, something other than moves is going on."""
EXCUSED = 2
"""Squares an explanation may excuse at once."""
EARLY_MS = 350
"""A reply may have begun so long before the last piece was down."""
HASTY_MS = 400
"""A rest shorter than this is hardly one, if the same piece moves on."""


def _neighbours(square: int) -> Bitboard:
    """The squares beside that one, a king's step away."""
    beside = ((file, rank) for file in (-1, 0, 1) for rank in (-1, 0, 1) if file or rank)
    return set_of(
        square + file + 8 * rank
        for file, rank in beside
        if 0 <= (square & 7) + file < 8 and 0 <= (square >> 3) + rank < 8
    )


NEIGHBOURS = tuple(_neighbours(square) for square in range(64))


def meet_rest(beam: Beam, rest: Hypothesis, plies: int) -> None:
    """The pieces stand; whatever disagrees is paid for, and may be the beginning of something."""
    differs, ignored = beam.compare(rest.step.place.expected)
    before = rest.differs
    stood = not before & ~rest.excused
    excuse_only(beam, rest, differs)
    if stood:
        rest.left = beam.leaving(rest.cost)
    wrong = differs & ~rest.excused
    rest.differs = differs
    lame = rest.excused.bit_count() + ignored
    rest.rate = beam.prices.disagree * wrong.bit_count() + beam.prices.excused * lame
    fresh = wrong & ~before
    if not beam.keep(rest) or not fresh or wrong.bit_count() > SQUARES_IN_ONE_SCAN:
        return
    if plies < PLIES_IN_ONE_SCAN and beam.is_near(rest):
        _propose(beam, rest, fresh, plies)


def _propose(beam: Beam, rest: Hypothesis, fresh: Bitboard, plies: int) -> None:
    """What those squares may be the beginning of."""
    step = rest.step
    cost = rest.cost + beam.prices.ply
    hardly_rested = _hardly_rested(step, beam.now_ms)
    hurried = _paid_for_haste(beam, step, fresh)
    lifted: set[int] = set()
    for passage in step.place.touching(fresh):
        origin = 1 << passage.move.origin
        if passage.is_quiet and passage.touched & fresh == origin and not beam.occupied & origin:
            lifted.add(passage.move.origin)
            continue
        dear = beam.prices.hasty if passage.move.origin == hardly_rested else 0
        if beam.occupied & origin and not passage.victim & fresh and not passage.move.is_castling:
            dear += beam.prices.backwards
        dear -= _repaid(hurried, passage.touched)
        beam.propose(_taken_up(beam, rest, Stance.MOVING, step, passage, cost=cost + dear), plies)
    for square in lifted:
        lift = step.place.lift(square)
        dear = beam.prices.hasty if square == hardly_rested else 0
        dear -= _repaid(hurried, lift.touched)
        beam.propose(_taken_up(beam, rest, Stance.LIFTED, step, lift, cost=cost + dear), plies)
    back = step.passage
    if back is not None and back.touched & fresh and step.origin is Origin.PLY:
        beam.propose(_taken_up(beam, rest, Stance.UNDOING, step, back, cost=rest.cost), plies)
        if fresh & ~beam.occupied & 1 << back.move.landing:
            _go_on(beam, rest, back, plies)
    if rest.excused.bit_count() < EXCUSED:
        _excuse(beam, rest, fresh, plies)


def _taken_up(
    beam: Beam, rest: Hypothesis, stance: Stance, step: Step, passage: Passage | Lift, *, cost: int
) -> Hypothesis:
    """From now on a piece is in the hand; what was excused elsewhere still is."""
    left = rest.left if step is rest.step else rest.step.left
    free = rest.excused & ~passage.touched
    return Hypothesis(stance, step, passage, cost, beam.now_ms, left, excused=free, awaited=rest.awaited)


def _paid_for_haste(beam: Beam, step: Step, squares: Bitboard) -> list[tuple[Bitboard, int]]:
    """Those squares that a reply had touched while the last move was in the air, and what that move paid for each.

    An opponent who has the next piece in the hand before the last one is down is in a hurry, not a contradiction;
    but no reply begins before the move it answers.
    """
    passage, now = step.passage, beam.now_ms
    if passage is None or step.rested_ms != now:
        return []
    begun_ms = max(beam.last_changed_ms(1 << passage.move.origin), now - EARLY_MS)
    paid = []
    for number in squares_of(squares):
        square = 1 << number
        since_ms = beam.last_changed_ms(square)
        if since_ms >= begun_ms:
            rate = beam.prices.way if passage.way & beam.occupied & square else beam.prices.disagree
            paid.append((square, (now - since_ms) * (rate - beam.prices.transit)))
    return paid


def _repaid(paid: list[tuple[Bitboard, int]], squares: Bitboard) -> int:
    """What was paid for those squares."""
    return sum(price for square, price in paid if square & squares)


def _excuse(beam: Beam, rest: Hypothesis, fresh: Bitboard, plies: int) -> None:
    """Some of those squares may have nothing to do with the game.

    A second square is excused only if the piece that its neighbour lacks was pushed onto it.
    """
    for square in squares_of(fresh):
        one = 1 << square
        cost = rest.cost + beam.prices.excuse
        if beam.occupied & one:
            cost += beam.prices.surplus
            for other in squares_of(NEIGHBOURS[square] & ~beam.occupied & rest.differs):
                _excused(beam, rest, rest.excused | one | 1 << other, cost, plies)
        if not rest.excused:
            _excused(beam, rest, one, cost, plies)


def _excused(beam: Beam, rest: Hypothesis, squares: Bitboard, cost: int, plies: int) -> None:
    if squares.bit_count() <= EXCUSED:
        excusing = Hypothesis(
            Stance.REST, rest.step, None, cost, rest.since_ms, rest.left, excused=squares, awaited=rest.awaited
        )
        beam.propose(excusing, plies)


def _go_on(beam: Beam, rest: Hypothesis, back: Passage, plies: int) -> None:
    """The piece that came last may go on to another square: the same ply, made otherwise."""
    parent, origin = rest.step.parent, back.move.origin
    assert parent is not None
    cost = rest.cost + beam.prices.going_on
    others = [p for p in parent.place.touching(1 << origin) if p.move.origin == origin and p.move is not back.move]
    quiet = tuple(passage for passage in others if passage.is_quiet)
    if quiet:
        beam.propose(_taken_up(beam, rest, Stance.LIFTED, parent, Lift(origin, quiet), cost=cost), plies)
    for passage in others:
        if not passage.is_quiet:
            move = _taken_up(beam, rest, Stance.MOVING, parent, passage, cost=cost)
            move.seen = not passage.victim & ~back.victim and bool(passage.victim)
            beam.propose(move, plies)


def _hardly_rested(step: Step, now_ms: int) -> int | None:
    """Where the piece of the mover's ply before stands, if it came there only just now."""
    before = step.parent
    if before is None or before.passage is None or now_ms - before.rested_ms >= HASTY_MS:
        return None
    return before.passage.move.landing


def excuse_only(beam: Beam, hypothesis: Hypothesis, differs: Bitboard) -> None:
    """Excuse no square any more that agrees again; a piece that is felt there at last did come to rest."""
    if not hypothesis.excused & ~differs:
        return
    felt = hypothesis.awaited & ~differs & beam.trusted
    hypothesis.cost -= beam.prices.unfelt * felt.bit_count()
    hypothesis.excused &= differs
    hypothesis.awaited &= differs
