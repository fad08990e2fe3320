"""Standard algebraic notation, read as people write it.

Beside SAN itself these are read: `0-0` and `o-o`; long forms (`Ng1-f3`, `e2e4`, `e4xd5`); pieces in lower case
(`ng1-f3`); `e8Q`, `e8(Q)` and `e8=q`; `:` for a capture; `e.p.`; marks of check, mate and praise in any number, also
where they are missing or wrong.

A text is turned into readings without looking at a position, and a table keeps them. Nearly every text has one reading.
Two are there when `b` may be a file or a bishop: a pawn is meant if that is legal, else the bishop.
"""

from __future__ import annotations

from rules.destinations import moves_from, plain_moves
from rules.generate import castlings
from rules.geometry import (
    BISHOP_LINES,
    BIT,
    FILES,
    KING_STEPS,
    KNIGHT_STEPS,
    LAST_RANKS,
    PAWN_ATTACKS,
    RANKS,
    ROOK_LINES,
)
from rules.memo import Memo
from rules.move import Move
from rules.pieces import Role
from rules.position import Position
from rules.squares import FULL, SQUARE_NAMES, Bitboard
from rules.tables import SQUARES

Reading = tuple[str, Bitboard, int, "Role | None"]
"""The piece letter (none for a pawn, `O` for castling), where the man may stand, the target square (for castling: 1 to
the king's side, -1 to the queen's), the promotion."""


class SanError(ValueError):
    """A text that means no legal move of the position, or more than one. The message is one line."""


def parse_san(position: Position, text: str) -> Move:
    """The legal move that a text means. Raises SanError with what was expected and what is wrong."""
    readings = _READINGS[text]
    for reading in readings:
        moves = _meant(position, reading)
        if len(moves) == 1:
            return moves[0]
        if moves:
            raise SanError(f"expected one move, got {text!r}, which may start from {_origins(moves)}")
    if not readings:
        raise SanError(f"expected a move such as Nf3, exd5, e8=Q or O-O, got {text!r}")
    raise SanError(f"expected a legal move, got {text!r}{_why(position, readings[0])}")


def _origins(moves: list[Move]) -> str:
    return " or ".join(sorted({SQUARE_NAMES[move.origin] for move in moves}))


def _why(position: Position, reading: Reading) -> str:
    letter, _, target, promotion = reading
    if not letter and BIT[target] & LAST_RANKS and promotion is None:
        return ", without the piece it promotes to" if _meant(position, (*reading[:3], Role.QUEEN)) else ""
    return ""


# The moves of a reading


def _meant(position: Position, reading: Reading) -> list[Move]:
    letter, where, target, promotion = reading
    if letter == "O":
        return [move for move in castlings(position) if (move.destination > move.origin) == (target > 0)]
    men = SQUARES[_men(position, letter, target) & where]
    moves: list[Move] = []
    if letter:
        for square in men:
            moves += plain_moves(position, square, BIT[target], position.guard())
        return moves
    for square in men:
        moves += moves_from(position, square, BIT[target])
    return [move for move in moves if move.promotion is promotion]


def _men(position: Position, letter: str, target: int) -> Bitboard:
    """The men of that letter that stand so that they might go to the square."""
    pawns, knights, diagonal, straight, king, _ = position.us
    if letter == "":
        return pawns & (FILES[target & 7] | PAWN_ATTACKS[position.side.turn ^ 1][target])
    if letter == "N":
        return knights & KNIGHT_STEPS[target]
    if letter == "B":
        return diagonal & BISHOP_LINES[target] & ~straight
    if letter == "R":
        return straight & ROOK_LINES[target] & ~diagonal
    if letter == "Q":
        return diagonal & straight
    return king & KING_STEPS[target]


# The readings of a text

_FILES, _RANKS, _LETTERS, _PROMOTIONS = "abcdefgh", "12345678", "NBRQK", "NBRQ"
_CASTLINGS = {"O-O": 1, "O-O-O": -1, "OO": 1, "OOO": -1}


def _readings(text: str) -> tuple[Reading, ...]:
    bare = text.strip().rstrip("+#!?")
    for ending in ("e.p.", "ep"):
        if bare.endswith(ending):
            bare = bare.removesuffix(ending).rstrip(" +#!?")
    castling = _CASTLINGS.get(bare.replace("0", "O").replace("o", "O"))
    if castling:
        return (("O", FULL, castling, None),)
    bare, promotion = _split_promotion(bare)
    target = SQUARE_NAMES.index(bare[-2:]) if bare[-2:] in SQUARE_NAMES else None
    if target is None:
        return ()
    start = bare[:-2]
    takes = start.endswith(("x", ":"))
    if takes or start.endswith("-"):
        start = start[:-1]
    readings = [_pawn_reading(start, target, promotion, takes)]
    if promotion is None and start[:1].upper() in tuple(_LETTERS):
        readings.append(_officer_reading(start, target))
    return tuple([reading for reading in readings if reading is not None])


def _split_promotion(bare: str) -> tuple[str, Role | None]:
    """`e8=Q`, `e8(Q)`, `e8/Q` or `e8Q`: the text before, and the role."""
    stripped = bare.rstrip(")")
    letter = stripped[-1:].upper()
    if letter and letter in _PROMOTIONS and len(stripped) > 2:
        rest = stripped[:-1].rstrip("=(/")
        if rest[-1:] in tuple(_RANKS):
            return rest, Role(" NBRQ".index(letter))
    return bare, None


def _standing(text: str) -> Bitboard | None:
    """The squares meant by a file, a rank, both or nothing; None if it is something else."""
    if len(text) > 2:
        return None
    squares = FULL
    for letter, names in zip(text, (_FILES, _RANKS) if text[:1] in tuple(_FILES) else (_RANKS,), strict=False):
        if letter not in names:
            return None
        squares &= FILES[ord(letter) - 97] if letter in _FILES else RANKS[ord(letter) - 49]
    return squares if len(text) < 2 or text[0] in _FILES else None


def _pawn_reading(start: str, target: int, promotion: Role | None, takes: bool) -> Reading | None:
    start = start.removeprefix("P")
    if not start:
        return ("", FILES[target & 7], target, promotion)
    if start == SQUARE_NAMES[target][0] and not takes:
        return None  # `bb5` is a bishop
    standing = _standing(start)
    return None if standing is None or start[0] in _RANKS else ("", standing, target, promotion)


def _officer_reading(start: str, target: int) -> Reading | None:
    standing = _standing(start[1:])
    return None if standing is None else (start[0].upper(), standing, target, None)


_READINGS: Memo[str, tuple[Reading, ...]] = Memo(_readings)
