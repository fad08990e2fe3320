"""What the terminal and the system's journal are told while a daemon runs."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from board_driver.daemon import BoardState, Daemon
from board_driver.eventlog import Entry, EventLog, Kind, Level, Log, entry_of
from board_driver.events import Ended, Event, Fault, Irregular, Lifted, Moved, Notice, Revised
from board_driver.journald import JournalSocket
from board_driver.pairingcode import FILE, forget_code, kept_code, tell_code
from rules.squares import Square
from tests.board_driver.journalreader import JournalReader

FEN = "8/8/8/8/8/8/8/8 w - - 0 1"


class Evening:
    """A daemon that only has a state and listeners."""

    def __init__(self, log: Log) -> None:
        self.daemon = SimpleNamespace(board_state=BoardState.OPEN, listen=self._listen)
        self.listeners: list[Any] = []
        EventLog(cast(Daemon, self.daemon), log, lambda: "evening.pgn")

    def _listen(self, listener: object) -> None:
        self.listeners.append(listener)

    def tell(self, state: BoardState, *events: object) -> None:
        self.daemon.board_state = state
        self.listeners[0](events)


def lose_and_find(evening: Evening) -> None:
    evening.tell(BoardState.OPEN, Lifted(1, Square(12)), Moved(2, "e4", "e2e4", FEN, 1, False))
    evening.tell(BoardState.LOST, Fault(3, "board-lost", None, "The board is gone: the port is gone"))
    evening.tell(BoardState.LOST)
    evening.tell(BoardState.OPEN)
    evening.tell(BoardState.OPEN)


def test_a_person_is_told_what_is_wrong_and_when_it_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    lose_and_find(Evening(Log(in_service=False)))
    assert capsys.readouterr().err.splitlines() == [
        "touchmove: The board is gone: the port is gone",
        "touchmove: the board is back",
    ]


def test_without_its_socket_the_journal_gets_levels(capsys: pytest.CaptureFixture[str]) -> None:
    lose_and_find(Evening(Log(in_service=True)))
    assert capsys.readouterr().err.splitlines() == [
        "<6>touchmove: ply 1: e4",
        "<3>touchmove: The board is gone: the port is gone",
        "<4>touchmove: the board is back",
    ]


def test_the_journal_gets_fields(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reader = JournalReader(tmp_path / "socket")
    evening = Evening(Log(JournalSocket(tmp_path / "socket"), in_service=True))
    lose_and_find(evening)
    evening.tell(BoardState.OPEN, Fault(4, "stuck", Square(28), "e4 does not change"))
    assert reader.next() == {
        "MESSAGE": "ply 1: e4",
        "PRIORITY": "6",
        "MESSAGE_ID": Kind.MOVE.value,
        "SYSLOG_IDENTIFIER": "touchmove",
        "TOUCHMOVE_EVENT": "move",
        "TOUCHMOVE_GAME": "evening.pgn",
        "TOUCHMOVE_PLY": "1",
        "TOUCHMOVE_SAN": "e4",
        "TOUCHMOVE_UCI": "e2e4",
    }
    assert [reader.next()["TOUCHMOVE_EVENT"] for _ in range(2)] == ["board-lost", "board-back"]
    stuck = reader.next()
    assert (stuck["PRIORITY"], stuck["TOUCHMOVE_SQUARE"], stuck["TOUCHMOVE_FAULT"]) == ("4", "e4", "stuck")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("event", "kind", "level", "fields"),
    [
        (Revised(1, 3, "e2e4", None), Kind.REVISED, Level.INFO, {"PLY": "3", "WAS": "e2e4", "UCI": ""}),
        (Ended(1, "1-0", "mate"), Kind.ENDED, Level.NOTICE, {"RESULT": "1-0", "REASON": "mate"}),
        (Notice(1, "new-game", "a new game"), Kind.NOTICE, Level.INFO, {"NOTICE": "new-game"}),
        (
            Irregular(1, "not-a-move", Square(0), "illegal", True, "no move", "7.5.1"),
            Kind.IRREGULARITY,
            Level.NOTICE,
            {"WHY": "not-a-move", "SQUARE": "a1", "ARTICLE": "7.5.1"},
        ),
    ],
)
def test_each_event_has_its_level_and_fields(event: Event, kind: Kind, level: Level, fields: dict[str, str]) -> None:
    entry = entry_of(event)
    assert entry is not None
    assert (entry.kind, entry.level, entry.fields) == (kind, level, fields)


def test_numbers_of_kinds_are_numbers_and_each_its_own() -> None:
    assert len({kind.value for kind in Kind}) == len(Kind)
    assert all(re.fullmatch("[0-9a-f]{32}", kind.value) for kind in Kind)


def test_an_entry_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    Log(in_service=True).say(Entry(Kind.FAULT, Level.WARNING, "two\nlines"))
    assert capsys.readouterr().err == "<4>touchmove: two lines\n"


def test_the_code_is_told_to_a_terminal_and_kept_from_the_journal(tmp_path: Path) -> None:
    assert "1234 5678" in tell_code("1234 5678", tmp_path, in_service=False)
    assert kept_code(tmp_path) is None
    told = tell_code("1234 5678", tmp_path, in_service=True)
    assert "1234" not in told
    assert "status" in told
    assert kept_code(tmp_path) == "1234 5678"
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    forget_code(tmp_path)
    assert kept_code(tmp_path) is None
    assert "could not be kept" in tell_code("1234 5678", tmp_path / "nowhere", in_service=True)
    (tmp_path / FILE).write_bytes(b"\xff" * 100)
    assert kept_code(tmp_path) is None
