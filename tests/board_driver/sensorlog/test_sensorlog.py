"""Sensor logs: what is written reads back, and what cannot be read is told in one line."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.clockwords import PAUSE_VALUES
from board_driver.mind import ClockStart, Mode, TouchRule
from board_driver.scan import (
    Button,
    ButtonName,
    Colours,
    Command,
    Field,
    Hint,
    Identity,
    Input,
    Occupancy,
    Press,
    Scan,
    Sensing,
)
from board_driver.sensorlog import Header, LogWriter, SensorLogError, open_log
from board_driver.sensorlog.header import header_fields, parse_header
from board_driver.sensorlog.lines import TIME_LIMIT_MS, line_fields, parse_line
from board_driver.sensorlog.parser import LINE_LIMIT, LogParser
from rules.clock import parse_time_control
from rules.fen import START_FEN
from rules.pieces import PIECES
from rules.ruleset import RULESETS
from rules.squares import Colour

HEADER = b'{"sensorlog": 1}\n'
SCAN = b'{"t_ms": 0, "occ": "0xffff00000000ffff"}\n'
PRESS = b'{"t_ms": 9, "press": "white"}\n'

# -- there and back --

bitboards = st.integers(0, 2**64 - 1)
times = st.integers(-TIME_LIMIT_MS, TIME_LIMIT_MS)
strengths = st.one_of(st.integers(-4096, 4096).map(float), st.floats(-1e6, 1e6))
readings = {
    Sensing.OCCUPANCY: st.builds(Occupancy, bitboards),
    Sensing.COLOUR: st.builds(Colours, bitboards, bitboards),
    Sensing.FIELD: st.builds(Field, st.tuples(*[strengths] * 64)),
    Sensing.IDENTITY: st.builds(Identity, st.tuples(*[st.sampled_from([None, *PIECES.values()])] * 64)),
}
players = st.sampled_from(["white", "black"])
buttons = st.sampled_from(list(ButtonName)).flatmap(
    lambda name: st.builds(
        Button,
        times,
        st.just(name),
        {
            ButtonName.PROMOTE: st.sampled_from("qrbnkpQRBNKP"),
            ButtonName.RESULT: st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]),
            ButtonName.PAUSE: st.sampled_from([None, *PAUSE_VALUES]),
            ButtonName.TIME: st.sampled_from(["white 300000", "black +120000", "white -1"]),
            ButtonName.BACK_TO: st.integers(0, 9999).map(str),
            ButtonName.CLAIM: st.sampled_from(["white", "black Nf3", "white e7e8q", "black O-O"]),
        }.get(name, st.none() | players),
    )
)
presses = st.builds(Press, times, st.sampled_from(list(Colour)), st.none() | st.integers(0, 359_999_000))
moves = st.sampled_from(["e2e4", "e7e8n", "h8a1"])
chosen = st.one_of([st.builds(kind, times, moves, st.sampled_from([None, START_FEN])) for kind in (Command, Hint)])
headers = st.builds(
    Header,
    sensing=st.sampled_from(list(Sensing)),
    mode=st.sampled_from(list(Mode)),
    start_fen=st.sampled_from([START_FEN, "4k3/8/8/8/8/8/8/R3K3 w Q - 4 9"]),
    chess960=st.booleans(),
    ruleset=st.sampled_from(list(RULESETS)),
    touch=st.sampled_from([None, *TouchRule]),
    clock=st.sampled_from([None, True, False]),
    time_control=st.sampled_from([None, *map(parse_time_control, ("5+3", "40/90+30, 30+30", "3 b2 vs 5 b0"))]),
    clock_start=st.sampled_from(list(ClockStart)),
    execution_grace_ms=st.sampled_from([10_000, 0, 3_600_000]),
    handless=st.frozensets(st.sampled_from(list(Colour))),
    follow_board=st.booleans(),
    scan_hz=st.sampled_from([None, 5.0, 200.0]),
    board=st.one_of(st.none(), st.text(max_size=20)),
    comment=st.one_of(st.none(), st.text(max_size=20)),
)


@pytest.mark.parametrize("sensing", list(Sensing))
def test_every_input_reads_back_equal(sensing: Sensing) -> None:
    scans = st.builds(Scan, times, readings[sensing], st.sampled_from([0, 1, 2**63]))

    @given(st.one_of(scans, presses, buttons, chosen))
    def check(item: Input) -> None:
        fields = json.loads(json.dumps(line_fields(item)))
        assert parse_line(fields, sensing) == item

    check()


@given(headers)
def test_every_header_reads_back_equal(header: Header) -> None:
    assert parse_header(json.loads(json.dumps(header_fields(header)))) == header


def test_a_header_says_as_little_as_it_likes() -> None:
    assert parse_header({"sensorlog": 1}) == Header()
    assert parse_header({"sensorlog": 1, "clock": None, "comment": None, "touch": None}) == Header()


@given(headers, st.booleans())
def test_a_header_of_settings_gives_them_back(header: Header, holds_press: bool) -> None:
    settings = header.settings(holds_press=holds_press)
    assert Header.of(settings).settings(holds_press=not holds_press) == settings


def test_the_settings_of_a_header() -> None:
    settings = Header(mode=Mode.PLAY, ruleset="club3").settings()
    assert (settings.mode, settings.ruleset, settings.touch) == (Mode.PLAY, "club3", TouchRule.STRICT)
    assert Header(touch=TouchRule.FRIENDLY).settings().touch is TouchRule.FRIENDLY


@pytest.mark.parametrize(
    ("clock", "holds_press", "expected"),
    [(None, False, False), (None, True, True), (False, True, False), (True, False, True)],
)
def test_a_clock_is_there_if_the_header_says_so_or_else_a_press(
    clock: bool | None, holds_press: bool, expected: bool
) -> None:
    assert Header(clock=clock).settings(holds_press=holds_press).clock is expected


def test_the_writer_leaves_out_scans_that_are_like_the_last() -> None:
    sink = io.StringIO()
    writer = LogWriter(sink, Header())
    for t_ms, occupied in ((0, 7), (10, 7), (20, 3), (30, 3), (40, 7)):
        writer.write(Scan(t_ms, Occupancy(occupied)))
        writer.write(Press(t_ms, Colour.WHITE))
    lines = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert [line["t_ms"] for line in lines if "occ" in line] == [0, 20, 40]
    assert len(lines) == 1 + 3 + 5


# -- lines that are none --

MALFORMED = [
    (b"nonsense\n", "a JSON object"),
    (b"[1, 2]\n", "a list of 2"),
    (b"7\n", "got 7"),
    (b"null\n", "got nothing"),
    (b'{"t_ms": 1\n', "a JSON object"),
    (b'{"occ": "0x0"}\n', '"t_ms" to be a whole number'),
    (b'{"t_ms": "1", "occ": "0x0"}\n', '"t_ms" to be a whole number'),
    (b'{"t_ms": 1.5, "occ": "0x0"}\n', "got 1.5"),
    (b'{"t_ms": true, "occ": "0x0"}\n', "got true"),
    (b'{"t_ms": NaN, "occ": "0x0"}\n', "a JSON object"),
    (b'{"t_ms": 1e999, "occ": "0x0"}\n', "got inf"),
    (b'{"t_ms": ' + b"9" * 4000 + b', "occ": "0x0"}\n', "very many digits"),
    (b'{"t_ms": ' + b"9" * 5000 + b', "occ": "0x0"}\n', "a JSON object"),
    (b'{"t_ms": 1, "occ": 255}\n', '"occ" to be 64 squares'),
    (b'{"t_ms": 1, "occ": "ff"}\n', '"occ" to be 64 squares'),
    (b'{"t_ms": 1, "occ": "0x"}\n', '"occ" to be 64 squares'),
    (b'{"t_ms": 1, "occ": "0xfff_f"}\n', '"occ" to be 64 squares'),
    (b'{"t_ms": 1, "occ": "-0x1"}\n', '"occ" to be 64 squares'),
    (b'{"t_ms": 1, "occ": "0x11112222333344445"}\n', '"occ" to be 64 squares'),
    (b'{"t_ms": 1, "occ": "0x0", "distrusted": 1}\n', '"distrusted" to be 64 squares'),
    (b'{"t_ms": 1, "white": "0x0", "black": "0x0"}\n', 'expected "occ" (the header says occupancy)'),
    (b'{"t_ms": 1, "occ": "0x0", "press": "white"}\n', "one thing a line"),
    (b'{"t_ms": 1, "press": "white", "button": "claim", "value": "white"}\n', "one thing a line"),
    (b'{"t_ms": 1, "press": "White"}\n', "white or black"),
    (b'{"t_ms": 1, "press": null}\n', "white or black"),
    (b'{"t_ms": 1, "press": "white", "left_ms": -1}\n', "the time left on a clock"),
    (b'{"t_ms": 1, "press": "white", "left_ms": "5:00"}\n', "the time left on a clock"),
    (b'{"t_ms": 1, "button": "dance"}\n', "promote, adjust, claim"),
    (b'{"t_ms": 1, "button": 3}\n', "promote, adjust, claim"),
    (b'{"t_ms": 1, "button": "promote"}\n', "q, r, b or n"),
    (b'{"t_ms": 1, "button": "promote", "value": "queen"}\n', "q, r, b or n"),
    (b'{"t_ms": 1, "button": "resign", "value": 1}\n', "white or black"),
    (b'{"t_ms": 1, "button": "result", "value": "2-0"}\n', "1/2-1/2"),
    (b'{"t_ms": -1, "occ": "0x0"}\n', "at least 0 (times never go back)"),
    (b'{"t_ms": 1, "occ": "\xff"}\n', "text in UTF-8"),
    (b"\x00\x01\x02\n", "a JSON object"),
    (b"[" * 100_000 + b"\n", "very deep nesting"),
    (b'{"a":' * 50_000 + b"\n", "very deep nesting"),
    (b'{"t_ms": 1, "comment": "' + b"x" * LINE_LIMIT + b'"}\n', "a line of at most"),
]


def read(path: Path) -> tuple[list[Input], str, list[str]]:
    """The inputs of a log, the error that ended it or an empty text, and the warnings."""
    warnings: list[str] = []
    items: list[Input] = []
    try:
        with open_log(str(path), warnings.append) as log:
            for item in log:
                items.append(item)
    except SensorLogError as problem:
        return items, str(problem), warnings
    return items, "", warnings


@pytest.mark.parametrize(("line", "expected"), MALFORMED, ids=range(len(MALFORMED)))
def test_a_malformed_line_is_told_and_what_came_before_is_read(line: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(HEADER + SCAN + line + PRESS)
    items, problem, _ = read(path)
    assert len(items) == 1
    assert problem.startswith(f"{path}, line 3: expected ")
    assert expected in problem
    assert ", got " in problem
    assert problem.isprintable()
    assert len(problem) < 400 + len(str(path))


BAD_HEADERS = [
    (b"", "got no line"),
    (b"\n\n", "got no line"),
    (SCAN, "is the header missing?"),
    (b"{}\n", 'a header with "sensorlog": 1'),
    (b'{"sensorlog": 2}\n', "a newer touchmove"),
    (b'{"sensorlog": true}\n', '"sensorlog": 1'),
    (b'{"sensorlog": "1"}\n', '"sensorlog": 1'),
    (b'{"sensorlog": 1, "sensing": "smell"}\n', "occupancy, colour, field, identity"),
    (b'{"sensorlog": 1, "sensing": []}\n', "occupancy, colour, field, identity"),
    (b'{"sensorlog": 1, "mode": "watch"}\n', "play, record"),
    (b'{"sensorlog": 1, "touch": "gentle"}\n', "strict, friendly, off"),
    (b'{"sensorlog": 1, "ruleset": "house"}\n', "fide, rapid, blitz, club3, traditional"),
    (b'{"sensorlog": 1, "ruleset": {}}\n', '"ruleset"'),
    (b'{"sensorlog": 1, "chess960": 1}\n', "true or false"),
    (b'{"sensorlog": 1, "clock": "yes"}\n', "true or false"),
    (b'{"sensorlog": 1, "scan_hz": -5}\n', "scans a second"),
    (b'{"sensorlog": 1, "scan_hz": "fast"}\n', "scans a second"),
    (b'{"sensorlog": 1, "start_fen": 5}\n', '"start_fen" to be a text'),
    (b'{"sensorlog": 1, "start_fen": "8/8/8/8/8/8/8/8 w - - 0 1"}\n', "a position as FEN"),
    (b'{"sensorlog": 1, "start_fen": "nonsense"}\n', "a position as FEN"),
    (b'{"sensorlog": 1, "start_fen": "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1"}\n', "a position as FEN"),
    (b"\x7fELF\x02\x01\x01\x00\xff\xfe\n", "text in UTF-8"),
    (b"PK\x03\x04 hello\n", "a JSON object"),
    (b"1. e4 e5 2. Nf3\n", "is this a sensor log?"),
]


@pytest.mark.parametrize(("content", "expected"), BAD_HEADERS, ids=range(len(BAD_HEADERS)))
def test_a_bad_header_is_told(content: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    items, problem, _ = read(path)
    assert items == []
    assert str(path) in problem
    assert expected in problem
    assert problem.isprintable()


# -- files --


def test_unknown_keys_are_told_once_each(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(
        b'{"sensorlog": 1, "venue": "x"}\n{"t_ms": 0, "occ": "0x1", "rssi": 3}\n{"t_ms": 1, "rssi": 4}\n'
        b'{"t_ms": 2, "occ": "0x2", "rssi": 3, "battery": null}\n'
    )
    items, problem, warnings = read(path)
    assert [item.t_ms for item in items] == [0, 2]
    assert problem == ""
    assert [warning.split('"')[1] for warning in warnings] == ["venue", "rssi", "battery"]
    assert [warning.split(": ")[0].split(", ")[-1] for warning in warnings] == ["line 1", "line 2", "line 4"]


@pytest.mark.parametrize(
    "content",
    [
        HEADER + SCAN + PRESS,
        b"\xef\xbb\xbf" + HEADER + SCAN + PRESS,
        (HEADER + SCAN + PRESS).replace(b"\n", b"\r\n"),
        (HEADER + SCAN + PRESS).rstrip(b"\n"),
        b"\n" + HEADER + b"\n" + SCAN + b"  \n" + PRESS + b"\n\n",
    ],
    ids=["plain", "byte order mark", "carriage returns", "no last newline", "empty lines"],
)
@pytest.mark.parametrize("packed", [False, True])
def test_what_editors_do_to_files_is_no_harm(content: bytes, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / ("game.jsonl.gz" if packed else "game.jsonl")
    path.write_bytes(gzip.compress(content) if packed else content)
    items, problem, warnings = read(path)
    assert items == [Scan(0, Occupancy(0xFFFF00000000FFFF)), Press(9, Colour.WHITE)]
    assert (problem, warnings) == ("", [])


def test_a_truncated_gzip_file_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    lines = HEADER + b"".join(b'{"t_ms": %d, "occ": "0x%x"}\n' % (t, (t * 7919) ** 4 % 2**64) for t in range(5000))
    path = tmp_path / "game.jsonl.gz"
    path.write_bytes(gzip.compress(lines)[:-2000])
    items, problem, _ = read(path)
    assert 100 < len(items) < 5000
    assert "gzip" in problem
    assert f"after line {len(items) + 1}" in problem


@pytest.mark.parametrize("content", [b"", HEADER + SCAN, b"\x1f\x8b", b"\x1f\x8b\x08\x00" + b"\xff" * 40])
def test_what_is_called_gz_and_is_not_is_told(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl.gz"
    path.write_bytes(content)
    items, problem, _ = read(path)
    assert items == []
    assert problem.startswith(str(path))


def test_missing_files_and_folders_are_told(tmp_path: Path) -> None:
    assert "no such file" in read(tmp_path / "missing.jsonl")[1]
    assert "a folder" in read(tmp_path)[1]
    assert "expected" in read(Path("x" * 5000))[1]


def test_a_file_name_that_cannot_be_is_told() -> None:
    with pytest.raises(SensorLogError, match="sensor log"):
        open_log("nul\0byte", print)


def test_a_press_is_looked_for_only_where_the_header_is_silent(tmp_path: Path) -> None:
    for header, holds_press in ((HEADER, True), (b'{"sensorlog": 1, "clock": true}\n', False)):
        path = tmp_path / "game.jsonl"
        path.write_bytes(header + SCAN + PRESS)
        with open_log(str(path), print) as log:
            assert log.holds_press is holds_press
            assert len(list(log)) == 2


def test_the_word_press_elsewhere_is_no_press(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(HEADER + b'{"t_ms": 0, "note": "\\"press\\""}\n' + SCAN)
    with open_log(str(path), lambda _: None) as log:
        assert not log.holds_press


class _Pipe(io.BytesIO):
    """Standard input that comes from another program."""

    def seekable(self) -> bool:
        return False


@pytest.mark.parametrize("stream", [io.BytesIO, _Pipe])
def test_standard_input_is_a_log_too(stream: type[io.BytesIO], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream(HEADER + SCAN + PRESS)))
    with open_log("-", print) as log:
        assert log.name == "-"
        assert log.holds_press
        assert len(list(log)) == 2


def test_standard_input_that_is_closed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SensorLogError, match="standard input"):
        open_log("-", print)


# -- any bytes at all --


def complaint(parser: LogParser, line: bytes) -> str:
    """What is wrong with a line; an empty text if nothing is."""
    try:
        parser.parse(line)
    except SensorLogError as problem:
        return str(problem)
    return ""


@given(st.lists(st.one_of(st.binary(max_size=60), st.sampled_from([HEADER, SCAN, PRESS])), max_size=8))
def test_any_bytes_are_inputs_or_one_line_of_complaint(pieces: list[bytes]) -> None:
    parser = LogParser("log", lambda _: None)
    for line in b"".join(pieces).splitlines(keepends=True):
        if problem := complaint(parser, line):
            assert problem.isprintable()
            return


json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=6),
        st.sampled_from(["white", "black", "0x0", "promote", "claim", "q", "1-0", "8/8/8/8/8/8/8/8", START_FEN]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=6,
)
KEYS = ["t_ms", "occ", "white", "black", "field", "pieces", "press", "button", "value", "distrusted", "sensorlog"]
KEYS += ["sensing", "mode", "start_fen", "chess960", "ruleset", "touch", "clock", "scan_hz", "board", "comment"]


@given(
    st.sampled_from(list(Sensing)),
    st.dictionaries(st.one_of(st.sampled_from(KEYS), st.text(max_size=3)), json_values, max_size=6),
)
def test_values_of_any_type_are_inputs_or_one_line_of_complaint(sensing: Sensing, fields: dict[str, object]) -> None:
    headers = [fields, fields | {"sensorlog": 1}]
    problems = [complaint(LogParser("log", lambda _: None), json.dumps(header).encode()) for header in headers]
    parser = LogParser("log", lambda _: None)
    parser.parse(json.dumps({"sensorlog": 1, "sensing": sensing.value}).encode())
    problems.append(complaint(parser, json.dumps({"t_ms": 0} | fields).encode()))
    assert all(problem.isprintable() for problem in problems)
