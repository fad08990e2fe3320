"""What the terminal says of a game that was taken up again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from board_driver.boards.board import Clock
from board_driver.boards.virtual import VirtualBoard
from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.mind import Settings
from board_driver.store.chapters import GameFile
from board_driver.store.howfar import how_far
from board_driver.store.journal import Journal
from board_driver.store.resume import TRIES
from board_driver.store.retelling import retell
from board_driver.store.state import JOURNAL
from board_driver.upkeep import Upkeep
from rules.fen import START_FEN, parse_fen
from rules.san import parse_san
from tests.board_driver.store.lives import write_chapter

FOOLS_MATE = "f3 e5 g4 Qh4#"


def game(moves: str, result: str = "*", fen: str = START_FEN) -> GameRecord:
    """That game."""
    position, plies = parse_fen(fen), []
    for text in moves.split():
        move = parse_san(position, text)
        plies.append(RecordedPly(move, 0, 0))
        position = position.play(move)
    return GameRecord(parse_fen(fen), tuple(plies), result)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (game(""), "before the first move"),
        (game("", "1-0"), "which ended 1-0 before the first move"),
        (game("e4"), "after 1. e4, Black has the move"),
        (game("e4 c5 Nf3 d6"), "after 2... d6, White has the move"),
        (game(FOOLS_MATE, "0-1"), "which ended 0-1 after 2... Qh4#"),
        (game("b8=N Kf7", fen="4k3/1P6/8/8/8/8/8/4K3 w - - 0 40"), "after 40... Kf7, White has the move"),
    ],
)
def test_how_far_a_game_has_come(record: GameRecord, words: str) -> None:
    assert how_far(record) == words


def said_on_going_on(folder: Path) -> list[str]:
    """What a new life says in that folder."""

    async def live() -> list[str]:
        said: list[str] = []
        with Upkeep(folder) as upkeep:
            upkeep.daemon(VirtualBoard(), Settings(), clock=Clock())
            upkeep.announce("http://127.0.0.1:8080/", said.append)
        return said

    return asyncio.run(live())


def leave(folder: Path, moves: str, file: str = "") -> None:
    """A game is left there, which is written to that file."""
    start = parse_fen(START_FEN)
    given = list(retell(Settings(), start, [ply.move for ply in game(moves).plies]))
    write_chapter(folder / JOURNAL, given, Settings())
    if file:
        journal = Journal(folder / JOURNAL)
        journal.name_game(0, GameFile(file, ""))
        journal.close()


def test_a_resumed_game_is_told_at_the_terminal(tmp_path: Path) -> None:
    leave(tmp_path, "e4 e5 Nf3", "2026-11-28_190000.pgn")
    assert said_on_going_on(tmp_path) == [
        "going on with the game that was left (2026-11-28_190000.pgn), after 2. Nf3, Black has the move"
    ]


def test_no_file_is_told_where_none_is_known(tmp_path: Path) -> None:
    leave(tmp_path, "e4")
    assert said_on_going_on(tmp_path) == ["going on with the game that was left, after 1. e4, Black has the move"]


def test_why_not_all_is_as_it_was_is_told_too(tmp_path: Path) -> None:
    leave(tmp_path, "e4")
    for _ in range(TRIES):
        journal = Journal(tmp_path / JOURNAL)
        journal.count_try()
        journal.close()
    (line,) = said_on_going_on(tmp_path)
    assert line.startswith("going on with the game that was left, after 1. e4, Black has the move: 3 attempts")


def test_a_first_life_has_nothing_to_tell(tmp_path: Path) -> None:
    assert said_on_going_on(tmp_path) == []
