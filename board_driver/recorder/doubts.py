"""Which plies of the leading trail the evidence does not settle, and what else they may have been."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from board_driver.recorder.hypothesis import Hypothesis, Stance, Step
from board_driver.recorder.score import Written
from rules.uci import write_uci

TRAILS = 24
"""Rival trails compared at most."""


def doubtful(
    plies: Sequence[Written], leader: Hypothesis, alive: Iterable[Hypothesis], within: int
) -> dict[int, set[str]]:
    """The published plies (1 the first) that differ in an explanation worse than the leader by at most `within`.

    The moves are UCI; one may be legal only after another doubtful ply was otherwise too. Only moves that have come to
    rest count: a piece still in the hand is no doubt about what was played.
    """
    limit = leader.cost + within
    found: dict[int, set[str]] = {}
    near = (h for h in alive if h.cost <= limit and h.step is not leader.step and h.stance is not Stance.AWAY)
    # Not a set: of rivals equally late, the same ones must count each time.
    rivals = dict.fromkeys(h.step for h in near)
    for rival in sorted(rivals, key=lambda step: step.rested_ms)[-TRAILS:]:
        _compare(plies, rival, found)
    for ply in plies:
        for rival, worse_by in ply.step.rivals:
            if worse_by <= within:
                _compare(plies, rival, found)
    return found


def _compare(plies: Sequence[Written], rival: Step, found: dict[int, set[str]]) -> None:
    """Note where the rival trail has other moves of the same game, back to where the trails part."""
    if not plies or rival.head is not plies[0].step.head:
        return
    for theirs in rival.back():
        if theirs.depth == 0:
            return
        if theirs.depth > len(plies) or theirs.passage is None:
            continue
        written = plies[theirs.depth - 1]
        if written.step is theirs:
            return
        move = theirs.passage.move
        if written.move is not move and theirs.parent is not None:
            found.setdefault(theirs.depth, set()).add(write_uci(theirs.parent.place.position, move))
