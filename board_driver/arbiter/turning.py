"""Players who change sides for the next game without turning the board: White then sits where Black sat [pure].

Occupancy sensors see the same array either way, so the first move tells: one that only the men of the far side can
make is White's, and the board is read the other way round from there. Sensors that tell colours see it when the pieces
stand. Only in a later game: which way a board lies at first is for its profile to say.
"""

from __future__ import annotations

from board_driver.arbiter.setting_up import FEW_MAGNETS, upside_down
from board_driver.lights.picture import Picture
from board_driver.scan import Colours, Field, Identity, Occupancy, Scan
from board_driver.sensing.cells import Cells
from rules.inverse import leading_to
from rules.pieces import Piece
from rules.position import Position
from rules.squares import FULL, Bitboard, Square, set_of, squares_of


def turned_square(square: int) -> Square:
    """That square as seen from the other side."""
    return Square(63 - square)


def turned_squares(bitboard: Bitboard) -> Bitboard:
    """Those squares as seen from the other side."""
    return set_of(63 - s for s in squares_of(bitboard))


def turned_scan(scan: Scan) -> Scan:
    """The scan of a board that is read from the other side."""
    match scan.reading:
        case Occupancy(occupied):
            return Scan(scan.t_ms, Occupancy(turned_squares(occupied)), turned_squares(scan.distrusted))
        case Colours(white, black):
            colours = Colours(turned_squares(white), turned_squares(black))
            return Scan(scan.t_ms, colours, turned_squares(scan.distrusted))
        case Identity(pieces):
            return Scan(scan.t_ms, Identity(pieces[::-1]), turned_squares(scan.distrusted))
        case Field(strengths):
            return Scan(scan.t_ms, Field(strengths[::-1]), turned_squares(scan.distrusted))


def turned_picture(picture: Picture) -> Picture:
    """The lights of a board that is read from the other side."""
    return {63 - square: meaning for square, meaning in picture.items()}


def first_move_from_afar(start: Position, occupied: Bitboard, live: Bitboard) -> bool:
    """Whether this occupancy is a first move only of those who sit on the other side."""
    if live != FULL or (occupied ^ start.occupied).bit_count() != 2 or leading_to(start, occupied):
        return False
    return bool(leading_to(start, turned_squares(occupied)))


def stands_turned(start: Position, cells: Cells, live: Bitboard) -> bool:
    """Whether the pieces, whose colours or kinds are seen, are set up for those who sit on the other side."""
    if _wrong(start, cells, live) <= FEW_MAGNETS:
        return False
    return _wrong(start, cells[::-1], turned_squares(live)) == 0


def _wrong(start: Position, cells: Cells, live: Bitboard) -> int:
    others = sum(isinstance(cells[s], Piece) and cells[s] != start.piece_at(s) for s in squares_of(live))
    return upside_down(start, cells, live).bit_count() + others
