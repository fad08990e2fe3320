"""`touchmove run` as a person meets it: what is refused and how, and a daemon that comes and goes in good order."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from board_driver.cli import main

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "board_driver", "run", "--port", "0"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--board", "wood"], "expected --board to be virtual, replay:FILE"),
        (["--board", "replay:"], "got no file name"),
        (["--board", "replay:/nowhere/game.jsonl"], "no such file"),
        (["--mode", "cheat"], "expected --mode to be one of play, record, got cheat"),
        (["--touch", "hard"], "expected --touch to be one of strict, friendly, off, got hard"),
        (["--ruleset", "house"], "expected --ruleset to be one of fide, rapid"),
        (["--lights", "disco"], "expected --lights to be one of all, faults-only, none, got disco"),
        (["--time", "5+x"], "--time: expected a time control such as 5+3"),
        (["--time", "5+3", "--mode", "record"], "expected --time only with --mode play"),
        (["--black", "noengineofthatname"], "expected an engine called noengineofthatname on the PATH"),
        (["--white", "stockfish:elo=strong"], "expected elo of --white to be a number from 1 to 4000, got strong"),
        (["--black", "remote", "--mode", "record"], "expected --mode play with a player who has no hands"),
        (["--board", "serial:/dev/null", "--moves-itself"], "expected --moves-itself with --board virtual"),
        (["--clock-start", "soon"], "expected --clock-start to be one of touch, move, at-once, got soon"),
        (["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "expected a position as FEN for --fen"),
        (["--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "expected a position with a move to make for --fen"),
        (["--tag", "Opening=Italian"], "expected --tag to be White, Black, Event, Site or Round, ="),
        (["--tag", "White"], "as in White=Ann, got White"),
        (["--port", "http"], "expected --port to be a number from 0 to 65535, got http"),
        (["--port", "65536"], "from 0 to 65535"),
        (["--port", "²"], "from 0 to 65535"),
        (["--speed", "0"], "expected --speed to be a number above 0"),
        (["--speed", "nan"], "expected --speed to be a number above 0"),
        (["--pgn", "/nowhere/games.pgn"], "there is no such folder"),
        (["--host", "host.invalid"], "cannot listen on port 8080 on host.invalid"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    options: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("touchmove: ")
    assert err.count("\n") == 1
    assert expected in err


def test_a_port_that_is_taken_is_refused_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["run", "--port", str(taken.getsockname()[1])]) == 2
    assert "another program uses it: end that one, or choose another with --port" in capsys.readouterr().err


def start(*options: str) -> tuple[subprocess.Popen[str], str]:
    """A daemon in a process, and its page's address."""
    process = subprocess.Popen(
        [*COMMAND, *options], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    address = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert address is not None, line
    return process, address[0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_daemon_serves_its_page_and_ends_well_on_a_signal(number: signal.Signals) -> None:
    process, address = start()
    with urllib.request.urlopen(address, timeout=10) as answer:
        assert b"touchmove" in answer.read()
    process.send_signal(number)
    _, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (0, "")


def test_a_log_is_played_and_written_down(tmp_path: Path) -> None:
    full = 0xFFFF00000000FFFF
    lines = [{"sensorlog": 1, "mode": "play"}]
    for t_ms, occupied in [(0, full), (1000, full ^ 1 << 12), (2000, full ^ 1 << 12 ^ 1 << 28)]:
        lines.append({"t_ms": t_ms, "occ": hex(occupied)})
    log, pgn = tmp_path / "game.jsonl", tmp_path / "games.pgn"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    process, _ = start("--board", f"replay:{log}", "--speed", "100", "--pgn", str(pgn), "--tag", "White=Ann  Lee")
    assert wait_for_text(pgn, "1. e4")
    assert '[White "Ann Lee"]' in pgn.read_text("utf-8")
    process.terminate()
    _, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (0, "")


def wait_for_text(path: Path, text: str) -> bool:
    """Whether the file comes to hold the text, as the system tells of changes in its folder."""
    waiting = "for i in $(seq 100); do grep -q -- \"$2\" \"$1\" 2>/dev/null && exit 0; sleep 0.1; done; exit 1"
    return subprocess.run(["sh", "-c", waiting, "sh", str(path), text], check=False).returncode == 0


def test_the_help_names_every_board(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "--help"])
    assert ended.value.code == 0
    assert "replay:FILE" in capsys.readouterr().out
