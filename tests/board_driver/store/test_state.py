"""The state folder after everything that can happen to it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from board_driver.inputerror import InputError
from board_driver.mind import Mode, Settings
from board_driver.scan import Occupancy, Scan, Sensing
from board_driver.store.journal import Journal
from board_driver.store.lock import FolderLock, holder
from board_driver.store.rows import Passed
from board_driver.store.state import GAMES, JOURNAL, State
from rules.pgn import PgnGame, Ply, write_game
from rules.uci import parse_uci
from tests.board_driver.store.lives import PLAY, START, found_in, lifted, shown, write_chapter

ROOT = Path(__file__).parents[3]


def test_an_empty_folder_gives_nothing_to_go_on_from(tmp_path: Path) -> None:
    assert found_in(tmp_path / "new" / "state") == (None, [])


def test_the_game_that_was_left_is_found(tmp_path: Path) -> None:
    summary = write_chapter(tmp_path / JOURNAL, lifted(shown("e2e4", "e7e5"), "g1"))
    found, remarks = found_in(tmp_path)
    assert found is not None
    assert (found.resumed.mind.summary(), found.resumed.remark, remarks) == (summary, "", [])


def test_a_piece_held_before_the_first_move_is_owed_still(tmp_path: Path) -> None:
    write_chapter(tmp_path / JOURNAL, lifted(shown(), "b1"))
    found, _ = found_in(tmp_path)
    assert found is not None
    assert found.resumed.mind.summary()["obligation"] == {"kind": "move", "squares": ["b1"]}


def test_where_nothing_was_played_the_new_settings_hold(tmp_path: Path) -> None:
    write_chapter(tmp_path / JOURNAL, shown())
    assert found_in(tmp_path, replace(PLAY, ruleset="blitz"))[0] is None


def test_a_piece_in_the_air_at_the_first_move_does_not_undo_the_setting_up(tmp_path: Path) -> None:
    write_chapter(tmp_path / JOURNAL, [Scan(0, Occupancy(START.occupied)), Passed(1000)])
    found, _ = found_in(tmp_path)
    assert found is not None
    mind = found.resumed.mind
    for t_ms, occupied in ((2000, START.occupied & ~(1 << 12)), (3000, START.occupied & ~(1 << 12) | 1 << 28)):
        mind.receive(Scan(t_ms, Occupancy(occupied)))  # the first the new life sees is a pawn lifted
    mind.advance(6000)
    assert mind.summary()["uci"] == ["e2e4"]


def test_on_another_kind_of_board_the_moves_go_on(tmp_path: Path) -> None:
    write_chapter(tmp_path / JOURNAL, shown("e2e4", "c7c5"))
    found, _ = found_in(tmp_path, Settings(mode=Mode.PLAY, sensing=Sensing.COLOUR))
    assert found is not None
    assert found.resumed.mind.summary()["uci"] == ["e2e4", "c7c5"]
    assert found.resumed.settings.sensing is Sensing.COLOUR


def _write_pgn(folder: Path, *ucis: str) -> None:
    position, plies = START, []
    for text in ucis:
        plies.append(Ply(parse_uci(position, text)))
        position = position.play(plies[-1].move)
    (folder / GAMES).mkdir(exist_ok=True)
    (folder / GAMES / "now.pgn").write_text(write_game(PgnGame(START, tuple(plies))))


@pytest.mark.parametrize("content", [b"", bytes(16384), b"SQLite format 3\0" + b"\x55" * 4000])
@pytest.mark.parametrize("log_left", [False, True])
def test_a_lost_journal_is_set_aside_and_the_game_on_disk_goes_on(
    tmp_path: Path, content: bytes, log_left: bool
) -> None:
    write_chapter(tmp_path / JOURNAL, shown("e2e4", "e7e5", "g1f3"))
    log = (tmp_path / f"{JOURNAL}-wal").read_bytes()
    shutil.rmtree(tmp_path)
    tmp_path.mkdir()
    (tmp_path / JOURNAL).write_bytes(content)
    if log_left:
        (tmp_path / f"{JOURNAL}-wal").write_bytes(log)
    _write_pgn(tmp_path, "e2e4", "e7e5")
    found, remarks = found_in(tmp_path)
    assert found is not None
    moves = found.resumed.mind.summary()["uci"]
    assert isinstance(moves, list)
    assert moves[:2] == ["e2e4", "e7e5"]
    if remarks:
        assert str(tmp_path / f"{JOURNAL}.damaged-1") in remarks[0]
        assert (tmp_path / f"{JOURNAL}.damaged-1").read_bytes() == content


def test_of_a_journal_with_a_damaged_page_is_kept_what_can_be_read(tmp_path: Path) -> None:
    moves = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6")
    write_chapter(tmp_path / "live", shown(*moves))
    copy = tmp_path / "live.copy"
    journal = Journal(tmp_path / "live")
    journal._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # everything into the one file
    content = bytearray((tmp_path / "live").read_bytes())
    place = content.index(b'"t_ms":4200')
    content[place : place + 5] = b"xxxxx"
    copy.write_bytes(bytes(content))
    copy.rename(tmp_path / JOURNAL)
    _write_pgn(tmp_path, *moves)
    found, remarks = found_in(tmp_path)
    assert found is not None
    assert found.resumed.mind.summary()["uci"] == list(moves)
    assert any("damaged" in remark for remark in remarks)


def test_a_folder_that_cannot_be_written_does_not_stop_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os  # noqa: PLC0415

    really_open = os.open

    def read_only(path: object, flags: int, *rest: object, **more: object) -> int:
        if flags & os.O_CREAT:
            raise OSError(30, "Read-only file system")
        return really_open(path, flags, *rest, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(os, "open", read_only)
    state = State(tmp_path)
    assert state.journal is None
    assert "nothing of this run is kept" in state.remarks[0]
    assert "Read-only file system" in state.remarks[0]
    state.close()


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="expected a folder for the journal"):
        State(tmp_path / "file" / "state")


def test_the_second_is_told_who_holds_the_lock(tmp_path: Path) -> None:
    assert holder(tmp_path) is None
    lock = FolderLock(tmp_path)
    lock.say("http://127.0.0.1:8080/")
    told = holder(tmp_path)
    assert told is not None
    assert "http://127.0.0.1:8080/" in told
    second = subprocess.run(
        [sys.executable, "-m", "board_driver", "run", "--port", "0", "--state", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert second.returncode == 2
    assert second.stdout == ""
    assert f"{told} holds its lock" in second.stderr
    assert second.stderr.count("\n") == 1
    lock.release()
    assert holder(tmp_path) is None


def test_a_board_that_changed_while_the_power_was_gone_is_put_right(tmp_path: Path) -> None:
    write_chapter(tmp_path / JOURNAL, shown("e2e4", "e7e5"))
    found, _ = found_in(tmp_path)
    assert found is not None
    mind, now_ms = found.resumed.mind, found.resumed.now_ms
    position = mind.games()[-1].start
    for ply in mind.games()[-1].plies:
        position = position.play(ply.move)
    fallen = position.occupied & ~(1 << 1) | 1 << 42  # the knight of b1 lies on c6
    mind.receive(Scan(now_ms + 1, Occupancy(fallen)))
    mind.advance(now_ms + 10_000)
    assert mind.summary().get("restore") or mind.summary().get("illegal")
    assert 1 in mind.picture()
    mind.receive(Scan(now_ms + 20_000, Occupancy(position.occupied)))
    mind.advance(now_ms + 30_000)
    assert mind.summary()["uci"] == ["e2e4", "e7e5"]
    assert not mind.summary().get("restore")


def test_settings_are_those_of_the_game(tmp_path: Path) -> None:
    record = Settings(mode=Mode.RECORD)
    write_chapter(tmp_path / JOURNAL, shown("e2e4", settings=record), record)
    found, _ = found_in(tmp_path, PLAY)
    assert found is not None
    assert found.resumed.settings.mode is Mode.RECORD
