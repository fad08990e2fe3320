"""Counting the tree of legal moves: the test every move generator has to pass, and the measure of its speed."""

from __future__ import annotations

from rules.move import Move
from rules.position import Position


def perft(position: Position, depth: int) -> int:
    """How many lines of `depth` legal moves there are; 1 for depth 0. The last ply is counted, not played."""
    if depth < 2:
        return len(position.legal_moves()) if depth else 1
    leaves = 0
    for move in position.legal_moves():
        leaves += perft(position.play(move), depth - 1)
    return leaves


def perft_played(position: Position, depth: int) -> int:
    """The same number, got by playing every move of every line."""
    if not depth:
        return 1
    leaves = 0
    for move in position.legal_moves():
        leaves += perft_played(position.play(move), depth - 1)
    return leaves


def divide(position: Position, depth: int) -> dict[Move, int]:
    """The lines of `depth` moves, from 1, by their first move."""
    return {move: perft(position.play(move), depth - 1) for move in position.legal_moves()}
