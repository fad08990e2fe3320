"""Boards to be examined, and a person who does what the doctor says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from board_driver.boards.cellmap import CellMap
from board_driver.boards.matrix import MatrixSource
from board_driver.boards.source import Contacts, Source, Strengths
from board_driver.doctor.diagnosis import diagnose
from board_driver.doctor.examination import ARRAY, Evidence, Examination, Step
from board_driver.doctor.findings import Diagnosis
from board_driver.doctor.layout import Layout, layout_of
from board_driver.profile.places import square_order
from board_driver.profile.schema import Orientation
from board_driver.profile.sensors import GpioMatrix, Sensors
from board_driver.profile.words import Order
from board_driver.scan import Field, Occupancy, Scan
from rules.squares import Bitboard, squares_of
from tests.electricity.circuits import MatrixCircuit
from tests.electricity.computers import CircuitLines
from tests.electricity.rigs import COLUMNS, MATRIX, ROWS

SCAN_MS = 100


@dataclass
class Patient:
    """A driver whose cell n is read as `squares[n]` and truly lies at `lies[n]`."""

    source: Source
    set_cells: Callable[[Bitboard], object]
    squares: Sequence[int]
    lies: Sequence[int]
    layout: Layout
    between: Callable[[], object] = lambda: None
    """What the world does between two scans."""
    wait: Callable[[float], object] = lambda _seconds: None
    """Lets the circuit's time pass."""
    now_ms: int = 0
    map: CellMap = field(init=False)

    def __post_init__(self) -> None:
        self.map = CellMap(self.squares)

    def place(self, squares: Bitboard) -> None:
        cell_at = {square: cell for cell, square in enumerate(self.lies)}
        self.set_cells(sum(1 << cell_at[square] for square in squares_of(squares)))

    def scan(self) -> Scan:
        self.now_ms += SCAN_MS
        self.wait(SCAN_MS / 1000)
        self.between()
        sample = self.source.read()
        match sample:
            case Contacts():
                return Scan(self.now_ms, Occupancy(self.map.bits(sample.closed)), self.map.bits(sample.unsure))
            case Strengths():
                return Scan(self.now_ms, Field(self.map.values(sample.values, 0.0)))
            case _:
                raise AssertionError(sample)


def examine(patient: Patient) -> tuple[Evidence, Diagnosis]:
    """Everything, by somebody who puts the piece where it is asked for, and says so if nothing comes of it."""
    examination = Examination(patient.layout)

    def watch(scans: int) -> None:
        for _ in range(scans):
            examination.observe(patient.scan())

    patient.source.open()
    patient.place(0)
    watch(3)
    examination.confirm()
    watch(35)
    assert examination.step is Step.WALK
    while (asked := examination.asked) is not None:
        patient.place(1 << asked)
        watch(6)
        if examination.asked == asked:
            examination.confirm()
        patient.place(0)
        watch(6)
    patient.place(ARRAY)
    watch(6)
    examination.confirm()
    assert examination.prompt == "Done."
    return examination.evidence, diagnose(examination.evidence, patient.layout)


def matrix_patient(
    lies: Sequence[int] | None = None,
    wiring: GpioMatrix = MATRIX,
    diodes: bool = True,
    rows: Sequence[int] = ROWS,
    columns: Sequence[int] = COLUMNS,
) -> tuple[Patient, MatrixCircuit]:
    """A matrix on GPIO lines. `lies` is where its cells truly lie; `rows` and `columns` the lines as truly wired."""
    circuit = MatrixCircuit(list(rows), list(columns), diodes)
    squares = square_order(wiring.order, Orientation())
    source = MatrixSource(wiring, lambda _chip: CircuitLines(circuit), circuit.wait)
    layout = layout_of(wiring, squares)
    return Patient(source, circuit.set_cells, squares, lies or range(64), layout, wait=circuit.wait), circuit


def layout_as_wired(sensors: Sensors) -> Layout:
    return layout_of(sensors, square_order(Order(), Orientation()))
