"""The four squares on which a promotion is chosen: always there, near, and never a move."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from board_driver.arbiter.promoting import MEANINGS, choice_squares
from board_driver.arbiter.turn import Turn
from board_driver.lights.looks import LOOKS
from rules.fen import parse_fen
from rules.move import Move
from rules.pieces import Role
from rules.squares import FULL, set_of, square_name

CROWDED = "1rbqkbnr/Pppppppp/2n5/8/8/8/8/7K w - - 0 1"
CORNERS = "3n1n1n/P3P1PP/8/1k6/6K1/8/p5p1/1N5N w - - 0 1"
FENS = [CROWDED, CORNERS, CORNERS.replace(" w ", " b "), "3n4/4P1k1/8/8/8/8/P7/4K3 w - - 0 1"]


def questions() -> list[tuple[Turn, Move]]:
    found = []
    for fen in FENS:
        turn = Turn(parse_fen(fen), None, 0)
        found += [(turn, move) for move in turn.position.legal_moves() if move.promotion is Role.QUEEN]
    return found


@given(asked=st.sampled_from(questions()), beside=st.sets(st.integers(0, 63), max_size=16))
def test_they_are_free_near_and_no_move(asked: tuple[Turn, Move], beside: set[int]) -> None:
    """Whatever else stands on the board, besides up to sixteen men too many."""
    turn, move = asked
    occupied = turn.after(move) | set_of(beside)
    choices = choice_squares(turn, move, occupied, FULL)
    assert list(choices.values()) == list(MEANINGS)
    destinations = turn.position.destinations(move.origin)
    for square in choices:
        assert not (occupied | turn.position.occupied | destinations) >> square & 1, square_name(square)

    def distance(square: int) -> int:
        return max(abs((square & 7) - (move.landing & 7)), abs((square >> 3) - (move.landing >> 3)))

    distances = [distance(square) for square in choices]
    assert distances == sorted(distances), "the queen's is the nearest"


def test_a_dead_square_is_no_choice() -> None:
    turn, move = questions()[-1]
    first = next(iter(choice_squares(turn, move, turn.after(move), FULL)))
    assert first not in choice_squares(turn, move, turn.after(move), FULL & ~(1 << first))


def test_they_flash_once_twice_three_and_four_times() -> None:
    def flashes(rhythm: tuple[bool, ...]) -> int:
        return sum(on and not rhythm[i - 1] for i, on in enumerate(rhythm))

    assert [flashes(LOOKS[meaning].rhythm) for meaning in MEANINGS.values()] == [1, 2, 3, 4]
    assert list(MEANINGS) == [Role.QUEEN, Role.ROOK, Role.BISHOP, Role.KNIGHT]
