"""Positions made by moves that are not legal: what stands on the board when both players went on from one."""

from __future__ import annotations

from collections.abc import Iterator

from rules.fen import FenError, parse_fen, write_fen
from rules.pieces import PIECES, Role
from rules.position import Position
from rules.squares import Bitboard, Colour, set_of, square_name, squares_of


def illegal_moves(position: Position, occupied: Bitboard) -> Iterator[tuple[Position, str]]:
    """Positions with exactly those squares occupied, one piece moved against the law, and what happened in words.

    One piece of the side to move went to an empty square or took something it may not; or that side's turn was left
    out. Positions in which the side that did not move could be mated by taking its king are left out.
    """
    castled = _castled(position, occupied)
    if castled is not None:
        yield castled, "castling that is not legal stood"
        return
    gone = squares_of(position.occupied & ~occupied)
    came = squares_of(occupied & ~position.occupied)
    if len(gone) != 1 or len(came) > 1:
        return
    origin = gone[0]
    piece = position.piece_at(origin)
    if piece is None:
        return
    targets = came or squares_of(position.occupied_by(piece.colour.opponent))
    for target in targets:
        after = _moved(position, origin, target, piece.colour.opponent)
        if after is not None and after.occupied == occupied:
            yield after, _words(position, origin, target)


def _castled(position: Position, occupied: Bitboard) -> Position | None:
    """The position after the side to move has castled as on a usual board, whether it may or not."""
    rank = 0 if position.turn is Colour.WHITE else 56
    for king_to, rook_from, rook_to in ((6, 7, 5), (2, 0, 3)):
        squares = (rank + 4, rank + rook_from, rank + king_to, rank + rook_to)
        king, rook = position.piece_at(squares[0]), position.piece_at(squares[1])
        after = position.occupied & ~set_of(squares[:2]) | set_of(squares[2:])
        if occupied != after or king is None or rook is None:
            continue
        if (king.role, rook.role, king.colour, rook.colour) == (Role.KING, Role.ROOK, position.turn, position.turn):
            half = _moved(position, squares[0], squares[2], position.turn)
            return half and _moved(half, squares[1], squares[3], position.turn.opponent)
    return None


def _words(position: Position, origin: int, target: int) -> str:
    piece = position.piece_at(origin)
    assert piece is not None
    taken = "-" if position.piece_at(target) is None else "x"
    number = f"{position.fullmove_number}{'.' if position.turn is Colour.WHITE else '...'}"
    letter = "" if piece.role.letter == "P" else piece.role.letter
    return f"{number} {letter}{square_name(origin)}{taken}{square_name(target)} is not legal but stood"


def _moved(position: Position, origin: int, target: int, turn: Colour) -> Position | None:
    """The position with that piece moved and that side to move; None where no such position can be."""
    board, _, castling, _, _, number = write_fen(position).split()
    squares = _unpack(board)
    squares[target], squares[origin] = squares[origin], ""
    for square, letters in ((0, "Q"), (4, "KQ"), (7, "K"), (56, "q"), (60, "kq"), (63, "k")):
        if square in (origin, target):
            castling = "".join(c for c in castling if c not in letters)
    if "K" not in squares or "k" not in squares:
        return None
    fullmove = int(number) + (turn is Colour.WHITE)
    text = f"{_pack(squares)} {'wb'[turn]} {castling or '-'} - 0 {fullmove}"
    try:
        return parse_fen(text, position.chess960)
    except (FenError, ValueError):
        return None


def _unpack(board: str) -> list[str]:
    squares = [""] * 64
    for index, rank in enumerate(board.split("/")):
        file = 0
        for letter in rank:
            if letter in PIECES:
                squares[(7 - index) * 8 + file] = letter
                file += 1
            else:
                file += int(letter)
    return squares


def _pack(squares: list[str]) -> str:
    ranks = []
    for rank in range(7, -1, -1):
        text, empty = "", 0
        for letter in squares[rank * 8 : rank * 8 + 8]:
            if letter:
                text += f"{empty or ''}{letter}"
                empty = 0
            else:
                empty += 1
        ranks.append(text + f"{empty or ''}")
    return "/".join(ranks)
