"""Simulated electricity: what levels the wires of a board have, given its magnets and what is driven.

A circuit knows lines by number. Whoever stands for the computer drives a line low or high or lets it go, and reads
levels; the test moves magnets. Time is `now_us`, which only `wait` moves on: what the circuit needs time for (a column
that rises through its pull-up) is not there before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


class ContentionError(AssertionError):
    """Two outputs are driven against each other: something would burn."""


class Circuit:
    """Lines that the computer drives, and what the rest makes of them."""

    def __init__(self) -> None:
        self.driven: dict[int, bool] = {}
        """The lines that the computer drives, and whether high."""
        self.now_us = 0.0
        self.is_gone = False
        """The chip does not answer any more: unplugged."""

    def drive(self, line: int, high: bool | None) -> None:
        """The computer drives a line, or lets it go with None."""
        before = self.driven.get(line)
        if high is None:
            self.driven.pop(line, None)
        else:
            self.driven[line] = high
        if before is not high:
            self.changed(line, before, high)

    def level(self, line: int, pull_up: bool) -> bool:
        """What the computer reads on that line."""
        if line in self.driven:
            return self.driven[line]
        return self.sensed(line, pull_up)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now_us += seconds * 1_000_000

    def changed(self, line: int, before: bool | None, after: bool | None) -> None:
        """A driven line changed; for circuits that act on edges."""

    def sensed(self, _line: int, pull_up: bool) -> bool:
        """The level of a line that is not driven."""
        return pull_up


class MatrixCircuit(Circuit):
    """Reeds between rows and columns, with or without a diode each."""

    def __init__(self, rows: list[int], columns: list[int], diodes: bool = True) -> None:
        super().__init__()
        self.rows, self.columns, self.diodes = rows, columns, diodes
        self.closed = [0] * 8
        self.rise_us = [0.0] * 8
        """How long each column takes to read high after it was low."""
        self.stuck: dict[tuple[int, int], bool] = {}
        self._low_until_us = [0.0] * 8
        self._was_low = 0

    def set_cells(self, cells: int) -> None:
        """Close the reeds of those cells, 8·row + column."""
        self.closed = [cells >> 8 * row & 0xFF for row in range(8)]
        self._settle()

    def changed(self, line: int, _before: bool | None, _after: bool | None) -> None:
        if line in self.rows:
            self._check_contention()
            self._settle()

    def sensed(self, line: int, pull_up: bool) -> bool:
        if line not in self.columns:
            return pull_up
        column = self.columns.index(line)
        if self._low_columns() >> column & 1:
            return False
        return pull_up and self.now_us >= self._low_until_us[column]

    def _contacts(self) -> list[int]:
        rows = list(self.closed)
        for (row, column), is_closed in self.stuck.items():
            rows[row] = rows[row] | 1 << column if is_closed else rows[row] & ~(1 << column)
        return rows

    def _reached(self) -> tuple[list[bool], int]:
        """The rows that are low, driven or through reeds, and the columns."""
        contacts = self._contacts()
        low = [self.driven.get(line) is False for line in self.rows]
        columns = 0
        for row in range(8):
            columns |= contacts[row] if low[row] else 0
        while not self.diodes:
            before = (list(low), columns)
            low = [low[row] or bool(contacts[row] & columns) for row in range(8)]
            for row in range(8):
                columns |= contacts[row] if low[row] else 0
            if before == (low, columns):
                break
        return low, columns

    def _low_columns(self) -> int:
        return self._reached()[1]

    def _check_contention(self) -> None:
        low, _ = self._reached()
        high = [self.driven.get(line) is True for line in self.rows]
        if not self.diodes and any(a and b for a, b in zip(low, high, strict=True)):
            raise ContentionError("a row driven high is shorted to a row driven low through closed reeds")

    def _settle(self) -> None:
        low = self._low_columns()
        for column in range(8):
            if self._was_low >> column & 1 and not low >> column & 1:
                self._low_until_us[column] = self.now_us + self.rise_us[column]
        self._was_low = low


class DirectCircuit(Circuit):
    """A sensor on each line, pulling it low over a magnet."""

    def __init__(self, lines: list[int]) -> None:
        super().__init__()
        self.lines = lines
        self.cells = 0

    def set_cells(self, cells: int) -> None:
        self.cells = cells

    def sensed(self, line: int, pull_up: bool) -> bool:
        return pull_up and not self.cells >> self.lines.index(line) & 1


class ChainCircuit(Circuit):
    """Eight 74HC165: inputs taken while SH/LD is low, shifted when the clock rises, first bit before any clock."""

    def __init__(self, load: int, clock: int = -1, data: int = -1, end_high: bool = False) -> None:
        super().__init__()
        self.load, self.clock, self.data, self.end_high = load, clock, data, end_high
        self.cells = 0
        self.shift = [True] * 64
        self.is_broken = False
        """The wire from the last chip is off: what comes is the pull-up's."""

    def set_cells(self, cells: int) -> None:
        self.cells = cells

    def changed(self, line: int, before: bool | None, after: bool | None) -> None:
        if line == self.load and after is False:
            self.shift = [not self.cells >> n & 1 for n in range(64)]
        if line == self.clock and after is True and before is False:
            self.rise()

    def rise(self) -> None:
        """One rising edge of the clock; nothing shifts while inputs are taken."""
        if self.driven.get(self.load) is not False:
            self.shift = [*self.shift[1:], self.end_high]

    def output(self) -> bool:
        """The level on QH of the last chip."""
        return self.is_broken or self.shift[0]

    def sensed(self, line: int, pull_up: bool) -> bool:
        return self.output() if line == self.data else pull_up


@dataclass
class HallSensor:
    """One analogue sensor: counts when empty, and what its own white magnet adds."""

    zero: float = 2048.0
    level: float = 400.0
    noise: list[float] = field(default_factory=lambda: [0.0])
    _at: int = 0

    def read(self, magnet: float) -> float:
        self._at = (self._at + 1) % len(self.noise)
        return self.zero + self.level * magnet + self.noise[self._at]


class HallCircuit(Circuit):
    """64 sensors behind multiplexers whose select lines are driven; converters ask for a channel."""

    def __init__(self, select: list[int], bits: int = 12) -> None:
        super().__init__()
        self.select = select
        self.bits = bits
        self.sensors = [HallSensor(zero=2 ** (bits - 1), level=2**bits / 10) for _ in range(64)]
        self.magnets = [0.0] * 64
        """Over each cell: 1 a common white piece, -1 a black one."""
        self.silent_chips: set[int] = set()

    def set_magnets(self, magnets: Iterable[float]) -> None:
        self.magnets = list(magnets)

    def convert(self, chip: int, channel: int) -> int:
        """What that channel's converter gives now."""
        address = sum(bool(self.driven.get(line)) << n for n, line in enumerate(self.select))
        cell = (8 * chip + channel) * (1 << len(self.select)) + address
        if cell >= 64:
            return 0
        value = round(self.sensors[cell].read(self.magnets[cell]))
        return max(0, min((1 << self.bits) - 1, value))
