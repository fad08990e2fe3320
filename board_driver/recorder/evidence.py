"""How readings and positions are compared: both become one whole number of 64-bit planes.

| sensing | planes |
|---|---|
| occupancy | occupied |
| colour, field | white, black |
| identity | white, black, and two planes for the role |

So one exclusive-or and one fold give the squares where a scan and a position disagree, whatever the sensors can
tell; a better sensor only makes the planes more.
"""

from __future__ import annotations

from typing import Protocol

from board_driver.scan import Colours, Field, Identity, Occupancy, Reading, Sensing
from rules.pieces import Role
from rules.position import Position
from rules.squares import FULL, Bitboard, Colour

_ROLE_PLANES = {
    Role.PAWN: (0, 0, 0),
    Role.KNIGHT: (1, 0, 0),
    Role.BISHOP: (0, 1, 0),
    Role.ROOK: (1, 1, 0),
    Role.QUEEN: (0, 0, 1),
    Role.KING: (1, 0, 1),
}


class Evidence(Protocol):
    """One kind of sensing."""

    planes: int

    def of_reading(self, reading: Reading) -> int:
        """The planes of a reading. Raises TypeError for a reading of another kind of sensing."""

    def of_position(self, position: Position) -> int:
        """The planes a faultless board would give for that position."""


class OccupancyEvidence:
    """Which squares hold something."""

    planes = 1

    def of_reading(self, reading: Reading) -> int:
        if isinstance(reading, Field):
            raise TypeError("field readings need their own sensing")
        return reading.occupied

    def of_position(self, position: Position) -> int:
        return position.occupied


class ColourEvidence:
    """Which squares hold something of White's, and of Black's."""

    planes = 2

    def of_reading(self, reading: Reading) -> int:
        match reading:
            case Colours(white, black):
                return white << 64 | black
            case Identity() | Occupancy() | Field():
                raise TypeError(f"expected a reading of colours, got {type(reading).__name__}")

    def of_position(self, position: Position) -> int:
        return position.occupied_by(Colour.WHITE) << 64 | position.occupied_by(Colour.BLACK)


class IdentityEvidence:
    """Which piece stands on each square."""

    planes = 5

    def of_reading(self, reading: Reading) -> int:
        if not isinstance(reading, Identity):
            raise TypeError(f"expected a reading of pieces, got {type(reading).__name__}")
        planes = [0] * 5
        for square, piece in enumerate(reading.pieces):
            if piece is not None:
                planes[piece.colour] |= 1 << square
                for plane, bit in enumerate(_ROLE_PLANES[piece.role], 2):
                    planes[plane] |= bit << square
        return _join(planes)

    def of_position(self, position: Position) -> int:
        planes = [position.occupied_by(Colour.WHITE), position.occupied_by(Colour.BLACK), 0, 0, 0]
        for role, bits in _ROLE_PLANES.items():
            squares = position.pieces(Colour.WHITE, role) | position.pieces(Colour.BLACK, role)
            for plane, bit in enumerate(bits, 2):
                if bit:
                    planes[plane] |= squares
        return _join(planes)


def _join(planes: list[int]) -> int:
    joined = 0
    for plane in planes:
        joined = joined << 64 | plane
    return joined


def evidence_for(sensing: Sensing) -> Evidence:
    """How readings of that sensing are compared. Field readings are turned into colours first (see `polarity`)."""
    match sensing:
        case Sensing.OCCUPANCY:
            return OccupancyEvidence()
        case Sensing.COLOUR | Sensing.FIELD:
            return ColourEvidence()
        case Sensing.IDENTITY:
            return IdentityEvidence()


def fold(difference: int) -> Bitboard:
    """The squares on which any plane differs."""
    squares = difference & FULL
    difference >>= 64
    while difference:
        squares |= difference & FULL
        difference >>= 64
    return squares


def occupied(planes: int, evidence: Evidence) -> Bitboard:
    """The occupied squares of a reading given as planes."""
    if evidence.planes == 5:
        return (planes >> 256 | planes >> 192) & FULL
    return fold(planes)
