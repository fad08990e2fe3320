"""Which square, corner or edge each wire belongs to [pure].

`order` of a profile says how the wires run on the board as it was built, `orientation` how the board lies before White.
Squares are 0 to 63, a1 first. Corners are 0 to 80: the corner to the lower left of each square, nine to a rank, from
a1's outer one on. Edges are 0 to 7 for ranks 1 to 8 and 8 to 15 for files a to h.
"""

from __future__ import annotations

from board_driver.profile.lights import Place
from board_driver.profile.schema import Orientation
from board_driver.profile.words import Along, Corner, Order

FILES = "abcdefghi"


def square_order(order: Order, orientation: Orientation) -> tuple[int, ...]:
    """The square of each cell or lamp, in the order of the wires. Raises ValueError for a name that is no square."""
    return _grid_order(order, orientation, 8)


def place_order(place: Place, order: Order, orientation: Orientation) -> tuple[int, ...]:
    """The place of each lamp, in the order of the wires. Raises ValueError for a name that is no such place."""
    match place:
        case Place.SQUARES:
            return _grid_order(order, orientation, 8)
        case Place.CORNERS:
            return _grid_order(order, orientation, 9)
        case Place.EDGES:
            edges = [edge_of(name) for name in order.each] if order.each else list(range(16))
            return tuple(_turned_edge(edge, orientation) for edge in edges)
        case Place.STATUS:
            return (0,)


def _grid_order(order: Order, orientation: Orientation, side: int) -> tuple[int, ...]:
    if order.each:
        built = [_parse(name, side) for name in order.each]
    else:
        built = [_visited(index, order, side) for index in range(side * side)]
    return tuple(_turned(file, rank, orientation, side) for file, rank in built)


def _visited(index: int, order: Order, side: int) -> tuple[int, int]:
    """File and rank that the rule of `order` comes to at that index."""
    line, step = divmod(index, side)
    if order.snake and line % 2:
        step = side - 1 - step
    file, rank = (step, line) if order.along is Along.RANK else (line, step)
    if order.first in (Corner.H1, Corner.H8):
        file = side - 1 - file
    if order.first in (Corner.A8, Corner.H8):
        rank = side - 1 - rank
    return file, rank


def _turned(file: int, rank: int, orientation: Orientation, side: int) -> int:
    if orientation.mirror:
        file = side - 1 - file
    for _ in range(orientation.turn.value // 90):
        file, rank = rank, side - 1 - file
    return side * rank + file


def _turned_edge(edge: int, orientation: Orientation) -> int:
    is_file, number = divmod(edge, 8)
    if orientation.mirror and is_file:
        number = 7 - number
    for _ in range(orientation.turn.value // 90):
        is_file, number = (0, 7 - number) if is_file else (1, number)
    return 8 * is_file + number


def _parse(name: str, side: int) -> tuple[int, int]:
    file = FILES[:side].find(name[:1]) if name[:1] else -1
    rank = "123456789"[:side].find(name[1:]) if name[1:] else -1
    if len(name) != 2 or file < 0 or rank < 0:
        last = f"{FILES[side - 1]}{side}"
        raise ValueError(f"expected names from a1 to {last}, got {name!r}")
    return file, rank


def edge_of(name: str) -> int:
    """0 to 7 for `1` to `8`, 8 to 15 for `a` to `h`. Raises ValueError for another name."""
    edge = "12345678abcdefgh".find(name) if len(name) == 1 else -1
    if edge < 0:
        raise ValueError(f"expected ranks 1 to 8 and files a to h, got {name!r}")
    return edge
