"""Positions made by moves that are not legal: what stands on the board when both players went on from one."""

from __future__ import annotations

from collections.abc import Iterator

from rules.fen import FenError, parse_fen, write_fen
from rules.pieces import PIECES, Role
from rules.position import Position
from rules.san import move_numeral
from rules.squares import Bitboard, Colour, Square, set_of, square_name, squares_of


def illegal_moves(position: Position, occupied: Bitboard) -> Iterator[tuple[Position, str]]:
    """Positions with exactly those squares occupied, one piece moved against the law, and what happened in words.

    One piece of the side to move went to an empty square or took something it may not; or that side's turn was left
    out. Where the side that moved is left in check, see `left_in_check`.
    """
    for origin, target, moved in _shapes(position, occupied):
        piece = position.piece_at(origin)
        assert piece is not None
        after = _position(moved, position, piece.colour.opponent)
        if after is not None and after.occupied == occupied:
            yield after, _words(position, origin, target)


def left_in_check(position: Position, occupied: Bitboard) -> Iterator[tuple[Position, str]]:
    """The same where the side to move has left its own king in check, which no FEN can say: a reply must come first.

    The side that has the move then may take a king, and must not be asked to.
    """
    for origin, target, moved in _shapes(position, occupied):
        piece = position.piece_at(origin)
        before = _position(moved, position, position.turn)
        if piece is None or piece.colour is not position.turn or before is None or before.occupied != occupied:
            continue
        if before.is_check():
            turned = before.side.passed
            yield Position.of(before.them, before.us, turned, ply=before.ply + 1), _words(position, origin, target)


_CASTLINGS = ((6, 7, 5), (2, 0, 3), (1, 0, 2))
"""Files of the king's landing, of the rook and of its landing; the last is how beginners castle long."""


def _shapes(position: Position, occupied: Bitboard) -> Iterator[tuple[int, int, list[str]]]:
    """What may have been moved where, and what stands on each square then."""
    gone = squares_of(position.occupied & ~occupied)
    came = squares_of(occupied & ~position.occupied)
    squares = _unpack(write_fen(position).split()[0])
    if len(gone) == 1 and len(came) <= 1:
        piece = position.piece_at(gone[0])
        assert piece is not None
        for target in came or squares_of(position.occupied_by(piece.colour.opponent)):
            yield gone[0], target, _with(squares, (gone[0], target))
    elif len(gone) == len(came) == 2:
        yield from _castled(position, squares, set_of(gone), set_of(came))
    elif len(gone) == 2 and len(came) == 1:
        yield from _passing(position, squares, gone, came[0])


def _castled(
    position: Position, squares: list[str], gone: Bitboard, came: Bitboard
) -> Iterator[tuple[int, int, list[str]]]:
    """King and rook of the side to move have castled as on a usual board, whether they may or not."""
    rank = 0 if position.turn is Colour.WHITE else 56
    king, rook = "KR" if position.turn is Colour.WHITE else "kr"
    for king_to, rook_from, rook_to in _CASTLINGS:
        whole = ((rank + 4, rank + king_to), (rank + rook_from, rank + rook_to))
        stood = (squares[rank + 4], squares[rank + rook_from]) == (king, rook)
        if stood and gone == set_of(a for a, _ in whole) and came == set_of(b for _, b in whole):
            yield rank + 4, rank + king_to, _with(squares, *whole)


def _passing(
    position: Position, squares: list[str], gone: list[Square], landing: int
) -> Iterator[tuple[int, int, list[str]]]:
    """A pawn has taken one beside it as if in passing."""
    for origin, victim in (gone, gone[::-1]):
        pawn, taken = position.piece_at(origin), position.piece_at(victim)
        if pawn is None or taken is None or (pawn.role, taken.role) != (Role.PAWN, Role.PAWN):
            continue
        step = 8 if pawn.colour is Colour.WHITE else -8
        beside = origin // 8 == victim // 8 and abs(origin - victim) == 1
        if beside and pawn.colour is not taken.colour and landing == victim + step:
            moved = _with(squares, (origin, landing))
            moved[victim] = ""
            yield origin, landing, moved


def _with(squares: list[str], *moves: tuple[int, int]) -> list[str]:
    moved = squares.copy()
    for origin, target in moves:
        moved[target], moved[origin] = squares[origin], ""
    return moved


def _words(position: Position, origin: int, target: int) -> str:
    piece = position.piece_at(origin)
    assert piece is not None
    taken = "-" if position.piece_at(target) is None else "x"
    number = move_numeral(position)
    letter = "" if piece.role.letter == "P" else piece.role.letter
    if piece.role is Role.KING and taken == "-" and abs(origin - target) > 1 and origin // 8 == target // 8:
        return f"{number} castling that is not legal stood"
    return f"{number} {letter}{square_name(origin)}{taken}{square_name(target)} is not legal but stood"


def _position(squares: list[str], before: Position, turn: Colour) -> Position | None:
    """The position with these pieces and that side to move; None where no such position can be."""
    board, _, castling, _, _, number = write_fen(before).split()
    was = _unpack(board)
    for square, letters in ((0, "Q"), (4, "KQ"), (7, "K"), (56, "q"), (60, "kq"), (63, "k")):
        if squares[square] != was[square]:
            castling = "".join(c for c in castling if c not in letters)
    fullmove = int(number) + (turn is Colour.WHITE and before.turn is Colour.BLACK)
    text = f"{_pack(squares)} {'wb'[turn]} {castling or '-'} - 0 {fullmove}"
    try:
        return parse_fen(text, before.chess960, unreached=True)
    except FenError:
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
