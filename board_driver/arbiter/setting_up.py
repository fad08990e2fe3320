"""Before the first move: does the board stand as the game starts, and if not, what is wrong with it?

One sentence for one cause: a board turned by a right angle or sensors that see one colour only are told as such, not
as a list of missing men.
"""

from __future__ import annotations

from board_driver.sensing.cells import Cells, occupied_of
from rules.position import Position
from rules.squares import Bitboard, Colour, names_of, square_name, squares_of

MANY = 6
"""So many wrong squares are not listed one by one without saying that the start position is expected."""


def wrong_squares(position: Position, cells: Cells, live: Bitboard) -> tuple[Bitboard, Bitboard]:
    """(squares to clear, squares to fill) until the board stands as in the position."""
    occupied = occupied_of(cells)
    return occupied & ~position.occupied & live, position.occupied & ~occupied & live


def diagnosis(position: Position, cells: Cells, live: Bitboard) -> str:
    """What is wrong in words; empty if the board stands as in the position."""
    lift, place = wrong_squares(position, cells, live)
    if not lift and not place:
        return ""
    occupied = occupied_of(cells)
    if occupied == 0:
        return "The board reads empty: set up the pieces, or check its cable and power"
    if lift and occupied in (_turned(position.occupied), _transposed(position.occupied)):
        return "The board is turned by 90 degrees, or the rows and columns of its sensors are exchanged"
    for colour in Colour:
        if not lift and place == position.occupied_by(colour) & live:
            return (
                f"No {colour.word} piece is seen: the sensors react to one magnetic pole only, "
                f"or the {colour.word} magnets are in upside down"
            )
    return _list(position, lift, place)


def _list(position: Position, lift: Bitboard, place: Bitboard) -> str:
    parts = [f"{position.piece_at(s)} missing on {square_name(s)}" for s in squares_of(place)]
    if lift:
        parts.append(f"nothing belongs on {', '.join(names_of(lift))}")
    text = "; ".join(parts)
    if len(parts) > MANY:
        text = f"{len(parts)} squares are not as at the start of the game: fill {', '.join(names_of(place))}"
        text += f"; clear {', '.join(names_of(lift))}" if lift else ""
    return text[0].upper() + text[1:]


def _turned(bitboard: Bitboard) -> Bitboard:
    """The board turned by a quarter."""
    out = 0
    for square in squares_of(bitboard):
        file, rank = square & 7, square >> 3
        out |= 1 << (rank + 8 * (7 - file))
    return out


def _transposed(bitboard: Bitboard) -> Bitboard:
    """Files and ranks exchanged."""
    out = 0
    for square in squares_of(bitboard):
        out |= 1 << ((square & 7) * 8 + (square >> 3))
    return out
