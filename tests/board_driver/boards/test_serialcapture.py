"""Captures of a serial board: recorded over an outage, replayed to the same scans, and refused where they are none."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path

import pytest

from board_driver.boards.catalogue import choose_board
from board_driver.boards.serial import SerialBoard, SerialSetup
from board_driver.boards.serialcapture import RollingCapture, record, take_capture, write_log
from board_driver.cli import main
from board_driver.mind import Mode
from board_driver.scan import Sensing
from firmware_bridge.capture import CaptureWriter, Header, Piece, Way, read_capture
from firmware_bridge.link import monotonic_ms
from firmware_bridge.messages import OccupiedSquares
from firmware_bridge.protocols import Touchmove
from firmware_bridge.touchmove.board import TouchmoveBoard
from tests.firmware_bridge.ptyboard import PtyBoard, until

START = 0xFFFF00000000FFFF
LIFTED = START & ~(1 << 12)
PLACED = LIFTED | 1 << 28
SAMPLES = Path(__file__).resolve().parents[2] / "data" / "serialtext"


def new_end(occupied: int) -> TouchmoveBoard:
    end = TouchmoveBoard(started_ms=monotonic_ms())
    end.sense(OccupiedSquares(occupied), monotonic_ms())
    return end


def captured_session(folder: Path) -> str:
    """A lift, a cable pulled and put back on a board that was reset, and a place."""

    async def scene() -> str:
        file, said = io.StringIO(), []
        pty = PtyBoard(folder / "ttyACM0", new_end(START))
        pty.plug()
        board = SerialBoard(SerialSetup(Touchmove(9), str(pty.link)), find_ports=list)
        take_capture(board, file)
        stop = asyncio.Event()
        recording = asyncio.create_task(record(board, said.append, stop))
        await until(lambda: f"{START:016x}" in file.getvalue())
        pty.board.sense(OccupiedSquares(LIFTED), monotonic_ms())
        await until(lambda: f"{LIFTED:016x}" in file.getvalue())
        pty.unplug()
        await until(lambda: any("gone" in line for line in said))
        pty.plug(new_end(PLACED))
        await until(lambda: f"{PLACED:016x}" in file.getvalue())
        stop.set()
        assert await recording == 3
        pty.unplug()
        return file.getvalue()

    return asyncio.run(scene())


def test_a_session_is_recorded_and_replays_to_the_same_scans(tmp_path: Path) -> None:
    text = captured_session(tmp_path)
    header, pieces = read_capture(text.splitlines())
    kinds = [piece.way for piece in pieces]
    assert (header.codec, header.session) == ("touchmove", 9)
    assert {Way.IN, Way.OUT, Way.NOTE} == set(kinds)
    sink = io.StringIO()
    assert write_log(text.splitlines(), sink) == 3
    log = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert log[0]["sensing"] == "occupancy"
    assert [int(line["occ"], 16) for line in log[1:]] == [START, LIFTED, PLACED]
    assert [line["t_ms"] for line in log[1:]] == sorted(line["t_ms"] for line in log[1:])


def test_a_capture_becomes_a_log_that_replay_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile = "title: X\nlines: [{cells: {occupied: '1', empty: '0'}}]"
    cells = (SAMPLES / "plain-cells.txt").read_text().splitlines()[1:]
    lines = [{"capture": 1, "codec": "text", "profile": profile}, {"t_ms": 0, "note": "opened /dev/ttyACM0"}]
    lines += [{"t_ms": 1_000 * i, "in": line + "\n"} for i, line in enumerate(cells, start=1)]
    capture, log = tmp_path / "x.capture", tmp_path / "x.jsonl"
    capture.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["capture", str(capture), "--log", str(log)]) == 0
    assert main(["replay", str(log), "--summary"]) == 0
    assert json.loads(capsys.readouterr().out)["uci"] == ["e2e4"]


@pytest.mark.parametrize(
    ("content", "words"),
    [("hello\n", "line 1: expected JSON"), ('{"capture": 1, "codec": "dgt"}\n', "expected the codec touchmove or text"),
     ('{"capture": 1, "codec": "text", "profile": "3"}\n', "the profile cannot be read")],
)  # fmt: skip
def test_what_is_no_capture_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, words: str
) -> None:
    (tmp_path / "x").write_text(content)
    assert main(["capture", str(tmp_path / "x"), "--log", "-"]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["capture", "x", "--board", "virtual"], "expected --board to be serial"),
        (["capture", "x", "--board", "text:"], "expected a profile after text:"),
        (["capture", "x", "--board", "text:none"], "or one of gameboard, open-chess"),
        (["capture", "x", "--for", "soon"], "expected --for to be a number"),
        (["capture", "/nowhere/x"], "the capture cannot be written"),
        (["capture", "/nowhere/x", "--log", "-"], "cannot be turned"),
        (["capture", "x", "--board", "serial:?mx=9"], "expected mx from 0 to 7 (how the matrix lies"),
        (["capture", "x", "--board", "serial:?zz=1"], "expected settings like mx=2,ld=8 (hz, db, us, mx, ld, br, "),
        (["capture", "x", "--board", "serial:?clock=2"], "expected clock=yes or clock=no"),
        (["run", "--capture", "x"], "expected --capture with a serial board"),
        (["run", "--board", "text:none"], "or one of gameboard, open-chess"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_capturing_without_a_board_says_so_and_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Field case SERIAL-13: no board yet is no reason to end."""
    missing = tmp_path / "ttyACM0"
    file = tmp_path / "x.capture"
    assert main(["capture", str(file), "--board", f"serial:{missing}", "--for", "0.3"]) == 0
    error = capsys.readouterr().err
    assert f"there is no {missing}" in error
    assert "0 changes of the board recorded" in error
    assert file.read_text().startswith('{"capture": 1, "codec": "touchmove"')


def test_serial_boards_by_name() -> None:
    choice = choose_board("text:smart-chessboard@/dev/ttyACM3")
    assert isinstance(choice.board, SerialBoard)
    assert choice.board.setup.port == "/dev/ttyACM3"
    assert (choice.settings.sensing, choice.settings.mode) == (Sensing.COLOUR, Mode.PLAY)
    wired = choose_board("serial:/dev/ttyACM0?mx=2,ld=8,hz=250,clock=yes")
    assert isinstance(wired.board, SerialBoard)
    assert wired.board.setup.port == "/dev/ttyACM0"
    protocol = wired.board.setup.protocol
    assert isinstance(protocol, Touchmove)
    assert protocol.settings == {"mx": 2, "ld": 8, "hz": 250}
    assert wired.settings.clock
    found = choose_board("serial:?clock=no")
    assert isinstance(found.board, SerialBoard)
    assert found.board.setup.port is None
    assert not found.settings.clock


def test_a_capture_beside_games_keeps_within_a_size(tmp_path: Path) -> None:
    path = tmp_path / "wire"
    capture = RollingCapture(path, Header("touchmove"), limit=2000)
    for t_ms in range(200):
        capture.write(Piece(t_ms, Way.IN, b"S 0123456789\n"))
    assert sorted(one.name for one in tmp_path.iterdir()) == ["wire", "wire.1"]
    for one in tmp_path.iterdir():
        assert one.stat().st_size < 2200
        header, pieces = read_capture(one.read_text().splitlines())
        assert header.codec == "touchmove"
        assert list(pieces)


def test_a_disk_that_refuses_a_capture_costs_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    capture = RollingCapture(tmp_path / "wire", Header("touchmove"))

    def full(_writer: CaptureWriter, _piece: Piece) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(CaptureWriter, "write", full)
    capture.write(Piece(1, Way.IN, b"x"))
    monkeypatch.undo()
    capture.write(Piece(2, Way.IN, b"y"))
    assert [piece.t_ms for piece in read_capture((tmp_path / "wire").read_text().splitlines())[1]] == [2]
