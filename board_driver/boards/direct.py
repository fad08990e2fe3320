"""Sensors with a GPIO line each: a contact to ground, or a Hall switch's open-drain output."""

from __future__ import annotations

from board_driver.boards.lines import Lines, OpenLines, ReadLines, numbers, open_lines
from board_driver.boards.source import ALL_CELLS, Contacts
from board_driver.profile.sensors import Active, GpioDirect
from board_driver.scan import Sensing


class DirectSource:
    """A `Source` of those lines: two system calls a scan at most. Cell n is pin n."""

    senses = Sensing.OCCUPANCY

    def __init__(self, wiring: GpioDirect, open_chip: OpenLines = open_lines) -> None:
        self._wiring = wiring
        self._open_chip = open_chip
        self._count = len(wiring.pins)
        self._inverted = (1 << self._count) - 1 if wiring.active is Active.LOW else 0
        self._unwired = ALL_CELLS & ~((1 << self._count) - 1)
        self._lines: Lines | None = None
        self._read: ReadLines = _closed

    def open(self) -> None:
        self.close()
        lines = self._open_chip(self._wiring.chip)
        try:
            self._read = lines.inputs(numbers(self._wiring.pins), pull_up=self._wiring.active is Active.LOW)
        except OSError:
            lines.close()
            raise
        self._lines = lines

    def read(self) -> Contacts:
        return Contacts(self._read() & ~self._unwired ^ self._inverted, self._unwired)

    def close(self) -> None:
        lines, self._lines = self._lines, None
        self._read = _closed
        if lines is not None:
            lines.close()


def _closed() -> int:
    raise OSError("the GPIO lines are closed")
