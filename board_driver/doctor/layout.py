"""How a board's squares hang together: which wires they share, and in which order they are read [pure]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from board_driver.profile.pins import line_number
from board_driver.profile.sensors import Expanders, GpioMatrix, HallAdc, Sensors, ShiftRegisters, Wiring
from rules.squares import Bitboard, set_of


class LineKind(Enum):
    """What squares share."""

    ROW = "row"
    COLUMN = "column"
    CHIP = "chip"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True)
class Line:
    """Some squares with a wire or a chip in common, and how a person finds it."""

    kind: LineKind
    name: str
    squares: Bitboard


@dataclass(frozen=True, slots=True)
class Layout:
    """`squares[n]` is the square of cell n; nothing is known of the wires where `lines` is empty."""

    squares: tuple[int, ...] = tuple(range(64))
    lines: tuple[Line, ...] = ()
    is_matrix: bool = False
    has_diodes: bool = True

    @property
    def read(self) -> Bitboard:
        """The squares that have a sensor."""
        return set_of(self.squares)


UNKNOWN = Layout()
"""Of a virtual board, a log, or a board behind a serial line."""


def layout_of(sensors: Sensors, squares: Sequence[int]) -> Layout:
    """The layout of those sensors, whose cell n is `squares[n]`."""
    cells = tuple(squares)
    match sensors:
        case GpioMatrix():
            rows = [f"row {n + 1} (GPIO {line_number(pin)})" for n, pin in enumerate(sensors.rows)]
            columns = [f"column {n + 1} (GPIO {line_number(pin)})" for n, pin in enumerate(sensors.columns)]
            return Layout(cells, _matrix(cells, rows, columns), True, sensors.diodes)
        case Expanders(wiring=Wiring.MATRIX):
            chips, each = sensors.addresses, 8 // len(sensors.addresses)
            rows = [f"row {n + 1} (GPA{n % each} of the chip {chips[n // each]:#04x})" for n in range(8)]
            columns = [f"column {n + 1} (GPB{n})" for n in range(8)]
            return Layout(cells, _matrix(cells, rows, columns), True, sensors.diodes)
        case Expanders():
            names = [f"the chip {address:#04x}" for address in sensors.addresses]
            return Layout(cells, _parts(LineKind.CHIP, cells, 16, names))
        case ShiftRegisters():
            names = [f"the 74HC165 no. {n + 1} from the computer" for n in range(8)]
            return Layout(cells, _parts(LineKind.CHIP, cells, 8, names))
        case HallAdc():
            inputs = {4: 16, 3: 8}.get(len(sensors.select), 1)
            names = [f"channel {n % 8} of converter {n // 8 + 1}" for n in range(64 // inputs)]
            return Layout(cells, _parts(LineKind.CHANNEL, cells, inputs, names) if inputs > 1 else ())
        case _:
            return Layout(cells)


def _matrix(cells: Sequence[int], rows: Sequence[str], columns: Sequence[str]) -> tuple[Line, ...]:
    by_row = [Line(LineKind.ROW, name, set_of(cells[8 * n : 8 * n + 8])) for n, name in enumerate(rows)]
    by_column = [Line(LineKind.COLUMN, name, set_of(cells[n::8])) for n, name in enumerate(columns)]
    return (*by_row, *by_column)


def _parts(kind: LineKind, cells: Sequence[int], size: int, names: Sequence[str]) -> tuple[Line, ...]:
    return tuple(Line(kind, name, set_of(cells[size * n : size * n + size])) for n, name in enumerate(names))
