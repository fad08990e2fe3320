"""What all ways of carrying out a ply share: when it may begin, when it was made, and the choice among ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeVar

from board_driver.simulate.table import Table

Way = TypeVar("Way", bound=Enum)


@dataclass(frozen=True, slots=True)
class Timing:
    """When a ply began (first lift) and when its last man had settled or left."""

    lifted_ms: float
    settled_ms: float


class When(NamedTuple):
    """When a ply may begin, and before which time nothing of it is set down."""

    start_ms: float
    earliest_ms: float = 0.0


def pick(table: Table, ways: Mapping[Way, float]) -> Way:
    """One of the ways, by weight; told in the truth where it is not the first."""
    way = table.rng.choices(list(ways), list(ways.values()))[0]
    if way is not next(iter(ways)):
        table.note_way(way.value)
    return way


def beat(table: Table) -> float:
    """The time between two gestures of one ply."""
    return table.habits.carry_ms * table.rng.uniform(0.3, 1.2)
