"""Which plies of the leading trail the evidence does not settle, and what else they may have been."""

from __future__ import annotations

from collections.abc import Iterable

from board_driver.recorder.hypothesis import Hypothesis, Stance, Step
from rules.move import Move

TRAILS = 24
"""Rival trails compared at most."""


def doubtful(leader: Hypothesis, alive: Iterable[Hypothesis], within: int) -> dict[int, set[Move]]:
    """The plies of the present game (1 the first) that differ in an explanation worse by at most `within`.

    Only moves that have come to rest count: a piece still in the hand is no doubt about what was played.
    """
    mine = _plies(leader.step)
    limit = leader.cost + within
    found: dict[int, set[Move]] = {}
    rivals = [h.step for h in alive if h.cost <= limit and h.step is not leader.step and h.stance is not Stance.AWAY]
    for rival in rivals[:TRAILS]:
        _compare(mine, rival, found)
    for step in mine.values():
        for rival, worse_by in step.rivals:
            if worse_by <= within:
                _compare(mine, rival, found)
    return found


def _plies(newest: Step) -> dict[int, Step]:
    plies = {}
    for step in newest.back():
        if step.depth == 0:
            break
        plies[step.depth] = step
    return plies


def _compare(mine: dict[int, Step], rival: Step, found: dict[int, set[Move]]) -> None:
    """Note where the rival trail has other moves, back to where the trails part."""
    for theirs in rival.back():
        if theirs.depth == 0:
            return
        step = mine.get(theirs.depth)
        if step is theirs:
            return
        if step is None or step.passage is None or theirs.passage is None:
            continue
        if step.passage.move is not theirs.passage.move:
            found.setdefault(theirs.depth, set()).add(theirs.passage.move)
