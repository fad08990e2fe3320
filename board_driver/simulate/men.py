"""Men and where they are at any moment: a piece with a magnet, and its track through space.

Lengths are in squares: file a is x = 0, rank 1 is y = 0, both at the squares' middles; the height h is 0 for a man
that stands on the board. Between two points of a track a man goes straight at an even pace; before the first and
after the last it rests.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from rules.pieces import Piece

OFF_BOARD = -4.0
"""The file coordinate of the tables where men stand that are not in play."""


class Point(NamedTuple):
    """Where a man is at one time."""

    t_ms: float
    x: float
    y: float
    h: float


@dataclass(slots=True)
class Man:
    """One man of the set. `strength` is its magnet's, 1 for the usual one."""

    piece: Piece
    strength: float
    track: list[Point] = field(default_factory=list)

    @property
    def free_ms(self) -> float:
        """When what is planned with it so far ends."""
        return self.track[-1].t_ms

    @property
    def last(self) -> Point:
        """Where it comes to rest."""
        return self.track[-1]

    def wait(self, t_ms: float) -> float:
        """Rest until `t_ms`, or until it is free; that time."""
        x, y, h = self.last[1:]
        t_ms = max(t_ms, self.free_ms)
        self.track.append(Point(t_ms, x, y, h))
        return t_ms

    def go(self, t_ms: float, x: float, y: float, h: float) -> None:
        """Be there at `t_ms`, or as soon as it is free."""
        self.track.append(Point(max(t_ms, self.free_ms), x, y, h))

    def stretches(self) -> list[list[Point]]:
        """The parts of the track in which the man is in motion, each with the points between which it is."""
        parts: list[list[Point]] = []
        moving: list[Point] = []
        for before, after in zip(self.track, self.track[1:], strict=False):
            if before[1:] != after[1:]:
                moving = moving or [before]
                moving.append(after)
            elif moving and after.t_ms > before.t_ms:
                parts.append(moving)
                moving = []
        if moving:
            parts.append(moving)
        return parts


def place_on(stretch: list[Point], t_ms: float) -> tuple[float, float, float]:
    """x, y and h at `t_ms` on a stretch of a track; its ends rest before and after."""
    if t_ms <= stretch[0].t_ms:
        return stretch[0][1:]
    before = stretch[0]
    for after in stretch[1:]:
        if t_ms < after.t_ms:
            share = (t_ms - before.t_ms) / (after.t_ms - before.t_ms)
            return (
                before.x + share * (after.x - before.x),
                before.y + share * (after.y - before.y),
                before.h + share * (after.h - before.h),
            )
        before = after
    return before[1:]
