"""A game as it was written down: what the minds hand to the page and to PGN."""

from __future__ import annotations

from dataclasses import dataclass

from rules.clock import TimeControl
from rules.move import Move
from rules.position import Position


@dataclass(frozen=True, slots=True)
class RecordedPly:
    """One ply. `alternatives` are other UCI moves that the evidence allows; empty when it is settled."""

    move: Move
    made_ms: int
    elapsed_ms: int
    """Time since the ply before (or since the game began): PGN `%emt`."""
    clock_ms: int | None = None
    """The mover's remaining time, where a clock is known: PGN `%clk`."""
    provisional: bool = False
    alternatives: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game or a fragment of one. `result` is `1-0`, `0-1`, `1/2-1/2` or `*`."""

    start: Position
    plies: tuple[RecordedPly, ...] = ()
    result: str = "*"
    reason: str = ""
    comment: str = ""
    """A remark before the first move, such as why this is a fragment."""
    began_ms: int = 0
    time_control: TimeControl | None = None
    """What the clock of this game ran by; None where none ran."""

    def position_after(self, count: int | None = None) -> Position:
        """The position after the first `count` plies; None: where the game has come to."""
        return self.start.played(ply.move for ply in self.plies[:count])

    def before_last(self) -> Position:
        """The position before the last ply; the start where there is none."""
        return self.position_after(max(0, len(self.plies) - 1))
