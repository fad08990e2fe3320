"""The time that rows need, found on simulated columns that rise slowly."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from board_driver.boards.matrix import MatrixSource
from board_driver.doctor.settletime import TIMES_US, settle_time
from board_driver.profile.sensors import GpioMatrix
from rules.squares import FULL
from tests.electricity.circuits import MatrixCircuit
from tests.electricity.computers import CircuitLines
from tests.electricity.rigs import COLUMNS, ROWS

ARRAY = 0xFFFF_0000_0000_FFFF


def reader(circuit: MatrixCircuit) -> Callable[[int], int]:
    def read(time_us: int) -> int:
        wiring = GpioMatrix(rows=tuple(ROWS), columns=tuple(COLUMNS), row_settle_us=time_us)
        source = MatrixSource(wiring, lambda _chip: CircuitLines(circuit), circuit.wait)
        source.open()
        circuit.wait(0.01)
        closed = source.read().closed
        source.close()
        return closed

    return read


@pytest.mark.parametrize(
    ("rise_us", "enough", "advised"),
    [(0.0, 5, 10), (4.0, 5, 10), (12.0, 20, 40), (30.0, 40, 80), (300.0, 320, 640), (1000.0, 1280, 1280)],
)
def test_the_slowest_column_decides(rise_us: float, enough: int, advised: int) -> None:
    circuit = MatrixCircuit(ROWS, COLUMNS)
    circuit.set_cells(ARRAY)
    circuit.rise_us[6] = rise_us
    found = settle_time(reader(circuit))
    assert found is not None
    assert (found.enough_us, found.advised_us) == (enough, advised)


@pytest.mark.parametrize("cells", [0, FULL, 0xFF00_0000_0000_0000, 0x7F])
def test_a_board_that_tells_nothing_is_not_judged(cells: int) -> None:
    circuit = MatrixCircuit(ROWS, COLUMNS)
    circuit.set_cells(cells)
    assert settle_time(reader(circuit)) is None


def test_readings_that_do_not_agree_are_not_judged() -> None:
    readings = iter([ARRAY, ARRAY ^ 1] * 100)
    assert settle_time(lambda _us: next(readings)) is None


def test_words_say_what_to_set() -> None:
    circuit = MatrixCircuit(ROWS, COLUMNS)
    circuit.set_cells(ARRAY)
    circuit.rise_us[6] = 30.0
    found = settle_time(reader(circuit))
    assert found is not None
    assert "set it to 80" in found.words(20)
    assert "80 would leave a reserve" in found.words(40)
    assert "long enough" in found.words(100)
    assert list(TIMES_US) == sorted(TIMES_US)
