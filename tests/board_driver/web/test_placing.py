"""Pieces are put up one after the other, until the board stands right once."""

from __future__ import annotations

import asyncio

from board_driver.daemon import Daemon
from board_driver.mind import Settings
from board_driver.scan import Colours, Field, Occupancy, Reading, Scan, Sensing
from board_driver.sensing.field import Calibration
from board_driver.web.placing import Placing
from rules.squares import parse_square
from tests.board_driver.doubles import FakeBoard, FakeMind

FEN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
E1, E2, E8, A5 = map(parse_square, ("e1", "e2", "e8", "a5"))


def told(settings: Settings, *readings: Reading) -> list[dict[str, object] | None]:
    async def run() -> list[dict[str, object] | None]:
        daemon, placing = Daemon(FakeBoard(), settings, mind_of=FakeMind), Placing()
        found = [placing.told(daemon)]
        for reading in readings:
            daemon._note_scan(Scan(0, reading))
            found.append(placing.told(daemon))
        placing.begin()
        return [*found, placing.told(daemon)]

    return asyncio.run(run())


def occupied(*squares: int) -> Occupancy:
    return Occupancy(sum(1 << square for square in squares))


def test_step_by_step_until_the_board_stands_right() -> None:
    steps = told(
        Settings(start_fen=FEN),
        occupied(A5),
        occupied(E1, A5),
        occupied(E1, E8, E2, A5),
        occupied(E1, E2, E8),
        occupied(E1, E8),
    )
    assert steps[0] is None
    lefts = [None if step is None else step["left"] for step in steps[1:]]
    assert lefts == [4, 3, 1, None, None, 1]
    assert steps[3] == {"text": "Take what stands on a5 off the board", "take": "a5", "put": None, "left": 1}


def test_dead_squares_are_not_waited_for() -> None:
    assert told(Settings(start_fen=FEN, dead_squares=frozenset({E2})), occupied(E1, E8))[1] is None


def test_colours_and_field_strengths_are_told_apart() -> None:
    wrong = told(Settings(start_fen=FEN, sensing=Sensing.COLOUR), Colours(1 << E8 | 1 << E2, 1 << E1))
    assert wrong[1] is not None
    strengths = [0.0] * 64
    strengths[E1] = strengths[E2] = 100.0
    settings = Settings(start_fen=FEN, sensing=Sensing.FIELD, calibration=Calibration((0.0,) * 64, 20, 13))
    step = told(settings, Field(tuple(strengths)))[1]
    assert step is not None
    assert (step["put"], step["left"]) == ("e8", 1)
    assert told(Settings(start_fen=FEN, sensing=Sensing.FIELD), Field(tuple(strengths)))[1] is None
