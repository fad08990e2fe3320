"""The en passant field of FEN as the PGN standard writes it: after every double step."""

from __future__ import annotations

from rules.squares import Square, parse_square, square_name


def standard_fen(fen: str, passed: Square | None) -> str:
    """The FEN with the square that a pawn has just passed, whether or not it can be taken there."""
    fields = fen.split()
    fields[3] = "-" if passed is None else square_name(passed)
    return " ".join(fields)


def passed_square(fen: str) -> Square | None:
    """The square in a FEN's en passant field; None if there is none or it is no square."""
    fields = fen.split()
    if len(fields) < 4 or fields[3] == "-":
        return None
    try:
        return parse_square(fields[3])
    except ValueError:
        return None
