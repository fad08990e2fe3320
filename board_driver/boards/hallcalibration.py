"""What the analogue sensors of one board read, cell by cell [pure].

A cell has its *zero*, which it reads when empty; its *level*, how far a piece of common strength moves it; its
*polarity*, 1 where White's magnets move it up; and its *noise*, one standard deviation. Strengths are told in units of
the level: 100 is a common piece of White's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from board_driver.sensing.field import OFF_SHARE, ON_SHARE, Calibration

PIECE = 100.0
NORMAL = Calibration((0.0,) * 64, on=ON_SHARE * PIECE, off=OFF_SHARE * PIECE)
"""How calibrated strengths are read: the thresholds of every cell, in its own unit."""
QUIET_SIGMAS = 6.0
"""A level that is less than this many times the noise above `off` cannot be told from noise."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One sensor, in the converter's own counts."""

    zero: float
    noise: float
    level: float
    polarity: int = 1

    def __post_init__(self) -> None:
        if not (self.level > 0 and self.noise >= 0 and self.polarity in (1, -1)):
            raise ValueError("expected a level above 0, noise of 0 or more and a polarity of 1 or -1")

    @property
    def on(self) -> float:
        """The distance from zero at which a piece comes."""
        return ON_SHARE * self.level

    @property
    def off(self) -> float:
        """The distance from zero below which it has left."""
        return OFF_SHARE * self.level

    @property
    def is_clear(self) -> bool:
        """Whether noise alone never makes a piece come or leave."""
        return self.off > QUIET_SIGMAS * self.noise and self.on - self.off > QUIET_SIGMAS * self.noise / 2


@dataclass(frozen=True, slots=True)
class HallCalibration:
    """All 64 cells, in the order of the wires, and when they were measured (ISO 8601)."""

    cells: tuple[Cell, ...]
    date: str
    profile: str

    def __post_init__(self) -> None:
        if len(self.cells) != 64:
            raise ValueError(f"expected 64 cells, got {len(self.cells)}")

    def strengths(self, raw: Sequence[float]) -> tuple[float, ...]:
        """Each cell's reading in units of its level: 100 for one of White's pieces, -100 for one of Black's."""
        return tuple(
            PIECE * cell.polarity * (value - cell.zero) / cell.level
            for cell, value in zip(self.cells, raw, strict=True)
        )
