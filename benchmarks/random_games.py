"""Plausible random games, for more kinds of moves than the real ones hold.

Legal moves are drawn with weights: captures, retakes, castling, checks and promotions often, taking the last move
back seldom. A game ends with mate, stalemate, bare kings or after a drawn length. The same seed gives the same games.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from board_driver.simulate.gamefile import ScoredGame
from rules.fen import START_FEN, parse_fen
from rules.move import Move
from rules.pieces import Role
from rules.position import Position
from rules.squares import file_of, rank_of
from rules.uci import write_uci

CHESS960_SHARE = 0.1


def random_games(count: int, seed: int) -> Iterator[ScoredGame]:
    """`count` games; the first ones do not depend on how many are asked for."""
    for number in range(1, count + 1):
        rng = Random(f"{seed}/{number}")
        chess960 = rng.random() < CHESS960_SHARE
        fen = chess960_fen(rng) if chess960 else START_FEN
        yield ScoredGame(f"r{number:04}", "*", fen, chess960, tuple(_moves(fen, chess960, rng)))


def chess960_fen(rng: Random) -> str:
    """A start position of Chess960, each of the 960 about equally often."""
    back = [""] * 8
    back[rng.choice([0, 2, 4, 6])] = "b"
    back[rng.choice([1, 3, 5, 7])] = "b"
    for piece in "qnn":
        back[rng.choice([i for i in range(8) if not back[i]])] = piece
    for piece, square in zip("rkr", [i for i in range(8) if not back[i]], strict=True):
        back[square] = piece
    rank = "".join(back)
    return f"{rank}/pppppppp/8/8/8/8/PPPPPPPP/{rank.upper()} w KQkq - 0 1"


def _moves(fen: str, chess960: bool, rng: Random) -> Iterator[str]:
    position = parse_fen(fen, chess960=chess960)
    length = rng.randint(30, 140)
    mine: Move | None = None
    last: Move | None = None
    for ply in range(length):
        moves = position.legal_moves()
        if not moves or position.occupied.bit_count() == 2:
            return
        weights = [_weight(position, move, last, mine, ply) for move in moves]
        move = rng.choices(moves, weights)[0]
        yield write_uci(position, move)
        position = position.play(move)
        mine, last = last, move


def _weight(position: Position, move: Move, last: Move | None, mine: Move | None, ply: int) -> float:
    """How likely a move is, compared with a quiet one."""
    piece = position.piece_at(move.origin)
    assert piece is not None
    if move.is_castling:
        return 40
    weight = 1.0
    if move.promotion is not None:
        weight *= 12 if move.promotion is Role.QUEEN else 0.8
    if position.victim_square(move) is not None:
        weight *= 3
        if move.is_en_passant:
            weight *= 5
        if last is not None and move.landing == last.landing:
            weight *= 5
    if mine is not None and (move.origin, move.landing) == (mine.landing, mine.origin):
        weight *= 0.1
    if piece.role is Role.KING and ply < 60:
        weight *= 0.2
    if piece.role is Role.PAWN:
        weight *= 1.2 if ply < 20 or ply > 60 else 0.6
    elif ply < 20:
        weight *= 2 - _from_middle(move.landing) / 3
    return weight


def _from_middle(square: int) -> float:
    """0 on the four central squares to 3 on the edge."""
    return max(abs(file_of(square) - 3.5), abs(rank_of(square) - 3.5)) - 0.5
