"""What a recorder keeps of a game: counted."""

from __future__ import annotations

import gc
from pathlib import Path

from board_driver.mind import Settings
from board_driver.recorder import Recorder
from board_driver.recorder.place import WARM, Place
from board_driver.simulate import Level, simulate_game
from board_driver.simulate.gamefile import ScoredGame, read_games

GAMES = Path(__file__).parents[2] / "data" / "games.txt"
OBJECTS_A_PLY = 60
"""A recorder that kept all it had worked out held more than eighty, on a game of 165 plies."""


def long_game() -> ScoredGame:
    return next(game for game in read_games(GAMES, None) if len(game.moves) > 150 and not game.chess960)


def recorded(game: ScoredGame, most: int | None = None) -> Recorder:
    """A recorder that has seen the game, played by rough hands."""
    recorder = Recorder(Settings(start_fen=game.start_fen))
    for scan in simulate_game(game, Level.ROUGH, 3).scans[:most]:
        recorder.receive(scan)
    return recorder


def test_a_long_game_leaves_little_and_goes_at_once() -> None:
    game = long_game()
    recorded(game)  # what the rules work out is there
    gc.collect()
    before = len(gc.get_objects())
    recorder = recorded(game)
    gc.collect()
    kept = len(gc.get_objects()) - before
    assert kept < OBJECTS_A_PLY * len(game.moves)
    gc.disable()
    try:
        del recorder
        assert len(gc.get_objects()) - before < kept / 4, "only a collection of garbage would free it"
    finally:
        gc.enable()


def test_places_are_given_up_when_nobody_needs_them() -> None:
    game = long_game()
    recorder = recorded(game)
    atlas = recorder._board.follower.beam.atlas
    gc.collect()
    warm = [o for o in gc.get_objects() if isinstance(o, Place) and o._home() is atlas and o._passages is not None]
    assert 0 < len(warm) <= WARM
    assert len(atlas) < len(game.moves) + 20 * WARM


def test_a_place_that_has_cooled_knows_the_same_again() -> None:
    recorder = recorded(long_game(), most=40)
    place: Place = recorder._board.follower.best().step.place
    passages = place.passages()
    after = place.after(passages[0].move)
    place.cool()
    assert place.passages() == passages
    assert place.after(passages[0].move) is after
