"""Calibrating a board of analogue Hall sensors: simulated sensors and magnets, read in the four steps."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from board_driver.boards.halladc import HallSource
from board_driver.boards.hallcalibration import Cell, HallCalibration
from board_driver.boards.hallfile import calibration_for, calibration_path, read_calibration, write_calibration
from board_driver.boards.hallmeasuring import Measuring
from board_driver.boards.hallsteps import Reading, Step, expected_sign, home_of, summed_up
from board_driver.cli import main
from board_driver.commands.calibrate import lead
from board_driver.inputerror import InputError
from board_driver.profile.finding import packaged_profiles
from board_driver.profile.reading import sound_profile
from board_driver.profile.schema import Profile
from board_driver.profile.sensors import HallAdc
from rules.squares import parse_square
from tests.electricity.circuits import HallCircuit, HallSensor
from tests.electricity.computers import CircuitLines, ConverterSpi

E2, E7, E4, A1, D8 = map(parse_square, ("e2", "e7", "e4", "a1", "d8"))


class Bench:
    """Sensors and pieces that differ as real ones do. `magnets` by the square where a piece begins."""

    def __init__(self, seed: int = 1) -> None:
        random = Random(seed)
        self.sensors = [HallSensor(2048 + random.uniform(-60, 60), random.uniform(350, 450)) for _ in range(64)]
        self.magnets = {s: random.uniform(0.9, 1.1) for s in range(64) if expected_sign(Step.START, s)}
        self.missing: set[int] = set()
        self.drift = 0.0
        self._random = random

    def magnets_on(self, step: Step) -> list[float]:
        """Over each square in that step."""
        homes = [home_of(step, square) for square in range(64)]
        return [
            0.0 if home is None or square in self.missing else expected_sign(step, square) * self.magnets[home]
            for square, home in enumerate(homes)
        ]

    def reading(self, step: Step) -> Reading:
        magnets = self.magnets_on(step)
        scans = [
            [
                sensor.zero + self.drift + sensor.level * magnet + self._random.gauss(0, 2)
                for sensor, magnet in zip(self.sensors, magnets, strict=True)
            ]
            for _ in range(20)
        ]
        return summed_up(scans)

    def measured(self) -> Measuring:
        measuring = Measuring()
        for step in Step:
            assert measuring.take(step, self.reading(step)) == ()
        return measuring


def texts(findings: object) -> list[str]:
    return [finding.text for finding in findings]  # type: ignore[attr-defined]


def test_every_square_has_a_piece_once_and_every_piece_three_squares() -> None:
    visited = [[home_of(step, square) for step in Step if home_of(step, square) is not None] for square in range(64)]
    assert [len(homes) for homes in visited] == [2] * 16 + [1] * 32 + [2] * 16
    homes = [home for square in visited for home in square]
    assert all(homes.count(home) == 3 for home in range(64) if expected_sign(Step.START, home))


@pytest.mark.parametrize("seed", range(4))
def test_a_sound_board_is_measured_square_by_square(seed: int) -> None:
    bench = Bench(seed)
    measuring = bench.measured()
    assert measuring.verdict() == ()
    calibration = measuring.calibration(range(64), "2026-01-01T00:00:00+00:00", "trial")
    for cell, sensor in zip(calibration.cells, bench.sensors, strict=True):
        assert cell.zero == pytest.approx(sensor.zero, abs=3)
        assert cell.level == pytest.approx(sensor.level, rel=0.2)
        assert cell.polarity == 1
        assert cell.is_clear
        assert 0 < cell.off < cell.on < cell.level


def test_cells_are_written_in_the_order_of_the_wires() -> None:
    bench = Bench()
    order = [*range(63, -1, -1)]
    cells = bench.measured().calibration(order, "", "").cells
    assert cells[0].zero == pytest.approx(bench.sensors[63].zero, abs=3)


def test_a_board_whose_magnets_all_lie_the_other_way_is_as_good() -> None:
    bench = Bench()
    bench.magnets = {home: -magnet for home, magnet in bench.magnets.items()}
    measuring = bench.measured()
    assert measuring.verdict() == ()
    assert {cell.polarity for cell in measuring.calibration(range(64), "", "").cells} == {-1}


@pytest.mark.parametrize("square", [E2, E7, E4, A1])
def test_a_sensor_mounted_the_wrong_way_round_is_found_and_read_so(square: int) -> None:
    bench = Bench()
    bench.sensors[square] = replace(bench.sensors[square], level=-bench.sensors[square].level)
    measuring = bench.measured()
    (text,) = texts(measuring.verdict())
    assert "is mounted the wrong way round" in text
    polarities = [cell.polarity for cell in measuring.calibration(range(64), "", "").cells]
    assert [s for s, polarity in enumerate(polarities) if polarity < 0] == [square]


@pytest.mark.parametrize("home", [E2, E7, A1, D8])
def test_a_magnet_the_wrong_way_round_is_told_from_a_sensor(home: int) -> None:
    bench = Bench()
    bench.magnets[home] *= -1
    measuring = bench.measured()
    (text,) = texts(measuring.verdict())
    assert "has its magnet the wrong way round" in text
    assert {cell.polarity for cell in measuring.calibration(range(64), "", "").cells} == {1}


def test_a_weak_magnet_is_told_from_a_weak_sensor() -> None:
    bench = Bench()
    bench.magnets[E2] = 0.4
    (text,) = texts(bench.measured().verdict())
    assert text.startswith("the piece from e2 has a weak magnet")
    bench = Bench()
    bench.sensors[E4] = replace(bench.sensors[E4], level=150)
    (text,) = texts(bench.measured().verdict())
    assert text.startswith("the sensor of e4 feels little")


def test_a_square_left_out_stops_the_step_until_it_is_filled() -> None:
    bench, measuring = Bench(), Measuring()
    measuring.take(Step.EMPTY, bench.reading(Step.EMPTY))
    bench.missing = {E2}
    (finding,) = measuring.take(Step.START, bench.reading(Step.START))
    assert finding.stops
    assert finding.text == "e2 feels nothing: is its piece there, and over the sensor?"
    bench.missing = set()
    assert measuring.take(Step.START, bench.reading(Step.START)) == ()


def test_a_piece_where_none_should_be_is_told() -> None:
    bench, measuring = Bench(), Measuring()
    measuring.take(Step.EMPTY, bench.reading(Step.EMPTY))
    start = bench.reading(Step.START)
    values = [*start.values]
    values[E4] += 400
    (finding,) = measuring.take(Step.START, Reading(tuple(values), start.noises))
    assert finding.text == "e4 should be empty, but a piece is felt there"


def test_a_whole_army_that_is_not_felt_is_one_finding() -> None:
    bench, measuring = Bench(), Measuring()
    measuring.take(Step.EMPTY, bench.reading(Step.EMPTY))
    bench.missing = {*range(48, 64)}
    findings = texts(measuring.take(Step.START, bench.reading(Step.START)))
    assert len(findings) == 1
    assert findings[0].startswith("Black's pieces are not felt")


def test_magnets_that_all_lie_alike_cannot_tell_colours() -> None:
    bench, measuring = Bench(), Measuring()
    bench.magnets = {h: m * expected_sign(Step.START, h) for h, m in bench.magnets.items()}
    measuring.take(Step.EMPTY, bench.reading(Step.EMPTY))
    findings = texts(measuring.take(Step.START, bench.reading(Step.START)))
    assert findings == [
        "White's and Black's magnets lie the same way round: turn one army's, or colours cannot be told"
    ]


@pytest.mark.parametrize(("drift", "stops"), [(60, False), (200, True)])
def test_drift_between_readings_is_told(drift: float, stops: bool) -> None:
    bench, measuring = Bench(), Measuring()
    measuring.take(Step.EMPTY, bench.reading(Step.EMPTY))
    bench.drift = drift
    (finding,) = measuring.take(Step.START, bench.reading(Step.START))
    assert "have drifted" in finding.text
    assert finding.stops is stops


def test_a_drift_too_small_to_tell_does_not_get_into_the_levels() -> None:
    """It would make White's pieces stronger and Black's weaker, or the other way round."""
    bench, measuring = Bench(), Measuring()
    bench.magnets = dict.fromkeys(bench.magnets, 1.0)
    measuring.take(Step.EMPTY, bench.reading(Step.EMPTY))
    for step, bench.drift in ((Step.START, -30), (Step.SWAPPED, -30), (Step.MIDDLE, 30)):
        assert measuring.take(step, bench.reading(step)) == ()
    cells = measuring.calibration(range(64), "", "").cells
    for square in range(16, 48):
        assert cells[square].level == pytest.approx(bench.sensors[square].level, rel=0.02)


def test_a_board_without_supply_is_one_finding() -> None:
    measuring = Measuring()
    silent = Reading((2048.0,) * 64, (2.0,) * 64)
    measuring.take(Step.EMPTY, silent)
    (finding,) = measuring.take(Step.START, silent)
    assert finding.stops


# -- the file


def calibration() -> HallCalibration:
    return HallCalibration(tuple(Cell(2000.0 + n, 1.5, 400.0, -1) for n in range(64)), "2026-01-01T00:00:00", "x")


def test_a_calibration_is_written_whole_and_read_back_the_same(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "board.calibration.json"
    write_calibration(path, calibration())
    assert read_calibration(path) == calibration()
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert json.loads(path.read_text())["date"] == "2026-01-01T00:00:00"


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"touchmove": "hall-calibration", "version": 2}'])
def test_a_file_that_is_no_calibration_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(InputError, match="is no calibration"):
        read_calibration(path)


def test_where_a_calibration_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/touchmove")
    own = tmp_path / "board.yaml"
    packaged = packaged_profiles()["hall-mcp3208-colour"]
    assert calibration_path(HallAdc(), own) == tmp_path / "board.calibration.json"
    assert calibration_path(HallAdc(calibration="c.json"), own) == tmp_path / "c.json"
    assert calibration_path(HallAdc(), packaged) == Path("/var/lib/touchmove/hall-mcp3208-colour.calibration.json")


# -- the wizard


class Builder:
    """A person at the terminal, who sets the board up as asked and answers from a list when asked for more."""

    def __init__(self, bench: Bench, circuit: HallCircuit, answers: Iterator[str]) -> None:
        self.bench, self.circuit, self.answers = bench, circuit, answers

    def ask(self, prompt: str) -> str:
        print(prompt)
        for step in Step:
            if step.value in prompt:
                self.circuit.set_magnets(self.bench.magnets_on(step))
                return ""
        if prompt.startswith("Put it right"):
            self.bench.missing = set()
            self.circuit.set_magnets(self.bench.magnets_on(Step.START))
            return ""
        return next(self.answers)


def wizard(tmp_path: Path, bench: Bench, answers: list[str]) -> tuple[HallSource, Profile, Path, Builder]:
    path = tmp_path / "board.yaml"
    path.write_text("name: trial\nsensors: {kind: hall-adc, select: [5, 6, 12, 13], mux_settle_us: 0, scan_hz: 1000}\n")
    profile = sound_profile(path)
    assert isinstance(profile.sensors, HallAdc)
    circuit = HallCircuit([5, 6, 12, 13])
    circuit.sensors = bench.sensors
    source = HallSource(
        profile.sensors,
        None,
        lambda _chip: CircuitLines(circuit),
        lambda _spi, _hz, _mode: ConverterSpi(circuit, 0),
        circuit.wait,
    )
    source.open()
    return source, profile, path, Builder(bench, circuit, iter(answers))


def test_the_wizard_leads_through_and_writes_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = Bench()
    bench.missing = {E2}
    source, profile, path, builder = wizard(tmp_path, bench, [""])
    assert lead(source, profile, path, builder.ask) == 0
    out = capsys.readouterr().out
    assert "! e2 feels nothing" in out
    assert out.count("  good") == 4
    written = read_calibration(tmp_path / "board.calibration.json")
    assert written.profile == "trial"
    assert written.date >= "2026"
    values = written.strengths([sensor.zero + sensor.level for sensor in bench.sensors])
    assert all(value == pytest.approx(100, rel=0.2) for value in values)


def test_a_wizard_that_is_given_up_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = Bench()
    bench.missing = {E2}
    source, profile, path, builder = wizard(tmp_path, bench, ["q"])
    assert lead(source, profile, path, builder.ask) == 1
    assert "nothing was written" in capsys.readouterr().out
    assert not (tmp_path / "board.calibration.json").exists()


def test_other_boards_have_nothing_to_calibrate(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--board", "reed-matrix-gpio"]) == 2
    assert "expected a board with analogue Hall sensors" in capsys.readouterr().err


def test_where_one_may_not_write_beside_a_profile_its_calibration_is_in_the_state_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the service may not in /etc; a calibration made before it was installed is read all the same."""
    etc, state = tmp_path / "etc", tmp_path / "state"
    etc.mkdir()
    state.mkdir()
    monkeypatch.setenv("STATE_DIRECTORY", str(state))
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path) != etc)
    assert calibration_path(HallAdc(), etc / "mine.yaml") == state / "mine.calibration.json"
    assert calibration_for(HallAdc(), etc / "mine.yaml") is None
    before, after = (HallCalibration((Cell(2000.0, 2.0, 300.0),) * 64, date, "mine") for date in ("one", "two"))
    write_calibration(etc / "mine.calibration.json", before)
    assert calibration_for(HallAdc(), etc / "mine.yaml") == before
    write_calibration(state / "mine.calibration.json", after)
    assert calibration_for(HallAdc(), etc / "mine.yaml") == after
