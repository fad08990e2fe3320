"""What every square does: how often it changes, how steadily it holds, how strong its reading is and how noisy [pure].

Scans come when something differs. A *dropout* is a piece that is gone for less than `DROPOUT_MS` after it had stood for
that long: a weak magnet, or a contact that is going bad. *Bounces* are changes that follow one another within
`BOUNCE_MS`; a healthy contact has a few whenever it closes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from board_driver.scan import Colours, Field, Identity, Occupancy, Reading, Scan
from rules.squares import FULL, Bitboard, set_of, squares_of

FELT = 35.0
"""A field of at least this is a piece, where a piece is about 100."""
BOUNCE_MS = 30
DROPOUT_MS = 400


def occupied_of(reading: Reading) -> Bitboard:
    """The squares on which something is felt."""
    match reading:
        case Occupancy(occupied):
            return occupied
        case Colours(white, black):
            return white | black
        case Field(strengths):
            return set_of(square for square, strength in enumerate(strengths) if abs(strength) >= FELT)
        case Identity():
            return reading.occupied


@dataclass(slots=True)
class SquareVitals:
    """Of one square, since the counting began. Times are ms; strengths are None where the sensors have none."""

    changes: int = 0
    bounces: int = 0
    dropouts: int = 0
    distrusted: int = 0
    readings: int = 0
    mean: float = 0.0
    spread: float = 0.0
    """Sum of squared distances from the mean, as Welford keeps it."""
    strongest: float = 0.0
    changed_ms: int | None = None
    filled_ms: int | None = None
    left_ms: int | None = None

    @property
    def noise(self) -> float:
        """The standard deviation of the strengths; 0 where there are none."""
        return sqrt(self.spread / self.readings) if self.readings > 1 else 0.0


class Vitals:
    """Counts, scan by scan. Times never go back."""

    def __init__(self) -> None:
        self.occupied: Bitboard = 0
        self.distrusted: Bitboard = 0
        self.ever: Bitboard = 0
        """Squares that were occupied at some time."""
        self.always: Bitboard = FULL
        """Squares that were occupied all the time."""
        self.strengths: Sequence[float] | None = None
        self.scans = 0
        self.squares = tuple(SquareVitals() for _ in range(64))

    def observe(self, scan: Scan) -> Bitboard:
        """Take a scan; the squares that changed with it. Distrusted ones keep what they had."""
        read = occupied_of(scan.reading)
        if scan.distrusted and self.scans:
            read = read & ~scan.distrusted | self.occupied & scan.distrusted
        changed = read ^ self.occupied if self.scans else 0
        self.scans += 1
        self.occupied, self.distrusted = read, scan.distrusted
        self.ever |= read
        self.always &= read
        for square in squares_of(changed):
            self._change(self.squares[square], scan.t_ms, is_filled=bool(read >> square & 1))
        for square in squares_of(scan.distrusted):
            self.squares[square].distrusted += 1
        if isinstance(scan.reading, Field):
            self._measure(scan.reading.strengths)
        return changed

    def begin(self) -> None:
        """Count from now on; what stands on the board is still known."""
        self.squares = tuple(SquareVitals() for _ in range(64))
        self.ever = self.always = self.occupied

    def changing(self, least: int) -> Bitboard:
        """The squares that changed at least that often."""
        return set_of(square for square, vitals in enumerate(self.squares) if vitals.changes >= least)

    def _change(self, vitals: SquareVitals, t_ms: int, *, is_filled: bool) -> None:
        vitals.changes += 1
        if vitals.changed_ms is not None and t_ms - vitals.changed_ms <= BOUNCE_MS:
            vitals.bounces += 1
        vitals.changed_ms = t_ms
        if is_filled:
            was_standing = vitals.left_ms is not None
            if was_standing and BOUNCE_MS < t_ms - (vitals.left_ms or 0) < DROPOUT_MS:
                vitals.dropouts += 1
            vitals.filled_ms, vitals.left_ms = t_ms, None
        elif vitals.filled_ms is None or t_ms - vitals.filled_ms >= DROPOUT_MS:
            vitals.left_ms = t_ms

    def _measure(self, strengths: Sequence[float]) -> None:
        self.strengths = strengths
        for vitals, strength in zip(self.squares, strengths, strict=True):
            vitals.readings += 1
            distance = strength - vitals.mean
            vitals.mean += distance / vitals.readings
            vitals.spread += distance * (strength - vitals.mean)
            if abs(strength) > abs(vitals.strongest):
                vitals.strongest = strength
