"""Moves as UCI engines write them: `e2e4`, `e7e8q`; castling by the king's squares or, in Chess960, king takes rook."""

from __future__ import annotations

from rules.move import Move
from rules.position import Position
from rules.squares import SQUARE_NAMES, parse_square

_LETTERS = ("", "n", "b", "r", "q")


class UciError(ValueError):
    """A text that is no legal move of the position. The message is one line."""


def write_uci(position: Position, move: Move) -> str:
    """`e2e4`, `e7e8q`; castling is `e1g1` in ordinary chess and king takes rook, `e1h1`, in Chess960."""
    end = move.destination if position.side.chess960 else move.landing
    return SQUARE_NAMES[move.origin] + SQUARE_NAMES[end] + _LETTERS[move.promotion or 0]


def parse_uci(position: Position, text: str) -> Move:
    """The legal move of that text. Both spellings of castling are read, king takes rook first. Raises UciError."""
    if text[4:] not in _LETTERS:
        raise UciError(f"expected a move such as e2e4 or e7e8q, got {text!r}")
    try:
        origin, end = parse_square(text[:2]), parse_square(text[2:4])
    except ValueError:
        raise UciError(f"expected a move such as e2e4 or e7e8q, got {text!r}") from None
    suffix = text[4:]
    moves = [move for move in position.moves_from(origin) if _LETTERS[move.promotion or 0] == suffix]
    for move in moves:
        if move.destination == end:
            return move
    for move in moves:
        if move.landing == end:
            return move
    raise UciError(f"expected a legal move, got {text!r}")
