"""Analogue Hall sensors: drift, noise, wrong magnets, silent converters, and pieces between squares."""

from __future__ import annotations

from dataclasses import replace

from board_driver.boards.hallcalibration import NORMAL
from board_driver.boards.sensorboard import SquareReader
from board_driver.mind import Mode, Settings
from board_driver.profile.sensors import AdcModel, MuxModel
from board_driver.scan import Field, Sensing
from rules.squares import parse_square
from tests.electricity.circuits import HallCircuit
from tests.electricity.contract import BLACK, WHITE
from tests.electricity.evening import Evening, HandInbox, strengths
from tests.electricity.rigs import hall_rig


def magnets(occupied: dict[str, float]) -> list[float]:
    board = [0.0] * 64
    for name, magnet in occupied.items():
        board[parse_square(name)] = magnet
    return board


def start_magnets() -> list[float]:
    return [(WHITE >> s & 1) - (BLACK >> s & 1) for s in range(64)]


def hall_evening() -> tuple[Evening, HallCircuit, list[float]]:
    rig, circuit = hall_rig()
    board = start_magnets()
    circuit.set_magnets(board)
    return Evening(rig.source, Settings(mode=Mode.PLAY, sensing=Sensing.FIELD, calibration=NORMAL)), circuit, board


def test_warmth_that_moves_all_sensors_makes_no_pieces() -> None:
    """A third of a piece in a quarter of an hour; the game goes on after."""
    evening, circuit, board = hall_evening()
    evening.until(1_000)
    for step in range(1, 121):
        for cell, sensor in enumerate(circuit.sensors):
            circuit.sensors[cell] = replace(sensor, zero=sensor.zero + 1.1)
        evening.until(1_000 + 7_500 * step, every_ms=500)
    assert evening.moves() == []
    t_ms = evening.inbox.time_ms
    board[12] = 0
    circuit.set_magnets(board)
    evening.until(t_ms + 500)
    board[28] = 1
    circuit.set_magnets(board)
    evening.until(t_ms + 2_000)
    assert evening.moves() == ["e2e4"]


def test_noise_costs_no_scans_and_moves_no_pieces() -> None:
    rig, circuit = hall_rig()
    for cell, sensor in enumerate(circuit.sensors):
        noise = [5.0 * ((cell + n) % 3 - 1) for n in range(5)]
        circuit.sensors[cell] = replace(sensor, noise=noise)
    circuit.set_magnets(start_magnets())
    rig.source.open()
    inbox = HandInbox()
    reader = SquareReader(rig.source, range(64), inbox)
    first = reader.read()
    for _ in range(50):
        inbox.time_ms += 10
        assert reader.read() is first
    inbox.time_ms += 1_000
    assert reader.read() is not first  # drift is followed, if nothing else happens


def test_a_weak_and_a_turned_magnet_are_felt_as_they_are() -> None:
    rig, circuit = hall_rig()
    rig.source.open()
    circuit.set_magnets(magnets({"a1": 1, "b1": 0.3, "c1": -1}))
    values = strengths(rig.source).values
    assert [round(value) for value in values[:4]] == [100, 30, -100, 0]


def test_a_piece_between_two_squares_is_told_once_it_stays() -> None:
    evening, circuit, board = hall_evening()
    evening.until(1_000)
    board[12] = 0.45
    board[20] = 0.4
    circuit.set_magnets(board)
    evening.until(2_000)
    assert evening.faults("between") == []
    evening.until(6_000)
    assert evening.faults("between") == ["a piece stands between e2 and e3: put it in the middle of one"]


def test_two_weak_pieces_of_different_colours_side_by_side_are_two_pieces() -> None:
    evening, circuit, board = hall_evening()
    evening.until(1_000)
    board[28], board[36] = 0.45, -0.45
    circuit.set_magnets(board)
    evening.until(5_000)
    assert evening.faults("between") == []


def test_a_converter_that_falls_silent_keeps_its_squares() -> None:
    rig, circuit = hall_rig(AdcModel.MCP3008, MuxModel.NONE)
    rig.source.open()
    circuit.set_magnets(start_magnets())
    before = strengths(rig.source)
    circuit.silent_chips = {0}
    circuit.set_magnets([0.0] * 64)
    sample = strengths(rig.source)
    assert sample.values[:8] == before.values[:8]
    assert sample.values[8:] != before.values[8:]
    assert sample.unsure == 0xFF
    assert "the MCP3008 on /dev/spidev0.0 does not answer" in sample.troubles[0].text
    circuit.silent_chips = set()
    assert strengths(rig.source).troubles[0].text == "the MCP3008 on /dev/spidev0.0 answers again"


def test_a_sensor_without_ground_is_named_and_distrusted() -> None:
    rig, circuit = hall_rig()
    circuit.sensors[12] = replace(circuit.sensors[12], zero=9_999.0)
    evening = Evening(rig.source, Settings(mode=Mode.RECORD, sensing=Sensing.FIELD, calibration=NORMAL))
    evening.until(100)
    assert evening.faults("stuck") == [
        "e2 reads at the end of the scale: its sensor lacks supply or ground, or its wire is broken"
    ]
    reading = SquareReader(rig.source, range(64), HandInbox()).read()
    assert isinstance(reading.reading, Field)
    assert reading.distrusted == 1 << 12
