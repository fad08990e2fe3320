"""Whole games, as simulated hands play them, through every driver to the right score.

The hands decide what stands where and when; each driver reads its own circuit at those times; the recorder, or the
arbiter, is given what was read. Between two times nothing changes, so no scan is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from board_driver.boards.board import Clock, Inbox
from board_driver.boards.sensorboard import SquareReader
from board_driver.mind import Mode, Settings
from board_driver.minds import make_mind
from board_driver.scan import Colours, Occupancy, Scan, Sensing
from board_driver.sensing.field import Calibration
from board_driver.simulate import Level, simulate_game
from board_driver.simulate.gamefile import ScoredGame, read_games
from board_driver.store.pgnfile import pgn_text
from rules import pgn as pgn_files
from rules.uci import write_uci
from tests.electricity.rigs import RIGS, Rig, hall_rig

GAMES = read_games(Path(__file__).parents[1] / "data" / "games.txt", 12)
SETTLE_MS = 2_000


class Times(Inbox):
    """An inbox that is only asked for the time."""

    def __init__(self) -> None:
        self.time_ms = 0
        self.clock = Clock()

    def now_ms(self) -> int:
        return self.time_ms


def scans_of(game: ScoredGame, level: Level, sensing: Sensing) -> Iterator[tuple[int, int, int]]:
    """Time, white and black squares, as hands of that level play the game over perfect sensors."""
    for scan in simulate_game(game, level, 3, sensing=sensing).scans:
        match scan.reading:
            case Occupancy(occupied):
                yield scan.t_ms, occupied, 0
            case Colours(white, black):
                yield scan.t_ms, white, black


def played_on(rig: Rig, game: ScoredGame, level: Level, settings: Settings) -> str:
    """The PGN of the game as that driver saw it."""
    mind = make_mind(settings)
    times = Times()
    reader = SquareReader(rig.source, range(64), times)
    field = rig.source.senses is Sensing.FIELD
    rig.source.open()
    last_ms = 0
    for t_ms, white, black in scans_of(game, level, Sensing.COLOUR if field else Sensing.OCCUPANCY):
        rig.place(white, black)
        times.time_ms = last_ms = t_ms
        sensed = reader.read()
        assert not sensed.troubles
        mind.receive(Scan(t_ms, sensed.reading, sensed.distrusted))
    mind.advance(last_ms + SETTLE_MS)
    rig.source.close()
    return pgn_text([mind.games()[-1]])


def score(pgn: str) -> list[str]:
    """The moves that a PGN holds, as UCI."""
    (game,) = pgn_files.read_games(pgn)
    position, moves = game.start, []
    for move in game.moves:
        moves.append(write_uci(position, move))
        position = position.play(move)
    return moves


def settings_for(rig: Rig, game: ScoredGame, mode: Mode, calibration: Calibration | None = None) -> Settings:
    return Settings(
        mode=mode, sensing=rig.source.senses, start_fen=game.start_fen, chess960=game.chess960, calibration=calibration
    )


@pytest.mark.parametrize("name", RIGS)
def test_a_game_comes_out_of_every_driver_as_it_was_played(name: str) -> None:
    game = GAMES[list(RIGS).index(name) % len(GAMES)]
    rig = RIGS[name]()
    calibration = getattr(rig.source, "field_calibration", None)
    pgn = played_on(rig, game, Level.CLUB, settings_for(rig, game, Mode.RECORD, calibration))
    assert score(pgn) == list(game.moves)


@pytest.mark.parametrize("name", ["matrix", "4 mcp23017", "74hc165 by SPI", "hall mcp3208 4067"])
def test_the_arbiter_rules_a_game_through_a_driver(name: str) -> None:
    game = GAMES[0]
    rig = RIGS[name]()
    calibration = getattr(rig.source, "field_calibration", None)
    pgn = played_on(rig, game, Level.CLEAN, settings_for(rig, game, Mode.PLAY, calibration))
    assert score(pgn) == list(game.moves)


def test_an_uncalibrated_hall_board_finds_its_zeros_from_the_start_position() -> None:
    rig, circuit = hall_rig(calibrated=False)
    for cell, sensor in enumerate(circuit.sensors):
        circuit.sensors[cell] = replace(sensor, zero=sensor.zero + (cell * 37 % 41 - 20))
    game = GAMES[0]
    pgn = played_on(rig, game, Level.CLUB, settings_for(rig, game, Mode.RECORD))
    assert score(pgn) == list(game.moves)
