"""What electricity does to a matrix in real life: slow columns, ghosts, bounce, chatter and stuck contacts."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from board_driver.boards.gpiozerolines import GpiozeroLines
from board_driver.boards.lines import Lines
from board_driver.boards.matrix import MatrixSource
from board_driver.boards.source import Contacts
from board_driver.mind import Mode, Settings
from rules.squares import parse_square, set_of
from tests.electricity.circuits import ContentionError, MatrixCircuit
from tests.electricity.computers import CircuitLines, mock_factory
from tests.electricity.evening import E2, E4, START, Evening, contacts
from tests.electricity.rigs import COLUMNS, MATRIX, ROWS, matrix_rig


def test_a_slow_column_needs_time_to_settle() -> None:
    circuit = MatrixCircuit(ROWS, COLUMNS)
    circuit.rise_us = [50.0] * 8
    circuit.set_cells(0x0F)
    for settle_us, found in ((0, 0x0F0F), (60, 0x0F)):
        wiring = msgspec.structs.replace(MATRIX, row_settle_us=settle_us)
        source = MatrixSource(wiring, lambda _chip: CircuitLines(circuit), circuit.wait)
        source.open()
        circuit.wait(0.01)
        assert contacts(source).closed & 0xFFFF == found
        source.close()


def test_each_row_may_have_a_settle_time_of_its_own() -> None:
    circuit = MatrixCircuit(ROWS, COLUMNS)
    circuit.rise_us = [50.0] * 8
    circuit.set_cells(0x0F)
    wiring = msgspec.structs.replace(MATRIX, row_settle_us=(0, 60, 0, 0, 0, 0, 0, 0))
    source = MatrixSource(wiring, lambda _chip: CircuitLines(circuit), circuit.wait)
    source.open()
    assert contacts(source).closed == 0x0F
    assert circuit.now_us == 60


def test_rows_of_gpiozero_are_never_shorted_without_diodes() -> None:
    circuit = MatrixCircuit(ROWS, COLUMNS, diodes=False)
    factory = mock_factory(circuit)
    source = MatrixSource(msgspec.structs.replace(MATRIX, diodes=False), lambda _chip: GpiozeroLines(factory))
    source.open()
    circuit.set_cells(START)
    assert contacts(source).closed == START
    circuit.drive(ROWS[0], True)
    with pytest.raises(ContentionError):
        circuit.drive(ROWS[1], False)


class OneRow(MatrixCircuit):
    """Counts how many rows are pulled low at once."""

    most = 0

    def changed(self, line: int, before: bool | None, after: bool | None) -> None:
        super().changed(line, before, after)
        self.most = max(self.most, sum(self.driven.get(row) is False for row in self.rows))


@pytest.mark.parametrize("lines", [CircuitLines, lambda circuit: GpiozeroLines(mock_factory(circuit))])
def test_no_two_rows_are_ever_low_together(lines: Callable[[MatrixCircuit], Lines]) -> None:
    circuit = OneRow(ROWS, COLUMNS)
    source = MatrixSource(MATRIX, lambda _chip: lines(circuit))
    source.open()
    source.read()
    assert circuit.most == 1


def test_a_ghost_is_distrusted_and_told_once() -> None:
    corners = set_of(parse_square(name) for name in ("c3", "c6", "f3"))
    fourth = 1 << parse_square("f6")
    rig = matrix_rig(wiring=msgspec.structs.replace(MATRIX, diodes=False))
    rig.source.open()
    rig.place(corners, 0)
    first = contacts(rig.source)
    assert first.closed == first.unsure == corners | fourth
    assert [trouble.kind for trouble in first.troubles] == ["ghost"]
    assert contacts(rig.source).troubles == ()
    with_diodes = matrix_rig()
    with_diodes.source.open()
    with_diodes.place(corners, 0)
    assert contacts(with_diodes.source) == Contacts(corners)


def test_the_recorder_finds_a_move_behind_ghosts_once_they_are_gone() -> None:
    """f2f3 closes a rectangle with c3 and c6, c6c5 another; c3c4 ends it."""
    rig = matrix_rig(wiring=msgspec.structs.replace(MATRIX, diodes=False))
    standing = set_of(parse_square(name) for name in ("e8", "c6", "c3", "f2", "e1"))
    rig.place(standing, 0)
    evening = Evening(rig.source, Settings(mode=Mode.RECORD, start_fen="4k3/8/2p5/8/8/2P5/5P2/4K3 w - - 0 1"))
    evening.until(1_000)
    for origin, landing in (("f2", "f3"), ("c6", "c5"), ("c3", "c4")):
        standing ^= 1 << parse_square(origin)
        rig.place(standing, 0)
        evening.until(evening.inbox.time_ms + 500)
        standing ^= 1 << parse_square(landing)
        rig.place(standing, 0)
        evening.until(evening.inbox.time_ms + 3_000)
    assert evening.moves() == ["f2f3", "c6c5", "c3c4"]
    assert evening.faults("ghost")


@pytest.mark.parametrize("mode", Mode)
def test_contacts_that_bounce_make_one_lift_and_one_place(mode: Mode) -> None:
    rig = matrix_rig()
    rig.place(START, 0)
    evening = Evening(rig.source, Settings(mode=mode))
    evening.until(1_000)
    for t_ms, occupied in ((1_010, False), (1_020, True), (1_030, False), (1_500, True), (1_510, False), (1_520, True)):
        at = E2 if t_ms < 1_400 else E4
        rig.place(START & ~E2 | (at if occupied else 0), 0)
        evening.until(t_ms)
    evening.until(5_000)
    assert evening.moves() == ["e2e4"]


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("name", ["d5", "d2", "a3"])
@pytest.mark.parametrize("every_scans", [1, 3])
def test_a_contact_that_chatters_is_named_and_stops_no_game(mode: Mode, name: str, every_scans: int) -> None:
    rig, chattering = matrix_rig(), 1 << parse_square(name)
    standing, scans = START, 0
    rig.place(standing, 0)
    evening = Evening(rig.source, Settings(mode=mode))
    evening.until(1_000)

    def chatter_until(t_ms: int) -> None:
        nonlocal scans
        while evening.inbox.time_ms < t_ms:
            scans += 1
            rig.place(standing ^ (chattering if scans // every_scans % 2 else 0), 0)
            evening.until(evening.inbox.time_ms + 10)

    for origin, landing in (("e2", "e4"), ("e7", "e5"), ("g1", "f3")):
        standing ^= 1 << parse_square(origin)
        chatter_until(evening.inbox.time_ms + 500)
        standing ^= 1 << parse_square(landing)
        chatter_until(evening.inbox.time_ms + 1_500)
    chatter_until(evening.inbox.time_ms + 3_000)
    assert evening.moves() == ["e2e4", "e7e5", "g1f3"]
    assert evening.faults("chatter") == [f"{name} changed 20 times in two seconds: check its sensor and wiring"]


@pytest.mark.parametrize("is_closed", [True, False])
def test_a_contact_known_to_be_stuck_does_not_stop_the_game(is_closed: bool) -> None:
    """d5 always reads closed, or d2 always open; the profile lists them as dead."""
    dead = parse_square("d5" if is_closed else "d2")
    circuit = MatrixCircuit(ROWS, COLUMNS)
    circuit.stuck[divmod(dead, 8)] = is_closed
    circuit.set_cells(START)
    source = MatrixSource(MATRIX, lambda _chip: CircuitLines(circuit), circuit.wait)
    evening = Evening(source, Settings(mode=Mode.RECORD, dead_squares=frozenset({dead})))
    evening.until(1_000)
    circuit.set_cells(START ^ E2)
    evening.until(1_400)
    circuit.set_cells(START ^ E2 ^ E4)
    evening.until(5_000)
    assert evening.moves() == ["e2e4"]
