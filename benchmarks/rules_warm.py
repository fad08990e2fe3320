"""The rules against python-chess on the positions of real games, met before: our tables are full.

Positions are fresh in every round, so that nothing a position keeps about itself helps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import chess

from benchmarks.duel import Duel, Run
from benchmarks.rules_positions import PERFTS, game_boards, ours
from rules.fen import parse_fen, write_fen
from rules.game import Game
from rules.inverse import by_change, leading_to, leading_to_in_two
from rules.move import Move
from rules.perft import perft, perft_played
from rules.position import Position
from rules.san import parse_san, sans, write_san
from rules.squares import squares_of
from rules.uci import parse_uci

Boards = list[chess.Board]
Positions = list[Position]


def duels() -> Iterator[Duel]:
    """All rows, in the order of the table."""
    boards = game_boards()
    yield _each("legal moves of a position", 6.5, boards, lambda b: list(b.legal_moves), Position.legal_moves)
    yield _asked_again(boards)
    yield from _one_man(boards)
    yield from _perfts()
    yield from _making_moves(boards)
    yield from _notation(boards)
    yield from _state(boards)
    yield _outcomes()
    yield from _one_ply_back(boards)
    yield from _two_plies_back(boards[::12])


def _each(
    name: str,
    target: float,
    boards: Boards,
    theirs: Callable[[chess.Board], object],
    mine: Callable[[Position], object],
) -> Duel:
    """One question asked of every position."""

    def prepare() -> tuple[Run, Run]:
        positions = ours(boards)
        return partial(_ask, theirs, boards), partial(_ask, mine, positions)

    return Duel(name, target, prepare)


def _ask[T](question: Callable[[T], object], subjects: list[T]) -> None:
    for subject in subjects:
        question(subject)
