"""Counting the tree of legal moves: the test every move generator has to pass, and the measure of its speed."""

from __future__ import annotations

from rules.move import Move
from rules.position import Position


def perft(position: Position, depth: int) -> int:
    """How many lines of `depth` legal moves there are; 1 for depth 0. The last ply is counted, not played."""
    if depth <= 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum([perft(position.play(move), depth - 1) for move in moves])


def perft_played(position: Position, depth: int) -> int:
    """The same number, got by playing every move of every line."""
    if depth <= 0:
        return 1
    return sum([perft_played(position.play(move), depth - 1) for move in position.legal_moves()])


def divide(position: Position, depth: int) -> dict[Move, int]:
    """The lines of `depth` moves, from 1, by their first move."""
    return {move: perft(position.play(move), depth - 1) for move in position.legal_moves()}
