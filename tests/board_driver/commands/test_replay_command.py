"""`touchmove replay`, as it is called: real games, options, files, and any bytes at all."""

from __future__ import annotations

import gzip
import io
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from board_driver.cli import main
from board_driver.mind import Mode
from board_driver.sensorlog.header import Header
from rules.pgn import read_games
from tests.board_driver.gamelog import known_games, log_text

SHORT = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1")
"""The Italian game up to castling."""

Output = pytest.CaptureFixture[str]


@pytest.fixture
def short_log(tmp_path: Path) -> Path:
    path = tmp_path / "short.jsonl"
    path.write_text(log_text(Header(mode=Mode.PLAY), SHORT), encoding="utf-8")
    return path


# -- real games --


@pytest.mark.parametrize("mode", list(Mode), ids=lambda mode: mode.value)
def test_real_games_replay_to_the_same_moves(mode: Mode, tmp_path: Path, capsys: Output) -> None:
    games = known_games()
    assert len(games) == 106
    for game in games:
        header = Header(mode=mode, start_fen=game.start_fen, chess960=game.chess960)
        (tmp_path / f"{game.name}.jsonl").write_text(log_text(header, game.moves), encoding="utf-8")
    assert main(["replay", "--summary", *(str(tmp_path / f"{game.name}.jsonl") for game in games)]) == 0
    summaries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [Path(summary["log"]).stem for summary in summaries] == [game.name for game in games]
    different = [
        game.name for game, summary in zip(games, summaries, strict=True) if summary["uci"] != list(game.moves)
    ]
    assert different == []
    doubts = [(game, ply) for game, summary in zip(games, summaries, strict=True) for ply in summary["uncertain"]]
    assert all(len(game.moves[ply - 1]) == 5 for game, ply in doubts), "only what a pawn became may stay open"


# -- what is printed --


def test_events_are_json_lines_in_order_of_time(short_log: Path, capsys: Output) -> None:
    assert main(["replay", "--events", str(short_log)]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["t_ms"] for event in events] == sorted(event["t_ms"] for event in events)
    assert [event["uci"] for event in events if event["event"] == "move"] == list(SHORT)
    lifts = [event["square"] for event in events if event["event"] == "lift"]
    assert lifts == ["e2", "e7", "g1", "b8", "f1", "f8", "e1", "h1"]
    assert all(event["text"] for event in events if event["event"] == "fault")


def test_the_account_is_for_a_person(short_log: Path, capsys: Output) -> None:
    assert main(["replay", str(short_log)]) == 0
    text = capsys.readouterr().out
    assert "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O" in text
    assert "No irregularity" in text


def test_an_irregularity_is_told_with_its_law(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "touch.jsonl"
    lines = ['{"sensorlog": 1, "mode": "play"}']
    occupied = 0xFFFF00000000FFFF
    for t_ms, change in ((0, 0), (1000, 1 << 12), (2000, 1 << 12), (3000, 1 << 11), (4000, 1 << 27)):
        occupied ^= change
        lines.append(json.dumps({"t_ms": t_ms, "occ": hex(occupied)}))
    path.write_text("\n".join(lines), encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    assert "4.3" in capsys.readouterr().out


def test_the_same_log_gives_the_same_output(short_log: Path, capsys: Output) -> None:
    outputs = []
    for _ in range(2):
        assert main(["replay", "--events", "--summary", str(short_log)]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


def test_pgn_goes_to_a_file(short_log: Path, tmp_path: Path, capsys: Output) -> None:
    target = tmp_path / "games.pgn"
    assert main(["replay", "--pgn", str(target), str(short_log), str(short_log)]) == 0
    games = list(read_games(target.read_bytes()))
    assert [len(game.moves) for game in games] == [7, 7]
    assert all(ply.elapsed_ms is not None for game in games for ply in game.line)
    said = capsys.readouterr()
    assert said.out == ""
    assert "2 games" in said.err


def test_pgn_goes_to_standard_output(short_log: Path, capsys: Output) -> None:
    assert main(["replay", "--pgn", "-", str(short_log)]) == 0
    (game,) = read_games(capsys.readouterr().out)
    assert len(game.moves) == 7


def test_pgn_that_cannot_be_written_is_one_line(short_log: Path, tmp_path: Path, capsys: Output) -> None:
    for target in (str(tmp_path), ""):  # no name at all is what a script's empty variable gives
        assert main(["replay", "--pgn", target, str(short_log)]) == 2
        assert_one_line(capsys.readouterr().err)


def test_without_a_game_the_pgn_file_is_left_as_it_is(tmp_path: Path, capsys: Output) -> None:
    target = tmp_path / "games.pgn"
    target.write_text("precious", encoding="utf-8")
    assert main(["replay", "--pgn", str(target), str(tmp_path / "missing.jsonl")]) == 2
    assert target.read_text(encoding="utf-8") == "precious"
    assert "left as it is" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        ["--mode", "record"],
        ["--mode", "play", "--touch", "off"],
        ["--touch", "friendly", "--ruleset", "blitz"],
        ["--ruleset", "traditional"],
        ["--ruleset", "club3"],
    ],
)
def test_options_override_the_header(options: list[str], short_log: Path, capsys: Output) -> None:
    assert main(["replay", "--summary", *options, str(short_log)]) == 0
    assert json.loads(capsys.readouterr().out)["uci"] == list(SHORT)


@pytest.mark.parametrize("option", ["--mode", "--touch", "--ruleset"])
def test_an_unknown_choice_is_one_line(option: str, short_log: Path, capsys: Output) -> None:
    assert main(["replay", option, "nonsense", str(short_log)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert_one_line(said.err)
    assert "nonsense" in said.err


def test_several_logs_go_on_after_a_bad_one(short_log: Path, tmp_path: Path, capsys: Output) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("junk\n", encoding="utf-8")
    assert main(["replay", "--summary", str(short_log), str(bad), str(short_log)]) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 2
    assert_one_line(said.err)


def test_a_log_that_breaks_off_still_has_its_summary_and_its_pgn(
    short_log: Path, tmp_path: Path, capsys: Output
) -> None:
    lines = short_log.read_text(encoding="utf-8").splitlines(keepends=True)
    broken, target = tmp_path / "broken.jsonl", tmp_path / "games.pgn"
    broken.write_text("".join(lines[:6]) + "junk\n" + "".join(lines[6:]), encoding="utf-8")
    assert main(["replay", "--summary", "--pgn", str(target), str(broken)]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out)["uci"] == list(SHORT[:2])
    assert "broken.jsonl, line 7: expected" in said.err
    assert len(next(read_games(target.read_bytes())).moves) == 2


def test_gzip_and_standard_input(short_log: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    content = short_log.read_bytes()
    packed = short_log.with_suffix(".jsonl.gz")
    packed.write_bytes(gzip.compress(content))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert main(["replay", "--summary", str(packed), "-"]) == 0
    summaries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [summary["uci"] for summary in summaries] == [list(SHORT)] * 2
    assert summaries[1]["log"] == "-"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_progress_bar_only_on_a_terminal_and_only_for_several(
    short_log: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["replay", "--summary", str(short_log), str(short_log)]) == 0
    assert "1/2" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")
    terminal.truncate(0)
    assert main(["replay", "--summary", str(short_log)]) == 0
    assert terminal.getvalue().strip("\0") == ""
    assert len(capsys.readouterr().out.splitlines()) == 3


# -- as a program of its own --


def test_a_reader_that_has_enough_is_no_error(short_log: Path) -> None:
    command = [sys.executable, "-m", "board_driver", "replay", "--events", *[str(short_log)] * 40]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.readline()
        program.stdout.close()
        assert program.stderr.read() == b""


def test_letters_a_terminal_cannot_show_are_escaped(tmp_path: Path) -> None:
    name = tmp_path / "spiel–ñ.jsonl"
    name.write_text("junk", encoding="utf-8")
    command = [sys.executable, "-m", "board_driver", "replay", str(name)]
    ran = subprocess.run(command, capture_output=True, env={"PYTHONIOENCODING": "ascii"}, check=False)
    assert ran.returncode == 2
    assert b"Traceback" not in ran.stderr
    assert b"spiel" in ran.stderr


# -- any bytes at all --


def assert_one_line(text: str) -> None:
    assert text.startswith("touchmove: ")
    assert text.count("\n") == 1
    assert text.rstrip("\n").isprintable()


def replay_bytes(content: bytes, *options: str) -> tuple[int, str, str]:
    """Status, output and errors of a replay of these bytes from standard input."""
    patched = pytest.MonkeyPatch()
    out, err = io.StringIO(), io.StringIO()
    with patched.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        status = main(["replay", "-", *options])
    return status, out.getvalue(), err.getvalue()


def assert_readable_or_complained(content: bytes, mode: str) -> None:
    status, out, err = replay_bytes(content, "--events", "--summary", "--mode", mode)
    assert status in (0, 2)
    assert (status == 2) == any("expected" in line for line in err.splitlines() if "unknown key" not in line)
    for line in out.splitlines():
        json.loads(line)


modes = st.sampled_from(["play", "record"])


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(content=st.binary(max_size=300), mode=modes)
@example(content=b"", mode="play")
@example(content=b'{"sensorlog": 1}', mode="record")
@example(content=b"\xff\xfe{\x00", mode="record")
def test_any_bytes_are_read_or_complained_of(content: bytes, mode: str) -> None:
    assert_readable_or_complained(content, mode)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), mode=modes, faults=st.integers(1, 5))
def test_damaged_logs_are_read_or_complained_of(seed: int, mode: str, faults: int) -> None:
    """Bytes of a good log changed, lines dropped, repeated and moved."""
    chance = random.Random(seed)
    lines = log_text(Header(), SHORT).encode().splitlines(keepends=True)
    for _ in range(faults):
        at = chance.randrange(len(lines))
        match chance.randrange(4):
            case 0:
                line = bytearray(lines[at])
                line[chance.randrange(len(line))] = chance.choice(b'0123456789abcdef"{}:,x\x00\xff')
                lines[at] = bytes(line)
            case 1 if len(lines) > 1:
                del lines[at]
            case 2:
                lines.insert(chance.randrange(len(lines)), lines[at])
            case _:
                lines[at] = lines[at][: chance.randrange(len(lines[at]))] + b"\n"
    assert_readable_or_complained(b"".join(lines), mode)


START = 0xFFFF00000000FFFF
STARTS = (
    "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 w - - 99 90",
)
pictures = st.one_of(
    st.integers(0, 2**64 - 1),
    st.sets(st.integers(0, 63), max_size=8).map(lambda squares: START ^ sum(1 << s for s in squares)),
    st.sampled_from([0, 2**64 - 1, START, 0xFF, 0xFF000000000000FF]),
)
placements = st.lists(st.sampled_from(["8", "rnbqkbnr", "pppppppp", "4k3", "P6K", "KKKKKKKK"]), min_size=8, max_size=8)
wild_scans = {
    "occupancy": st.builds(lambda occupied: {"occ": hex(occupied)}, pictures),
    "colour": st.builds(lambda white, black: {"white": hex(white), "black": hex(black)}, pictures, pictures),
    "field": st.builds(
        lambda white, black, strength: {
            "field": [strength * ((white >> s & 1) - (black >> s & 1)) + s % 3 for s in range(64)]
        },
        pictures,
        pictures,
        st.sampled_from([0, 1, 100, -100, 1e14]),
    ),
    "identity": st.builds(lambda ranks: {"pieces": "/".join(ranks)}, placements),
}
wild_choices = st.one_of(
    st.sampled_from([{"press": "white"}, {"press": "black"}]),
    st.builds(
        lambda name, player: {"button": name, "value": player},
        st.sampled_from(["adjust", "claim", "draw", "resign", "takeback"]),
        st.sampled_from(["white", "black"]),
    ),
    st.builds(lambda letter: {"button": "promote", "value": letter}, st.sampled_from("qrbnkpQN")),
    st.builds(lambda result: {"button": "result", "value": result}, st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"])),
)


def wild_lines(sensing: str) -> st.SearchStrategy[dict[str, object]]:
    """Scans that no game makes, with squares distrusted now and then, and choices at any time."""
    doubt = st.sampled_from([{}, {}, {}, {"distrusted": "0xff"}, {"distrusted": hex(2**64 - 1)}])
    scans = st.builds(lambda scan, distrusted: scan | distrusted, wild_scans[sensing], doubt)
    return st.one_of(scans, scans, wild_choices)


wild_headers = st.fixed_dictionaries(
    {"sensorlog": st.just(1)},
    optional={
        "touch": st.sampled_from(["strict", "friendly", "off"]),
        "ruleset": st.sampled_from(["fide", "rapid", "blitz", "club3", "traditional"]),
        "clock": st.booleans(),
        "start_fen": st.sampled_from(STARTS),
    },
)
pauses = st.sampled_from([0, 1, 50, 199, 200, 700, 5000])


@pytest.mark.parametrize("sensing", list(wild_scans))
@pytest.mark.parametrize("mode", ["play", "record"])
def test_well_formed_logs_of_impossible_things_are_read_to_the_end(mode: str, sensing: str) -> None:
    @settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
    @given(lines=st.lists(st.tuples(pauses, wild_lines(sensing)), max_size=25), header=wild_headers)
    def check(lines: list[tuple[int, dict[str, object]]], header: dict[str, object]) -> None:
        t_ms, texts = 0, [json.dumps(header | {"sensing": sensing})]
        for pause, fields in lines:
            t_ms += pause
            texts.append(json.dumps({"t_ms": t_ms} | fields))
        status, out, err = replay_bytes("\n".join(texts).encode(), "--events", "--summary", "--mode", mode)
        assert (status, err) == (0, "")
        times = [event["t_ms"] for line in out.splitlines() if "event" in (event := json.loads(line))]
        assert times == sorted(times)

    check()
