"""What a button says about a promotion."""

from __future__ import annotations

from board_driver.recorder.beam import Beam
from board_driver.recorder.choice import Choice
from board_driver.recorder.follower import by_cost
from board_driver.recorder.hypothesis import Hypothesis, Stance, Step
from board_driver.recorder.in_hand import told_apart
from board_driver.recorder.place import Lift, Passage
from rules.pieces import Role

_ROLES = {"q": Role.QUEEN, "r": Role.ROOK, "b": Role.BISHOP, "n": Role.KNIGHT}
LAST_PLIES = 2
"""A choice belongs to a promotion among this many last plies, or to the next one."""


def choose(beam: Beam, root: Step, letter: str) -> None:
    """A player chose that piece: explanations in which the latest promotion is to another one are given up.

    Before the first scan nothing is explained, and the game that begins with `root` is meant.
    """
    role = _ROLES.get(letter.lower())
    if role is None:
        return
    _tell_apart(beam)
    for hypothesis in beam.alive.values():
        last = _promotion_in_hand(hypothesis) or _last_promotion(hypothesis.step)
        if last is not None and last is not role:
            hypothesis.cost += beam.prices.forget
    beam.version += 1
    leader = min(beam.alive.values(), key=by_cost, default=None)
    step = root if leader is None else leader.step
    promoted = leader is not None and leader.stance is Stance.REST and _last_promotion(step) is not None
    beam.chosen = None if promoted else Choice(role, step.head, step.depth)


def _tell_apart(beam: Beam) -> None:
    """A pawn in the hand may become several: each is an explanation of its own from now on."""
    for hand in list(beam.alive.values()):
        lift = hand.passage
        if isinstance(lift, Lift) and any(passage.move.promotion for passage in lift.choices):
            del beam.alive[hand.key()]
            for passage in lift.choices:
                beam.keep(told_apart(hand, passage))


def _promotion_in_hand(hypothesis: Hypothesis) -> Role | None:
    """The pawn may only seem to stand; when it comes to rest, it is what was chosen."""
    passage = hypothesis.passage
    if hypothesis.stance is not Stance.MOVING or not isinstance(passage, Passage):
        return None
    return passage.move.promotion


def _last_promotion(step: Step) -> Role | None:
    for _, back in zip(range(LAST_PLIES), step.back(), strict=False):
        if back.passage is not None and back.passage.move.promotion is not None:
            return back.passage.move.promotion
    return None
