"""Roles, and pieces: a role and a colour."""

from __future__ import annotations

from enum import IntEnum

from rules.squares import Colour


class Role(IntEnum):
    """The kind of a piece. The numbers order promotions: knight, bishop, rook, queen are 1 to 4."""

    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5

    @property
    def letter(self) -> str:
        """`P N B R Q K`."""
        return "PNBRQK"[self]

    @property
    def word(self) -> str:
        """`pawn` to `king`."""
        return self.name.lower()


PROMOTION_ROLES = (Role.QUEEN, Role.ROOK, Role.BISHOP, Role.KNIGHT)


class Piece:
    """A piece on the board. There are twelve, each made once: equal pieces are the same object."""

    __slots__ = ("colour", "role")
    __match_args__ = ("colour", "role")

    colour: Colour
    role: Role

    def __new__(cls, colour: Colour, role: Role) -> Piece:
        return _TWELVE[colour][role]

    def __reduce__(self) -> tuple[type[Piece], tuple[Colour, Role]]:
        return Piece, (self.colour, self.role)

    def __repr__(self) -> str:
        return f"Piece({self.colour!s}, {self.role!s})"

    @property
    def letter(self) -> str:
        """The FEN letter: upper case for White."""
        letter = self.role.letter
        return letter if self.colour is Colour.WHITE else letter.lower()

    def __str__(self) -> str:
        return f"{self.colour.word} {self.role.word}"


def _make(colour: Colour, role: Role) -> Piece:
    piece = object.__new__(Piece)
    piece.colour = colour
    piece.role = role
    return piece


_TWELVE = tuple(tuple(_make(colour, role) for role in Role) for colour in Colour)

PIECES: dict[str, Piece] = {
    piece.letter: piece for piece in (Piece(colour, role) for colour in Colour for role in Role)
}
"""All twelve, by FEN letter."""
