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

    def before_last(self) -> Position:
        """The position before the last ply; the start where there is none."""
        position = self.start
        for ply in self.plies[:-1]:
            position = position.play(ply.move)
        return position


def position_after(game: GameRecord) -> Position:
    """Where a game has come to."""
    position = game.start
    for ply in game.plies:
        position = position.play(ply.move)
    return position
