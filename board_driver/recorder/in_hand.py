"""How an explanation in which a move is being made or taken back meets a reading.

The squares the move touches are free, those it passes over are cheap. It comes to rest when the squares it touches
show its last picture; if just one of them does not, it may have come to rest all the same, with that square excused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from board_driver.recorder.at_rest import PLIES_IN_ONE_SCAN, excuse_only
from board_driver.recorder.choice import price_of
from board_driver.recorder.hypothesis import Hypothesis, Origin, Stance, Step
from board_driver.recorder.place import Lift, Passage
from board_driver.recorder.prior import poorness
from rules.squares import Bitboard

if TYPE_CHECKING:
    from board_driver.recorder.beam import Beam

LONG_GONE_MS = 1000
"""A piece in the hand for longer may have come to rest unseen."""


def _approaches(square: int) -> Bitboard:
    """The squares something could take on that square from: along a line or by a knight's jump."""
    from_here = 0
    for other in range(64):
        files, ranks = abs((other & 7) - (square & 7)), abs((other >> 3) - (square >> 3))
        if other != square and (files == ranks or not files or not ranks or files + ranks == 3):
            from_here |= 1 << other
    return from_here


APPROACHES = tuple(_approaches(square) for square in range(64))


def meet_lifted(beam: Beam, hand: Hypothesis, plies: int) -> None:
    """A piece is in the hand; where a square changes that one of its moves touches or passes, that may be the move."""
    lift = hand.passage
    assert isinstance(lift, Lift)
    differs, ignored = beam.compare(hand.step.place.expected)
    before = hand.differs
    outside = _meet_in_hand(beam, hand, lift, differs, ignored)
    elsewhere = differs & ~lift.touched
    hand.differs = elsewhere
    if not beam.keep(hand):
        return
    if not differs & lift.touched:
        _return(beam, hand, plies)
    told = elsewhere & ~before
    for passage in lift.choices:
        if (passage.touched | passage.way) & told or passage.touched & ~beam.trusted:
            move = told_apart(hand, passage)
            move.differs = before & ~passage.touched
            beam.propose(move, plies)
    lifted = outside & told & ~beam.occupied
    if lifted:
        for passage in lift.choices:
            _land_unseen(beam, hand, passage, lifted, plies)


def told_apart(hand: Hypothesis, passage: Passage) -> Hypothesis:
    """The same explanation, if that is the move the lifted piece makes."""
    step, free = hand.step, hand.excused & ~passage.touched
    move = Hypothesis(
        Stance.MOVING, step, passage, hand.cost, hand.since_ms, hand.left, excused=free, awaited=hand.awaited
    )
    move.rate, move.differs = hand.rate, hand.differs
    return move


def meet_moving(beam: Beam, moving: Hypothesis, plies: int) -> None:
    """A move is being made: its own squares are free."""
    passage = moving.passage
    assert isinstance(passage, Passage)
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
        lifted = outside & ~beam.occupied & ~moving.differs
        moving.differs = outside
        _land_unseen(beam, moving, passage, lifted, plies)


def _may_be_amiss(moving: Hypothesis, passage: Passage, unlike: Bitboard) -> bool:
    """May the move have come to rest though those of its squares do not show it?

    One square at most; and a piece that nobody saw arrive, where nobody saw anything leave, may be anywhere.
    """
    if unlike & (unlike - 1) or moving.excused:
        return False
    return moving.seen or passage.move.is_castling or unlike != 1 << passage.move.landing


def _meet_in_hand(beam: Beam, hand: Hypothesis, passage: Passage | Lift, differs: Bitboard, ignored: int) -> Bitboard:
    """Set what a move or its undoing pays; the squares elsewhere that disagree.

    `ignored` is the number of doubted squares that disagree.
    """
    prices = beam.prices
    elsewhere = differs & ~passage.touched
    excuse_only(beam, hand, elsewhere)
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
        cost += price_of(prices, beam.chosen, moving.step, passage)
    if amiss or not beam.trusted >> passage.move.landing & 1:
        cost += prices.amiss
    if not beam.is_hopeful(cost):
        return
    now = beam.now_ms
    step = Step(moving.step, place.after(passage.move), passage, Origin.PLY, now, moving.left)
    free = moving.excused | amiss
    left, awaited = beam.leaving(cost), moving.awaited
    beam.propose(Hypothesis(Stance.REST, step, None, cost, now, left, excused=free, awaited=awaited), plies + 1)


def _return(beam: Beam, hand: Hypothesis, plies: int) -> None:
    """The piece went back to where it was."""
    cost = hand.cost + beam.prices.excuse
    if hand.stance.is_in_hand:
        cost -= beam.prices.ply
    left, excused, awaited = beam.leaving(cost), hand.excused, hand.awaited
    rest = Hypothesis(Stance.REST, hand.step, None, cost, hand.left.ms, left, excused=excused, awaited=awaited)
    beam.propose(rest, plies)


def _land_unseen(beam: Beam, moving: Hypothesis, passage: Passage, lifted: Bitboard, plies: int) -> None:
    """The piece may have come to rest where nobody sees it, now that the opponent lifts something.

    Either it was taken at once, by what has just been lifted; or it stands on a square whose sensor does not feel it,
    or not yet; or it stood there between two scans only and is in the hand again.
    """
    landing = passage.move.landing
    if not lifted or passage.victim or plies >= PLIES_IN_ONE_SCAN or not beam.is_near(moving):
        return
    if beam.occupied & (1 << passage.move.origin | 1 << landing):
        return
    now = beam.now_ms
    place = moving.step.place.after(passage.move)
    cost = moving.cost + beam.prices.blind
    if not moving.excused:
        _rest_unfelt(beam, moving, passage, cost, plies)
    step = Step(moving.step, place, passage, Origin.PLY, now, moving.left)
    for reply in place.touching(lifted & APPROACHES[landing]):
        if reply.victim >> landing & 1 and lifted >> reply.move.origin & 1:
            free = moving.excused & ~reply.touched
            cost_of_both = cost + beam.prices.ply
            taking = Hypothesis(
                Stance.MOVING, step, reply, cost_of_both, now, moving.left, True, free, awaited=moving.awaited
            )
            beam.propose(taking, plies + 1)


def _rest_unfelt(beam: Beam, moving: Hypothesis, passage: Passage, cost: int, plies: int) -> None:
    """It stands where it is not felt. If it has not been gone for long, that is dear until it is felt there at last."""
    now, square = beam.now_ms, 1 << passage.move.landing
    awaited = square if not beam.bold and now - moving.left.ms < LONG_GONE_MS else 0
    if awaited:
        cost += beam.prices.unfelt
    place = moving.step.place.after(passage.move)
    step = Step(moving.step, place, passage, Origin.PLY, now, moving.left, unfelt=awaited)
    left = beam.leaving(cost)
    beam.propose(Hypothesis(Stance.REST, step, None, cost, now, left, excused=square, awaited=awaited), plies + 1)


def meet_undoing(beam: Beam, undoing: Hypothesis, plies: int) -> None:
    """The last move is being taken back."""
    passage, parent = undoing.passage, undoing.step.parent
    assert isinstance(passage, Passage)
    assert parent is not None
    differs, ignored = beam.compare(undoing.step.place.expected)
    _meet_in_hand(beam, undoing, passage, differs, ignored)
    if not beam.keep(undoing):
        return
    unlike = beam.atlas.differing(beam.seen, parent.place.expected) & beam.trusted
    if not unlike & passage.touched:
        cost = undoing.cost + beam.undoing
        left, excused, awaited = beam.leaving(cost), undoing.excused, undoing.awaited
        rest = Hypothesis(Stance.REST, parent, None, cost, beam.now_ms, left, excused=excused, awaited=awaited)
        beam.propose(rest, plies + 1)
    elif not differs & passage.touched:
        _return(beam, undoing, plies)
