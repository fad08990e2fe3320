"""What is told of sensors that misbehave, and what is not."""

from __future__ import annotations

from board_driver.events import Fault
from board_driver.sensing.cells import cells_of_occupancy
from board_driver.sensing.health import CHATTER_CHANGES, SensorHealth
from rules.squares import parse_square

START = 0xFFFF00000000FFFF
E5 = parse_square("e5")


def watch(*times: int, square: int = E5) -> tuple[list[Fault], SensorHealth]:
    """A square, empty at first, that changes at each of those times."""
    health = SensorHealth(settle_ms=200)
    occupied, faults = START & ~(1 << square), list(health.observe(-1000, cells_of_occupancy(START & ~(1 << square))))
    for t_ms in times:
        occupied ^= 1 << square
        faults += health.observe(t_ms, cells_of_occupancy(occupied))
    return faults, health


def test_a_piece_that_drops_out_again_and_again_has_a_weak_magnet() -> None:
    faults, health = watch(400, 520, 640, 2500, 2620, 4000, 4120)
    assert [(fault.kind, fault.square, fault.t_ms) for fault in faults] == [("dropout", E5, 4120)]
    assert health.counts(E5).dropouts == 3
    assert health.counts(E5).changes == 7


def test_a_piece_that_drops_out_twice_is_counted_but_no_news() -> None:
    """Two quick captures on one square look the same."""
    faults, health = watch(400, 520, 640, 2500, 2620)
    assert faults == []
    assert health.counts(E5).dropouts == 2


def test_dropouts_far_apart_are_no_news() -> None:
    assert watch(400, 520, 640, 60_000, 60_120, 120_000, 120_120)[0] == []


def test_moves_are_no_dropouts() -> None:
    faults, health = watch(400, 1100, 1800, 2500, 3200, 3900, 4600)
    assert faults == []
    assert health.counts(E5).dropouts == 0


def test_the_bounce_of_a_contact_is_healthy() -> None:
    faults, health = watch(400, 404, 407, 411, 413, 1400, 1403, 1409)
    assert faults == []
    assert health.counts(E5).dropouts == 0


def test_chatter_is_told_once_for_each_spell() -> None:
    spell = [100 + 60 * n for n in range(CHATTER_CHANGES * 3)]
    later = [60_000 + t_ms for t_ms in spell]
    faults, health = watch(*spell, *later)
    assert [fault.kind for fault in faults if fault.kind == "chatter"] == ["chatter"] * 2
    assert health.counts(E5).chatter == 2


def test_other_squares_are_not_blamed() -> None:
    _, health = watch(400, 520, 640)
    assert health.counts(E5 + 1).changes == 0
