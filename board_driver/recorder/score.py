"""The score as it has been published: what broadcasts and pages have been told so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.recorder.clockface import ClockFace
from board_driver.recorder.hypothesis import Step
from rules.move import Move
from rules.position import Position
from rules.san import write_san
from rules.uci import write_uci


@dataclass(slots=True)
class Written:
    """One published ply."""

    step: Step
    move: Move
    san: str
    uci: str
    position: Position
    """After it."""
    made_ms: int
    alternatives: tuple[str, ...] = ()
    """Other moves the evidence allows, as last announced."""


@dataclass(slots=True)
class Score:
    """One game, or a fragment of one."""

    head: Step
    """The step it began with."""
    start: Position
    began_ms: int
    comment: str = ""
    clock: ClockFace = field(default_factory=lambda: ClockFace(None))
    plies: list[Written] = field(default_factory=list)
    result: str = "*"
    reason: str = ""
    given: bool = False
    """Was the result given by a person or the law, so that the game goes on no more?"""

    def position(self) -> Position:
        """After the last published ply."""
        return self.plies[-1].position if self.plies else self.start

    def write(self, step: Step) -> Written:
        """Add the ply of that step."""
        assert step.passage is not None
        move = step.passage.move
        before = self.position()
        after = before.play(move)
        written = Written(step, move, write_san(before, move), write_uci(before, move), after, step.rested_ms)
        self.plies.append(written)
        return written

    def _clock_after(self, number: int) -> int | None:
        """What was left on the mover's clock after that ply."""
        ply = self.plies[number - 1]
        until_ms = self.plies[number + 1].made_ms if number + 1 < len(self.plies) else None
        return self.clock.after(ply.position.turn.opponent, ply.made_ms, until_ms)

    def record(self, final: int) -> GameRecord:
        """The game as a record; plies after the first `final` ones are provisional."""
        plies = []
        before_ms = self.began_ms
        for number, ply in enumerate(self.plies, 1):
            plies.append(
                RecordedPly(
                    ply.move,
                    ply.made_ms,
                    max(0, ply.made_ms - before_ms),
                    clock_ms=self._clock_after(number),
                    provisional=number > final,
                    alternatives=ply.alternatives,
                )
            )
            before_ms = ply.made_ms
        return GameRecord(self.start, tuple(plies), self.result, self.reason, self.comment, self.began_ms)
