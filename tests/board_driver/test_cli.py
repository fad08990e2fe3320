"""The command line as a newcomer meets it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from board_driver.cli import COMMANDS, build_parser, main

Output = pytest.CaptureFixture[str]


def test_help_lists_every_command_with_a_line(capsys: Output) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    for name in COMMANDS:
        assert any(line.split()[:1] == [name] and len(line.split()) > 3 for line in text.splitlines()), name
    assert "touchmove demo" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_of_its_own(name: str, capsys: Output) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert f"touchmove {name}" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["dance"], ["replay"], ["replay", "--what", "x"], ["perft"]])
def test_a_wrong_call_says_how_it_is_called(arguments: list[str], capsys: Output) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: touchmove" in capsys.readouterr().err


def test_version_is_one_line_for_a_bug_report(capsys: Output) -> None:
    assert main(["version"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("touchmove ")
    assert f"Python {sys.version.split()[0]}" in text
    assert text.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "nodes"),
    [
        (["0"], "1"),
        (["3"], "8,902"),
        (["3", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"], "97,862"),
        (["--chess960", "2", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"], "528"),
        (["1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "0"),
    ],
)
def test_perft_counts(arguments: list[str], nodes: str, capsys: Output) -> None:
    assert main(["perft", *arguments]) == 0
    assert f": {nodes} nodes in " in capsys.readouterr().out


def test_perft_divides_by_first_move(capsys: Output) -> None:
    assert main(["perft", "2", "--divide"]) == 0
    *lines, total = capsys.readouterr().out.splitlines()
    assert len(lines) == 20
    assert lines == sorted(lines)
    assert all(line.endswith(": 20") for line in lines)
    assert ": 400 nodes" in total


@pytest.mark.parametrize(
    "arguments",
    [["x"], ["1.5"], ["21"], ["9" * 5000], ["²"], ["2", "nonsense"], ["2", "8/8/8/8/8/8/8/8 w - - 0 1"]],
)
def test_perft_of_nonsense_is_one_line(arguments: list[str], capsys: Output) -> None:
    assert main(["perft", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("touchmove: ")
    assert error.count("\n") == 1
    assert len(error) < 300


def test_an_interrupted_command_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("board_driver.commands.version.run", interrupt)
    assert main(["version"]) == 130
    assert capsys.readouterr().err == ""


HEAVY = ("aiohttp", "asyncio", "yaml", "msgspec", "serial", "gpiozero", "rules.position")


def test_help_loads_nothing_that_is_not_needed() -> None:
    """Every command starts as fast as its own imports allow."""
    code = (
        "import sys; from board_driver.cli import build_parser; build_parser();"
        f"print([m for m in {HEAVY} if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_replay_loads_no_server_and_no_hardware() -> None:
    code = (
        "import sys; from board_driver.cli import main; main(['replay', '-']);"
        f"print([m for m in {HEAVY[:-1]} if m in sys.modules])"
    )
    log = '{"sensorlog": 1}'
    ran = subprocess.run([sys.executable, "-c", code], input=log, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_the_module_is_the_command() -> None:
    ran = subprocess.run([sys.executable, "-m", "board_driver", "version"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("touchmove ")


def test_the_parser_can_be_built_twice() -> None:
    assert build_parser().format_help() == build_parser().format_help()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run", "--bord", "virtual"], "unrecognized arguments: --bord virtual; did you mean --board?"),
        (["run", "--pgn_file=games.png"], "unrecognized arguments: --pgn_file=games.png; did you mean --pgn?"),
        (["status", "--jason"], "unrecognized arguments: --jason; did you mean --json?"),
        (["replay", "x", "--xyzzy"], "unrecognized arguments: --xyzzy"),
        (["games", "--\x07"], "unrecognized arguments: --\\x07"),
    ],
)
def test_a_slip_is_told_with_the_nearest_option(arguments: list[str], told: str, capsys: Output) -> None:
    """PGN-11 of field.jsonl."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(f"usage: touchmove {arguments[0]}")
    assert lines[-1].endswith(f"error: {told}")
