"""What a board behind a wire tells, as what the minds read [pure]."""

from __future__ import annotations

from typing import assert_never

from board_driver.scan import Colours, Field, Identity, Occupancy, Reading, Sensing
from firmware_bridge.messages import ColouredSquares, Content, FieldStrengths, NamedPieces, OccupiedSquares
from rules.squares import Bitboard, Colour


def reading_of(content: Content, senses: Sensing) -> Reading | None:
    """The reading of the kind that was agreed on. A board that tells more is cut to it; less gives None."""
    match senses:
        case Sensing.OCCUPANCY:
            occupied = _occupied(content)
            return None if occupied is None else Occupancy(occupied)
        case Sensing.COLOUR:
            return _colours(content)
        case Sensing.FIELD:
            return Field(content.strengths) if isinstance(content, FieldStrengths) else None
        case Sensing.IDENTITY:
            return Identity(content.pieces) if isinstance(content, NamedPieces) else None
        case _:
            assert_never(senses)


def _occupied(content: Content) -> Bitboard | None:
    match content:
        case OccupiedSquares(occupied):
            return occupied
        case ColouredSquares(white, black):
            return white | black
        case NamedPieces(pieces):
            return sum(1 << square for square, piece in enumerate(pieces) if piece is not None)
        case FieldStrengths():
            return None
        case _:
            assert_never(content)


def _colours(content: Content) -> Colours | None:
    match content:
        case ColouredSquares(white, black):
            return Colours(white, black)
        case NamedPieces(pieces):
            white, black = (
                sum(1 << square for square, piece in enumerate(pieces) if piece is not None and piece.colour is colour)
                for colour in Colour
            )
            return Colours(white, black)
        case OccupiedSquares() | FieldStrengths():
            return None
        case _:
            assert_never(content)
