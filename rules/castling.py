"""Castling (FIDE Laws 3.8.2, and Guideline II for Chess960).

The king goes to the c- or g-file and the rook to the file inside it, wherever they start. A wing is one king and one
rook that may castle together. It is open when

- every square either of them crosses or lands on is empty, but for the two themselves;
- the king is not in check, and crosses and lands on no attacked square;
- the rook did not shield the king: in Chess960 a rook that leaves the b-file may open the back rank to an attacker on
  the a-file, and likewise on the other side. (With rooks in the corners there is nobody behind them.)

Squares may coincide in Chess960: king or rook may land where the other started, or where it stands itself. Ordinary
chess is the special case of king on the e-file and rooks in the corners, and costs no more for it.
"""

from __future__ import annotations

from rules.geometry import BETWEEN, BIT, RANKS
from rules.memo import Memo
from rules.move import CASTLING, Move, move_of
from rules.squares import Bitboard
from rules.tables import ROOKS

Wing = tuple[Bitboard, Bitboard, Bitboard, Move]
"""Squares that must be empty, squares the king goes to or across, squares behind the rook, the move."""


def _span(origin: int, landing: int) -> Bitboard:
    """The squares crossed or landed on."""
    return (BETWEEN[origin][landing] | BIT[landing]) & ~BIT[origin]


def _wing(squares: tuple[int, int]) -> Wing:
    king, rook = squares
    move = move_of(CASTLING, king, rook)
    assert move.rook_landing is not None
    themselves = BIT[king] | BIT[rook]
    walk = _span(king, move.landing)
    path = (walk | _span(rook, move.rook_landing)) & ~themselves
    behind = RANKS[rook >> 3] & (-BIT[rook] << 1 if rook > king else BIT[rook] - 1)
    return path, walk, behind, move


WINGS = Memo(_wing)
"""By the squares of king and rook."""


def opens_rank(move: Move, occupied: Bitboard, rooks: Bitboard) -> bool:
    """Would castling by this move open the back rank to one of `rooks` (the opponent's rooks and queens)?"""
    return bool(ROOKS[move.landing].attacks(occupied ^ move.change) & rooks)
