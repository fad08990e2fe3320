"""The next game with White on the other side of a board that nobody has turned."""

from __future__ import annotations

from board_driver.arbiter import Arbiter
from board_driver.arbiter.turning import first_move_from_afar, turned_squares
from board_driver.events import Irregular, Notice
from board_driver.replay import play_out
from board_driver.scan import Input, Scan, Sensing
from rules.fen import START_FEN, parse_fen
from rules.pieces import Piece
from rules.squares import FULL, parse_square, square_name
from tests.board_driver.arbiter.hands import Ruled, settings
from tests.board_driver.gamelog import reading_of

START = parse_fen(START_FEN)
FIRST_GAME = "-e2 +e4 -e7 +e5 resign:black -e4 +e2 -e5 +e7"


def test_only_a_first_move_of_the_far_side_turns_the_board() -> None:
    def after(origin: str, landing: str) -> int:
        return START.occupied ^ (1 << parse_square(origin) | 1 << parse_square(landing))

    assert first_move_from_afar(START, after("d7", "d5"), FULL)
    assert first_move_from_afar(START, after("g8", "f6"), FULL)
    assert not first_move_from_afar(START, after("d2", "d4"), FULL)
    assert not first_move_from_afar(START, after("d7", "d4"), FULL)
    assert not first_move_from_afar(START, START.occupied, FULL)
    assert turned_squares(1 << parse_square("a1")) == 1 << parse_square("h8")


def test_the_next_game_from_the_other_side() -> None:
    for pause in ("~3000", ""):
        ruled = Ruled(f"{FIRST_GAME} {pause} -d7 +d5 -e2 +e4 -g8 +f6")
        assert ruled.summary["moves"] == ["e4", "d5", "Nc3"], pause
        assert [game["result"] for game in ruled.summary["games"]] == ["1-0", None]
        assert not [e for e in ruled.events if isinstance(e, Irregular)]
        kinds = [e.kind for e in ruled.events if isinstance(e, Notice)]
        assert kinds == ["new-game", "board-turned"]


def test_lights_are_where_the_men_are() -> None:
    ruled = Ruled(f"{FIRST_GAME} ~3000 -d7 +d5 -e2")
    assert {square_name(s) for s, m in ruled.lights.items() if m == "destination"} == {"e3", "e4"}


def test_and_back_again() -> None:
    ruled = Ruled(f"{FIRST_GAME} ~3000 -d7 +d5 -e2 +e4 resign:white -d5 +d7 -e4 +e2 ~3000 -e2 +e4 -e7 +e5")
    assert ruled.summary["moves"] == ["e4", "e5"]
    assert [game["uci"] for game in ruled.summary["games"]] == [["e2e4", "e7e5"], ["e2e4", "d7d5"], ["e2e4", "e7e5"]]


def test_in_the_first_game_black_is_out_of_turn() -> None:
    ruled = Ruled("-d7 +d5")
    assert ruled.summary["moves"] == []
    assert [e.why for e in ruled.events if isinstance(e, Irregular)] == ["out-of-turn"]


def test_boards_that_see_more_know_it_when_the_pieces_stand() -> None:
    for sensing in (Sensing.COLOUR, Sensing.IDENTITY):
        men = {s: man for s in range(64) if (man := START.piece_at(s)) is not None}
        others = {63 - s: man for s, man in men.items()}
        t_ms, inputs = 1000, list[Input]([Scan(0, reading_of(men, sensing))])
        board = dict(men)
        steps: list[tuple[int, Piece | None]] = [(12, None), (28, men[12])]
        steps += [(s, None) for s in (*sorted(set(men) - {12}), 28)]
        steps += [(s, others[s]) for s in sorted(others)]
        steps += [(51, None), (35, others[51]), (12, None), (28, others[12])]
        for square, man in steps:
            if man is None:
                board.pop(square)
            else:
                board[square] = man
            t_ms += 5000 if square == 51 and man is None and len(board) == 31 else 300
            inputs.append(Scan(t_ms, reading_of(board, sensing)))
        arbiter = Arbiter(settings(sensing=sensing))
        events = list(play_out(arbiter, inputs))
        assert arbiter.summary()["moves"] == ["e4", "d5"], sensing
        assert [e.kind for e in events if isinstance(e, Notice)] == ["new-game", "board-turned"]


def test_a_fresh_mind_that_is_told_of_a_game_before_turns_the_board_too() -> None:
    assert Ruled("-d7 +d5 -e2 +e4", later_game=True).summary["moves"] == ["e4", "d5"]
    others = {63 - s: man for s in range(64) if (man := START.piece_at(s)) is not None}
    arbiter = Arbiter(settings(sensing=Sensing.COLOUR, later_game=True))
    moved = {s: man for s, man in others.items() if s != 51}
    inputs: list[Input] = [Scan(0, reading_of(others, Sensing.COLOUR)), Scan(1000, reading_of(moved, Sensing.COLOUR))]
    inputs.append(Scan(2000, reading_of(moved | {35: others[51]}, Sensing.COLOUR)))
    list(play_out(arbiter, inputs))
    assert arbiter.summary()["moves"] == ["e4"]
