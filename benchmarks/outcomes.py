"""Outcomes, claims and PGN against python-chess, on real games and on one that comes back on itself.

    python -m benchmarks.outcomes
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

import chess
import chess.pgn

from benchmarks.duel import Duel, Run, Verdict, fight
from benchmarks.rules_positions import games
from rules.game import Game
from rules.pgn import PgnGame, Ply, read_games, write_game
from rules.uci import parse_uci

SHUFFLE = [
    *("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"),
    *("b1c3", "b8c6", "c3b1", "c6b8", "b1a3", "b8a6", "a3b1", "a6b8"),
]
Subject = TypeVar("Subject")


def rows() -> list[Verdict]:
    """All rows, measured."""
    return [fight(duel) for duel in duels()]


def duels() -> Iterator[Duel]:
    """All rows, in order."""
    real = games(4)
    yield _after_each_ply("automatic outcome after each ply", 3, real, chess.Board.outcome, Game.outcome)
    yield _after_each_ply("outcome with claims after each ply", 25, real, _their_end, _our_end)
    yield _after_each_ply("the same where positions return", 12, [SHUFFLE], _their_end, _our_end)
    played = [_played(moves) for moves in games(12)]
    text = "".join(write_game(game) for game in played)
    yield Duel("read PGN", 1.4, lambda: (partial(_read_theirs, text), partial(_read_ours, text)), rounds=7)
    theirs = list(_read_theirs(text))
    yield Duel("write PGN", 2.8, lambda: (partial(_ask, str, theirs), partial(_ask, write_game, played)), rounds=7)


def _after_each_ply(
    name: str,
    target: float,
    lines: list[list[str]],
    theirs: Callable[[chess.Board], object],
    ours: Callable[[Game], object],
) -> Duel:
    """One question asked after each ply of some games. Our games are made anew for each round, as they keep answers."""
    boards = [_board(moves[:length]) for moves in lines for length in range(1, len(moves) + 1)]

    def prepare() -> tuple[Run, Run]:
        fresh = [_game(moves[:length]) for moves in lines for length in range(1, len(moves) + 1)]
        return partial(_ask, theirs, boards), partial(_ask, ours, fresh)

    return Duel(name, target, prepare, rounds=7)


def _ask(question: Callable[[Subject], object], subjects: list[Subject]) -> None:
    for subject in subjects:
        question(subject)


def _board(moves: list[str]) -> chess.Board:
    board = chess.Board()
    for text in moves:
        board.push_uci(text)
    return board


def _game(moves: list[str]) -> Game:
    game = Game()
    for text in moves:
        game.play(parse_uci(game.position, text))
    return game


def _played(moves: list[str]) -> PgnGame:
    game = _game(moves)
    return PgnGame(game.start, tuple(Ply(move) for move in game.moves))


def _their_end(board: chess.Board) -> object:
    return board.outcome(claim_draw=True)


def _our_end(game: Game) -> object:
    return game.outcome() or game.claims() or game.announced_claims()


def _read_theirs(text: str) -> list[chess.pgn.Game]:
    stream = io.StringIO(text)
    return list(iter(lambda: chess.pgn.read_game(stream), None))


def _read_ours(text: str) -> list[PgnGame]:
    return list(read_games(text))


if __name__ == "__main__":
    for row in rows():
        print(f"{row.name:42} {row.ratio:6.1f}  ({row.least:.1f} to {row.most:.1f}; expected {row.target:g})")
