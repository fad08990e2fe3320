"""What a board of this protocol can be told to change, with units and ranges, as PROTOCOL.md lists them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its two-letter key on the wire, its range (inclusive) and what it starts as."""

    key: str
    low: int
    high: int
    start: int
    meaning: str

    def clamp(self, value: int) -> int:
        """The nearest value in range: what the board puts in force."""
        return min(max(value, self.low), self.high)


SCAN_HZ = Setting("hz", 10, 500, 200, "scans a second")
DEBOUNCE_SCANS = Setting("db", 1, 15, 2, "scans in a row that must agree before a change counts")
SETTLE_US = Setting("us", 1, 100, 8, "microseconds a matrix line is given to settle")
MATRIX = Setting("mx", 0, 7, 0, "how the matrix lies: 1 files reversed, 2 ranks reversed, 4 rows are files")
LAMP_ORDER = Setting("ld", 0, 15, 0, "how the lamps run: 1, 2, 4 as for the matrix, 8 every other row runs back")
BRIGHTNESS = Setting("br", 0, 255, 255, "of all lamps")

SETTINGS: dict[str, Setting] = {
    setting.key: setting for setting in (SCAN_HZ, DEBOUNCE_SCANS, SETTLE_US, MATRIX, LAMP_ORDER, BRIGHTNESS)
}
