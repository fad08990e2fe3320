"""How one explanation meets a reading: what it pays from now on, and which explanations come of it.

At rest, squares that begin to disagree may mean that a move has begun (any legal move that lifts from them or sets
down on them), that the last move is being taken back, or that the square is *excused*: a piece is being put straight,
a magnet is weak, a sensor sticks. A move comes to rest when the squares it touches show its last picture; if just one
of them does not, it may have come to rest all the same, with that square excused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from board_driver.recorder.hypothesis import Hypothesis, Origin, Stance, Step
from board_driver.recorder.prior import poorness
from rules.squares import Bitboard, set_of, squares_of

if TYPE_CHECKING:
    from board_driver.recorder.beam import Beam
    from board_driver.recorder.place import Passage

PLIES_IN_ONE_SCAN = 2
"""Plies that may begin and end between one scan and the next."""
SQUARES_IN_ONE_SCAN = 8
"""With more squares disagreeing than that, something other than moves is going on."""
EXCUSED = 2
"""Squares an explanation may excuse at once."""
LONG_GONE_MS = 1000
"""A piece in the hand for longer may have come to rest unseen."""
EARLY_MS = 350
"""A reply may have begun so long before the last piece was down."""
HASTY_MS = 400
"""A rest shorter than this is hardly one, if the same piece moves on."""


def _approaches(square: int) -> Bitboard:
    """The squares something could take on that square from: along a line or by a knight's jump."""
    from_here = 0
    for other in range(64):
        files, ranks = abs((other & 7) - (square & 7)), abs((other >> 3) - (square >> 3))
        if other != square and (files == ranks or not files or not ranks or files + ranks == 3):
            from_here |= 1 << other
    return from_here


def _neighbours(square: int) -> Bitboard:
    """The squares beside that one, a king's step away."""
    beside = ((file, rank) for file in (-1, 0, 1) for rank in (-1, 0, 1) if file or rank)
    return set_of(
        square + file + 8 * rank
        for file, rank in beside
        if 0 <= (square & 7) + file < 8 and 0 <= (square >> 3) + rank < 8
    )


NEIGHBOURS = tuple(_neighbours(square) for square in range(64))
APPROACHES = tuple(_approaches(square) for square in range(64))


# ---------------------------------------------------------------------- at rest
def meet_rest(beam: Beam, rest: Hypothesis, plies: int) -> None:
    """The pieces stand; whatever disagrees is paid for, and may be the beginning of something."""
    differs, ignored = beam.compare(rest.step.place.expected)
    before = rest.differs
    if not before & ~rest.excused:
        rest.left = beam.leaving(rest.cost)
    rest.excuse_only(differs)
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
    step, left, excused = rest.step, rest.left, rest.excused
    now = beam.now_ms
    cost = rest.cost + beam.prices.ply
    hardly_rested = _hardly_rested(step, now)
    hurried = _paid_for_haste(beam, step, fresh)
    for passage in step.place.touching(fresh):
        dear = beam.prices.hasty if passage.move.origin == hardly_rested else 0
        if beam.occupied >> passage.move.origin & 1 and not passage.victim & fresh and not passage.move.is_castling:
            dear += beam.prices.backwards
        dear -= sum(paid for square, paid in hurried if passage.touched & square)
        free = excused & ~passage.touched
        beam.propose(Hypothesis(Stance.MOVING, step, passage, cost + dear, now, left, excused=free), plies)
    back = step.passage
    if back is not None and back.touched & fresh and step.origin is Origin.PLY:
        free = excused & ~back.touched
        beam.propose(Hypothesis(Stance.UNDOING, step, back, rest.cost, now, left, excused=free), plies)
        if fresh & ~beam.occupied & 1 << back.move.landing:
            _go_on(beam, rest, back, plies)
    if excused.bit_count() < EXCUSED:
        _excuse(beam, rest, fresh, plies)


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
        excusing = Hypothesis(Stance.REST, rest.step, None, cost, rest.since_ms, rest.left, excused=squares)
        beam.propose(excusing, plies)


def _go_on(beam: Beam, rest: Hypothesis, back: Passage, plies: int) -> None:
    """The piece that came last may go on to another square: the same ply, made otherwise."""
    parent = rest.step.parent
    assert parent is not None
    cost = rest.cost + beam.prices.going_on
    for passage in parent.place.touching(1 << back.move.origin):
        if passage.move.origin == back.move.origin and passage is not back:
            free = rest.excused & ~passage.touched
            left = rest.step.left
            seen = not passage.victim & ~back.victim and bool(passage.victim)
            beam.propose(
                Hypothesis(Stance.MOVING, parent, passage, cost, beam.now_ms, left, seen=seen, excused=free), plies
            )


def _hardly_rested(step: Step, now_ms: int) -> int | None:
    """Where the piece of the mover's ply before stands, if it came there only just now."""
    before = step.parent
    if before is None or before.passage is None or now_ms - before.rested_ms >= HASTY_MS:
        return None
    return before.passage.move.landing


# ---------------------------------------------------------------------- a move in the hand
def meet_moving(beam: Beam, moving: Hypothesis, plies: int) -> None:
    """A move is being made: its own squares are free."""
    passage = moving.passage
    assert passage is not None
    place = moving.step.place
    differs, ignored = beam.compare(place.expected)
    if passage.victim & differs:
        moving.seen = True
    outside = _meet_in_hand(beam, moving, passage, differs, ignored)
    if not beam.keep(moving):
        return
    if beam.atlas.evidence.planes == 1:
        unlike = (differs ^ passage.change) & passage.touched & beam.trusted
    else:
        unlike = beam.atlas.differing(beam.seen, place.after(passage.move).expected) & passage.touched & beam.trusted
    if not unlike:
        _land(beam, moving, passage, 0, plies)
    elif not differs & passage.touched:
        _return(beam, moving, plies)
    else:
        if _may_be_amiss(moving, passage, unlike):
            _land(beam, moving, passage, unlike, plies)
        _land_unseen(beam, moving, passage, outside, plies)


def _may_be_amiss(moving: Hypothesis, passage: Passage, unlike: Bitboard) -> bool:
    """May the move have come to rest though those of its squares do not show it?

    One square at most; and a piece that nobody saw arrive, where nobody saw anything leave, may be anywhere.
    """
    if unlike & (unlike - 1) or moving.excused:
        return False
    return moving.seen or passage.move.is_castling or unlike != 1 << passage.move.landing


def _meet_in_hand(beam: Beam, hand: Hypothesis, passage: Passage, differs: Bitboard, ignored: int) -> Bitboard:
    """Set what a move or its undoing pays; the squares elsewhere that disagree.

    `ignored` is the number of doubted squares that disagree.
    """
    prices = beam.prices
    elsewhere = differs & ~passage.touched
    hand.excuse_only(elsewhere)
    wrong = elsewhere & ~hand.excused
    passed = wrong & passage.way & beam.occupied
    hand.rate = (
        prices.transit
        + prices.disagree * (wrong ^ passed).bit_count()
        + prices.way * passed.bit_count()
        + prices.excused * (hand.excused.bit_count() + ignored)
    )
    return wrong


def _land(beam: Beam, moving: Hypothesis, passage: Passage, amiss: Bitboard, plies: int) -> None:
    """The move came to rest. It also stays in the air: a piece may only seem to have landed."""
    prices = beam.prices
    cost = moving.cost
    if moving.step is beam.unwanted:
        cost += prices.unwanted
    place = moving.step.place
    if passage.victim and not moving.seen:
        cost += prices.unseen + prices.poor * poorness(place, passage)
    if passage.move.promotion is not None:
        cost += _promotion_price(beam, passage)
    if amiss or not beam.trusted >> passage.move.landing & 1:
        cost += prices.amiss
    if not beam.is_hopeful(cost):
        return
    now = beam.now_ms
    step = Step(moving.step, place.after(passage.move), passage, Origin.PLY, now, moving.left)
    free = moving.excused | amiss
    beam.propose(Hypothesis(Stance.REST, step, None, cost, now, beam.leaving(cost), excused=free), plies + 1)


def _promotion_price(beam: Beam, passage: Passage) -> int:
    if beam.chosen is None:
        return beam.prices.underpromotion if passage.under else 0
    return 0 if passage.move.promotion is beam.chosen else beam.prices.forget


def _return(beam: Beam, hand: Hypothesis, plies: int) -> None:
    """The piece went back to where it was."""
    cost = hand.cost + beam.prices.excuse
    if hand.stance is Stance.MOVING:
        cost -= beam.prices.ply
    rest = Hypothesis(
        Stance.REST, hand.step, None, cost, hand.left.ms, beam.leaving(cost), excused=hand.excused
    )
    beam.propose(rest, plies)


def _land_unseen(beam: Beam, moving: Hypothesis, passage: Passage, outside: Bitboard, plies: int) -> None:
    """The piece may have come to rest where nobody sees it, now that the opponent lifts something.

    Either it was taken at once, by what has just been lifted; or, if it has long been gone, it stands on a square
    whose sensor does not feel it.
    """
    landing = passage.move.landing
    lifted = outside & ~beam.occupied & ~moving.differs
    moving.differs = outside
    if not lifted or passage.victim or plies >= PLIES_IN_ONE_SCAN or not beam.is_near(moving):
        return
    if beam.occupied & (1 << passage.move.origin | 1 << landing):
        return
    now = beam.now_ms
    place = moving.step.place.after(passage.move)
    step = Step(moving.step, place, passage, Origin.PLY, now, moving.left)
    cost = moving.cost + beam.prices.blind
    if (beam.bold or now - moving.left.ms >= LONG_GONE_MS) and not moving.excused:
        left = beam.leaving(cost)
        beam.propose(Hypothesis(Stance.REST, step, None, cost, now, left, excused=1 << landing), plies + 1)
    for reply in place.touching(lifted & APPROACHES[landing]):
        if reply.victim >> landing & 1 and lifted >> reply.move.origin & 1:
            free = moving.excused & ~reply.touched
            cost_of_both = cost + beam.prices.ply
            taking = Hypothesis(
                Stance.MOVING, step, reply, cost_of_both, now, moving.left, seen=True, excused=free
            )
            beam.propose(taking, plies + 1)


def meet_undoing(beam: Beam, undoing: Hypothesis, plies: int) -> None:
    """The last move is being taken back."""
    passage, parent = undoing.passage, undoing.step.parent
    assert passage is not None
    assert parent is not None
    differs, ignored = beam.compare(undoing.step.place.expected)
    _meet_in_hand(beam, undoing, passage, differs, ignored)
    if not beam.keep(undoing):
        return
    unlike = beam.atlas.differing(beam.seen, parent.place.expected) & beam.trusted
    if not unlike & passage.touched:
        cost = undoing.cost + beam.undoing
        rest = Hypothesis(
            Stance.REST, parent, None, cost, beam.now_ms, beam.leaving(cost), excused=undoing.excused
        )
        beam.propose(rest, plies + 1)
    elif not differs & passage.touched:
        _return(beam, undoing, plies)
