"""Who stands where nothing should stand: kept while nothing changes, and never a moment longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from board_driver.arbiter import gamestate
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.strays import Stray, strays
from board_driver.mind import Mode, Settings
from board_driver.minds import make_mind
from board_driver.scan import Sensing
from board_driver.simulate import Level, simulate_game
from board_driver.simulate.gamefile import read_games

GAMES = Path(__file__).parents[2] / "data" / "games.txt"
SCANS = 150


@pytest.mark.parametrize("sensing", [Sensing.OCCUPANCY, Sensing.COLOUR, Sensing.IDENTITY])
def test_what_is_kept_is_what_would_be_found_again(sensing: Sensing, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Stray, ...]] = []
    worked_out: list[object] = []
    as_it_is = GameState.strays

    def checked(game: GameState) -> tuple[Stray, ...]:
        found = as_it_is(game)
        last = None if game.last is None else game.last.move
        assert found == strays(game.turn, game.view, game.owed().moves, last)
        asked.append(found)
        return found

    def counted(*arguments: object) -> tuple[Stray, ...]:
        worked_out.append(arguments)
        return strays(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(GameState, "strays", checked)
    monkeypatch.setattr(gamestate, "strays", counted)
    for game in read_games(GAMES, 3):
        mind = make_mind(Settings(mode=Mode.PLAY, sensing=sensing, start_fen=game.start_fen, chess960=game.chess960))
        for scan in simulate_game(game, Level.ROUGH, 5, sensing=sensing).scans[:SCANS]:
            mind.receive(scan)
    assert any(asked)
    assert len(worked_out) < sum(map(bool, asked)) / 2
