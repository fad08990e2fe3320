"""From cells to squares."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from board_driver.boards.cellmap import CellMap

ORDERS = st.permutations(range(64))
BITBOARDS = st.integers(0, 2**64 - 1)


@given(ORDERS, BITBOARDS)
def test_each_cell_goes_to_its_square(order: list[int], cells: int) -> None:
    found = CellMap(order).bits(cells)
    assert all((found >> square & 1) == (cells >> cell & 1) for cell, square in enumerate(order))


@given(ORDERS, st.integers(1, 63), BITBOARDS)
def test_squares_without_a_cell_are_unread_and_never_set(order: list[int], count: int, cells: int) -> None:
    some = CellMap(order[:count])
    assert some.bits(cells) & some.unread == 0
    assert some.unread == sum(1 << square for square in order[count:])
    assert some.values(list(range(count)), -1) == tuple(
        order.index(square) if order.index(square) < count else -1 for square in range(64)
    )


def test_as_wired_is_as_it_is() -> None:
    assert CellMap(range(64)).bits(0x123456789ABCDEF0) == 0x123456789ABCDEF0
