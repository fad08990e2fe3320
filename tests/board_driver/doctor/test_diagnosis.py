"""Sick boards of simulated electricity: the doctor names what is wrong with each, and nothing else."""

from __future__ import annotations

from functools import partial
from itertools import cycle

import pytest

from board_driver.boards.matrix import MatrixSource
from board_driver.doctor.diagnosis import diagnose, examined
from board_driver.doctor.examination import Evidence
from board_driver.doctor.findings import Ailment, Diagnosis
from board_driver.doctor.layout import UNKNOWN, LineKind
from board_driver.doctor.mapping import SYMMETRIES
from board_driver.profile.sensors import Expanders, GpioMatrix, ShiftRegisters
from rules.squares import FULL, names_of, parse_square, set_of
from tests.board_driver.doctor.patients import Patient, examine, layout_as_wired, matrix_patient
from tests.electricity.circuits import MatrixCircuit
from tests.electricity.computers import CircuitLines
from tests.electricity.rigs import COLUMNS, MATRIX, ROWS, Rig, chain_by_spi_rig, expanders_rig, hall_rig


def board(names: str) -> int:
    return set_of(parse_square(name) for name in names.split())


def ailments(diagnosis: Diagnosis) -> list[tuple[Ailment, int]]:
    return [(finding.ailment, finding.squares) for finding in diagnosis.findings]


def file_of(name: str) -> int:
    return set_of(range("abcdefgh".index(name), 64, 8))


def rank_of(number: int) -> int:
    return 0xFF << 8 * (number - 1)


def _place_white(rig: Rig, cells: int) -> None:
    rig.place(cells, 0)


def test_a_sound_matrix_is_sound() -> None:
    patient, _ = matrix_patient()
    evidence, diagnosis = examine(patient)
    assert diagnosis.findings == ()
    assert diagnosis.swapped is None
    assert diagnosis.verdict == "The board is sound."
    assert examined(evidence) == "Examined: the empty board, 64 squares by a piece, the start array."


def test_sound_boards_of_other_kinds_are_sound() -> None:
    hall, _ = hall_rig()
    for rig, layout in (
        (expanders_rig(), layout_as_wired(Expanders())),
        (chain_by_spi_rig(), layout_as_wired(ShiftRegisters(load=25))),
        (hall, UNKNOWN),
    ):
        patient = Patient(rig.source, partial(_place_white, rig), range(64), range(64), layout)
        _, diagnosis = examine(patient)
        assert diagnosis.findings == ()


def test_a_contact_that_is_stuck_closed() -> None:
    patient, circuit = matrix_patient()
    circuit.stuck[3, 4] = True
    _, diagnosis = examine(patient)
    assert ailments(diagnosis) == [(Ailment.STUCK_CLOSED, board("e4"))]
    assert "dead_squares: [e4]" in diagnosis.verdict


def test_contacts_that_are_stuck_open() -> None:
    patient, circuit = matrix_patient()
    circuit.stuck[0, 0] = circuit.stuck[7, 7] = False
    _, diagnosis = examine(patient)
    assert ailments(diagnosis) == [(Ailment.STUCK_OPEN, board("a1 h8"))]
    assert diagnosis.dead_squares == board("a1 h8")


def test_a_broken_row_is_named_and_not_its_eight_squares() -> None:
    patient, circuit = matrix_patient()
    circuit.stuck.update({(2, column): False for column in range(8)})
    _, diagnosis = examine(patient)
    assert ailments(diagnosis) == [(Ailment.STUCK_OPEN, rank_of(3))]
    assert "row 3 (GPIO 12)" in diagnosis.findings[0].text


def test_a_broken_wire_to_a_chip_is_named() -> None:
    rig = expanders_rig()
    patient = Patient(
        rig.source,
        lambda cells: rig.place(cells & ~0xFFFF_0000, 0),
        range(64),
        range(64),
        layout_as_wired(Expanders()),
    )
    _, diagnosis = examine(patient)
    assert ailments(diagnosis) == [(Ailment.STUCK_OPEN, rank_of(3) | rank_of(4))]
    assert "0x21" in diagnosis.findings[0].text


def test_a_contact_that_chatters() -> None:
    patient, circuit = matrix_patient()
    beat = cycle([True, False, False])
    patient.between = lambda: circuit.stuck.update({(1, 2): next(beat)})
    _, diagnosis = examine(patient)
    assert ailments(diagnosis) == [(Ailment.CHATTER, board("c2"))]


def test_a_column_that_nothing_holds() -> None:
    """Its pull-up is missing: all its squares read this and that."""
    patient, circuit = matrix_patient()
    beat = cycle([True, False, True, True, False])
    patient.between = lambda: circuit.stuck.update({(row, 5): next(beat) for row in range(8)})
    _, diagnosis = examine(patient)
    assert ailments(diagnosis) == [(Ailment.FLOATING, file_of("f"))]
    assert "column 6 (GPIO 25)" in diagnosis.findings[0].text
    assert "pull-up" in diagnosis.findings[0].advice


def test_a_column_without_pull_up_that_reads_low() -> None:
    patient, circuit = matrix_patient()
    patient.between = lambda: circuit.stuck.update({(row, 0): True for row in range(8)})
    _, diagnosis = examine(patient)
    assert ailments(diagnosis) == [(Ailment.FLOATING, file_of("a"))]
    assert "10 kΩ" in diagnosis.findings[0].advice


def test_a_slow_column() -> None:
    patient, circuit = matrix_patient()
    circuit.rise_us[3] = 30.0
    _, diagnosis = examine(patient)
    assert (Ailment.SLOW_COLUMN, file_of("d")) == ailments(diagnosis)[0]
    assert "row_settle_us" in diagnosis.findings[0].advice
    assert diagnosis.swapped is None


def test_a_longer_settle_time_cures_a_slow_column() -> None:
    patient, circuit = matrix_patient(wiring=GpioMatrix(rows=tuple(ROWS), columns=tuple(COLUMNS), row_settle_us=40))
    circuit.rise_us[3] = 30.0
    _, diagnosis = examine(patient)
    assert diagnosis.findings == ()


def test_a_matrix_whose_diodes_are_missing() -> None:
    patient, _ = matrix_patient(diodes=False)
    _, diagnosis = examine(patient)
    assert ailments(diagnosis) == [(Ailment.GHOST, board("d1 e2 e7 d8"))]
    assert "diode" in diagnosis.findings[0].advice


def test_a_matrix_that_has_none_is_told_how_it_is() -> None:
    wiring = GpioMatrix(rows=tuple(ROWS), columns=tuple(COLUMNS), diodes=False)
    circuit = MatrixCircuit(ROWS, COLUMNS, diodes=False)
    patient = Patient(
        MatrixSource(wiring, lambda _chip: CircuitLines(circuit), circuit.wait),
        circuit.set_cells,
        range(64),
        range(64),
        layout_as_wired(wiring),
    )
    _, diagnosis = examine(patient)
    assert [finding.ailment for finding in diagnosis.findings] == [Ailment.GHOST]
    assert "that is how a matrix without diodes is" in diagnosis.findings[0].advice


@pytest.mark.parametrize(("level", "word"), [(True, "occupied"), (False, "empty")])
def test_a_bus_that_answers_one_level_only(level: bool, word: str) -> None:
    patient, circuit = matrix_patient()
    circuit.stuck.update({(row, column): level for row in range(8) for column in range(8)})
    _, diagnosis = examine(patient)
    assert [finding.ailment for finding in diagnosis.findings] == [Ailment.DEAD_BUS]
    assert word in diagnosis.findings[0].text
    assert "cannot be played on" in diagnosis.verdict


def test_sensors_the_other_way_round() -> None:
    rig = expanders_rig()
    patient = Patient(
        rig.source, lambda cells: rig.place(FULL ^ cells, 0), range(64), range(64), layout_as_wired(Expanders())
    )
    _, diagnosis = examine(patient)
    assert [finding.ailment for finding in diagnosis.findings] == [Ailment.INVERTED]
    assert "active" in diagnosis.findings[0].advice


def test_two_rows_exchanged() -> None:
    rows = list(ROWS)
    rows[2], rows[3] = rows[3], rows[2]
    patient, _ = matrix_patient(rows=rows)
    _, diagnosis = examine(patient)
    assert [finding.ailment for finding in diagnosis.findings] == [Ailment.SWAPPED]
    assert diagnosis.findings[0].text == "ranks 3 and 4 are exchanged"
    assert diagnosis.swapped is not None
    assert diagnosis.swapped.is_complete


@pytest.mark.parametrize("words", SYMMETRIES)
def test_a_board_turned_or_mirrored(words: str) -> None:
    """The cell that is read as `felt` truly lies where the piece stands."""
    lies = {felt: stands for stands, felt in SYMMETRIES[words].items()}
    patient, _ = matrix_patient(lies=[lies[cell] for cell in range(64)])
    _, diagnosis = examine(patient)
    assert [(finding.ailment, finding.text) for finding in diagnosis.findings] == [(Ailment.SWAPPED, words)]


def test_rows_and_columns_exchanged_and_a_stuck_contact_both_are_found() -> None:
    lies = [8 * (cell % 8) + cell // 8 for cell in range(64)]
    patient, circuit = matrix_patient(lies=lies)
    circuit.stuck[0, 1] = False
    _, diagnosis = examine(patient)
    assert (Ailment.STUCK_OPEN, board("a2")) in ailments(diagnosis)
    assert diagnosis.swapped is not None
    assert "rows and columns are exchanged" in diagnosis.swapped.text


def test_two_wires_that_touch() -> None:
    rig = expanders_rig()

    def place(cells: int) -> None:
        both = board("c3 c4")
        rig.place(cells | both if cells & both else cells, 0)

    patient = Patient(rig.source, place, range(64), range(64), layout_as_wired(Expanders()))
    _, diagnosis = examine(patient)
    assert ailments(diagnosis)[0] == (Ailment.SHORT, board("c3 c4"))
    assert diagnosis.swapped is None


def test_a_weak_and_a_noisy_field_sensor() -> None:
    rig, circuit = hall_rig()
    circuit.sensors[10].level *= 0.45
    circuit.sensors[40].noise = [60.0, -60.0, 40.0, -40.0]
    patient = Patient(rig.source, lambda cells: rig.place(cells, 0), range(64), range(64), UNKNOWN)
    _, diagnosis = examine(patient)
    assert (Ailment.WEAK, board("c2")) in ailments(diagnosis)
    assert (Ailment.NOISY, board("a6")) in ailments(diagnosis)
    assert len(diagnosis.findings) == 2


def test_setup_05_the_array_on_the_wrong_files_is_one_finding() -> None:
    turned = set_of(8 * (square % 8) + square // 8 for square in range(64) if square // 8 in (0, 1, 6, 7))
    diagnosis = diagnose(Evidence(array=turned & ~board("a4 b5 g5 h4")), UNKNOWN)
    assert [finding.ailment for finding in diagnosis.findings] == [Ailment.SWAPPED]
    assert "turned by 90°, or rows and columns are exchanged" in diagnosis.findings[0].text


def test_a_lamp_elsewhere_is_told() -> None:
    diagnosis = diagnose(Evidence(lamps_wrong=[0, 1]), UNKNOWN)
    assert ailments(diagnosis) == [(Ailment.LAMPS, board("a1 b1"))]


def test_lines_of_a_layout_cover_every_square_once_for_each_kind() -> None:
    for sensors in (MATRIX, Expanders(), ShiftRegisters(load=25)):
        layout = layout_as_wired(sensors)
        for kind in LineKind:
            lines = [line.squares for line in layout.lines if line.kind is kind]
            assert sum(line.bit_count() for line in lines) in (0, 64)
            assert not lines or set_of(s for line in lines for s in range(64) if line >> s & 1) == FULL
    assert names_of(layout_as_wired(MATRIX).lines[0].squares) == names_of(rank_of(1))
