"""Leading a board to a position, one step after the other, in an order a person would choose [pure].

A man that stands right is never touched. Whoever can go straight to his square goes there, the shortest way first;
whoever stands in the way of another is taken off, at first those that the position does not need at all; then what is
too much goes, and at last what is missing comes from beside the board, kings first. Each step makes one square right or
clears one, so that there are never more steps than wrong squares and missing men, wherever one begins; and since the
next step depends on nothing but the board, a person who does something else is led on from there.

What cannot be told is believed: where sensors see that a square is filled and not by whom, what stands on a square of
the position is taken for the right man, unless it is known to be another (`men`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from board_driver.sensing.cells import SOMETHING, Cell, Cells
from rules.pieces import Piece, Role
from rules.position import Position
from rules.squares import Bitboard, Colour, Square, square_name, squares_of

_ORDER = (Role.KING, Role.QUEEN, Role.ROOK, Role.BISHOP, Role.KNIGHT, Role.PAWN)


class Act(Enum):
    """What a step asks for."""

    MOVE = "move"
    """Take the man up and set it down on its square."""
    TAKE_OFF = "take-off"
    """Take it off the board: for good, or because it stands in the way."""
    SET_DOWN = "set-down"
    """Set a man down that is beside the board or in the hand."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `take` is the square to empty, `put` the one to fill; `piece` None: the sensors cannot tell it."""

    act: Act
    take: Square | None
    put: Square | None
    piece: Piece | None
    text: str


@dataclass(frozen=True, slots=True)
class _Board:
    """What is wrong: men where they do not belong, who is missing where, and which of those squares are free."""

    wrong: dict[int, Cell]
    missing: dict[int, Piece]
    free: tuple[int, ...]

    def needs(self, cell: Cell) -> bool:
        """Whether what is sensed may be one of the missing men."""
        return any(_fits(cell, piece) for piece in self.missing.values())


def next_step(
    target: Position, cells: Cells, live: Bitboard, men: Mapping[int, Piece] | None = None, hand: Sequence[Piece] = ()
) -> Step | None:
    """The next step from a board that is sensed so to that position; None once it stands there.

    `live` are the squares whose sensors work; the others are taken to be right. `men` are those known to stand on their
    squares, more than the sensors tell; what the sensors see is believed before them. `hand` are men known to be in a
    hand or beside the board, the one taken up last at the end.
    """
    board = _compare(target, cells, live, men or {})
    return _set_down_held(board, hand) or _straight(board) or _take_off(board) or _set_down(board)


def wrong_squares(target: Position, cells: Cells, live: Bitboard, men: Mapping[int, Piece] | None = None) -> int:
    """How many squares are not as in that position, as far as that can be told."""
    board = _compare(target, cells, live, men or {})
    return len(board.wrong.keys() | board.missing.keys())


def _compare(target: Position, cells: Cells, live: Bitboard, men: Mapping[int, Piece]) -> _Board:
    stands: dict[int, Cell] = {s: _known(cell, men.get(s)) for s in squares_of(live) if (cell := cells[s]) is not None}
    wrong = {s: cell for s, cell in stands.items() if not _is_right(target.piece_at(s), cell)}
    wanted: dict[int, Piece] = {
        s: piece for s in squares_of(target.occupied & live) if (piece := target.piece_at(s)) is not None
    }
    missing: dict[int, Piece] = {s: piece for s, piece in wanted.items() if s not in stands or s in wrong}
    return _Board(wrong, missing, tuple(s for s in missing if s not in stands))


def _known(cell: Cell, man: Piece | None) -> Cell:
    """Who stands there, from what is sensed and what is known besides."""
    if man is None or (cell is not SOMETHING and cell is not man.colour):
        return cell
    return man


def _is_right(wanted: Piece | None, cell: Cell) -> bool:
    return wanted is not None and _fits(cell, wanted)


def _fits(cell: Cell, piece: Piece) -> bool:
    """Whether what is sensed can be that piece."""
    if isinstance(cell, Colour):
        return cell is piece.colour
    return cell is SOMETHING or cell == piece


def _straight(board: _Board) -> Step | None:
    """The shortest way of a man straight to his free square."""
    ways = [
        (_distance(s, t), _rank(piece), s, t)
        for s in board.wrong
        if (piece := _kind(board, s)) is not None
        for t in board.free
        if board.missing[t] == piece
    ]
    if not ways:
        return None
    _, _, take, put = min(ways)
    piece = board.missing[put]
    text = f"{_capital(piece)} from {square_name(take)} to {square_name(put)}"
    return Step(Act.MOVE, Square(take), Square(put), piece, text)


def _kind(board: _Board, square: int) -> Piece | None:
    """Which man a wrong one is. Where sensors do not tell: the only kind that is missing, if no more of it stand so."""
    cell = board.wrong[square]
    if isinstance(cell, Piece):
        return cell
    kinds = {piece for piece in board.missing.values() if _fits(cell, piece)}
    if len(kinds) != 1:
        return None
    (kind,) = kinds
    alike = sum(_fits(other, kind) for other in board.wrong.values())
    return kind if alike <= sum(piece == kind for piece in board.missing.values()) else None


def _take_off(board: _Board) -> Step | None:
    """Who stands in another's way, at first those not needed at all; then what is too much."""
    if not board.wrong:
        return None
    square = min(board.wrong, key=lambda s: (s not in board.missing, board.needs(board.wrong[s]), s))
    cell = board.wrong[square]
    piece = cell if isinstance(cell, Piece) else None
    comes_back = piece is not None and piece in board.missing.values()
    off = "off for now: it stands in the way" if comes_back else "off the board"
    return Step(Act.TAKE_OFF, Square(square), None, piece, f"Take {_seen(cell)} on {square_name(square)} {off}")


def _set_down_held(board: _Board, hand: Sequence[Piece]) -> Step | None:
    """The man taken up last goes down first, if its square is free."""
    for piece in reversed(hand):
        squares = [s for s in board.free if board.missing[s] == piece]
        if squares:
            return _putting(piece, squares[0])
    return None


def _set_down(board: _Board) -> Step | None:
    """What is missing and free, kings first, White first."""
    if not board.free:
        return None
    square = min(board.free, key=lambda s: (_rank(board.missing[s]), s))
    return _putting(board.missing[square], square)


def _putting(piece: Piece, square: int) -> Step:
    return Step(Act.SET_DOWN, None, Square(square), piece, f"{_capital(piece)} on {square_name(square)}")


def _rank(piece: Piece) -> tuple[int, int]:
    return int(piece.colour), _ORDER.index(piece.role)


def _distance(one: int, other: int) -> int:
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


def _seen(cell: Cell) -> str:
    if isinstance(cell, Colour):
        return f"the {cell.word} piece"
    return f"the {cell}" if isinstance(cell, Piece) else "what stands"


def _capital(piece: Piece) -> str:
    text = str(piece)
    return text[:1].upper() + text[1:]
