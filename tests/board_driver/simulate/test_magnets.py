"""The field of one magnet, and what switches make of it."""

from __future__ import annotations

from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.simulate.magnets import REACH, SensorKind, field_at, switched

near = st.floats(-REACH, REACH)
heights = st.floats(0, 2)
kinds = st.sampled_from(SensorKind)


def length(vector: tuple[float, float, float]) -> float:
    return hypot(*vector)


def test_a_man_in_the_middle_of_its_square_is_the_unit() -> None:
    assert field_at(0, 0, 0) == pytest.approx((0, 0, 1))


@given(near, near, heights, st.floats(0.01, 1))
def test_a_lift_always_weakens_the_field(dx: float, dy: float, height: float, more: float) -> None:
    assert length(field_at(dx, dy, height + more)) < length(field_at(dx, dy, height))


@given(near, near, heights)
def test_the_field_is_the_same_on_all_sides(dx: float, dy: float, height: float) -> None:
    x, y, z = field_at(dx, dy, height)
    assert field_at(-dx, dy, height) == pytest.approx((-x, y, z))
    assert field_at(dy, dx, height) == pytest.approx((y, x, z))


@given(kinds, st.integers(-1, 1))
def test_a_man_in_the_middle_closes_any_switch(kind: SensorKind, was: int) -> None:
    was = abs(was) if kind is SensorKind.REED else was
    assert switched(kind, was, field_at(0, 0, 0), 1) == 1


@given(kinds, st.sampled_from([0, 1]))
def test_a_man_in_the_middle_of_the_next_square_closes_none(kind: SensorKind, was: int) -> None:
    assert switched(kind, was, field_at(1, 0, 0), 1) == 0


@given(kinds, st.sampled_from([0, 1]))
def test_a_man_well_above_the_board_closes_none(kind: SensorKind, was: int) -> None:
    assert switched(kind, was, field_at(0, 0, 0.8), 1) == 0


@pytest.mark.parametrize("kind", SensorKind)
def test_switches_hold_on_a_little_longer_than_they_take(kind: SensorKind) -> None:
    def reads(was: int, far: int) -> int:
        return switched(kind, was, field_at(far / 100, 0, 0), 1)

    differing = [far / 100 for far in range(100) if reads(0, far) != reads(1, far)]
    assert differing
    assert max(differing) - min(differing) < 0.15


def test_a_hall_sensor_tells_the_polarity_and_a_reed_does_not() -> None:
    x, y, z = field_at(0.1, 0, 0)
    assert switched(SensorKind.HALL, 0, (-x, -y, -z), 1) == -1
    assert switched(SensorKind.HALL, 1, (-x, -y, -z), 1) == -1
    assert switched(SensorKind.REED, 0, (-x, -y, -z), 1) == 1
