"""Output that cannot be had: closed, full, or with nobody reading. One line at most, and never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEADER = '{"sensorlog": 1, "mode": "play"}\n{"t_ms": 0, "occ": "0xffff00000000ffff"}\n'
FULL = Path("/dev/full")

CALLS = [
    ["--help"],
    ["replay", "LOG", "--events", "--summary"],
    ["replay", "LOG", "--summary", "--pgn", "/nowhere/at/all.pgn"],
]


def shell(
    arguments: list[str], redirected: str, tmp_path: Path, unbuffered: bool = False
) -> subprocess.CompletedProcess[str]:
    """`touchmove` with these arguments, its streams redirected by a shell."""
    log = tmp_path / "game.jsonl"
    log.write_text(HEADER)
    words = [str(log) if word == "LOG" else word for word in arguments]
    command = f'{{ "$@" {redirected}; }}'
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        ["sh", "-c", command, "sh", sys.executable, "-m", "board_driver", *words],
        capture_output=True,
        text=True,
        check=False,
        env=environment | ({"PYTHONUNBUFFERED": "1"} if unbuffered else {}),
        cwd=Path(__file__).parents[2],
    )


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("unbuffered", [False, True])
@pytest.mark.parametrize("arguments", CALLS[1:], ids=" ".join)
def test_a_full_disk_under_the_output_is_one_line(arguments: list[str], unbuffered: bool, tmp_path: Path) -> None:
    ended = shell(arguments, "> /dev/full", tmp_path, unbuffered)
    assert ended.returncode == 2, ended.stderr
    assert ended.stderr.startswith("touchmove: ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("redirected", [">&-", "2>&-"])
@pytest.mark.parametrize(("arguments", "status"), list(zip(CALLS, (0, 0, 2), strict=True)), ids=repr)
def test_a_closed_stream_changes_no_exit_status(
    arguments: list[str], status: int, redirected: str, tmp_path: Path
) -> None:
    ended = shell(arguments, redirected, tmp_path)
    assert ended.returncode == status, ended.stderr
    assert "Traceback" not in ended.stderr
    assert "touchmove: " not in ended.stdout  # no message strays into the output


@pytest.mark.parametrize("arguments", CALLS, ids=" ".join)
def test_a_reader_who_leaves_hears_no_complaint(arguments: list[str], tmp_path: Path) -> None:
    ended = shell(arguments, "| true", tmp_path)
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr
