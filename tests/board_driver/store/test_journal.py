"""The journal on a disk that does what disks do."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from board_driver.events import Lifted, Moved
from board_driver.mind import LightsSetting, Mode, Settings, TouchRule
from board_driver.minds import make_mind
from board_driver.scan import (
    Button,
    ButtonName,
    Colours,
    Field,
    Identity,
    Occupancy,
    Press,
    Scan,
    Sensing,
)
from board_driver.sensing.field import Calibration
from board_driver.store.chapters import GameFile
from board_driver.store.damage import is_sound, set_aside
from board_driver.store.errors import StoreError
from board_driver.store.journal import CACHE_KIB, Journal
from board_driver.store.resume import resume
from board_driver.store.rows import (
    DamagedRowError,
    Given,
    Passed,
    checksum,
    given_line,
    parse_given,
    parse_settings,
    settings_text,
)
from board_driver.store.schema import MIGRATIONS, VERSION, migrate, version_of
from rules.squares import Colour
from tests.board_driver.store.lives import PLAY, START, lifted, shown, write_chapter

MOVED = Moved(2, "e4", "e2e4", "8/8/8/8/8/8/8/8 b - - 0 1", 1, False)
SCAN = Scan(1, Occupancy(0xFFFF))


@pytest.mark.parametrize(
    ("item", "sensing"),
    [
        (Scan(1, Occupancy(0xFFFF00000000FFFF), 3), Sensing.OCCUPANCY),
        (Scan(2, Colours(0xFF, 0xFF << 56)), Sensing.COLOUR),
        (Scan(3, Field(tuple(x / 7 for x in range(64)))), Sensing.FIELD),
        (Scan(4, Identity(tuple(START.piece_at(square) for square in range(64)))), Sensing.IDENTITY),
        (Press(5, Colour.BLACK), Sensing.OCCUPANCY),
        (Button(6, ButtonName.RESIGN, "white"), Sensing.OCCUPANCY),
        (Passed(7), Sensing.OCCUPANCY),
    ],
)
def test_what_a_mind_was_given_is_read_back_as_it_was(item: Given, sensing: Sensing) -> None:
    line = given_line(item)
    assert parse_given(line, checksum(line), sensing) == item


def test_a_row_that_was_changed_is_known_by_its_checksum() -> None:
    line = given_line(SCAN)
    with pytest.raises(DamagedRowError):
        parse_given(line.replace("ffff", "fffe"), checksum(line), Sensing.OCCUPANCY)


def test_settings_are_read_back_as_they_were() -> None:
    odd = Settings(
        mode=Mode.RECORD,
        sensing=Sensing.FIELD,
        chess960=True,
        ruleset="club3",
        touch=TouchRule.FRIENDLY,
        clock=True,
        settle_ms=90,
        lights=LightsSetting.NONE,
        dead_squares=frozenset({3, 60}),
        calibration=Calibration(tuple(range(64)), 20.0, 10.0, -1, 5, 1.5),
    )
    assert parse_settings(settings_text(odd)) == odd
    assert parse_settings("{}") == Settings()
    with pytest.raises(DamagedRowError):
        parse_settings('{"mode": "chequers"}')


def test_chapters_are_read_back_with_rulings_files_and_time(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.begin(PLAY, 5)
    journal.keep(SCAN, [Lifted(1, 12)])  # type: ignore[arg-type]
    journal.keep(Passed(2), [MOVED])
    journal.name_game(0, GameFile("one.pgn", "2026-05-01T12:00:00+00:00"))
    journal.mark(70)
    journal.close()
    chapter = Journal(tmp_path / "j").last()
    assert chapter is not None
    assert (chapter.settings, chapter.began_ms, chapter.latest_ms, chapter.broken) == (PLAY, 5, 70, "")
    assert [row.given for row in chapter.rows] == [SCAN, Passed(2)]
    assert [[event["event"] for event in row.rulings] for row in chapter.rows] == [[], ["move"]]
    assert chapter.games == (GameFile("one.pgn", "2026-05-01T12:00:00+00:00"),)


def test_what_decides_is_forced_to_the_disk_and_what_only_tells_is_not(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.begin(PLAY, 0)
    journal.keep(SCAN, [])
    assert journal.forced, "the first scan of a chapter says what was set up"
    journal.keep(SCAN, [Lifted(1, 12)])  # type: ignore[arg-type]
    assert not journal.forced
    journal.keep(Passed(2), [MOVED])
    assert journal.forced


def test_a_full_disk_loses_nothing_while_the_program_lives(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.begin(PLAY, 0)
    journal._database.execute("PRAGMA max_page_count = 1")  # as small as what there is: the disk is full
    for t_ms in range(2000):
        journal.keep(Scan(t_ms, Occupancy(t_ms)), [MOVED])
    assert "full" in journal.trouble
    journal._database.execute("PRAGMA max_page_count = 100000")
    journal.keep(Passed(2000), [])
    assert journal.trouble == ""
    journal.close()
    chapter = Journal(tmp_path / "j").last()
    assert chapter is not None
    assert [row.given.t_ms for row in chapter.rows] == list(range(2001))


def test_a_chapter_begun_on_a_full_disk_is_kept_once_there_is_room(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.begin(PLAY, 0)
    journal._database.execute("PRAGMA max_page_count = 1")
    for t_ms in range(300):
        journal.keep(Scan(t_ms, Occupancy(t_ms)), [MOVED])
    journal.begin(PLAY, 500, [(Scan(500, Occupancy(0)), [])], [GameFile("two.pgn", "")])
    journal.name_game(1, GameFile("three.pgn", ""))
    journal.keep(Scan(501, Occupancy(1)), [MOVED])
    assert "full" in journal.trouble
    assert journal.files() == {0: GameFile("two.pgn", ""), 1: GameFile("three.pgn", "")}
    journal._database.execute("PRAGMA max_page_count = 100000")
    journal.retry()
    assert (journal.trouble, journal.chapters()) == ("", [1, 2])
    journal.close()
    journal = Journal(tmp_path / "j")
    first, second = (journal.chapter(number) for number in (1, 2))
    assert first is not None
    assert second is not None
    assert [row.given.t_ms for row in first.rows] == list(range(300))
    assert [row.given.t_ms for row in second.rows] == [500, 501]
    assert second.games == (GameFile("two.pgn", ""), GameFile("three.pgn", ""))


def test_old_chapters_give_way_and_the_present_one_never(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    for _ in range(4):
        journal.begin(PLAY, 0)
        for t_ms in range(300):
            journal.keep(Scan(t_ms, Occupancy(t_ms)), [MOVED])
    whole = journal.size()
    assert 1 <= journal.prune(whole // 2) <= 3
    assert journal.size() <= whole // 2
    assert journal.chapters()[-1] == 4
    journal.prune(0)
    assert journal.chapters() == [4]
    assert journal.rows_kept() == 300


# -- versions --


@pytest.mark.parametrize("version", range(VERSION))
def test_a_journal_of_every_earlier_version_is_brought_up_to_date(tmp_path: Path, version: int) -> None:
    path = tmp_path / "j"
    _write_version(path, version)
    journal = Journal(path)
    assert version_of(journal._database) == VERSION
    chapter = journal.last()
    if version == 0:
        assert chapter is None
    else:
        assert chapter is not None
        assert [row.given for row in chapter.rows] == [SCAN]


@pytest.mark.parametrize("version", range(VERSION))
def test_a_full_disk_leaves_an_earlier_version_as_it_was(tmp_path: Path, version: int) -> None:
    path = tmp_path / "j"
    _write_version(path, version)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        before = list(database.iterdump())
        pages = database.execute("PRAGMA page_count").fetchone()[0]
        database.execute(f"PRAGMA max_page_count = {max(1, pages)}")
        with pytest.raises(sqlite3.OperationalError, match="full"):
            migrate(database)
        assert version_of(database) == version
        assert list(database.iterdump()) == before
        database.execute("PRAGMA max_page_count = 1000")
        migrate(database)
        assert version_of(database) == VERSION


def test_a_journal_of_a_later_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "j"
    _write_version(path, VERSION)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="a newer touchmove wrote it"):
        Journal(path)
    assert path.read_bytes() == before


def _write_version(path: Path, version: int) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        for statements in MIGRATIONS[:version]:
            for statement in statements:
                database.execute(statement)
        database.execute(f"PRAGMA user_version = {version}")
        if version:
            line = given_line(SCAN)
            database.execute("INSERT INTO chapter (settings, began_ms) VALUES (?, 0)", (settings_text(PLAY),))
            database.execute("INSERT INTO input (chapter, line, crc) VALUES (1, ?, ?)", (line, checksum(line)))


# -- what a cut of the power leaves --


def test_the_mind_comes_back_whole_with_what_is_owed(tmp_path: Path) -> None:
    summary = write_chapter(tmp_path / "j", lifted(shown("e2e4", "e7e5"), "g1"))
    assert summary["obligation"] == {"kind": "move", "squares": ["g1"]}
    chapter = Journal(tmp_path / "j").last()
    assert chapter is not None
    resumed = resume(chapter, make_mind)
    assert (resumed.mind.summary(), resumed.remark) == (summary, "")


@settings(max_examples=40, deadline=None)
@given(cut=st.floats(0, 1), noise=st.booleans(), seed=st.integers(0, 9))
def test_a_log_torn_at_any_byte_is_a_beginning_of_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, cut: float, noise: bool, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("torn")
    given_items = lifted(shown("e2e4", "e7e5", "g1f3"), "b8")
    write_chapter(folder / "live", given_items)
    for ending in ("", "-wal"):
        shutil.copyfile(folder / f"live{ending}", folder / f"j{ending}")
    log = folder / "j-wal"
    content = log.read_bytes()
    at = int(cut * len(content))
    rest = random.Random(seed).randbytes(len(content) - at) if noise else b""
    log.write_bytes(content[:at] + rest)
    chapter = Journal(folder / "j").last()
    rows = [] if chapter is None else [row.given for row in chapter.rows]
    assert rows == given_items[: len(rows)]
    if chapter is not None:
        assert resume(chapter, make_mind).remark == ""
    assert len(rows) == len(given_items) or at < len(content)


def test_what_a_newer_version_would_decide_otherwise_stands_as_it_was_decided(tmp_path: Path) -> None:
    write_chapter(tmp_path / "j", shown("e2e4", "e7e5", "g1f3"))
    chapter = Journal(tmp_path / "j").last()
    assert chapter is not None
    rows = [
        replace(row, rulings=tuple({**r, "uci": "e7e6"} if r.get("uci") == "e7e5" else r for r in row.rulings))
        for row in chapter.rows
    ]
    resumed = resume(replace(chapter, rows=tuple(rows)), make_mind)
    assert "reads the journal otherwise" in resumed.remark
    assert resumed.mind.summary()["uci"] == ["e2e4", "e7e6", "g1f3"]
    assert resumed.retold is not None


def test_a_journal_on_which_every_start_fails_gives_the_moves_alone(tmp_path: Path) -> None:
    write_chapter(tmp_path / "j", lifted(shown("e2e4"), "e7"))
    journal = Journal(tmp_path / "j")
    for _ in range(3):
        journal.count_try()
    chapter = journal.last()
    assert chapter is not None
    resumed = resume(chapter, make_mind)
    assert "did not last" in resumed.remark
    assert resumed.mind.summary()["uci"] == ["e2e4"]
    assert resumed.now_ms == chapter.rows[-1].given.t_ms


def test_a_start_that_lasts_until_the_next_ruling_counts_no_more(tmp_path: Path) -> None:
    write_chapter(tmp_path / "j", shown("e2e4"))
    journal = Journal(tmp_path / "j")
    journal.count_try()
    journal.keep(Passed(9000), [MOVED])
    chapter = journal.last()
    assert chapter is not None
    assert chapter.tries == 0


# -- damage --


@pytest.mark.parametrize("content", [b"", bytes(8192), b"no database at all, but text" * 100])
def test_what_is_no_journal_is_seen_and_set_aside_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "j"
    path.write_bytes(content)
    assert not is_sound(path)
    aside = set_aside(path)
    assert aside.name == "j.damaged-1"
    assert aside.read_bytes() == content
    assert not path.exists()
    path.write_bytes(content)
    assert set_aside(path).name == "j.damaged-2"


def test_a_missing_journal_and_a_whole_one_are_sound(tmp_path: Path) -> None:
    assert is_sound(tmp_path / "j")
    write_chapter(tmp_path / "j", shown("e2e4"))
    assert is_sound(tmp_path / "j")


def test_little_of_a_long_journal_is_kept_in_memory(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    journal.begin(Settings(), 0)
    (kept,) = journal._database.execute("PRAGMA cache_size").fetchone()
    assert kept == -CACHE_KIB
    journal.close()
