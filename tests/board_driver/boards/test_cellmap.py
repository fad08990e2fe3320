"""From cells to squares."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from board_driver.boards.board import Inbox
from board_driver.boards.cellmap import CellMap
from board_driver.boards.scanthread import Sensed
from board_driver.boards.sensorboard import SquareReader
from board_driver.boards.source import Contacts
from board_driver.scan import Occupancy, Sensing

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


class TwoContacts:
    """A source with two cells, the second unsure."""

    senses = Sensing.OCCUPANCY

    def open(self) -> None:
        """Nothing to open."""

    def read(self) -> Contacts:
        return Contacts(0b01, 0b10)

    def close(self) -> None:
        """Nothing to close."""


def test_squares_that_no_cell_reads_and_unsure_cells_are_distrusted() -> None:
    async def run() -> Sensed:
        return SquareReader(TwoContacts(), (10, 20), Inbox()).read()

    sensed = asyncio.run(run())
    assert sensed.reading == Occupancy(1 << 10)
    assert sensed.distrusted == 2**64 - 1 - (1 << 10)


def test_as_wired_is_as_it_is() -> None:
    assert CellMap(range(64)).bits(0x123456789ABCDEF0) == 0x123456789ABCDEF0
