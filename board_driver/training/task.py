"""A task of training: a line of moves to be found on the board, and how far a game has come in it [pure].

House rules:

1. What the pupil finds is compared with the line; what the other side plays is told to the board, to be carried out.
2. A mate is always right. So is, on the last ply, each of the other moves that the task allows.
3. A wrong move ends nothing: it is taken back on the board, and tried again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from rules.move import Move
from rules.position import Position
from rules.squares import Colour


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be played: a start, the line from it, and whose moves the pupil has to find."""

    name: str
    start: Position
    line: tuple[Move, ...]
    pupil: frozenset[Colour]
    also_right: frozenset[Move] = frozenset()
    """Other moves that are as good as the last of the line."""

    def side(self, ply: int) -> Colour:
        """Who plays ply number `ply`, counted from 0."""
        return Colour((int(self.start.turn) + ply) % 2)


class Progress(Enum):
    """How it goes."""

    ON = auto()
    """All moves are those of the line, and there are more."""
    WRONG = auto()
    """The last move is not that of the line."""
    DONE = auto()
    """The line is at its end, or the pupil has given mate."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a game has come: whether it is in the line, and the move that the line goes on with, if it does."""

    progress: Progress
    following: Move | None = None


def standing(task: Task, moves: Sequence[Move]) -> Standing:
    """Where a game of those moves stands in the task."""
    position = task.start
    for ply, move in enumerate(moves):
        expected = task.line[ply] if ply < len(task.line) else None
        after = position.play(move)
        if after.is_checkmate() and task.side(ply) in task.pupil:
            return Standing(Progress.DONE)
        is_last = ply == len(task.line) - 1
        if move is not expected and not (is_last and move in task.also_right):
            return Standing(Progress.WRONG, expected)
        position = after
    if len(moves) >= len(task.line):
        return Standing(Progress.DONE)
    return Standing(Progress.ON, task.line[len(moves)])
