"""What a board of sensors asks, against python-chess, warm: which moves leave this occupancy?

python-chess has no such question. It is answered with it in two ways: by trying every move, and by trying only the
moves from squares that have become empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import chess

from benchmarks.duel import Duel
from benchmarks.rules_positions import game_boards, ours
from benchmarks.rules_warm import Boards, each, with_one
from rules.inverse import by_change, leading_to, leading_to_in_two
from rules.position import Position

EVERY = 12
"""Two plies are asked of every so manieth position."""


def duels() -> Iterator[Duel]:
    """All rows, in the order of the table."""
    boards = [board for board in game_boards() if any(board.legal_moves)]
    yield with_one("one ply, against trying every move", 50, boards, _in_one, theirs=_trying_all, mine=leading_to)
    name = "one ply, against trying those from emptied squares"
    yield with_one(name, 9, boards, _in_one, theirs=_trying_some, mine=leading_to)
    yield _index_kept(boards)
    yield each("an index of all changes of occupancy, made", 12, boards, _their_index, by_change)
    few = [board for board in boards[::EVERY] if _in_two(board) is not None]
    name = "two plies, against trying every pair"
    yield with_one(name, 150, few, _in_two_both, theirs=_trying_pairs, mine=leading_to_in_two)
    name = "two plies, against trying those from emptied squares"
    yield with_one(name, 7, few, _in_two_both, theirs=_trying_some_pairs, mine=leading_to_in_two)


def _in_one(board: chess.Board, _: Position) -> tuple[int, int]:
    """What is occupied after some legal move."""
    after = board.copy(stack=False)
    after.push(Random(board.fen()).choice(sorted(board.legal_moves, key=str)))
    return after.occupied, after.occupied


def _in_two(board: chess.Board) -> int | None:
    """What is occupied after some two legal moves; None if there are not two."""
    after = board.copy(stack=False)
    rng = Random(board.fen())
    for _ply in range(2):
        moves = sorted(after.legal_moves, key=str)
        if not moves:
            return None
        after.push(rng.choice(moves))
    return after.occupied


def _in_two_both(board: chess.Board, _: Position) -> tuple[int, int]:
    occupied = _in_two(board)
    assert occupied is not None
    return occupied, occupied


def _leaving(board: chess.Board, moves: Iterable[chess.Move], occupied: int) -> list[chess.Move]:
    found = []
    for move in moves:
        board.push(move)
        if board.occupied == occupied:
            found.append(move)
        board.pop()
    return found


def _trying_all(board: chess.Board, occupied: int) -> list[chess.Move]:
    return _leaving(board, list(board.legal_moves), occupied)


def _trying_some(board: chess.Board, occupied: int) -> list[chess.Move]:
    emptied = board.occupied_co[board.turn] & ~occupied
    return _leaving(board, list(board.generate_legal_moves(from_mask=emptied)), occupied)


def _trying_pairs(board: chess.Board, occupied: int) -> list[tuple[chess.Move, chess.Move]]:
    found = []
    for move in list(board.legal_moves):
        board.push(move)
        found += [(move, reply) for reply in _trying_all(board, occupied)]
        board.pop()
    return found


def _trying_some_pairs(board: chess.Board, occupied: int) -> list[tuple[chess.Move, chess.Move]]:
    emptied = board.occupied_co[board.turn] & ~occupied
    found = []
    for move in list(board.generate_legal_moves(from_mask=emptied or chess.BB_ALL)):
        board.push(move)
        found += [(move, reply) for reply in _trying_some(board, occupied)]
        board.pop()
    return found


def _their_index(board: chess.Board) -> dict[int, list[chess.Move]]:
    index: dict[int, list[chess.Move]] = {}
    before = board.occupied
    for move in list(board.legal_moves):
        board.push(move)
        index.setdefault(before ^ board.occupied, []).append(move)
        board.pop()
    return index


def _index_kept(boards: Boards) -> Duel:
    readings = 20
    positions = ours(boards)
    asked = [(p, p.occupied ^ _in_one(b, p)[0]) for b, p in zip(boards, positions, strict=True)]

    def mine() -> None:
        for _ in range(readings):
            for position, change in asked:
                by_change(position).get(change)

    def theirs() -> None:
        for board, (position, change) in zip(boards, asked, strict=True):
            _trying_all(board, position.occupied ^ change)

    mine()
    return Duel("one ply, from the index a position keeps", 1000, lambda: (theirs, mine), 9, readings)
