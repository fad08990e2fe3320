"""`touchmove simulate`: files that the sensor log's reader takes, the truth beside them, and clear refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from board_driver.cli import main
from board_driver.scan import Scan, Sensing
from board_driver.sensorlog.reader import open_log
from board_driver.simulate import Level
from tests.board_driver.simulate.evenings import GAMES, evening, real_games


@pytest.mark.parametrize("noise", [level.value for level in Level])
@pytest.mark.parametrize("sensing", [sensing.value for sensing in Sensing])
def test_logs_read_back_as_they_were_made(tmp_path: Path, noise: str, sensing: str) -> None:
    options = ["--noise", noise, "--sensing", sensing, "--seed", "3", "--games", "1", "-o", str(tmp_path)]
    assert main(["simulate", str(GAMES), *options]) == 0
    warnings: list[str] = []
    with open_log(str(tmp_path / "w0001.jsonl"), warnings.append) as log:
        header, items = log.header, list(log)
    simulated = evening(real_games(1)[0], Level(noise), 3, Sensing(sensing))
    assert not warnings
    assert header.sensing is Sensing(sensing)
    assert header.comment is not None
    assert f"noise {noise}, seed 3" in header.comment
    assert "w0001.truth.json" in header.comment
    assert [item.t_ms for item in items] == [scan.t_ms for scan in simulated.scans]
    assert all(isinstance(item, Scan) for item in items)
    assert [item.reading for item in items if isinstance(item, Scan)] == [scan.reading for scan in simulated.scans]


def test_the_truth_beside_the_log(tmp_path: Path) -> None:
    assert main(["simulate", str(GAMES), "--games", "2", "-o", str(tmp_path), "--extras", "takeback,gesture"]) == 0
    game = real_games(2)[1]
    truth = json.loads((tmp_path / f"{game.id}.truth.json").read_text())
    assert truth["moves"] == list(game.moves)
    assert truth["result"] == game.result
    assert len(truth["settled_ms"]) == len(truth["lifted_ms"]) == len(game.moves)
    assert {"gesture", "takeback"} <= {happening["what"] for happening in truth["happenings"]}


def test_the_scan_rate_can_be_chosen(tmp_path: Path) -> None:
    assert main(["simulate", str(GAMES), "--games", "1", "--scan-hz", "17", "-o", str(tmp_path)]) == 0
    assert json.loads((tmp_path / "w0001.truth.json").read_text())["scan_hz"] == 17


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["/no/such/file"], "/no/such/file: expected a file of games, cannot read it (No such file or directory)"),
        ([str(GAMES), "--noise", "loud"], "--noise: expected clean, club, rough or blitz, got 'loud'"),
        ([str(GAMES), "--sensing", "smell"], "--sensing: expected occupancy, colour, field or identity, got 'smell'"),
        ([str(GAMES), "--seed", "-1"], "--seed: expected a whole number from 0 to"),
        ([str(GAMES), "--games", "0"], "--games: expected a whole number from 1 to"),
        ([str(GAMES), "--scan-hz", "fast"], "--scan-hz: expected a whole number from 1 to 1000, got 'fast'"),
        (
            [str(GAMES), "--extras", "reset,party"],
            "--extras: expected takeback, illegal, gesture or reset, got",
        ),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    assert main(["simulate", *arguments, "-o", str(tmp_path / "out")]) == 2
    output = capsys.readouterr()
    assert output.err.startswith(f"touchmove: {expected}")
    assert output.err.count("\n") == 1
    assert not output.out


def test_a_place_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["simulate", str(GAMES), "--games", "1", "-o", str(tmp_path / "file")]) == 2
    assert "expected a directory to write to" in capsys.readouterr().err
