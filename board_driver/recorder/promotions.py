"""What a button says about a promotion."""

from __future__ import annotations

from board_driver.recorder.beam import Beam
from board_driver.recorder.hypothesis import Hypothesis, Stance, Step
from board_driver.recorder.place import Passage
from rules.pieces import Role

_ROLES = {"q": Role.QUEEN, "r": Role.ROOK, "b": Role.BISHOP, "n": Role.KNIGHT}
LAST_PLIES = 2
"""A choice belongs to a promotion among this many last plies, or to the next one."""


def choose(beam: Beam, letter: str) -> None:
    """A player chose that piece: explanations in which the latest promotion is to another one are given up."""
    role = _ROLES.get(letter.lower())
    if role is None:
        return
    promoted = False
    for hypothesis in beam.alive.values():
        last = _promotion_in_hand(hypothesis) or _last_promotion(hypothesis.step)
        if last is not None:
            promoted = True
            if last is not role:
                hypothesis.cost += beam.prices.forget
    beam.version += 1
    beam.chosen = None if promoted else role


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
