"""Games from text: the table, PGN, and one clear line for what is neither."""

from __future__ import annotations

from pathlib import Path

import pytest

from board_driver.simulate.gamefile import GameFileError, read_games
from rules.fen import START_FEN
from tests.board_driver.simulate.evenings import GAMES

PGN = """\
[Event "One"]
[Result "1-0"]

1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {quiet} Nc6 3. Bb5 a6 4. O-O 1-0

[Event "No move"]
[Result "*"]

*

[Event "Two"]
[SetUp "1"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]
[Result "1/2-1/2"]

1. a8=N 1/2-1/2
"""


def test_the_table_of_real_games() -> None:
    games = read_games(GAMES)
    assert len(games) == 106
    assert sum(game.chess960 for game in games) == 10
    assert games[0].start_fen == START_FEN
    assert games[0].moves[:2] == ("e2e4", "e7e5")
    assert read_games(GAMES, 3) == games[:3]


def test_pgn(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(PGN)
    one, two = read_games(path)
    assert one.moves == ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1")
    assert (one.id, one.result, one.start_fen) == ("g0001", "1-0", START_FEN)
    assert (two.id, two.result, two.moves) == ("g0003", "1/2-1/2", ("a7a8n",))
    assert two.start_fen == "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "holds no game"),
        ("a\t1-0\t-\t0\te2e4 e2e4\n", "line 1: ply 2, 'e2e4', is no legal move there"),
        *(
            (f"{name}\t1-0\t-\t0\te2e4\n", "line 1: expected an id")
            for name in ("", ".", "../a", "/a", "a/b", "a\0", "a" * 101)
        ),
        ("a\t1-0\t-\t0\te2e4\n" * 2, "line 2: expected an id of its own, got a again"),
        ("a\t1-0\t-\t2\te2e4\n", "line 1: expected 0 or 1 for Chess960, got '2'"),
        ("a\t1-0\t-\t0\te2e4\nb\t1-0\n", "line 2: expected five cells with tabs between, got 2"),
        ("a\t1-0\tnonsense\t0\te2e4\n", "line 1: "),
        ("1. e4 e5 2. Ke3 *\n", "game 1: line 1: expected a legal move"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "games"
    path.write_text(text)
    with pytest.raises(GameFileError) as caught:
        read_games(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GameFileError, match="expected a text file in UTF-8"):
        read_games(path)
