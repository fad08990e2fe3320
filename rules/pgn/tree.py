"""A game with its variations: plies in lines, and lines hanging from plies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.move import Move
from rules.outcome import Result
from rules.position import Position


@dataclass(frozen=True, slots=True)
class Ply:
    """One move as it was written down, and the lines that could have been played in its stead."""

    move: Move
    nags: tuple[int, ...] = ()
    """Numeric annotation glyphs: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`."""
    comment: str = ""
    """What was said after the move, on one line and without the clock commands."""
    before: str = ""
    """What was said before the move; only the first ply of a variation has it."""
    clock_ms: int | None = None
    """The mover's remaining time after the move: `%clk`."""
    elapsed_ms: int | None = None
    """The time spent on the move: `%emt`."""
    variations: tuple[Line, ...] = ()
    """Each starts with another move in place of this one."""


Line = tuple[Ply, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a PGN text that could not be taken as it stands, with the number of its line (the first is 1)."""

    line: int
    sentence: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game: its tags, its start, its main line and its result.

    The writer takes result, SetUp, FEN and Variant from the game itself; the tags need not tell them.
    """

    start: Position
    line: Line = ()
    result: Result = Result.UNFINISHED
    tags: Mapping[str, str] = field(default_factory=dict)
    comment: str = ""
    """What was said before the first move."""
    problems: tuple[Problem, ...] = ()
    cut: bool = False
    """True if the text went on with something that is no legal move: the main line ends before it."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line."""
        return tuple(ply.move for ply in self.line)
