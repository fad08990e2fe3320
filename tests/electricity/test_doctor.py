"""The doctor on whole wired boards: driver, scanning thread, lights, and a person who moves one piece about."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from board_driver.boards.board import Clock
from board_driver.boards.sensorboard import SensorBoard, Wired
from board_driver.doctor.diagnosis import diagnose
from board_driver.doctor.examination import ARRAY, Examination, Step
from board_driver.doctor.findings import Ailment
from board_driver.doctor.layout import layout_of
from board_driver.doctor.session import attend
from board_driver.lights.picture import Picture
from board_driver.profile.places import square_order
from board_driver.profile.schema import Orientation
from board_driver.profile.words import Along, Order
from rules.squares import parse_square, set_of
from tests.electricity.rigs import MATRIX, RIGS, Rig
from tests.electricity.test_daemon import FakeLights

RATE = 20.0
"""So much faster does the examination's time run than the scanning thread's."""
SQUARES = [parse_square(name) for name in ("a1", "b1", "a2", "h8", "c6")]


@dataclass
class Mover:
    """Does what is asked on a rig whose cell `cell_at[s]` lies at square s."""

    rig: Rig
    cell_at: list[int]
    stands: int = -1

    def act(self, examination: Examination) -> None:
        match examination.step:
            case Step.EMPTY if not examination.is_resting:
                self._place(0)
                examination.confirm()
            case Step.WALK if examination.asked is not None:
                self._place(0 if self.stands not in (0, 1 << examination.asked) else 1 << examination.asked)
            case Step.ARRAY if self.stands != ARRAY:
                self._place(ARRAY)
            case Step.ARRAY if examination.vitals.occupied.bit_count() == ARRAY.bit_count():
                examination.confirm()
            case _:
                return

    def _place(self, squares: int) -> None:
        self.stands = squares
        self.rig.place(set_of(self.cell_at[square] for square in range(64) if squares >> square & 1), 0)


@pytest.mark.parametrize("name", ["matrix", "4 mcp23017", "74hc165 by SPI", "hall mcp3208 4067"])
def test_a_board_whose_rows_and_columns_are_exchanged(name: str) -> None:
    rig, lights = RIGS[name](), FakeLights()
    by_files = square_order(Order(along=Along.FILE), Orientation())
    mover = Mover(rig, [by_files.index(square) for square in range(64)])
    layout = layout_of(MATRIX, range(64))
    examination = Examination(layout, SQUARES)
    board = SensorBoard(Wired("trial", rig.source, range(64), 500, [lights]))
    troubles = asyncio.run(attend(board, examination, mover, lambda _: None, Clock(RATE)))
    diagnosis = diagnose(examination.evidence, layout)
    assert [finding.ailment for finding in diagnosis.findings] == [Ailment.SWAPPED]
    assert diagnosis.swapped is not None
    assert diagnosis.swapped.text == "rows and columns are exchanged: ranks are read as files"
    assert troubles == []
    assert _asked(lights.shown) == SQUARES
    assert not rig.driven()
    assert lights.closed


def _asked(pictures: list[Picture]) -> list[int]:
    return [square for picture in pictures for square in picture]
