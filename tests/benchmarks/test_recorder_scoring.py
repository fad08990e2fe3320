"""The recorder's benchmark counts what it says it counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.decoding import Change, Decoded, Page
from benchmarks.random_games import random_games
from benchmarks.scoring import broken, live_plies, same, score, tally
from benchmarks.section import write_section
from board_driver.simulate.gamefile import ScoredGame
from rules.fen import parse_fen
from rules.uci import parse_uci

TRUTH = ("e2e4", "e7e5", "g1f3")
SETTLED = (1000.0, 2000.0, 3000.0)


def decoded(
    moves: tuple[str, ...], *changes: Change, marked: frozenset[int] = frozenset(), whole: bool = True
) -> Decoded:
    return Decoded(moves, marked, changes, whole)


def test_the_page_takes_moves_revisions_and_withdrawals() -> None:
    changes = [
        Change(1, 1, "e2e4"),
        Change(2, 2, "e7e6"),
        Change(3, 2, "e7e5"),
        Change(4, 3, "g1f3"),
        Change(5, 2, None),
    ]
    page = Page(changes)
    assert page.at(0) == []
    assert page.at(2) == ["e2e4", "e7e6"]
    assert page.at(4) == ["e2e4", "e7e5", "g1f3"]
    assert page.at(9) == ["e2e4"]


def test_an_exact_game_that_was_late_once() -> None:
    changes = (Change(1200, 1, "e2e4"), Change(2501, 2, "e7e5"), Change(2990, 3, "g1f3"))
    got = score(TRUTH, SETTLED, decoded(TRUTH, *changes))
    assert got.exact
    assert not got.exact_live
    assert got.live_right == 2
    assert got.latencies_ms == (200, 501, 0)
    assert got.first_error is None


def test_a_ply_is_live_only_while_it_stands() -> None:
    changes = (Change(1200, 1, "e2e4"), Change(1499, 1, "e2e3"), Change(1600, 1, "e2e4"))
    assert live_plies(TRUTH[:1], SETTLED[:1], decoded(TRUTH[:1], *changes)) == [False]


@pytest.mark.parametrize(
    ("moves", "whole", "first"),
    [
        (("e2e4", "e7e6", "g1f3"), True, 1),
        (("e2e4", "e7e5"), True, 2),
        (("e2e4", "e7e5", "g1f3", "b8c6"), True, 3),
        (TRUTH, False, 3),
        ((), True, 0),
    ],
)
def test_what_is_not_exact(moves: tuple[str, ...], whole: bool, first: int) -> None:
    got = score(TRUTH, SETTLED, decoded(moves, whole=whole))
    assert not got.exact
    assert got.first_error == first


def test_a_promotion_to_something_else_is_right_only_where_it_is_marked() -> None:
    assert same("a7a8q", "a7a8n", doubtful=True)
    assert not same("a7a8q", "a7a8n", doubtful=False)
    assert not same("b7b8q", "a7a8n", doubtful=True)
    assert not same("e2e3", "e2e4", doubtful=True)


def test_calibration_is_of_the_plies_not_marked() -> None:
    wrong = score(TRUTH, SETTLED, decoded(("e2e4", "e7e6", "g1f3"), marked=frozenset({2})))
    sums = tally([wrong, broken(3, "error")])
    assert sums.marked == pytest.approx(1 / 6)
    assert sums.calibration == pytest.approx(2 / 5)
    assert sums.broke == 1
    assert sums.exact == 0


def test_random_games_are_legal_and_the_same_for_the_same_seed() -> None:
    games = list(random_games(12, 5))
    assert games == list(random_games(13, 5))[:12]
    assert len({game.moves for game in games}) == 12
    assert any(game.chess960 for game in random_games(30, 5))
    for game in games:
        play_through(game)


def play_through(game: ScoredGame) -> None:
    position = parse_fen(game.start_fen, chess960=game.chess960)
    for uci in game.moves:
        position = position.play(parse_uci(position, uci))


def test_a_section_is_replaced_and_the_rest_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "BENCHMARKS.md"
    write_section("one", "first", path)
    write_section("two", "second", path)
    write_section("one", "third", path)
    assert path.read_text() == (
        "# Benchmarks\n\n<!-- one -->\nthird\n<!-- /one -->\n\n<!-- two -->\nsecond\n<!-- /two -->\n"
    )
