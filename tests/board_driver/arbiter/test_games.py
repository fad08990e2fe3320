"""Real over-the-board games, handled square by square, come out as they were played, and every picture is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from board_driver.arbiter.core import Core
from board_driver.arbiter.fenstd import passed_square
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.lighting import picture
from board_driver.mind import LightsSetting, TouchRule
from board_driver.sensing.cells import SOMETHING, cells_of_occupancy
from board_driver.sensing.settle import SettledChange
from rules.fen import START_FEN, parse_fen
from rules.move import Move
from rules.pieces import Role
from rules.position import Position
from rules.squares import Square
from rules.uci import parse_uci
from tests.board_driver.arbiter.hands import DATA, STEP_MS, settings

USUAL_EVERY = 6
"""How many games apart those are that every test run plays; `make test-long` plays all."""


@dataclass(frozen=True)
class Played:
    """A line of games.txt."""

    name: str
    fen: str
    chess960: bool
    moves: tuple[str, ...]


def games() -> list[Played]:
    """All games of the file."""
    found = []
    for line in (DATA / "games.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        name, _, fen, chess960, moves = line.split("\t")
        found.append(Played(name, START_FEN if fen == "-" else fen, chess960 == "1", tuple(moves.split())))
    return found


def steps(position: Position, move: Move, turn: int) -> list[tuple[str, Square]]:
    """One hand's steps; captures alternate between victim first and victim second."""
    if move.rook_origin is not None and move.rook_landing is not None:
        lifts = [("-", move.origin), ("-", move.rook_origin)]
        return [*lifts, ("+", move.rook_landing), ("+", move.landing)]
    hand = [("-", move.origin)]
    if (victim := position.victim_square(move)) is not None:
        hand.insert(turn % 2, ("-", victim))
    return [*hand, ("+", move.landing)]


def replayed(game: Played, touch: TouchRule) -> list[str]:
    """The moves that the arbiter makes of that game."""
    start = parse_fen(game.fen, chess960=game.chess960)
    setup = settings(game.fen, chess960=game.chess960, touch=touch)
    state = GameState(setup, start, passed_square(game.fen), cells_of_occupancy(start.occupied))
    core, t_ms = Core(state), 0
    for turn, text in enumerate(game.moves):
        position = state.position
        move = parse_uci(position, text)
        state.turn.choice = move.promotion or Role.QUEEN
        for kind, square in steps(position, move, turn):
            t_ms += STEP_MS
            before, after = (SOMETHING, None) if kind == "-" else (None, SOMETHING)
            core.settle([SettledChange(square, before, after, t_ms, t_ms)], t_ms)
            picture(state, LightsSetting.ALL)
        assert state.fault is None, (game.name, text)
    return list(state.score.ucis)


@pytest.mark.parametrize("touch", [TouchRule.STRICT, TouchRule.FRIENDLY])
@pytest.mark.parametrize("game", games()[::USUAL_EVERY], ids=lambda game: game.name)
def test_some_games(game: Played, touch: TouchRule) -> None:
    assert replayed(game, touch) == list(game.moves)


@pytest.mark.long
@pytest.mark.parametrize("touch", list(TouchRule))
@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_all_games(game: Played, touch: TouchRule) -> None:
    assert replayed(game, touch) == list(game.moves)
