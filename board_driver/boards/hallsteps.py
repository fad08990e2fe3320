"""The four boards that calibrating reads, and what should stand where on them [pure].

Empty; the start array; the array with the colours swapped, each piece straight across on its own file; and from there
each piece two ranks towards the middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import median, pstdev

from rules.squares import Square, rank_of


class Step(Enum):
    """A board to be read. The value tells a person what to do."""

    EMPTY = "Take all pieces off the board."
    START = "Set up the start array: White on ranks 1 and 2, Black on ranks 7 and 8."
    SWAPPED = "Swap the colours, each piece straight across on its own file: rank 1 to 8, 2 to 7, 7 to 2 and 8 to 1."
    MIDDLE = "Move every piece two ranks towards the middle: rank 1 to 3, 2 to 4, 7 to 5 and 8 to 6."


@dataclass(frozen=True, slots=True)
class Reading:
    """One step: each square's median and noise, a1 first."""

    values: tuple[float, ...]
    noises: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a person should mend. `stops` where the step cannot count as it is."""

    text: str
    stops: bool


def summed_up(scans: Sequence[Sequence[float]]) -> Reading:
    """Median and noise of several scans by squares. Raises ValueError for none."""
    if not scans:
        raise ValueError("expected at least one scan")
    columns = list(zip(*scans, strict=True))
    return Reading(tuple(median(column) for column in columns), tuple(pstdev(column) for column in columns))


def across(square: int) -> int:
    """The square on the same file and the opposite rank."""
    return square ^ 56


def home_of(step: Step, square: int) -> int | None:
    """Where the piece that stands on `square` in that step stood in the start array; None for an empty square."""
    rank = rank_of(Square(square))
    match step:
        case Step.EMPTY:
            return None
        case Step.START:
            return square if rank in (0, 1, 6, 7) else None
        case Step.SWAPPED:
            return across(square) if rank in (0, 1, 6, 7) else None
        case Step.MIDDLE:
            if rank not in (2, 3, 4, 5):
                return None
            return across(square - 16 if rank < 4 else square + 16)


def expected_sign(step: Step, square: int) -> int:
    """1 where one of White's pieces should stand in that step, -1 for Black's, 0 for an empty square."""
    home = home_of(step, square)
    if home is None:
        return 0
    return 1 if rank_of(Square(home)) < 2 else -1
