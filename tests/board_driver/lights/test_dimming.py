"""Brightness set by hand: it counts at once and at any hour, and the budget still holds."""

from __future__ import annotations

import pytest

from board_driver.boards.seriallamps import lamps_of
from board_driver.lights.pacing import Pacing
from board_driver.lights.picture import Meaning
from board_driver.profile.lights import Night, Ws2812
from firmware_bridge.messages import Lamp

PICTURE = {12: Meaning.DESTINATION}
NOON, MIDNIGHT = 12 * 60, 0


@pytest.mark.parametrize("minute", [NOON, MIDNIGHT])
def test_what_is_set_by_hand_counts_at_any_hour(minute: int) -> None:
    pacing = Pacing(Ws2812(brightness_percent=30, night=Night(brightness_percent=5)), range(64), 0)
    by_profile = pacing.begin(PICTURE, 0, minute).level
    assert by_profile == (0.3 if minute == NOON else 0.05)
    pacing.percent = 70
    frame = pacing.step(10, minute)
    assert frame is not None
    assert frame.level == 0.7
    pacing.percent = None
    frame = pacing.step(20, minute)
    assert frame is not None
    assert frame.level == by_profile


def test_the_budget_holds_whatever_is_set_by_hand() -> None:
    pacing = Pacing(Ws2812(budget_ma=70, ma_per_lamp=60), range(64), 0)
    pacing.percent = 100
    assert pacing.begin(dict.fromkeys(range(64), Meaning.DESTINATION), 0, NOON).level < 0.05


def test_lamps_behind_a_wire_are_told_darker_colours_that_are_still_on() -> None:
    bright, dim = lamps_of(PICTURE)[12], lamps_of(PICTURE, 1)[12]
    assert dim == Lamp(0, 3, 1, bright.slots)
    assert lamps_of({3: Meaning.LAST_MOVE}, 1)[3].blue == 1
