"""When and what to publish: the leading explanation against what has been told so far.

House rules.
1. A ply is published when its last piece has rested for a moment, if the leading explanation contains it.
2. What was published is changed only for something that has rested too; a piece in the hand withdraws nothing.
3. A new game or a fragment is published when it is beyond doubt: the start array has stood, two plies have been
   played on from an illegal move. It is never withdrawn; explanations without it are given up.
4. Each ply is told once; every later change is a revision of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import dropwhile

from board_driver.events import Event, Irregular, Moved, Notice, Revised
from board_driver.recorder.clockface import ClockFace
from board_driver.recorder.hypothesis import Hypothesis, Origin, Stance, Step
from board_driver.recorder.prices import Times
from board_driver.recorder.score import Score
from rules.clock import TimeControl
from rules.fen import write_fen

SETTLED_PLIES = 2
"""Plies played on from an illegal move before it is taken to have stood."""


class Publisher:
    """Keeps the scores of all games, and says what has to be told."""

    def __init__(self, root: Step, times: Times, control: TimeControl | None = None) -> None:
        self._times = times
        self._control = control
        self.scores: list[Score] = [Score(root, root.place.position, root.rested_ms, clock=ClockFace(control))]
        self.doubting = False
        """May what seems illegal turn out otherwise, since the board may lie otherwise?"""
        self.publish_ms = times.publish
        """How long a ply must have stood to be told."""
        self.wake_ms: int | None = None
        """When to look again, should nothing change."""

    @property
    def score(self) -> Score:
        """The present game."""
        return self.scores[-1]

    def rebase(self, root: Step) -> None:
        """The present game is followed anew from that root: what was published is to be compared with its trails.

        Fragments that seemed to come after it are given up.
        """
        began = max(index for index, score in enumerate(self.scores) if score.head.origin is Origin.START)
        score = self.scores[began]
        score.head = root
        if self.scores[began + 1 :]:
            del self.scores[began + 1 :]
            score.plies.clear()
        if not score.given:
            score.result, score.reason = "*", ""

    def agrees(self, step: Step) -> bool:
        """Does that trail contain all that is published of the present game?"""
        plies = self.score.plies
        if step.depth < len(plies):
            return False
        for back in step.back():
            if back.depth == 0:
                return back is self.score.head
            if back.depth <= len(plies) and plies[back.depth - 1].step is back:
                return True
            if back.depth <= len(plies) and plies[back.depth - 1].move is not _move(back):
                return False
        return False

    def update(self, now_ms: int, leader: Hypothesis) -> list[Event]:
        """Bring the scores in line with the leading explanation; what was decided, in order."""
        self.wake_ms = None
        events: list[Event] = []
        newest = self._settled(now_ms, leader)
        if self.score.given:
            return list(self._after_the_end(now_ms, newest))
        steps = self._unwritten(newest)
        if steps is not None:
            events.extend(self._align_plies(now_ms, steps, newest.depth, leader))
            return events
        (_, steps), *later = _segments(newest, self.score.head)
        events.extend(self._align_plies(now_ms, steps, len(steps), None if later else leader))
        for head, steps in later:
            events.extend(self._begin(now_ms, head))
            events.extend(self._align_plies(now_ms, steps, len(steps), None))
        return events

    def _after_the_end(self, now_ms: int, newest: Step) -> Iterator[Event]:
        """A game that is over changes no more: only the next one may begin, from the start array."""
        _, *later = _segments(newest, self.score.head)
        for head, steps in dropwhile(lambda segment: segment[0].origin is not Origin.START, later):
            yield from self._begin(now_ms, head)
            yield from self._align_plies(now_ms, steps, len(steps), None)

    # ------------------------------------------------------------------ what has settled
    def wait(self, until_ms: int) -> None:
        if self.wake_ms is None or until_ms < self.wake_ms:
            self.wake_ms = until_ms

    def _settled(self, now_ms: int, leader: Hypothesis) -> Step:
        """The newest step of the leading trail that may be published."""
        step: Step | None = leader.step
        newest: Step | None = None
        played_on = 0
        while step is not None:
            due = step.rested_ms + self.publish_ms
            if step.origin is Origin.START:
                due = step.rested_ms + self._times.gesture
            known = step is self.score.head
            unsure = step is leader.step and _is_puzzled(leader)
            if unsure:
                newest, played_on = None, 0
            elif not known and due > now_ms:
                self.wait(due)
                newest, played_on = None, 0
            elif step.origin is Origin.ILLEGAL and not known and (self.doubting or played_on < SETTLED_PLIES):
                newest, played_on = None, 0
            else:
                newest = newest or step
                played_on += 1
                if self._written(step):
                    break
            step = step.parent
        return newest or self.score.head

    def _unwritten(self, newest: Step) -> list[Step] | None:
        """The steps of the present game after the last written one; None where another game has to be looked at."""
        steps: list[Step] = []
        for step in newest.back():
            if self._written(step):
                return steps[::-1]
            if step.depth == 0:
                return None
            steps.append(step)
        return None

    def _written(self, step: Step) -> bool:
        plies = self.score.plies
        if step.depth == 0:
            return step is self.score.head
        return step.depth <= len(plies) and plies[step.depth - 1].step is step

    # ------------------------------------------------------------------ games
    def _begin(self, now_ms: int, head: Step) -> Iterator[Event]:
        """A new game or fragment."""
        position = head.place.position
        fen = write_fen(position)
        comment = ""
        if head.origin is Origin.ILLEGAL:
            comment = head.text
            if not self.score.reason:
                self.score.reason = "illegal move"
            yield Irregular(now_ms, "illegal-move", None, "illegal", True, head.text, "7.5")
            yield Notice(now_ms, "fragment", f"the score goes on from {fen}", details={"fen": fen})
        else:
            if not self.score.reason:
                self.score.reason = "abandoned"
            yield Notice(now_ms, "new-game", "the pieces were set up anew", details={"fen": fen})
        clock = self.score.clock if head.origin is Origin.ILLEGAL else ClockFace(self._control)
        self.scores.append(Score(head, position, head.rested_ms, comment, clock))

    # ------------------------------------------------------------------ plies
    def _align_plies(self, now_ms: int, steps: list[Step], depth: int, leader: Hypothesis | None) -> Iterator[Event]:
        """Make the plies of the present game those of the trail: `steps` are its last ones, `depth` is their end."""
        score = self.score
        plies = score.plies
        kept = depth - len(steps)
        skip = 0
        for step in steps:
            if kept >= len(plies) or plies[kept].move is not _move(step):
                break
            plies[kept].step = step
            kept += 1
            skip += 1
        fresh, old = steps[skip:], plies[kept:]
        if old and not fresh and leader is not None and not self._may_withdraw(now_ms, leader):
            return
        del plies[kept:]
        yield from self._tell(now_ms, score, fresh, [ply.uci for ply in old])

    def _may_withdraw(self, now_ms: int, leader: Hypothesis) -> bool:
        """Has the trail without those plies stood long enough?"""
        if leader.stance is Stance.AWAY:
            due = leader.left.ms + self._times.gesture
        elif leader.stance is Stance.REST and not leader.differs & ~leader.excused:
            due = leader.since_ms + self._times.publish
        else:
            return False
        if due > now_ms:
            self.wait(due)
            return False
        return True

    def _tell(self, now_ms: int, score: Score, fresh: list[Step], old: list[str]) -> Iterator[Event]:
        for index, step in enumerate(fresh):
            written = score.write(step)
            ply = len(score.plies)
            if index < len(old):
                yield Revised(now_ms, ply, old[index], written.uci)
            else:
                fen = write_fen(written.position)
                yield Moved(now_ms, written.san, written.uci, fen, ply, True)
        if len(fresh) < len(old):
            yield Revised(now_ms, len(score.plies) + 1, old[len(fresh)], None)


def _is_puzzled(leader: Hypothesis) -> bool:
    """Do the pieces stand quite otherwise than in its last position?"""
    return leader.stance is Stance.REST and (leader.differs & ~leader.excused).bit_count() > 1


def _move(step: Step) -> object:
    return None if step.passage is None else step.passage.move


def _segments(newest: Step, base: Step) -> list[tuple[Step, list[Step]]]:
    """The trail since that head, cut into games: each one's head and its plies in order."""
    segments: list[tuple[Step, list[Step]]] = []
    steps: list[Step] = []
    for step in newest.back():
        if step.depth > 0:
            steps.append(step)
            continue
        segments.append((step, steps[::-1]))
        steps = []
        if step is base:
            break
    return segments[::-1]
