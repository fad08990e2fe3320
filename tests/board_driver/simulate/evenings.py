"""Games for these tests (real ones, and one with every kind of move), and simulated evenings kept between tests."""

from __future__ import annotations

from collections.abc import Set
from functools import cache
from pathlib import Path

from board_driver.scan import Sensing
from board_driver.simulate import Extra, Level, Simulated, simulate_game
from board_driver.simulate.gamefile import ScoredGame, read_games
from rules.fen import START_FEN

GAMES = Path(__file__).parents[2] / "data" / "games.txt"

_EVERY_KIND = "e2e4 d7d5 e4e5 f7f5 e5f6 d8d7 f6g7 g8f6 g7h8q b8c6 g1f3 d7g4 f1e2 c8d7 e1g1 e8c8 h2h3 g4g2"
EVERYTHING = ScoredGame("everything", "1-0", START_FEN, False, tuple(_EVERY_KIND.split()))
"""En passant, a promotion that takes, castling to both sides, captures."""


@cache
def real_games(count: int) -> tuple[ScoredGame, ...]:
    """The first games of the file."""
    return tuple(read_games(GAMES, count))


@cache
def evening(
    game: ScoredGame,
    level: Level,
    seed: int = 1,
    sensing: Sensing = Sensing.OCCUPANCY,
    extras: Set[Extra] = frozenset(),
) -> Simulated:
    """That game simulated; made once for all tests."""
    return simulate_game(game, level, seed, sensing=sensing, extras=extras)
