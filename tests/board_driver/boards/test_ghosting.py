"""Ghosts of a matrix without diodes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from board_driver.boards.ghosting import blocks_of
from rules.squares import parse_square, set_of


def cells(*names: str) -> int:
    return set_of(parse_square(name) for name in names)


def closure(closed: int) -> int:
    """What reads closed, without diodes, when those switches are: from every row as far as current gets."""
    rows = [closed >> 8 * row & 0xFF for row in range(8)]
    for _ in range(8):
        rows = [row and sum_of(other for other in rows if other & row) for row in rows]
    return sum(row << 8 * index for index, row in enumerate(rows))


def sum_of(rows: object) -> int:
    found = 0
    for row in rows:  # type: ignore[attr-defined]
        found |= row
    return found


RECTANGLE = cells("c3", "c6", "f3", "f6")


def test_only_rectangles_are_in_doubt() -> None:
    assert blocks_of(cells("a1", "b1", "c1", "c2", "h8")) == 0
    assert blocks_of(RECTANGLE | cells("a1", "h8")) == RECTANGLE
    assert closure(cells("c3", "c6", "f3")) == RECTANGLE


# Up to eight pieces on a corner of the board: the smaller the corner, the more of them stand in rectangles.
CROWDS = st.tuples(st.lists(st.integers(0, 63), max_size=8), st.integers(1, 8), st.integers(1, 8)).map(
    lambda crowd: set_of(8 * (cell // 8 % crowd[1]) + cell % 8 % crowd[2] for cell in crowd[0])
)


@given(CROWDS)
def test_what_is_not_in_doubt_is_true(real: int) -> None:
    closed = closure(real)
    assert (closed ^ real) & ~blocks_of(closed) == 0


@given(CROWDS)
def test_what_is_in_doubt_could_be_otherwise(real: int) -> None:
    """Every doubted cell can be opened or closed so that another board reads the same."""
    closed = closure(real)
    doubted = blocks_of(closed)
    for cell in range(64):
        if doubted >> cell & 1:
            others = closed & ~(1 << cell)
            assert closure(others) == closed
