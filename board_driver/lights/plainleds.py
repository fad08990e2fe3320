"""Plain LEDs on the computer's own GPIO lines: eight rows by eight columns, or one line each.

The lines come from lgpio or from gpiozero, whichever is there (`boards.lines`).
"""

from __future__ import annotations

from functools import partial

from board_driver.boards.lines import Lines, OpenLines, WriteLines, numbers, open_lines
from board_driver.lights.beat import Beat, Step
from board_driver.lights.lamps import Frame, packed
from board_driver.profile.lights import GpioLeds, LedMatrix

PULSE_HZ = 200
"""Above what the eye sees flicker."""


class LedMatrixLamps:
    """`Lamps` between rows (anodes, high to light) and columns (cathodes, low to light). Lamp 8·row + column."""

    def __init__(self, wiring: LedMatrix, open_chip: OpenLines = open_lines) -> None:
        self._wiring = wiring
        self._open_chip = open_chip
        self._chip: Lines | None = None
        self._beat: Beat | None = None
        self._set_rows: WriteLines = _nothing
        self._set_columns: WriteLines = _nothing

    def open(self) -> None:
        self.close()
        chip = self._open_chip(None)
        try:
            self._set_rows = chip.outputs(numbers(self._wiring.rows), 0)
            self._set_columns = chip.outputs(numbers(self._wiring.columns), 0xFF)
        except OSError:
            chip.close()
            raise
        self._chip, self._beat = chip, Beat(self._wiring.refresh_hz)

    def show(self, frame: Frame) -> None:
        if self._beat is None:
            raise OSError("the lamps are closed")
        self._beat.play(self.steps(frame), frame.level)

    def close(self) -> None:
        beat, self._beat = self._beat, None
        chip, self._chip = self._chip, None
        if beat is not None:
            beat.stop()
        if chip is not None:
            chip.close()

    def steps(self, frame: Frame) -> list[Step]:
        """One for each row, dark ones too, so that the others are as bright with them as without; none if all are."""
        rows = packed(frame.lit())
        if not any(rows):
            return []
        return [Step(partial(self._light, 1 << row, lit), self._darken) for row, lit in enumerate(rows)]

    def _light(self, row: int, lit: int) -> None:
        self._set_columns(~lit & 0xFF)
        self._set_rows(row)

    def _darken(self) -> None:
        self._set_rows(0)


class GpioLedLamps:
    """`Lamps` with a line each, lit by a high level. Below full brightness they are pulsed."""

    def __init__(self, wiring: GpioLeds, open_chip: OpenLines = open_lines) -> None:
        self._wiring = wiring
        self._open_chip = open_chip
        self._chip: Lines | None = None
        self._beat: Beat | None = None
        self._set: WriteLines = _nothing

    def open(self) -> None:
        self.close()
        chip = self._open_chip(None)
        try:
            self._set = chip.outputs(numbers(self._wiring.pins), 0)
        except OSError:
            chip.close()
            raise
        self._chip = chip

    def show(self, frame: Frame) -> None:
        if self._chip is None:
            raise OSError("the lamps are closed")
        lit = int.from_bytes(packed(frame.lit()), "little")
        if frame.level >= 1 or not lit or not frame.level:
            self._rest()
            self._set(lit if frame.level else 0)
            return
        if self._beat is None:
            self._beat = Beat(PULSE_HZ)
        self._beat.play([Step(partial(self._set, lit), partial(self._set, 0))], frame.level)

    def close(self) -> None:
        self._rest()
        chip, self._chip = self._chip, None
        if chip is not None:
            chip.close()

    def _rest(self) -> None:
        beat, self._beat = self._beat, None
        if beat is not None:
            beat.stop()


def _nothing(_levels: int) -> None:
    """Before there are lines."""
