"""Doubts are the same each time: they hang on the explanations and their order, not on where objects lie in memory."""

from __future__ import annotations

from board_driver.recorder.doubts import TRAILS, doubtful
from board_driver.recorder.evidence import OccupancyEvidence
from board_driver.recorder.hypothesis import Hypothesis, Leaving, Origin, Stance, Step
from board_driver.recorder.place import Atlas, Passage
from board_driver.recorder.score import Score
from rules.fen import START_FEN, parse_fen
from rules.uci import write_uci

LEFT = Leaving(0, 0, 0)


def played(parent: Step, passage: Passage, rested_ms: int = 1000) -> Step:
    return Step(parent, parent.place.after(passage.move), passage, Origin.PLY, rested_ms, LEFT)


def at_rest(step: Step) -> Hypothesis:
    return Hypothesis(Stance.REST, step, None, 0, step.rested_ms, LEFT)


def test_of_rivals_equally_late_the_last_ones_count() -> None:
    position = parse_fen(START_FEN)
    atlas = Atlas(OccupancyEvidence())
    root = Step(None, atlas.place(position), None, Origin.START, 0, LEFT)
    first, *others = root.place.passages()
    score = Score(root, position, 0)
    leader = at_rest(played(root, first))
    score.write(leader.step)
    rivals = []
    for passage in others:
        one = played(root, passage)
        rivals += [at_rest(played(one, reply)) for reply in one.place.passages()[:2]]
    assert len(rivals) > TRAILS
    expected = {write_uci(position, passage.move) for passage in others[-TRAILS // 2 :]}
    assert doubtful(score.plies, leader, [leader, *rivals], within=0) == {1: expected}
