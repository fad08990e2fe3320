"""An examination from the outside: a board, a person, the command."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from board_driver.boards.board import Clock, Inbox, Lost
from board_driver.boards.virtual import VirtualBoard
from board_driver.cli import main
from board_driver.commands import doctor
from board_driver.doctor.diagnosis import diagnose
from board_driver.doctor.examination import Examination, Step
from board_driver.doctor.findings import Ailment
from board_driver.doctor.layout import UNKNOWN
from board_driver.doctor.mapping import explain
from board_driver.doctor.screen import board_text
from board_driver.doctor.session import Demonstrator, Keyboard, attend, obey
from board_driver.doctor.watching import watched
from board_driver.lights.picture import Meaning, Picture
from board_driver.profile.places import square_order
from board_driver.profile.reading import sound_profile
from board_driver.profile.schema import Orientation
from board_driver.profile.words import Along, Corner, Order
from board_driver.scan import Occupancy, Reading, Scan, Sensing
from board_driver.sensorlog import Header, LogWriter
from rules.squares import parse_square

RATE = 400.0


class Sick(VirtualBoard):
    """A virtual board two of whose sensors are ill."""

    stuck = 1 << parse_square("c5")
    dumb = 1 << parse_square("g2")

    def reading(self) -> Reading:
        return Occupancy((self.table.occupied | self.stuck) & ~self.dumb)


class Helped(Demonstrator):
    """Says so when nothing comes of it."""

    def __init__(self, board: VirtualBoard) -> None:
        super().__init__(board)
        self._patience = 30

    def act(self, examination: Examination) -> None:
        before = examination.asked
        super().act(examination)
        if before == parse_square("g2"):
            self._patience -= 1
            if self._patience < 0 or self._patience == 29:  # the first time the piece has not even left f2
                examination.confirm()


def examine(board: VirtualBoard) -> Examination:
    examination = Examination(UNKNOWN)
    asyncio.run(attend(board, examination, Helped(board), lambda _: None, Clock(RATE)))
    return examination


def test_a_sick_board_is_examined_to_the_end() -> None:
    examination = examine(Sick())
    diagnosis = diagnose(examination.evidence, UNKNOWN)
    found = {finding.ailment: finding.squares for finding in diagnosis.findings}
    assert found == {Ailment.STUCK_CLOSED: Sick.stuck, Ailment.STUCK_OPEN: Sick.dumb}


def test_the_lamp_of_the_square_that_is_asked_for_blinks() -> None:
    shown: list[Picture] = []

    class Lit(VirtualBoard):
        async def show(self, picture: Picture) -> None:
            shown.append(picture)

    examine(Lit(senses=Sensing.FIELD))
    asked = [picture for picture in shown if picture]
    assert asked == [{square: Meaning.PUT_HERE} for square in range(64)]


def test_a_board_that_is_lost_ends_the_examination_with_words() -> None:
    class Unplugged(VirtualBoard):
        async def open(self, inbox: Inbox) -> None:
            inbox.put(Lost(inbox.now_ms(), "the cable is out"))

    board = Unplugged()
    with pytest.raises(OSError, match="the cable is out"):
        asyncio.run(attend(board, Examination(UNKNOWN), Demonstrator(board), lambda _: None))


@pytest.mark.parametrize("words", [["q"], ["n", "n", "n"], ["n", "", "q"]])
def test_a_person_may_skip_and_end_at_any_time(words: list[str]) -> None:
    examination = Examination(UNKNOWN)
    examination.observe(Scan(0, Occupancy(0)))
    for word in words:
        obey(word, examination)
    assert examination.step is Step.DONE
    diagnose(examination.evidence, UNKNOWN)


def test_a_wrong_lamp_is_noted_and_other_words_do_nothing() -> None:
    examination = Examination(UNKNOWN)
    for word in ("l", "hello", "n", "l"):
        obey(word, examination)
    assert examination.evidence.lamps_wrong == [0]
    assert examination.step is Step.WALK


def test_a_keyboard_gives_lines_and_the_end_of_input_ends() -> None:
    out, into = os.pipe()
    os.write(into, b"\nYes\n")
    os.close(into)
    keyboard = Keyboard(out)
    assert [keyboard.ask("") for _ in range(4)] == ["", "yes", "q", "q"]
    os.close(out)


def test_the_picture_has_every_square_and_marks_what_is_ill() -> None:
    examination = Examination(UNKNOWN)
    examination.evidence.stuck = 1 << parse_square("b2")
    examination.evidence.restless = 1 << parse_square("h8")
    obey("n", examination)
    examination.observe(Scan(0, Occupancy(1 << parse_square("d4")), distrusted=1 << parse_square("e5")))
    lines = board_text(examination, coloured=False)
    ranks = [line[:45].split() for line in lines[1:9]]
    assert [rank[0] for rank in ranks] == list("87654321")
    assert all(len(rank) == 9 for rank in ranks)
    cells = {f"{'abcdefgh'[n]}{rank[0]}": cell for rank in ranks for n, cell in enumerate(rank[1:])}
    assert {name: cell for name, cell in cells.items() if cell != "."} == {
        "d4": "#",
        "e5": "?",
        "h8": "!",
        "b2": "=",
        "a1": "[.]",
    }
    assert "\x1b[" not in "".join(lines)
    assert "\x1b[7m" in "".join(board_text(examination, coloured=True))


def test_the_command_on_the_virtual_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "VIRTUAL_RATE", RATE)
    report = tmp_path / "report.txt"
    assert main(["doctor", "--board", "virtual", "--report", str(report)]) == 0
    assert "The board is sound." in capsys.readouterr().out
    assert "Put one piece" not in report.read_text(encoding="utf-8")
    assert report.read_text(encoding="utf-8").count("  |  ") == 64


def test_the_command_on_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "game.jsonl"
    with log.open("w", encoding="utf-8") as sink:
        writer = LogWriter(sink, Header())
        for t_ms in range(0, 3_000, 40):
            writer.write(Scan(t_ms, Occupancy(0xFFFF_0000_0000_FFFF | (t_ms // 40 % 2) << 28)))
    assert main(["doctor", "--board", f"replay:{log}", "--report", str(tmp_path / "report.txt")]) == 1
    out = capsys.readouterr().out
    assert "E4 changes by itself" in out
    assert "dead_squares: [e4]" in out


def test_a_chattering_square_is_found_in_scans() -> None:
    start = 0xFFFF_0000_0000_FFFF
    scans = [Scan(t_ms, Occupancy(start | (t_ms // 40 % 2) << 28)) for t_ms in range(0, 3_000, 40)]
    evidence, faults = watched(scans)
    diagnosis = diagnose(evidence, UNKNOWN)
    assert [(finding.ailment, finding.squares) for finding in diagnosis.findings] == [(Ailment.CHATTER, 1 << 28)]
    assert [fault.kind for fault in faults] == ["chatter"]


def test_a_turned_array_is_found_in_scans() -> None:
    evidence, _ = watched([Scan(0, Occupancy(0xC3C3_C3C3_C3C3_C3C3))])
    diagnosis = diagnose(evidence, UNKNOWN)
    assert [finding.ailment for finding in diagnosis.findings] == [Ailment.SWAPPED]


def test_a_game_without_troubles_is_sound() -> None:
    start = 0xFFFF_0000_0000_FFFF
    evidence, faults = watched(
        [
            Scan(0, Occupancy(start)),
            Scan(900, Occupancy(start ^ 1 << 12)),
            Scan(1500, Occupancy(start ^ 1 << 12 ^ 1 << 28)),
        ]
    )
    diagnosis = diagnose(evidence, UNKNOWN)
    assert diagnosis.findings == ()
    assert diagnosis.verdict == "Nothing wrong was seen in what was examined."
    assert faults == ()


def test_consent_corrects_a_profile_and_anything_else_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.yaml"
    text = "# mine\nname: x\nsensors:\n  kind: mcp23017   # four\n  bus: 1\n"
    path.write_text(text, encoding="utf-8")
    profile = sound_profile(path)
    truly = Order(first=Corner.H8, along=Along.FILE)
    squares, lies = square_order(Order(), Orientation()), square_order(truly, Orientation())
    evidence = Examination(UNKNOWN).evidence
    evidence.felt = {lies[cell]: 1 << squares[cell] for cell in range(64)}
    diagnosis = diagnose(evidence, UNKNOWN)
    assert diagnosis.swapped == explain({lies[cell]: squares[cell] for cell in range(64)})
    doctor._offer_correction(lambda _: "n", diagnosis, squares, profile, path)
    assert path.read_text(encoding="utf-8") == text
    doctor._offer_correction(lambda _: "y", diagnosis, squares, profile, path)
    assert sound_profile(path).sensors.order == truly
    assert "# mine" in path.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [path]
    assert "order: {first: h8, along: file}" in capsys.readouterr().out


def test_a_board_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: x\nsensors: {kind: mcp23017, bus: 63}\n", encoding="utf-8")
    assert main(["doctor", "--board", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "/dev/i2c-63" in error
