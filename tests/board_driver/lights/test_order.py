"""One mapping for lights and sensors, square by square (LED-03): whatever the wiring, the lamp that lights is the one
that lies under the square."""

from __future__ import annotations

from itertools import product

import pytest

from board_driver.lights.adapting import Show
from board_driver.lights.lamps import BLACK
from board_driver.lights.pacing import Pacing
from board_driver.lights.picture import Meaning
from board_driver.profile.lights import Place, Ws2812
from board_driver.profile.places import place_order, square_order
from board_driver.profile.schema import Orientation, Turn
from board_driver.profile.words import Along, Corner, Order

STARTS = {Corner.A1: (0, 0), Corner.H1: (1, 0), Corner.A8: (0, 1), Corner.H8: (1, 1)}


def laid(order: Order, side: int) -> list[tuple[int, int]]:
    """Where each lamp of a strip lies on the board as built: file and rank, walked lamp by lamp."""
    right, up = STARTS[order.first]
    file, rank = right * (side - 1), up * (side - 1)
    east, north = 1 - 2 * right, 1 - 2 * up
    along_file = order.along is Along.FILE
    found = []
    for _ in range(side):
        begin = (file, rank)
        for step in range(side):
            found.append((file, rank))
            if step < side - 1:
                file, rank = (file, rank + north) if along_file else (file + east, rank)
        if order.snake:
            east, north = (east, -north) if along_file else (-east, north)
        else:
            file, rank = begin
        file, rank = (file + east, rank) if along_file else (file, rank + north)
    return found


def before_white(file: int, rank: int, orientation: Orientation, side: int) -> int:
    """The place that a spot of the board as built is, seen by White: points turned about the middle of the board."""
    x, y = 2 * file - (side - 1), 2 * rank - (side - 1)
    if orientation.mirror:
        x = -x
    x, y = {0: (x, y), 90: (y, -x), 180: (-x, -y), 270: (-y, x)}[orientation.turn.value]
    return (y + side - 1) // 2 * side + (x + side - 1) // 2


ORDERS = [Order(first=f, along=a, snake=s) for f, a, s in product(Corner, Along, (False, True))]
ORIENTATIONS = [Orientation(turn=t, mirror=m) for t, m in product(Turn, (False, True))]


def name(value: Order | Orientation) -> str:
    if isinstance(value, Order):
        return f"{value.first.value}-{value.along.value}{'-snake' if value.snake else ''}"
    return f"{value.turn.value}{'-mirrored' if value.mirror else ''}"


@pytest.mark.parametrize("orientation", ORIENTATIONS, ids=name)
@pytest.mark.parametrize("order", ORDERS, ids=name)
def test_every_square_lights_the_lamp_that_lies_under_it(order: Order, orientation: Orientation) -> None:
    lights = Ws2812(order=order)
    wires = place_order(Place.SQUARES, order, orientation)
    assert wires == square_order(order, orientation), "sensors and lights count alike"
    pacing = Pacing(lights, wires, 0)
    spots = laid(order, 8)
    for square in range(64):
        frame = pacing.begin({square: Meaning.DESTINATION}, 0, 0)
        (lamp,) = [n for n, colour in enumerate(frame.colours) if colour != BLACK]
        assert before_white(*spots[lamp], orientation, 8) == square


@pytest.mark.parametrize("orientation", ORIENTATIONS, ids=name)
@pytest.mark.parametrize("order", ORDERS, ids=name)
def test_every_corner_is_the_lamp_that_lies_there(order: Order, orientation: Orientation) -> None:
    wires = place_order(Place.CORNERS, order, orientation)
    spots = laid(order, 9)
    assert list(wires) == [before_white(*spot, orientation, 9) for spot in spots]


@pytest.mark.parametrize("orientation", ORIENTATIONS, ids=name)
def test_edges_turn_with_the_board(orientation: Orientation) -> None:
    """The lamps of rank and file of any square, as built, are those of the same square as White sees it."""
    wires = place_order(Place.EDGES, Order(), orientation)
    for file, rank in product(range(8), repeat=2):
        square = before_white(file, rank, orientation, 8)
        colours = Show({square: Meaning.DESTINATION}, Place.EDGES).colours(0)
        assert {n for n, place in enumerate(wires) if colours[place] != BLACK} == {rank, 8 + file}


@pytest.mark.parametrize("order", [Order(snake=True), Order(first=Corner.H8)], ids=name)
def test_led_03(order: Order) -> None:
    """A lifted a2 lights a3 and a4 for a serpentine strip, and for one that starts at h8."""
    pacing = Pacing(Ws2812(order=order), place_order(Place.SQUARES, order, Orientation()), 0)
    frame = pacing.begin({16: Meaning.DESTINATION, 24: Meaning.DESTINATION}, 0, 0)
    spots = laid(order, 8)
    assert {spots[n] for n, colour in enumerate(frame.colours) if colour != BLACK} == {(0, 2), (0, 3)}
