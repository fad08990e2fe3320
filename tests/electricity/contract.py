"""What every sensor driver must do, whatever its wires. `test_contract` runs it on all rigs of this process."""

from __future__ import annotations

from random import Random

import pytest

from board_driver.boards.source import Contacts, Strengths
from board_driver.scan import Sensing
from rules.fen import START_FEN, parse_fen
from rules.squares import Colour
from tests.electricity.rigs import Rig

START = parse_fen(START_FEN)
WHITE, BLACK = START.occupied_by(Colour.WHITE), START.occupied_by(Colour.BLACK)
FULL = (1 << 64) - 1
PATIENCE = 250
"""Scans after which every driver must have noticed that its board is gone: what it waits, and some."""


def seen(rig: Rig) -> tuple[int, int]:
    """White and black pieces that are felt for sure; occupancy counts as both."""
    sample = rig.source.read()
    assert not sample.unsure if isinstance(sample, Contacts | Strengths) else True
    return felt(sample)


def felt(sample: object) -> tuple[int, int]:
    match sample:
        case Contacts(closed):
            return closed, closed
        case Strengths(values):
            white = sum(1 << cell for cell, value in enumerate(values) if value > 50)
            black = sum(1 << cell for cell, value in enumerate(values) if value < -50)
            return white, black
        case _:
            raise AssertionError(f"expected contacts or strengths, got {sample}")


def expected(rig: Rig, white: int, black: int) -> tuple[int, int]:
    return (white, black) if rig.source.senses is Sensing.FIELD else (white | black, white | black)


def check_reads(rig: Rig, white: int, black: int) -> None:
    rig.place(white, black)
    assert seen(rig) == expected(rig, white, black)


def read_until_lost(rig: Rig, before: tuple[int, int]) -> str:
    """What the driver says when it gives the board up; until then all it may do is to repeat, unsure, what it read."""
    for _ in range(PATIENCE):
        try:
            sample = rig.source.read()
        except OSError as problem:
            return str(problem)
        assert felt(sample) == before
        assert isinstance(sample, Contacts | Strengths)
        assert sample.unsure == FULL
    raise AssertionError("the driver never noticed")


class Contract:
    """Mixed into a test class that has a fixture `rig`."""

    def test_the_start_array_is_read(self, rig: Rig) -> None:
        rig.source.open()
        check_reads(rig, WHITE, BLACK)

    def test_the_empty_and_the_full_board_are_read(self, rig: Rig) -> None:
        rig.source.open()
        check_reads(rig, 0, 0)
        check_reads(rig, WHITE << 16, FULL ^ WHITE << 16)

    def test_every_square_is_read_alone_and_missed_alone(self, rig: Rig) -> None:
        rig.source.open()
        for square in range(64):
            check_reads(rig, 1 << square, 0)
            check_reads(rig, 0, FULL ^ 1 << square)

    def test_any_board_is_read(self, rig: Rig) -> None:
        rig.source.open()
        random = Random(1)
        for _ in range(20):
            occupied, white = random.getrandbits(64), random.getrandbits(64)
            check_reads(rig, occupied & white, occupied & ~white)

    def test_a_lift_and_a_place_are_read(self, rig: Rig) -> None:
        rig.source.open()
        check_reads(rig, WHITE, BLACK)
        check_reads(rig, WHITE ^ 1 << 12, BLACK)
        check_reads(rig, WHITE ^ 1 << 12 ^ 1 << 28, BLACK)

    def test_a_board_that_is_unplugged_is_never_read_as_lifted(self, rig: Rig) -> None:
        rig.source.open()
        check_reads(rig, WHITE, BLACK)
        rig.unplug()
        assert read_until_lost(rig, expected(rig, WHITE, BLACK))

    def test_an_unplugged_board_cannot_be_opened_until_it_is_back(self, rig: Rig) -> None:
        rig.source.open()
        rig.unplug()
        for _ in range(2):
            with pytest.raises(OSError, match=r".+"):
                rig.source.open()
        rig.replug()
        rig.source.open()
        check_reads(rig, WHITE, BLACK)

    def test_what_is_closed_does_not_read_and_drives_nothing(self, rig: Rig) -> None:
        rig.source.open()
        check_reads(rig, WHITE, BLACK)
        rig.source.close()
        rig.source.close()
        assert not rig.driven()
        with pytest.raises(OSError, match="closed"):
            rig.source.read()

    def test_what_was_closed_can_be_opened_again_and_opened_twice(self, rig: Rig) -> None:
        rig.source.open()
        rig.source.close()
        rig.source.open()
        rig.source.open()
        check_reads(rig, WHITE, BLACK)
