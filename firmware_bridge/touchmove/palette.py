"""Pictures of 64 lamps as 64 digits: each digit names one of 16 palette entries, entry 0 is dark.

Entries are sent once and stay; a picture is then 75 bytes whatever its colours. The palette is filled as pictures
need it; when all 15 are taken, those the present picture does not use are given away. A picture with more than 15
different lamps (none of ours has) shows the nearest entries for the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.messages import Lamp, Lamps

ENTRIES = 16


@dataclass(frozen=True, slots=True)
class Painted:
    """A picture as 64 palette digits, a1 first, and the entries that must be sent before it."""

    digits: str
    renewed: tuple[int, ...]


class Palette:
    """What the board's palette holds."""

    def __init__(self) -> None:
        self._entries: list[Lamp | None] = [None] * ENTRIES

    def paint(self, lamps: Lamps) -> Painted:
        """The picture's digits. Squares outside 0 to 63 are left out."""
        wanted = {lamp for square, lamp in lamps.items() if 0 <= square < 64 and (lamp.red or lamp.green or lamp.blue)}
        renewed = [self._add(lamp, wanted) for lamp in sorted(wanted - set(self._entries), key=_order)]
        digits = "".join(f"{self._index(lamps[square]):x}" if square in lamps else "0" for square in range(64))
        return Painted(digits, tuple(index for index in renewed if index is not None))

    def fields(self, index: int) -> tuple[str, str]:
        """An entry's fields in its frame: colour and slots."""
        lamp = self._entries[index] or Lamp(0, 0, 0)
        return f"{lamp.red:02x}{lamp.green:02x}{lamp.blue:02x}", f"{lamp.slots:04x}"

    def _add(self, lamp: Lamp, wanted: set[Lamp]) -> int | None:
        for index in range(1, ENTRIES):
            if self._entries[index] not in wanted:
                self._entries[index] = lamp
                return index
        return None

    def _index(self, lamp: Lamp) -> int:
        if not (lamp.red or lamp.green or lamp.blue):
            return 0
        if lamp in self._entries:
            return self._entries.index(lamp)
        return min(range(1, ENTRIES), key=lambda index: _distance(lamp, self._entries[index]))


def _order(lamp: Lamp) -> tuple[int, int, int, int]:
    return lamp.red, lamp.green, lamp.blue, lamp.slots


def _distance(lamp: Lamp, entry: Lamp | None) -> int:
    if entry is None:
        return 1 << 30
    return sum(abs(a - b) for a, b in zip(_order(lamp)[:3], _order(entry)[:3], strict=True))
