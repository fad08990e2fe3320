"""A setup, and how it is read from a FEN."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rules.pieces import PIECES, Piece, Role
from rules.squares import Colour, Square, parse_square

Placement = tuple[Piece | None, ...]
"""What stands on each of the 64 squares, from a1."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Pieces on squares, and what a picture of the board does not show."""

    pieces: Placement
    turn: Colour = Colour.WHITE
    rights: str = "-"
    """Castling rights as written: `KQkq`, or files of rooks as in Shredder-FEN (`HAha`), or `-`."""
    ep: Square | None = None
    """The square that a pawn has just crossed by a double step."""
    halfmove_clock: int = 0
    fullmove_number: int = 1

    def squares(self, colour: Colour, role: Role | None = None) -> tuple[Square, ...]:
        """Where that side's pieces stand, of one role or of all, from a1."""
        return tuple(
            Square(square)
            for square, piece in enumerate(self.pieces)
            if piece is not None and piece.colour is colour and role in (None, piece.role)
        )


class SetupError(ValueError):
    """A text that is no setup at all: which field is wrong, what was expected there, and what came."""

    def __init__(self, field: str, expected: str, got: str) -> None:
        shown = got if len(got) <= 100 else got[:99] + "…"
        super().__init__(f"{field}: expected {expected}, got {shown!r}")
        self.field = field
        self.expected = expected
        self.got = got


def parse_setup(text: str) -> Setup:
    """The setup a FEN, X-FEN or Shredder-FEN describes; the two clocks at the end may be missing.

    Raises SetupError with the field that cannot be read. What the fields say together is for `faults`.
    """
    fields = text.split()
    if not 4 <= len(fields) <= 6:
        raise SetupError("FEN", "six fields (pieces, side to move, castling, en passant, two clocks)", text)
    placement, turn, rights, ep, halfmoves, fullmoves = (*fields, "0", "1") if len(fields) == 4 else (*fields, "1")[:6]
    return Setup(
        parse_placement(placement),
        _parse_turn(turn),
        _parse_rights(rights),
        _parse_ep(ep),
        _parse_count("halfmove clock", halfmoves),
        max(1, _parse_count("move number", fullmoves)),
    )


def parse_placement(text: str) -> Placement:
    """The pieces that the first field of a FEN describes. Raises SetupError."""
    ranks = text.split("/")
    if len(ranks) != 8:
        raise SetupError("pieces", "eight ranks with / between them", text)
    numbered = zip("12345678", reversed(ranks), strict=True)
    return tuple(piece for number, rank in numbered for piece in _rank(number, rank))


def _rank(number: str, text: str) -> Iterator[Piece | None]:
    width = 0
    for letter in text:
        if letter in PIECES:
            width += 1
            yield PIECES[letter]
        elif letter in "12345678":
            width += int(letter)
            yield from (None,) * int(letter)
        else:
            raise SetupError(f"pieces, rank {number}", "letters of PNBRQKpnbrqk and digits 1 to 8", letter)
    if width != 8:
        raise SetupError(f"pieces, rank {number}", "eight squares", text)


def _parse_turn(text: str) -> Colour:
    if text not in ("w", "b"):
        raise SetupError("side to move", "w or b", text)
    return Colour.WHITE if text == "w" else Colour.BLACK


def _parse_rights(text: str) -> str:
    if text != "-" and (not re.fullmatch("[KQA-Hkqa-h]+", text) or len(set(text)) != len(text)):
        raise SetupError("castling", "letters of KQkq or the rooks' files, each once, or -", text)
    return text


def _parse_ep(text: str) -> Square | None:
    if text == "-":
        return None
    try:
        return parse_square(text)
    except ValueError:
        raise SetupError("en passant", "a square or -", text) from None


def _parse_count(field: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", text):
        raise SetupError(field, "a number from 0 to 99999", text)
    return int(text)
