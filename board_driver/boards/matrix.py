"""Reed switches between rows and columns of GPIO lines.

A scan pulls one row low after the other, all others let go, and reads the eight columns at once: 17 system calls
through lgpio. Rows are open drain, so that two of them are never shorted high against low, diodes or not.

A column falls at once, being pulled, but is slow to rise through its pull-up. So where a column reads low that was low
in the row before, too, the row gets its time to settle and is read again: empty rows cost no time.
"""

from __future__ import annotations

from collections.abc import Callable
from time import sleep

from board_driver.boards.ghosting import blocks_of
from board_driver.boards.lines import Lines, OpenLines, ReadLines, WriteLines, numbers, open_lines
from board_driver.boards.source import Contacts, Trouble
from board_driver.profile.sensors import GpioMatrix
from board_driver.scan import Sensing

LET_GO = 0xFF
_STEPS = tuple((LET_GO & ~(1 << row), 8 * row) for row in range(8))


class MatrixSource:
    """A `Source` of that matrix. Cell 8·row + column."""

    senses = Sensing.OCCUPANCY

    def __init__(
        self, wiring: GpioMatrix, open_chip: OpenLines = open_lines, pause: Callable[[float], None] = sleep
    ) -> None:
        self._wiring = wiring
        self._pause = pause
        self._open_chip = open_chip
        settle = wiring.row_settle_us
        each = settle if isinstance(settle, tuple) else (settle,) * 8
        self._steps = tuple((*step, us / 1_000_000) for step, us in zip(_STEPS, each, strict=True))
        self._lines: Lines | None = None
        self._write: WriteLines = _closed
        self._read: ReadLines = _closed
        self._told = 0

    def open(self) -> None:
        self.close()
        lines = self._open_chip(self._wiring.chip)
        try:
            self._write = lines.outputs(numbers(self._wiring.rows), LET_GO, open_drain=True)
            self._read = lines.inputs(numbers(self._wiring.columns))
        except OSError:
            lines.close()
            raise
        self._lines = lines
        self._told = 0

    def read(self) -> Contacts:
        write, read, pause = self._write, self._read, self._pause
        closed = before = 0
        for levels, shift, settle_s in self._steps:
            write(levels)
            row = read() & 0xFF ^ 0xFF
            if row & before and settle_s:
                pause(settle_s)
                row = read() & 0xFF ^ 0xFF
            closed |= row << shift
            before = row
        write(LET_GO)
        return Contacts(closed) if self._wiring.diodes else self._doubted(closed)

    def close(self) -> None:
        lines, self._lines = self._lines, None
        self._write = self._read = _closed
        if lines is not None:
            lines.close()

    def _doubted(self, closed: int) -> Contacts:
        unsure = blocks_of(closed)
        fresh = unsure & ~self._told
        self._told |= unsure
        if not fresh:
            return Contacts(closed, unsure)
        cell = (fresh & -fresh).bit_length() - 1
        text = (
            "may be a ghost: pieces on three corners of a rectangle close the fourth too; put a diode at every switch"
        )
        return Contacts(closed, unsure, (Trouble("ghost", text, cell),))


def _closed(_levels: int = 0) -> int:
    raise OSError("the matrix is closed")
