"""Leading a board to a position: from anywhere, by short ways, whoever does what."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from board_driver.arbiter.belief import Belief
from board_driver.arbiter.restoring import Act, Step, next_step, wrong_squares
from board_driver.sensing.cells import SOMETHING, Cell, Cells
from rules.fen import START_FEN, parse_fen
from rules.pieces import PIECES, Piece
from rules.position import Position
from rules.squares import FULL, parse_square, square_name

FENS = [
    START_FEN,
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8",
    "8/4P1k1/8/8/8/8/P7/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
]
boards = st.dictionaries(st.integers(0, 63), st.sampled_from(list(PIECES.values())), max_size=40)
targets = st.sampled_from(FENS).map(parse_fen)
SENSING = ["occupancy", "colour", "identity"]


def seen(men: dict[int, Piece], sensing: str) -> Cells:
    """What sensors of that kind read."""

    def cell(man: Piece | None) -> Cell:
        if man is None or sensing == "identity":
            return man
        return man.colour if sensing == "colour" else SOMETHING

    return tuple(cell(men.get(square)) for square in range(64))


def carry_out(men: dict[int, Piece], step: Step) -> None:
    """Do as the step says."""
    man = men.pop(step.take) if step.take is not None else step.piece
    if step.put is not None:
        assert step.put not in men, "the square was to be free"
        assert man is not None
        men[step.put] = man


def placed(position: Position) -> dict[int, Piece]:
    return {s: man for s in range(64) if (man := position.piece_at(s)) is not None}


@pytest.mark.parametrize("sensing", SENSING)
@settings(max_examples=60, deadline=None)
@given(men=boards, target=targets)
def test_the_steps_lead_to_the_position_and_are_few(sensing: str, men: dict[int, Piece], target: Position) -> None:
    right = {s for s, man in men.items() if target.piece_at(s) == man}
    bound = len(men) + len(placed(target))
    count = 0
    while (step := next_step(target, seen(men, sensing), FULL)) is not None:
        assert step.take not in right, "who stands right is not touched"
        carry_out(men, step)
        count += 1
        assert count <= bound
    assert wrong_squares(target, seen(men, sensing), FULL) == 0
    assert set(men) == set(placed(target))
    if sensing == "identity":
        assert men == placed(target)


@settings(max_examples=60, deadline=None)
@given(men=boards, target=targets)
def test_with_men_that_are_known_occupancy_is_as_good_as_identity(men: dict[int, Piece], target: Position) -> None:
    belief = Belief(men)
    while (step := next_step(target, seen(men, "occupancy"), FULL, belief.men, belief.hand)) is not None:
        carry_out(men, step)
        follow(belief, step, men, target)
    assert men == placed(target)


def follow(belief: Belief, step: Step, men: dict[int, Piece], target: Position) -> None:
    if step.take is not None:
        belief.lift(step.take, step)
    if step.put is not None:
        belief.place(step.put, seen(men, "occupancy")[step.put], target, step)


@settings(max_examples=60, deadline=None)
@given(men=boards, target=targets, data=st.data())
def test_whoever_does_something_else_is_led_on(men: dict[int, Piece], target: Position, data: st.DataObject) -> None:
    """A dozen times a man is set where nobody asked for it; then the steps are followed."""
    belief = Belief(men)
    for _ in range(12):
        step = next_step(target, seen(men, "occupancy"), FULL, belief.men, belief.hand)
        free = sorted(set(range(64)) - set(men) - ({step.put} if step is not None else set()))
        if men and free and data.draw(st.booleans()):
            source, goal = data.draw(st.sampled_from(sorted(men))), data.draw(st.sampled_from(free))
            men[goal] = men.pop(source)
            belief.lift(parse_square(square_name(source)), step)
            belief.place(parse_square(square_name(goal)), SOMETHING, target, step)
        elif step is not None:
            carry_out(men, step)
            follow(belief, step, men, target)
    count = 0
    while (step := next_step(target, seen(men, "occupancy"), FULL, belief.men, belief.hand)) is not None:
        carry_out(men, step)
        follow(belief, step, men, target)
        count += 1
        assert count <= 100
    assert men == placed(target), "one hand alone is followed without a doubt"


def steps(target: str, men: str, sensing: str = "identity") -> list[str]:
    """What is said, step by step, from one placement to another."""
    board = placed(parse_fen(men))
    said = []
    while (step := next_step(parse_fen(target), seen(board, sensing), FULL)) is not None:
        said.append(step.text)
        carry_out(board, step)
    return said


TWO_KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("target", "men", "said"),
    [
        (TWO_KINGS, TWO_KINGS, []),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "4k3/8/8/8/8/5N2/8/4K3 w - - 0 1", ["White knight from f3 to f1"]),
        # two men on each other's squares: one makes room
        (
            "4k3/8/8/8/8/8/8/R3K2N w - - 0 1",
            "4k3/8/8/8/8/8/8/N3K2R w - - 0 1",
            [
                "Take the white knight on a1 off for now: it stands in the way",
                "White rook from h1 to a1",
                "White knight on h1",
            ],
        ),
        # who stands in the way and is needed nowhere goes first
        (
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/q3K2R w - - 0 1",
            ["Take the black queen on a1 off the board", "White rook from h1 to a1"],
        ),
        # a chain: the last of it has a free square and begins
        (
            "4k3/8/8/8/8/8/8/1R1NK1B1 w - - 0 1",
            "4k3/8/8/8/8/8/8/R2BKN2 w - - 0 1",
            ["White rook from a1 to b1", "White bishop from d1 to g1", "White knight from f1 to d1"],
        ),
        # from the box: kings first
        (
            "4k3/8/8/8/8/8/P7/R3K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            ["White rook on a1", "White pawn on a2"],
        ),
    ],
)
def test_the_order_is_one_a_person_would_choose(target: str, men: str, said: list[str]) -> None:
    assert steps(target, men) == said


def test_what_sensors_cannot_tell_is_called_what_stands_there() -> None:
    cells = seen(placed(parse_fen(TWO_KINGS)) | {27: PIECES["q"]}, "occupancy")
    step = next_step(parse_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), cells, FULL)
    assert step is not None
    assert step.text == "White rook from d4 to a1", "only one man is missing: it is taken to be that one"
    both = next_step(parse_fen("4k3/8/8/8/8/8/8/RN2K3 w - - 0 1"), cells, FULL)
    assert both is not None
    assert (both.act, both.text) == (Act.TAKE_OFF, "Take what stands on d4 off the board")


def test_a_man_in_the_hand_goes_down_first() -> None:
    target = parse_fen("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1")
    step = next_step(target, seen(placed(parse_fen(TWO_KINGS)), "occupancy"), FULL, {}, [PIECES["P"]])
    assert step is not None
    assert step.text == "White pawn on a2"


def test_a_dead_square_is_taken_to_be_right() -> None:
    target = parse_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    assert next_step(target, seen(placed(parse_fen(TWO_KINGS)), "occupancy"), FULL & ~1) is None
