"""Brightness, and what the supply can give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.lights.lamps import BLACK, Frame
from board_driver.lights.power import AnyLamps, Supply, brightness_percent, is_night, supply_of, warning_for
from board_driver.profile.lights import (
    Apa102,
    GpioLeds,
    Ht16k33,
    LedMatrix,
    Max7219,
    Night,
    NoLights,
    ShiftLeds,
    Ws2812,
)

WHITE = (255, 255, 255)
EIGHT = tuple(range(8))
KINDS: list[AnyLamps] = [
    Ws2812(),
    Apa102(),
    Max7219(),
    Ht16k33(),
    LedMatrix(rows=EIGHT, columns=EIGHT),
    ShiftLeds(),
    ShiftLeds(enable=4),
    GpioLeds(pins=tuple(range(16))),
]
colours = st.tuples(*[st.integers(0, 255)] * 3)
frames = st.builds(Frame, st.lists(colours, min_size=64, max_size=64).map(tuple), st.floats(0, 1))


@given(frame=frames, lights=st.sampled_from(KINDS), budget_ma=st.integers(64, 5000))
def test_no_frame_draws_more_than_the_budget(frame: Frame, lights: AnyLamps, budget_ma: int) -> None:
    plain = supply_of(lights)
    supply = Supply(
        budget_ma, plain.ma_per_lamp, plain.idle_ma, plain.in_rows, coloured=plain.coloured, steady=plain.steady
    )
    capped = supply.capped(frame)
    assert supply.draw_ma(capped) <= budget_ma + 1e-6
    assert len(capped.colours) == 64
    assert capped.level <= frame.level
    if supply.draw_ma(frame) <= budget_ma:
        assert capped is frame
    elif supply.steady:
        assert all(after in (before, BLACK) for before, after in zip(frame.colours, capped.colours, strict=True))
    else:
        assert capped.colours == frame.colours


def test_64_white_lamps_burn_a_supply_and_are_dimmed() -> None:
    supply = supply_of(Ws2812(brightness_percent=100))
    frame = Frame((WHITE,) * 64, 1.0)
    assert supply.draw_ma(frame) == 64 * 60 + 64
    capped = supply.capped(frame)
    assert capped.level == pytest.approx((1500 - 64) / 3840)


def test_a_colour_draws_its_share() -> None:
    assert supply_of(Ws2812()).draw_ma(Frame(((255, 0, 0), BLACK), 0.5)) == pytest.approx(2 + 10)


def test_of_lamps_lit_row_by_row_the_fullest_row_counts() -> None:
    lit = [BLACK] * 64
    lit[0] = lit[1] = lit[8] = WHITE
    assert supply_of(Ht16k33()).draw_ma(Frame(tuple(lit), 1.0)) == 40


def test_lamps_that_cannot_be_dimmed_stay_dark_when_there_are_too_many() -> None:
    supply = supply_of(ShiftLeds(budget_ma=12, ma_per_lamp=5))
    capped = supply.capped(Frame((WHITE, BLACK, WHITE, WHITE), 1.0))
    assert capped.colours == (WHITE, BLACK, WHITE, BLACK)


@pytest.mark.parametrize(
    ("begins", "ends", "minute", "night"),
    [
        ("21:00", "07:00", 21 * 60, True),
        ("21:00", "07:00", 21 * 60 - 1, False),
        ("21:00", "07:00", 0, True),
        ("21:00", "07:00", 7 * 60 - 1, True),
        ("21:00", "07:00", 7 * 60, False),
        ("01:00", "05:00", 60, True),
        ("01:00", "05:00", 300, False),
        ("01:00", "05:00", 59, False),
        ("08:00", "08:00", 480, False),
    ],
)
def test_the_night_may_go_past_midnight(begins: str, ends: str, minute: int, night: bool) -> None:
    assert is_night(Night(begins=begins, ends=ends), minute) is night


def test_brightness_follows_the_night() -> None:
    lights = Ws2812(brightness_percent=40, night=Night(brightness_percent=3))
    assert (brightness_percent(lights, 12 * 60), brightness_percent(lights, 23 * 60)) == (40, 3)
    assert brightness_percent(Ws2812(brightness_percent=40), 23 * 60) == 40


def test_a_profile_that_could_draw_too_much_is_warned_of() -> None:
    warning = warning_for(Ws2812(brightness_percent=100))
    assert warning is not None
    assert "3904 mA" in warning
    assert "1500" in warning
    assert warning_for(Ws2812(brightness_percent=30)) is None
    assert "stay dark" in str(warning_for(ShiftLeds(budget_ma=100)))
    assert warning_for(NoLights()) is None
