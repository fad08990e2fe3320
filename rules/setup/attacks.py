"""Who attacks a square of a setup, by files and ranks. Setups are rare: this is written to be read, not for speed."""

from __future__ import annotations

from rules.pieces import Piece, Role
from rules.setup.text import Placement
from rules.squares import Colour, Square

KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
KING_STEPS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


def reached(square: Square, steps: tuple[tuple[int, int], ...]) -> list[Square]:
    """The squares one step away."""
    file, rank = square & 7, square >> 3
    return [
        Square(file + across + 8 * (rank + up))
        for across, up in steps
        if 0 <= file + across < 8 and 0 <= rank + up < 8
    ]


def _first_seen(pieces: Placement, square: Square, step: tuple[int, int]) -> tuple[Piece | None, Square]:
    """The first piece in one direction and its square; None and the last square where there is none."""
    while ahead := reached(square, (step,)):
        (square,) = ahead
        if pieces[square] is not None:
            break
    else:
        return None, square
    return pieces[square], square


def direction(start: Square, end: Square) -> tuple[int, int] | None:
    """The step of a queen's line from one square to another; None if no line joins them."""
    across, up = (end & 7) - (start & 7), (end >> 3) - (start >> 3)
    if across and up and abs(across) != abs(up):
        return None
    return (across > 0) - (across < 0), (up > 0) - (up < 0)


def slides(piece: Piece | None) -> bool:
    return piece is not None and piece.role in (Role.BISHOP, Role.ROOK, Role.QUEEN)


def attackers_of(pieces: Placement, target: Square, colour: Colour) -> tuple[Square, ...]:
    """The squares from which that side's pieces, the king not counted, attack a square."""
    found = [square for square in reached(target, KNIGHT_STEPS) if pieces[square] == Piece(colour, Role.KNIGHT)]
    behind = -1 if colour is Colour.WHITE else 1
    pawn_steps = ((-1, behind), (1, behind))
    found += [square for square in reached(target, pawn_steps) if pieces[square] == Piece(colour, Role.PAWN)]
    for step in KING_STEPS:
        role = Role.BISHOP if all(step) else Role.ROOK
        piece, square = _first_seen(pieces, target, step)
        if piece is not None and piece.colour is colour and piece.role in (role, Role.QUEEN):
            found.append(square)
    return tuple(sorted(found))


def opened(pieces: Placement, king: Square, checker: Square, left: Square) -> bool:
    """True if a piece that left a square opened that check."""
    step = direction(king, checker)
    return (
        slides(pieces[checker])
        and step is not None
        and step == direction(king, left)
        and _distance(king, left) < _distance(king, checker)
    )


def _distance(one: Square, two: Square) -> int:
    """How many king's steps apart two squares are."""
    return max(abs((one & 7) - (two & 7)), abs((one >> 3) - (two >> 3)))
