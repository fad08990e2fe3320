"""Whole games with a chess clock: logs with presses through `touchmove replay --mode play`, and what the PGN tells.

What the clocks must show is worked out here by plain sums, and the PGN is read by another program's reader.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from board_driver.cli import main
from board_driver.mind import Mode
from board_driver.scan import Button, ButtonName, Input, Occupancy, Press, Scan
from board_driver.sensorlog.header import Header, header_fields
from board_driver.sensorlog.lines import line_fields
from rules.clock import TimeControl, parse_time_control
from rules.fen import parse_fen
from rules.squares import Colour
from rules.uci import parse_uci
from tests.board_driver.gamelog import KnownGame, inputs_of_move, known_games, steps_of

PLAIN = [game for game in known_games() if not game.chess960 and game.start_fen.startswith("rnbqkbnr/pppppppp")]
GAMES = sorted(PLAIN, key=lambda game: len(game.moves))[20:23]
STEP_MS = 450
PLIES = 44


def thinking_ms(ply: int) -> int:
    """How long a player thinks before that ply (from 0): uneven, and the same in every run."""
    return 300 + (ply * 7919 + ply * ply * 131) % 9_000


def inputs_of(game: KnownGame, presses: bool) -> Iterator[Input]:
    """The game's scans, with a press after each move where there are any; White gives up at the end."""
    position = parse_fen(game.start_fen)
    t_ms = 1000
    yield Scan(0, Occupancy(position.occupied))
    if presses:
        yield Press(t_ms, Colour.BLACK)
    for ply, text in enumerate(game.moves[:PLIES]):
        move = parse_uci(position, text)
        t_ms += thinking_ms(ply)
        yield from inputs_of_move(position, move, t_ms, STEP_MS)
        t_ms += STEP_MS * len(steps_of(position, move))
        position = position.play(move)
        if presses:
            t_ms += 350
            yield Press(t_ms, Colour(position.turn.opponent))
    yield Button(t_ms + 2000, ButtonName.RESIGN, "white")


def log_text(game: KnownGame, control: str, presses: bool) -> str:
    header = Header(mode=Mode.PLAY, time_control=parse_time_control(control), clock=presses)
    objects = [header_fields(header), *(line_fields(item) for item in inputs_of(game, presses))]
    return "".join(json.dumps(fields) + "\n" for fields in objects)


def expected_ms(game: KnownGame, control: TimeControl, presses: bool) -> list[int]:
    """What each player's clock must show after each ply, by plain sums for a control of one period."""
    position = parse_fen(game.start_fen)
    (period,) = control.periods
    left = {Colour.WHITE: period.base_ms, Colour.BLACK: period.base_ms}
    shown = []
    for ply, text in enumerate(game.moves[:PLIES]):
        move = parse_uci(position, text)
        steps = len(steps_of(position, move))
        used = thinking_ms(ply) + STEP_MS * steps + (350 if presses else 0)
        if ply == 0 and not presses:
            used = STEP_MS * (steps - 1)  # from the first touch
        mover = Colour(position.turn)
        match control.timing.value:
            case "increment":
                left[mover] += period.bonus_ms - used
            case "bronstein":
                left[mover] += min(period.bonus_ms, used) - used
            case "delay":
                left[mover] -= max(0, used - period.bonus_ms)
            case "hourglass":
                left[mover] -= used
                left[mover.opponent] += used
        shown.append(left[mover])
        position = position.play(move)
    return shown


@pytest.mark.parametrize("control", ["15+3", "15 b5", "15 d5", "hourglass 15"])
@pytest.mark.parametrize("presses", [True, False])
def test_a_game_with_a_clock_is_told_to_the_millisecond(
    control: str, presses: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for game in GAMES:
        log, pgn = tmp_path / f"{game.name}.jsonl", tmp_path / f"{game.name}.pgn"
        log.write_text(log_text(game, control, presses))
        assert main(["replay", str(log), "--mode", "play", "--summary", "--pgn", str(pgn)]) == 0
        summary: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert summary["uci"] == list(game.moves[:PLIES])
        assert (summary["result"], summary["reason"], summary["clock"]["running"]) == ("0-1", "resignation", None)
        expected = expected_ms(game, parse_time_control(control), presses)
        told = chess.pgn.read_game(io.StringIO(pgn.read_text()))
        assert told is not None
        assert [round((node.clock() or 0) * 1000) for node in told.mainline()] == expected


def test_another_reader_finds_the_time_control(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for control, seconds, increment, delay in (
        ("15+3", 900, 3, 0),
        ("15 d5", 900, 0, 5),
        ("40/90+30, 30+30", 5400, 30, 0),
    ):
        log, pgn = tmp_path / "game.jsonl", tmp_path / "game.pgn"
        log.write_text(log_text(GAMES[0], control, True))
        assert main(["replay", str(log), "--pgn", str(pgn)]) == 0
        told = chess.pgn.read_game(io.StringIO(pgn.read_text()))
        assert told is not None
        part = told.time_control().parts[0]
        assert (part.time, part.increment, part.delay) == (seconds, increment, delay)
    capsys.readouterr()


def test_a_clock_that_still_runs_after_the_last_line_runs_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Time runs on until no timer is left: up to a hundred hours of them."""
    log = tmp_path / "left.jsonl"
    for control, reason in (("5+3", "flag"), ("99h+60", "flag")):
        lines = log_text(GAMES[0], control, True).splitlines()[:20]
        log.write_text("\n".join(lines) + "\n")
        assert main(["replay", str(log), "--summary"]) == 0
        summary = json.loads(capsys.readouterr().out)
        assert summary["reason"] == reason
        assert summary["clock"]["flag"] is not None


def test_a_log_that_ends_with_a_pause_ends_without_a_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = log_text(GAMES[0], "15+3", True).splitlines()[:20]
    last_ms = json.loads(lines[-1])["t_ms"]
    lines.append(json.dumps({"t_ms": last_ms + 100, "button": "pause"}))
    log = tmp_path / "paused.jsonl"
    log.write_text("\n".join(lines) + "\n")
    assert main(["replay", str(log), "--summary"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["result"], summary["clock"]["paused"]) == (None, True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"sensorlog": 1, "mode": "play", "time_control": "5+x"}', 'expected "time_control" to be a time control'),
        ('{"sensorlog": 1, "time_control": 5}', 'expected "time_control" to be a text'),
        ('{"sensorlog": 1, "clock_start": "now"}', 'expected "clock_start" to be one of touch, move, at-once'),
        ('{"sensorlog": 1, "execution_grace_ms": -1}', "a whole number of milliseconds up to an hour"),
        ('{"sensorlog": 1}\n{"t_ms": 0, "button": "time", "value": "white 0"}', 'the "value" of time to be such as'),
        ('{"sensorlog": 1}\n{"t_ms": 0, "button": "pause", "value": "maybe"}', 'the "value" of pause to be left out'),
    ],
)
def test_what_is_wrong_with_a_log_of_a_clock_is_one_line(
    line: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "wrong.jsonl"
    log.write_text(line + "\n")
    assert main(["replay", str(log)]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
