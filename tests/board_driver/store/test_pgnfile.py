"""Games kept as PGN: what is written, and that nothing is ever half-written or lost."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.store.errors import StoreError
from board_driver.store.pgnfile import append_game, date_tags, pgn_game, pgn_text, write_games
from rules.clock import parse_time_control
from rules.fen import START_FEN, parse_fen, write_fen
from rules.outcome import Result
from rules.pgn import read_games
from rules.uci import parse_uci


def game(*moves: str, fen: str = START_FEN, chess960: bool = False, result: str = "*", reason: str = "") -> GameRecord:
    position = start = parse_fen(fen, chess960=chess960)
    plies = []
    for number, text in enumerate(moves, start=1):
        move = parse_uci(position, text)
        plies.append(RecordedPly(move, made_ms=1000 * number, elapsed_ms=1000))
        position = position.play(move)
    return GameRecord(start, tuple(plies), result, reason)


def test_the_seven_tags_come_first_and_in_order_and_the_result_ends_the_moves() -> None:
    text = pgn_text([game("h2h4", "d7d5")], date_tags(datetime(2022, 3, 5, 18, 0, tzinfo=UTC)))
    names = [line[1:].split(" ")[0] for line in text.splitlines() if line.startswith("[")]
    assert names[:7] == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    assert '[Date "2022.03.05"]' in text
    assert '[Result "*"]' in text
    assert text.split()[-1] == "*"


def test_an_unknown_date_is_question_marks() -> None:
    assert '[Date "????.??.??"]' in pgn_text([game("e2e4")])


def test_the_date_is_the_venues_and_the_moment_is_in_utc() -> None:
    began = datetime(2024, 1, 17, 0, 30, tzinfo=timezone(timedelta(hours=2)))
    assert date_tags(began) == {"Date": "2024.01.17", "UTCDate": "2024.01.16", "UTCTime": "22:30:00"}


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        date_tags(datetime(2024, 1, 17, 0, 30))


def test_times_and_doubts_are_told() -> None:
    record = game("e2e4", "e7e5")
    plies = (
        RecordedPly(record.plies[0].move, 7500, 7500, clock_ms=1_800_000),
        RecordedPly(record.plies[1].move, 9000, 1500, alternatives=("d7d5", "h1h8"), comment="fast"),
    )
    text = " ".join(pgn_text([GameRecord(record.start, plies)]).split())
    assert "1. e4 {[%clk 0:30:00] [%emt 0:00:07.5]}" in text
    assert "e5 {[%emt 0:00:01.5] fast not certain, perhaps d5 or h1h8}" in text


@pytest.mark.parametrize(
    ("result", "reason", "termination"),
    [
        ("*", "", "unterminated"),
        ("*", "abandoned", "abandoned"),
        ("1-0", "checkmate", "normal"),
        ("1/2-1/2", "agreement", "normal"),
        ("0-1", "illegal-2", "rules infraction"),
        ("0-1", "flag", "time forfeit"),
        ("1/2-1/2", "flag-cannot-mate", "time forfeit"),
    ],
)
def test_a_result_is_written_as_it_is(result: str, reason: str, termination: str) -> None:
    written = pgn_game(game("e2e4", result=result, reason=reason))
    assert written.result == Result(result)
    assert written.tags["Termination"] == termination


@pytest.mark.parametrize(
    ("control", "tags"),
    [
        ("5+3", {"TimeControl": "300+3"}),
        ("40/90+30, 30+30", {"TimeControl": "40/5400+30:1800+30"}),
        ("5+3 vs 3+0", {"WhiteTimeControl": "300+3", "BlackTimeControl": "180"}),
    ],
)
def test_the_time_control_is_what_ran_and_not_what_was_told(control: str, tags: dict[str, str]) -> None:
    """CLOCK-05: a tag 90+30 beside a clock without increment."""
    timed = replace(game("e2e4"), time_control=parse_time_control(control))
    told = next(read_games(pgn_text([timed], {"TimeControl": "5400+30"}))).tags
    assert {name: text for name, text in told.items() if "TimeControl" in name} == tags
    assert pgn_text([game("e2e4")], {"TimeControl": "5400+30"}).count("5400+30") == 1


@pytest.mark.parametrize(
    ("fen", "chess960", "moves"),
    [
        (START_FEN, False, ("e2e4", "e7e5", "g1f3")),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20", False, ("e8g8", "e1c1")),
        ("1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 2 9", True, ("c1h1", "c8b8")),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", False, ("a7a8n",)),
    ],
)
def test_what_is_written_reads_back(fen: str, chess960: bool, moves: tuple[str, ...], tmp_path: Path) -> None:
    record = game(*moves, fen=fen, chess960=chess960)
    path = tmp_path / "games.pgn"
    write_games(path, [record])
    (read,) = read_games(path.read_bytes())
    assert not read.problems
    assert read.moves == tuple(ply.move for ply in record.plies)
    assert write_fen(read.start) == write_fen(record.start)
    assert [ply.elapsed_ms for ply in read.line] == [1000] * len(moves)


def test_names_and_comments_of_any_script_are_utf8_whatever_the_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    path = tmp_path / "games.pgn"
    record = game("e2e4")
    told = GameRecord(record.start, record.plies, comment="a fragment – found later")
    write_games(path, [told], {"White": "Zoë Šánchez", "Black": '"棋" \\ \n]'})
    assert not path.read_bytes().startswith(b"\xef\xbb\xbf")
    (read,) = read_games(path.read_bytes())
    assert read.tags["White"] == "Zoë Šánchez"
    assert read.tags["Black"] == '"棋" \\ ]'
    assert read.comment == "a fragment – found later"


OLD = [
    b"",
    b'[Event "?"]\n\n1. d4 *\n\n',
    b'[Event "?"]\n\n1. d4 *\n',
    b'[Event "?"]\n\n1. d4 *',
    b'[Event "?"]\r\n\r\n1. d4 *\r\n\r\n',
    b'[White "Zo\xeb"]\n\n1. d4 *',
]


@pytest.mark.parametrize("old", OLD)
def test_adding_a_game_keeps_every_byte_and_makes_a_game_of_its_own(old: bytes, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(old)
    append_game(path, game("e2e4"))
    append_game(path, game("c2c4", "c7c5"))
    assert path.read_bytes().startswith(old)
    games = list(read_games(path.read_bytes()))
    assert [len(read.moves) for read in games] == [1, 1, 2] if old else [1, 2]


def test_adding_to_a_missing_file_makes_it(tmp_path: Path) -> None:
    append_game(tmp_path / "new.pgn", game("e2e4"))
    assert len(list(read_games((tmp_path / "new.pgn").read_bytes()))) == 1


@pytest.fixture(params=["write", "fsync", "replace"])
def full_disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A disk that is full at one of the steps."""

    def fail(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    match request.param:
        case "write":
            monkeypatch.setattr(os, "fdopen", fail)
        case "fsync":
            monkeypatch.setattr(os, "fsync", fail)
        case "replace":
            monkeypatch.setattr(Path, "replace", fail)
    yield
    monkeypatch.undo()


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("write", [append_game, lambda path, record: write_games(path, [record])])
def test_a_full_disk_leaves_the_old_file_and_nothing_beside_it(write: object, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(OLD[1])
    with pytest.raises(StoreError, match="No space left") as caught:
        write(path, game("e2e4"))  # type: ignore[operator]
    assert "games.pgn" in str(caught.value)
    assert path.read_bytes() == OLD[1]
    assert list(tmp_path.iterdir()) == [path]


def test_after_a_full_disk_trying_again_succeeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.pgn"
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", lambda _: os.close(-1))
        with pytest.raises(StoreError):
            append_game(path, game("e2e4"))
    append_game(path, game("e2e4"))
    assert len(list(read_games(path.read_bytes()))) == 1


def test_a_folder_or_a_missing_folder_is_one_line(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing" / "games.pgn"):
        with pytest.raises(StoreError) as caught:
            write_games(path, [game("e2e4")])
        assert "\n" not in str(caught.value)
        assert str(path) in str(caught.value)


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.pgn", tmp_path / "link.pgn"
    real.write_bytes(b"")
    real.chmod(0o640)
    link.symlink_to(real)
    append_game(link, game("e2e4"))
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert real.read_bytes()
