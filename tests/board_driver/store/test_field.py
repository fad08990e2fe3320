"""Things that really happened to people's games when power, disks and clocks failed: cases of field.jsonl."""

from __future__ import annotations

import json
import locale
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from board_driver.events import Moved
from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.inputerror import InputError
from board_driver.mind import Mode, Settings
from board_driver.minds import make_mind
from board_driver.profile.reading import sound_profile
from board_driver.scan import Occupancy, Scan
from board_driver.store.dating import begun, put_right
from board_driver.store.journal import Journal
from board_driver.store.kept import kept_games, kept_pgn
from board_driver.store.pgnfile import append_game, date_tags, write_games
from board_driver.store.resume import give
from board_driver.store.rows import Given, Passed
from board_driver.store.state import JOURNAL
from rules.fen import START_FEN, parse_fen, write_fen
from rules.pgn import read_games, write_game
from rules.squares import parse_square
from rules.uci import parse_uci
from tests.board_driver.store.lives import PLAY, START, found_in, shown, write_chapter

DATA = Path(__file__).parents[2] / "data"
CASES: Mapping[str, dict[str, object]] = {
    case["id"]: case for case in map(json.loads, (DATA / "field.jsonl").read_text(encoding="utf-8").splitlines())
}


def hands(case: Mapping[str, object], occupied: int, begin_ms: int) -> list[Given]:
    """What the sensors say while the case's events happen."""
    items: list[Given] = [Scan(begin_ms, Occupancy(occupied))]
    events = case["events"]
    assert isinstance(events, list)
    for t_ms, _, square in events:
        occupied ^= 1 << parse_square(square)
        items.append(Scan(begin_ms + 1000 + t_ms, Occupancy(occupied)))
    return [*items, Passed(items[-1].t_ms + 3000)]


def record(*ucis: str) -> GameRecord:
    position, plies = START, []
    for uci in ucis:
        plies.append(RecordedPly(parse_uci(position, uci), 0, 400))
        position = position.play(plies[-1].move)
    return GameRecord(START, tuple(plies))


@pytest.mark.parametrize("mode", [Mode.PLAY, Mode.RECORD])
def test_power_03_after_a_restart_moves_are_taken_as_before(tmp_path: Path, mode: Mode) -> None:
    case = CASES["POWER-03"]
    settings = Settings(mode=mode)
    write_chapter(tmp_path / JOURNAL, shown("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", settings=settings), settings)
    found, _ = found_in(tmp_path, settings)
    assert found is not None
    mind = found.resumed.mind
    fen = str(case["start_fen"])
    assert str(mind.summary()["fen"]).split()[:3] == fen.split()[:3]
    for item in hands(case, parse_fen(fen).occupied, found.resumed.now_ms + 1):
        give(mind, item)
    moves = mind.summary()["uci"]
    assert isinstance(moves, list)
    assert moves[5:] == case["recorded_moves"]
    assert mind.summary()["fen"] == case["end_fen"]


def test_a_position_that_was_set_up_survives_before_its_first_move(tmp_path: Path) -> None:
    fen = str(CASES["POWER-03"]["start_fen"])
    settings = Settings(mode=Mode.PLAY, start_fen=fen)
    write_chapter(tmp_path / JOURNAL, [Scan(0, Occupancy(parse_fen(fen).occupied)), Passed(2000)], settings)
    found, _ = found_in(tmp_path, PLAY)
    assert found is not None
    assert write_fen(found.resumed.mind.games()[-1].start) == fen


@pytest.mark.parametrize("rest", ['[Event "x"]\n[White "A', '[Event "x"]\n\n1. e4 e', "1. e4 {no end", "\x00" * 40])
def test_power_06_half_a_game_does_not_swallow_the_next(tmp_path: Path, rest: str) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(rest)
    append_game(path, record("e2e4", "e7e5"), {"White": "B"})
    content = path.read_text()
    assert content.startswith(rest)
    assert f"{rest}\n\n[Event" in content
    if "{" not in rest:
        last = list(read_games(content))[-1]
        assert [str(ply.move) for ply in last.line] == [str(ply.move) for ply in record("e2e4", "e7e5").plies]
        assert last.tags["White"] == "B"


def test_power_08_a_wall_clock_that_jumps_moves_nothing_but_the_date() -> None:
    case = CASES["POWER-08"]
    mind = make_mind(PLAY)
    told = [event for item in hands(case, START.occupied, 0) for event in give(mind, item)]
    assert [event.uci for event in told if isinstance(event, Moved)] == case["recorded_moves"]
    before = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    begin = begun(0, 100, before)
    after = put_right(begin, 0, 300, before + timedelta(days=731))
    assert after.tags()["Date"] == "2028.03.01"


def test_pgn_01_and_05_seven_tags_in_order_a_star_and_a_dotted_date(tmp_path: Path) -> None:
    when = datetime(2022, 3, 5, 20, 0, tzinfo=UTC)
    write_games(tmp_path / "g.pgn", [record("h2h4", "d7d5")], date_tags(when))
    lines = (tmp_path / "g.pgn").read_text().splitlines()
    assert [line.split()[0] for line in lines[:7]] == [
        *("[Event", "[Site", "[Date", "[Round", "[White", "[Black", "[Result")
    ]
    assert '[Date "2022.03.05"]' in lines
    assert '[Result "*"]' in lines
    assert " ".join(lines).rstrip().endswith("*")


def test_pgn_03_the_date_is_the_venues() -> None:
    when = datetime(2024, 1, 17, 0, 30, tzinfo=timezone(timedelta(hours=2)))
    assert date_tags(when) == {"Date": "2024.01.17", "UTCDate": "2024.01.16", "UTCTime": "22:30:00"}


def test_pgn_06_names_of_all_the_world_in_any_locale(tmp_path: Path) -> None:
    before = locale.setlocale(locale.LC_ALL)
    locale.setlocale(locale.LC_ALL, "C")
    try:
        write_games(tmp_path / "g.pgn", [record("e2e4")], {"White": "Zoë Šánchez", "Annotator": "a – b"})
        content = (tmp_path / "g.pgn").read_bytes()
    finally:
        locale.setlocale(locale.LC_ALL, before)
    assert not content.startswith(b"\xef\xbb\xbf")
    (game,) = read_games(content.decode("utf-8"))
    assert (game.tags["White"], game.tags["Annotator"]) == ("Zoë Šánchez", "a – b")


def test_pgn_10_one_bad_game_leaves_the_others() -> None:
    good = '[White "A"]\n\n1. e4 e5 *\n\n'
    games = list(read_games(f'{good}[White "B"]\n\n1. e4 e5 2. Ke3 d6 *\n\n{good}'))
    assert [len(game.moves) for game in games] == [2, 2, 2]
    assert [game.cut for game in games] == [False, True, False]


def test_start_positions_of_the_cases_are_positions() -> None:
    assert parse_fen(str(CASES["PGN-01"]["start_fen"])).key() == parse_fen(START_FEN).key()


@pytest.mark.parametrize(
    "content", [b"", bytes(20_480), b'{"fen": "rnbq', None], ids=["empty", "zeros", "cut", "stray"]
)
def test_power_05_whatever_a_cut_made_of_the_state_file_the_game_goes_on(tmp_path: Path, content: bytes | None) -> None:
    write_chapter(tmp_path / JOURNAL, shown("e2e4", "e7e5", "g1f3"))
    games = tmp_path / "games"
    games.mkdir()
    write_games(games / "2026-05-01_1.pgn", [record("e2e4", "e7e5")])
    if content is None:
        (games / ".2026-05-01_1.pgn.abc.part").write_bytes(b"[Event")
        (tmp_path / ".corrections.json.abc.part").write_bytes(b"")
    else:
        for name in (JOURNAL, f"{JOURNAL}-wal", f"{JOURNAL}-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / JOURNAL).write_bytes(content)
    found, remarks = found_in(tmp_path)
    assert found is not None
    moves = found.resumed.mind.summary()["uci"]
    assert isinstance(moves, list)
    assert moves[:2] == ["e2e4", "e7e5"]
    assert not list(tmp_path.rglob("*.part"))
    if content is not None:
        assert f"{JOURNAL}.damaged-1" in remarks[0]
        assert (tmp_path / f"{JOURNAL}.damaged-1").read_bytes() == content


@pytest.mark.parametrize("when", [datetime(2026, 3, 5, tzinfo=UTC), datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)])
def test_pgn_05_a_date_has_dots_in_any_locale(when: datetime) -> None:
    assert date_tags(when)["Date"] == f"2026.{when.month:02}.{when.day:02}"
    assert begun(0, 0, datetime(1970, 1, 1, tzinfo=UTC)).tags() == {"Date": "????.??.??"}


def test_pgn_11_a_slip_in_a_profile_is_told_with_the_nearest_word(tmp_path: Path) -> None:
    path = tmp_path / "board.yaml"
    path.write_text("name: Mine\nsensors: {kind: plugin, sorce: mine}\n")
    with pytest.raises(InputError) as told:
        sound_profile(path)
    assert "sorce" in str(told.value)
    assert "source" in str(told.value).replace("sorce", "")
    assert "\n" not in str(told.value)


def test_pgn_13_the_journal_and_the_game_file_agree_after_a_full_disk(tmp_path: Path) -> None:
    journal = Journal(tmp_path / JOURNAL)
    journal.begin(PLAY, 0)
    mind, told = make_mind(PLAY), 0
    journal._database.execute("PRAGMA max_page_count = 1")
    for item in shown("e2e4"):
        events = list(give(mind, item))
        told += sum(isinstance(event, Moved) for event in events)
        journal.keep(item, events)
    assert journal._unsaved or not journal.trouble
    journal._database.execute("PRAGMA max_page_count = 10000")
    journal.retry()
    journal.close()
    append_game(tmp_path / "g.pgn", mind.games()[-1])
    found, _ = found_in(tmp_path)
    assert found is not None
    (game,) = read_games((tmp_path / "g.pgn").read_bytes())
    assert found.resumed.mind.summary()["uci"] == ["e2e4"] == [str(ply.move) for ply in game.line]
    assert told == 1


# -- neighbours: what else people's files are like --


@pytest.mark.parametrize(
    ("content", "white"),
    [
        ('[White "Müller"]\n\n1. e4 *\n'.encode("latin-1"), "Müller"),
        ('\ufeff[White "Müller"]\n\n1. e4 *\n'.encode(), "Müller"),
        (b'[White "A"]\r\n[Black "B"]\r\n\r\n1. e4\r\n*\r\n\r\n', "A"),
        (b'[White "A"]\r\r1. e4 *\r', "A"),
        (b'[White "A"]\n[Date "2024-13-45"]\n\n1. e4 *\n', "A"),
        (b'[White "A"]\n[White "C"]\n\n1. e4 *\n', None),
    ],
    ids=["latin-1", "mark", "windows", "old-mac", "no-date", "twice"],
)
def test_files_of_other_programs_are_listed_and_exported(tmp_path: Path, content: bytes, white: str | None) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "other.pgn").write_bytes(content)
    (game,) = kept_games(tmp_path)
    assert len(game.game.moves) == 1
    assert white is None or game.game.tags["White"] == white
    assert white is None or white in kept_pgn(tmp_path, [])
    assert game.line().isprintable()
    assert "  1 move  " in game.line()


def test_a_result_that_is_told_otherwise_at_the_end_is_the_one_at_the_end() -> None:
    (game,) = read_games('[Result "1-0"]\n\n1. e4 0-1\n')
    assert str(game.result) == "0-1"
    assert '[Result "0-1"]' in write_game(game)


def test_the_same_game_twice_is_two_games_and_an_empty_one_is_none_of_ours(tmp_path: Path) -> None:
    write_games(tmp_path / "g.pgn", [record("e2e4"), record("e2e4")])
    assert len(list(read_games((tmp_path / "g.pgn").read_bytes()))) == 2
