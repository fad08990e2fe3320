"""The chess clock after the power was cut: it stands as at the last thing known, and waits for the next touch."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from board_driver.boards.board import Clock
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.mind import ClockStart, Mode, Settings
from board_driver.minds import make_mind
from board_driver.scan import Occupancy, Press, Scan
from board_driver.store.journal import Journal
from board_driver.store.resume import TRIES, resume
from board_driver.store.retelling import retell
from board_driver.store.rows import Given, Passed, parse_settings, settings_text
from board_driver.store.state import JOURNAL, State
from board_driver.upkeep import Upkeep
from rules.clock import parse_time_control
from rules.pgn import PgnGame, Ply, write_game
from rules.squares import Colour, parse_square
from rules.uci import parse_uci
from tests.board_driver.store.lives import START, write_chapter

BLITZ = Settings(mode=Mode.PLAY, time_control=parse_time_control("5+3"))
E4 = START.occupied ^ (1 << parse_square("e2")) ^ (1 << parse_square("e4"))
E5 = E4 ^ (1 << parse_square("e7")) ^ (1 << parse_square("e5"))


def two_plies() -> list[Given]:
    """White takes five seconds for e4, Black three for e5, then White thinks for two."""
    moves = [(0, START.occupied), (1000, START.occupied & E4), (6000, E4), (8000, E4 & E5), (9000, E5)]
    return [*(Scan(t_ms, Occupancy(occupied)) for t_ms, occupied in moves), Passed(11_000)]


def clock_of(daemon: Daemon) -> dict[str, Any]:
    found = daemon.mind.summary()["clock"]
    assert isinstance(found, dict)
    return found


def next_life(folder: Path, wanted: Settings, *given: Given) -> tuple[dict[str, Any], dict[str, Any]]:
    """The clock as a new daemon has it, and what it is after those inputs, which come that much later."""

    async def live() -> tuple[dict[str, Any], dict[str, Any]]:
        with Upkeep(folder) as upkeep:
            daemon = upkeep.daemon(VirtualBoard(), wanted, clock=Clock(starts_ms=11_000))
            while (item := daemon.inbox.get_nowait()) is not None:
                daemon._take(item)
            daemon._let_time_pass(11_500)
            resumed = clock_of(daemon)
            for each in given:
                if isinstance(each, Passed):
                    daemon._let_time_pass(each.t_ms)
                else:
                    daemon._take(each)
            return resumed, clock_of(daemon)

    return asyncio.run(live())


def test_settings_with_a_time_control_are_kept() -> None:
    for text in ("5+3", "40/90+30, 30+30", "3 b2 vs 1 b1", "hourglass 2", "15 d10"):
        settings = replace(BLITZ, time_control=parse_time_control(text), clock_start=ClockStart.MOVE)
        assert parse_settings(settings_text(settings)) == settings
    assert parse_settings("{}").time_control is None


def test_the_clock_stands_as_at_the_last_thing_known_and_is_paused(tmp_path: Path) -> None:
    write_chapter(tmp_path / JOURNAL, two_plies(), BLITZ)
    resumed, later = next_life(tmp_path, BLITZ, Passed(900_000))
    assert resumed["running"] is None
    assert resumed["paused"]
    # White: five seconds, the increment, and the two seconds known after Black's move
    known_ms = 300_000 - 5_000 + 3_000 - 2_000
    assert known_ms - 200 <= resumed["white_ms"] <= known_ms, "but for what passes while the program starts"
    assert resumed["black_ms"] == 300_000 - 3_000 + 3_000
    assert later == resumed


def test_the_next_touch_lets_it_run_on(tmp_path: Path) -> None:
    write_chapter(tmp_path / JOURNAL, two_plies(), BLITZ)
    lifted = E5 & ~(1 << parse_square("g1"))
    inputs = [Scan(200_000, Occupancy(E5)), Scan(200_100, Occupancy(lifted)), Passed(201_000)]
    resumed, later = next_life(tmp_path, BLITZ, *inputs)
    assert later["running"] == "white"
    assert (later["white_ms"], later["since_ms"]) == (resumed["white_ms"], 200_100)


def test_a_second_cut_of_the_power_changes_nothing(tmp_path: Path) -> None:
    write_chapter(tmp_path / JOURNAL, two_plies(), BLITZ)
    first, _ = next_life(tmp_path, BLITZ)
    second, _ = next_life(tmp_path, BLITZ)
    assert second == first


def test_a_clock_that_did_not_run_is_left_alone(tmp_path: Path) -> None:
    wanted = replace(BLITZ, clock=True)
    write_chapter(tmp_path / JOURNAL, two_plies(), wanted)
    resumed, _ = next_life(tmp_path, wanted)
    assert (resumed["turn"], resumed["paused"]) == (None, False)


def test_with_presses_it_runs_on_with_the_next_press_too(tmp_path: Path) -> None:
    """Black has made his move when the power goes, and presses when it is back."""
    wanted, given = replace(BLITZ, clock=True), two_plies()
    given[1:1] = [Press(500, Colour.BLACK)]
    given[4:4] = [Press(6500, Colour.WHITE)]
    write_chapter(tmp_path / JOURNAL, given, wanted)
    resumed, later = next_life(tmp_path, wanted, Press(300_000, Colour.BLACK), Passed(301_000))
    assert (resumed["turn"], resumed["paused"]) == ("black", True)
    assert (later["running"], later["white_ms"]) == ("white", 300_000 - 6_000 + 3_000)
    assert later["black_ms"] == resumed["black_ms"] + 3_000


@pytest.mark.parametrize("presses", [False, True])
def test_moves_that_are_retold_cost_no_time(presses: bool) -> None:
    settings = replace(BLITZ, time_control=parse_time_control("0.1+0"), clock=presses)
    moves, position = [], START
    for text in ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1"):
        moves.append(parse_uci(position, text))
        position = position.play(moves[-1])
    mind = make_mind(settings)
    for item in retell(settings, START, moves, {START.turn: 4321, START.turn.opponent: 1234}):
        mind.advance(item.t_ms) if isinstance(item, Passed) else mind.receive(item)
    summary = mind.summary()
    clock = summary["clock"]
    assert isinstance(clock, dict)
    assert summary["uci"] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1"]
    assert (clock["white_ms"], clock["black_ms"], clock["running"], clock["paused"]) == (4321, 1234, None, True)


def test_after_resumes_that_did_not_last_the_clock_still_shows_what_it_showed(tmp_path: Path) -> None:
    write_chapter(tmp_path / JOURNAL, two_plies(), BLITZ)
    journal = Journal(tmp_path / JOURNAL)
    for _ in range(TRIES):
        journal.last()
        journal.count_try()
    chapter = journal.last()
    assert chapter is not None
    resumed = resume(chapter, make_mind)
    assert resumed.retold is not None
    clock = resumed.mind.summary()["clock"]
    assert isinstance(clock, dict)
    assert (clock["white_ms"], clock["black_ms"], clock["running"]) == (296_000, 300_000, None)
    journal.close()


def test_a_game_taken_from_its_file_has_the_times_written_there(tmp_path: Path) -> None:
    moves = (parse_uci(START, "e2e4"),)
    position = START.play(moves[0])
    line = (Ply(moves[0], clock_ms=250_000), Ply(parse_uci(position, "e7e5"), clock_ms=200_000))
    (tmp_path / JOURNAL).write_bytes(b"no journal at all" * 100)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "one.pgn").write_text(write_game(PgnGame(START, line)))
    state = State(tmp_path)
    found = state.resume(BLITZ, make_mind)
    state.close()
    assert found is not None
    clock = found.resumed.mind.summary()["clock"]
    assert isinstance(clock, dict)
    assert (clock["white_ms"], clock["black_ms"], clock["paused"]) == (250_000, 200_000, True)
