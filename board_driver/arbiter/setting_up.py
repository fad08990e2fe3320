"""Before the first move: does the board stand as the game starts, and if not, what is wrong with it?

One sentence for one cause: a board turned by a right angle, or sensors that see one colour only, are told as such and
not as a list of missing men. A position that is not the usual one is set up step by step.
"""

from __future__ import annotations

from board_driver.arbiter.leading import FEW_SQUARES
from board_driver.arbiter.restoring import Step, next_step
from board_driver.arbiter.restoring import wrong_squares as misplaced
from board_driver.sensing.cells import Cell, Cells, occupied_of
from rules.fen import START_FEN, parse_fen
from rules.pieces import Piece
from rules.position import Position
from rules.squares import Bitboard, Colour, names_of, set_of, square_name, squares_of

MANY = 6
"""More wrong squares than this are told as lists of squares, not man by man."""
_USUAL = parse_fen(START_FEN)
FEW_MAGNETS = 3
"""So many men may read as the other colour and are taken for upside-down magnets; more is a board turned round."""


def wrong_squares(position: Position, cells: Cells, live: Bitboard) -> tuple[Bitboard, Bitboard]:
    """(squares to clear, squares to fill) until the board stands as in the position."""
    occupied = occupied_of(cells)
    return occupied & ~position.occupied & live, position.occupied & ~occupied & live


def upside_down(position: Position, cells: Cells, live: Bitboard) -> Bitboard:
    """Men that read as the other colour (on a board that sees colours, not pieces)."""
    found = [s for s in squares_of(position.occupied & live) if _other_colour(position.piece_at(s), cells[s])]
    return set_of(found)


def diagnosis(position: Position, cells: Cells, live: Bitboard) -> str:
    """Why the game cannot begin, in words; empty if the board stands as in the position."""
    lift, place = wrong_squares(position, cells, live)
    if not lift and not place:
        return _wrong_men(position, cells, live)
    if occupied_of(cells) == 0:
        return "The board reads empty: set up the pieces, or check its cable and power"
    return _one_cause(position, cells, live) or _list(position, lift, place)


def guided(position: Position, cells: Cells, live: Bitboard) -> tuple[Step, int] | None:
    """The next step to set the position up, and how many squares are wrong; None where that is no help.

    The usual array everybody knows by heart: there all squares are shown at once, and so are a few that are wrong.
    """
    count = misplaced(position, cells, live)
    known = position.occupied == _USUAL.occupied and any(wrong_squares(position, cells, live))
    if known or count <= FEW_SQUARES or _one_cause(position, cells, live):
        return None
    step = next_step(position, cells, live)
    return None if step is None else (step, count)


def _one_cause(position: Position, cells: Cells, live: Bitboard) -> str:
    """What is wrong with the whole board, in one sentence; empty if that is not it."""
    lift, place = wrong_squares(position, cells, live)
    occupied = occupied_of(cells)
    if lift and occupied in (_turned(position.occupied), _transposed(position.occupied)):
        return "The board is turned by 90 degrees, or the rows and columns of its sensors are exchanged"
    for colour in Colour:
        if not lift and place == position.occupied_by(colour) & live:
            return (
                f"No {colour.word} piece is seen: the sensors react to one magnetic pole only, "
                f"or the {colour.word} magnets are in upside down"
            )
    return ""


def _wrong_men(position: Position, cells: Cells, live: Bitboard) -> str:
    """All squares are filled as they should be; are they the right men?"""
    wrong = [
        f"{cell} on {square_name(s)}, where the {position.piece_at(s)} belongs"
        for s in squares_of(position.occupied & live)
        if isinstance(cell := cells[s], Piece) and cell != position.piece_at(s)
    ]
    if wrong:
        return "Wrong men: " + "; ".join(wrong)
    if upside_down(position, cells, live).bit_count() > FEW_MAGNETS:
        return "White and Black read exchanged: the board is turned round, or its polarity is set the wrong way"
    return ""


def _other_colour(piece: Piece | None, cell: Cell) -> bool:
    return isinstance(cell, Colour) and piece is not None and cell is not piece.colour


def _list(position: Position, lift: Bitboard, place: Bitboard) -> str:
    parts = [f"{position.piece_at(s)} missing on {square_name(s)}" for s in squares_of(place)]
    if lift:
        parts.append(f"nothing belongs on {', '.join(names_of(lift))}")
    wrong = lift.bit_count() + place.bit_count()
    if wrong <= MANY:
        text = "; ".join(parts)
        return text[0].upper() + text[1:]
    clear = f"; clear {', '.join(names_of(lift))}" if lift else ""
    return f"{wrong} squares are not as at the start of the game: fill {', '.join(names_of(place))}{clear}"


def _turned(bitboard: Bitboard) -> Bitboard:
    """The board turned by a quarter."""
    return set_of((s >> 3) + 8 * (7 - (s & 7)) for s in squares_of(bitboard))


def _transposed(bitboard: Bitboard) -> Bitboard:
    """Files and ranks exchanged."""
    return set_of((s & 7) * 8 + (s >> 3) for s in squares_of(bitboard))
