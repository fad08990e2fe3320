"""Random play in step with another library: the same position here and there, ply by ply."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import chess

from rules.fen import parse_fen
from rules.move import Move
from rules.position import Position
from rules.uci import write_uci

LONGEST_GAME = 160


def both(fen: str, chess960: bool = False) -> tuple[Position, chess.Board]:
    """One FEN read by both."""
    return parse_fen(fen, chess960=chess960), chess.Board(fen, chess960=chess960)


def random_play(seed: int, positions: int, chess960: bool = False) -> Iterator[tuple[Position, chess.Board]]:
    """At least so many positions of random games, with their last moves as the board's stack. Castling and captures en
    passant are sought, as chance seldom finds them."""
    rng = Random(f"{seed}/{chess960}")
    met = 0
    while met < positions:
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        position = parse_fen(board.fen(), chess960=chess960)
        for _ in range(LONGEST_GAME):
            yield position, board
            met += 1
            moves = list(board.legal_moves)
            if not moves:
                break
            rare = [move for move in moves if board.is_castling(move) or board.is_en_passant(move)]
            theirs = rng.choice(rare if rare and rng.random() < 0.2 else moves)
            position = position.play(ours(position, board, theirs))
            board.push(theirs)


def ours(position: Position, board: chess.Board, move: chess.Move) -> Move:
    """The move of this library that is theirs."""
    return moves_by_uci(position)[board.uci(move)]


def moves_by_uci(position: Position) -> dict[str, Move]:
    """All legal moves by their text."""
    return {write_uci(position, move): move for move in position.legal_moves()}
