"""What is said of a disk that does not do as it is told: words, and never an error's number."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from board_driver.inputerror import InputError
from board_driver.mind import Mind, Settings
from board_driver.store.archive import put_back
from board_driver.store.damage import reason, refused, set_aside
from board_driver.store.errors import StoreError
from board_driver.store.journal import Journal
from board_driver.store.kept import kept_log
from board_driver.store.state import GAMES, JOURNAL, State
from tests.board_driver.store.lives import PLAY, found_in, shown, write_chapter


def sqlite_problem(name: str) -> sqlite3.Error:
    problem = sqlite3.OperationalError("raw words")
    problem.sqlite_errorname = name
    return problem


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (OSError(errno.ENOSPC, "raw", "/a/file"), "No space left on device"),
        (OSError(errno.EROFS, "raw"), "Read-only file system"),
        (OSError("words of our own"), "words of our own"),
        (sqlite_problem("SQLITE_FULL"), "the disk is full"),
        (sqlite_problem("SQLITE_READONLY_DBMOVED"), "it may only be read, not written"),
        (sqlite_problem("SQLITE_IOERR_FSYNC"), "the disk did not do what it was asked"),
        (sqlite_problem("SQLITE_CORRUPT"), "a page of it is damaged"),
        (sqlite3.ProgrammingError("Cannot operate on a closed database."), "Cannot operate on a closed database."),
        (tarfile.ReadError("not a gzip file"), "a damaged or unfinished archive"),
        (EOFError(), "a damaged or unfinished archive"),
        (ValueError(), "ValueError"),
    ],
)
def test_every_reason_is_words(problem: Exception, words: str) -> None:
    assert reason(problem) == words
    assert "Errno" not in str(refused(Path("j"), problem))


def test_a_file_that_is_no_journal_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(os.urandom(4096))
    for read in (lambda: Journal(tmp_path / "journal.sqlite"), lambda: kept_log(tmp_path)):
        with pytest.raises((StoreError, InputError), match="it is no journal, or its beginning is damaged"):
            read()


def test_a_journal_of_another_program_is_told_in_one_line(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as database:
        database.execute("CREATE TABLE chapter (fish TEXT)")
    with pytest.raises(InputError) as told:
        kept_log(tmp_path)
    assert "\n" not in str(told.value)


def test_a_backup_cut_short_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "b.tar.gz").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\3\1")
    with pytest.raises(InputError) as told:
        put_back(tmp_path / "b.tar.gz", tmp_path / "state")
    assert re.search(r"got: [A-Za-z ]+$", str(told.value))


@pytest.mark.parametrize(
    "wrong",
    ['{"start_fen": "8/8"}', '{"ruleset": "chequers"}', '{"settle_ms": -1}', '{"dead_squares": [64]}', "[" * 100_000],
)
def test_settings_that_no_mind_can_begin_with_lose_no_start_and_no_game(tmp_path: Path, wrong: str) -> None:
    write_chapter(tmp_path / JOURNAL, shown("e2e4", "e7e5"))
    with closing(sqlite3.connect(tmp_path / JOURNAL)) as database, database:
        database.execute("UPDATE chapter SET settings = ?", (wrong,))
    (tmp_path / GAMES).mkdir()
    (tmp_path / GAMES / "now.pgn").write_text("1. e4 e5 *\n")
    found, remarks = found_in(tmp_path)
    assert found is not None
    assert found.resumed.mind.summary()["uci"] == ["e2e4", "e7e5"]
    assert any("expected a journal" in remark for remark in remarks)


def test_a_mind_that_cannot_begin_at_all_does_not_keep_the_daemon_from_starting(tmp_path: Path) -> None:
    write_chapter(tmp_path / JOURNAL, shown("e2e4"))

    def broken(_settings: Settings) -> Mind:
        raise KeyError("our own mistake")

    state = State(tmp_path)
    assert state.resume(PLAY, broken) is None
    assert "cannot be taken up again (KeyError" in state.remarks[-1]
    state.close()


def test_the_newest_damaged_journals_are_kept_and_no_endless_row_of_them(tmp_path: Path) -> None:
    for number in range(1, 9):
        (tmp_path / JOURNAL).write_bytes(b"%d" % number)
        (tmp_path / f"{JOURNAL}-wal").write_bytes(b"log %d" % number)
        assert set_aside(tmp_path / JOURNAL).name == f"{JOURNAL}.damaged-{number}"
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == sorted(f"{JOURNAL}.damaged-{n}{ending}" for n in range(4, 9) for ending in ("", "-wal"))
    assert (tmp_path / f"{JOURNAL}.damaged-8").read_bytes() == b"8"
