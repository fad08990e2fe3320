"""Which square each wire belongs to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.profile.lights import Place
from board_driver.profile.places import place_order, square_order
from board_driver.profile.schema import Orientation, Turn
from board_driver.profile.words import Along, Corner, Order
from rules.squares import SQUARE_NAMES

AS_BUILT = Orientation()
ORDERS = st.builds(Order, first=st.sampled_from(Corner), along=st.sampled_from(Along), snake=st.booleans())
ORIENTATIONS = st.builds(Orientation, turn=st.sampled_from(Turn), mirror=st.booleans())


def names(order: Order, orientation: Orientation = AS_BUILT) -> list[str]:
    return [SQUARE_NAMES[square] for square in square_order(order, orientation)]


@pytest.mark.parametrize(
    ("order", "orientation", "first_nine"),
    [
        (Order(), AS_BUILT, "a1 b1 c1 d1 e1 f1 g1 h1 a2"),
        (Order(snake=True), AS_BUILT, "a1 b1 c1 d1 e1 f1 g1 h1 h2"),
        (Order(along=Along.FILE), AS_BUILT, "a1 a2 a3 a4 a5 a6 a7 a8 b1"),
        (Order(first=Corner.H8), AS_BUILT, "h8 g8 f8 e8 d8 c8 b8 a8 h7"),
        (Order(first=Corner.A8, along=Along.FILE), AS_BUILT, "a8 a7 a6 a5 a4 a3 a2 a1 b8"),
        (Order(), Orientation(turn=Turn.HALF), "h8 g8 f8 e8 d8 c8 b8 a8 h7"),
        (Order(), Orientation(turn=Turn.QUARTER), "a8 a7 a6 a5 a4 a3 a2 a1 b8"),
        (Order(), Orientation(turn=Turn.THREE_QUARTERS), "h1 h2 h3 h4 h5 h6 h7 h8 g1"),
        (Order(), Orientation(mirror=True), "h1 g1 f1 e1 d1 c1 b1 a1 h2"),
    ],
)
def test_the_order_of_wires(order: Order, orientation: Orientation, first_nine: str) -> None:
    assert " ".join(names(order, orientation)[:9]) == first_nine


def test_wires_named_one_by_one() -> None:
    assert names(Order(each=("c3", "a1")), Orientation(turn=Turn.HALF)) == ["f6", "h8"]


@given(st.sampled_from([Place.SQUARES, Place.CORNERS, Place.EDGES]), ORDERS, ORIENTATIONS)
def test_every_place_is_visited_once(place: Place, order: Order, orientation: Orientation) -> None:
    assert sorted(place_order(place, order, orientation)) == list(range(place.lamps))


@given(st.sampled_from(Turn), st.booleans())
def test_corners_and_edges_turn_with_the_squares(turn: Turn, mirror: bool) -> None:
    """A square's four corners, and its rank's and file's lamp, are those of the square it becomes."""
    orientation = Orientation(turn=turn, mirror=mirror)
    squares = square_order(Order(), orientation)
    corners = place_order(Place.CORNERS, Order(), orientation)
    edges = place_order(Place.EDGES, Order(), orientation)
    for built, square in enumerate(squares):
        rank, file = divmod(built, 8)
        now_rank, now_file = divmod(square, 8)
        around = {corners[9 * (rank + up) + file + right] for up in (0, 1) for right in (0, 1)}
        assert around == {9 * (now_rank + up) + now_file + right for up in (0, 1) for right in (0, 1)}
        assert {edges[rank], edges[8 + file]} == {now_rank, 8 + now_file}
