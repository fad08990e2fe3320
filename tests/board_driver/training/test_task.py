"""Tasks, and the courses that come with the program."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

from board_driver.inputerror import InputError
from board_driver.training.courses import game_to_follow, openings, puzzles
from board_driver.training.task import Progress, Standing, Task, standing
from rules.fen import START_FEN, parse_fen, write_fen
from rules.move import Move
from rules.squares import Colour
from rules.uci import parse_uci, write_uci

WHITE, BLACK = frozenset((Colour.WHITE,)), frozenset((Colour.BLACK,))


def moves(start: str, *ucis: str) -> tuple[Move, ...]:
    position, found = parse_fen(start), []
    for uci in ucis:
        found.append(parse_uci(position, uci))
        position = position.play(found[-1])
    return tuple(found)


LINE = moves(START_FEN, "e2e4", "e7e5", "g1f3")
OPENING = Task("Italian", parse_fen(START_FEN), LINE, WHITE)


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        ((), Standing(Progress.ON, LINE[0])),
        (("e2e4",), Standing(Progress.ON, LINE[1])),
        (("d2d4",), Standing(Progress.WRONG, LINE[0])),
        (("e2e4", "c7c5"), Standing(Progress.WRONG, LINE[1])),
        (("e2e4", "e7e5", "g1f3"), Standing(Progress.DONE)),
        (("e2e4", "e7e5", "g1f3", "b8c6"), Standing(Progress.WRONG, None)),
    ],
)
def test_where_a_game_stands(played: tuple[str, ...], expected: Standing) -> None:
    assert standing(OPENING, moves(START_FEN, *played)) == expected


TWO = "8/8/8/8/8/1k6/1q6/K7 w - - 0 1"
MATES = "6k1/8/6K1/8/8/8/8/Q6R w - - 0 1"


def test_every_mate_is_right_and_so_is_every_move_that_the_task_allows() -> None:
    start = parse_fen(MATES)
    (line, other, third) = (moves(MATES, uci) for uci in ("a1a8", "h1h8", "a1b1"))
    task = Task("mate", start, line, WHITE, frozenset(third))
    assert standing(task, other).progress is Progress.DONE
    assert standing(task, third).progress is Progress.DONE
    assert standing(task, moves(MATES, "a1c1")).progress is Progress.WRONG


def test_a_mate_by_the_other_side_is_not_the_pupils() -> None:
    fool = moves(START_FEN, "f2f3", "e7e5", "g2g4", "d8h4")
    task = Task("fool", parse_fen(START_FEN), moves(START_FEN, "f2f3", "e7e5", "g2g4", "b8c6"), WHITE)
    assert standing(task, fool).progress is Progress.WRONG


def test_the_puzzles_are_mates_and_every_line_is_legal() -> None:
    found = puzzles("")
    assert len(found) >= 15
    assert len({task.name for task in found}) == len(found)
    for task in found:
        board = chess.Board(write_fen(task.start))
        position = task.start
        for move in task.line:
            board.push_uci(write_uci(position, move))
            position = position.play(move)
        assert board.is_checkmate(), task.name
        assert task.pupil == {task.start.turn}


def test_the_openings_and_the_games_are_whole() -> None:
    for side in Colour:
        lines = openings("", side)
        assert len(lines) >= 18
        assert all(len(task.line) >= 10 and task.pupil == {side} for task in lines)
    names = [game_to_follow("", number).name for number in (1, 2, 3)]
    assert names[0] == "Anderssen – Kieseritzky"
    for number in (1, 2, 3):
        game = game_to_follow("", number)
        position = game.start
        for move in game.line:
            position = position.play(move)
        assert position.is_checkmate()
        assert game.pupil == frozenset(Colour)


def test_variations_are_lines_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "lines.pgn"
    file.write_text('[Opening "X"]\n\n1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 *\n', "utf-8")
    position = parse_fen(START_FEN)
    found = []
    for task in openings(str(file), Colour.WHITE):
        position, words = task.start, []
        for move in task.line:
            words.append(write_uci(position, move))
            position = position.play(move)
        found.append(" ".join(words))
    assert found == ["e2e4 e7e5 g1f3", "e2e4 c7c5 g1f3 d7d6", "e2e4 c7c5 c2c3 d7d5"]


def test_what_is_no_course_is_refused_in_one_line(tmp_path: Path) -> None:
    empty, bad = tmp_path / "empty", tmp_path / "bad.epd"
    empty.write_bytes(b"\xff\xfe")
    bad.write_text('# fine\n8/8/8/8/8/8/8/K1k5 w - - id "no solution";\n', "utf-8")
    for course in (
        lambda: game_to_follow(str(empty), 1),
        lambda: game_to_follow("", 4),
        lambda: openings(str(empty), Colour.WHITE),
        lambda: puzzles(str(empty)),
        lambda: puzzles(str(bad)),
        lambda: puzzles(str(tmp_path / "missing")),
        lambda: puzzles(str(tmp_path)),
    ):
        with pytest.raises(InputError) as refusal:
            course()
        assert "\n" not in str(refusal.value)
    with pytest.raises(InputError, match="line 2: expected the solution"):
        puzzles(str(bad))
