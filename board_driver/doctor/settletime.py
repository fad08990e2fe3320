"""How long a matrix must wait after a row is pulled low, found on the board itself [pure].

A column that a contact held low rises through its pull-up, and needs time for that. Read too early it is still low in
the next row, where nothing stands. So the start array is read with shorter and shorter times: the shortest at which all
readings agree with those of the longest is enough today, and the next longer one leaves a reserve for a warm day.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rules.squares import Bitboard

TIMES_US = (5, 10, 20, 40, 80, 160, 320, 640, 1280)
SCANS = 20


@dataclass(frozen=True, slots=True)
class SettleTime:
    """The shortest time at which nothing was misread, and the one to be set."""

    enough_us: int
    advised_us: int

    def words(self, set_us: int) -> str:
        """For a person whose profile says `set_us`."""
        if set_us < self.enough_us:
            return (
                f"Rows need {self.enough_us} µs to settle, and row_settle_us is {set_us}: set it to {self.advised_us}"
            )
        if set_us < self.advised_us:
            return f"Rows settle in {self.enough_us} µs: row_settle_us {self.advised_us} would leave a reserve"
        return f"Rows settle in {self.enough_us} µs: row_settle_us {set_us} is long enough"


def settle_time(read: Callable[[int], Bitboard]) -> SettleTime | None:
    """Found with `read`, which reads the cells (8·row + column) once with that time in µs.

    None where it cannot be told: a column has no closed contact with an open one in the row after it, or the readings
    do not even agree at the longest time.
    """
    readings = {read(TIMES_US[-1]) for _ in range(SCANS)}
    if len(readings) != 1:
        return None
    (true,) = readings
    if not _tells(true):
        return None
    enough = TIMES_US[-1]
    for time_us in reversed(TIMES_US[:-1]):
        if any(read(time_us) != true for _ in range(SCANS)):
            break
        enough = time_us
    return SettleTime(enough, TIMES_US[min(TIMES_US.index(enough) + 1, len(TIMES_US) - 1)])


def _tells(cells: Bitboard) -> bool:
    """Whether every column is somewhere closed and open in the row after that."""
    rows = [cells >> 8 * row & 0xFF for row in range(8)]
    told = 0
    for row in range(7):
        told |= rows[row] & ~rows[row + 1]
    return told == 0xFF
