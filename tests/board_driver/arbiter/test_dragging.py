"""A man dragged on after its release: the next sensor may close before its own opens, and the ruling is the same."""

from __future__ import annotations

import pytest

from board_driver.arbiter import Arbiter
from board_driver.events import Irregular, Revised
from board_driver.mind import Mode, Settings, TouchRule
from board_driver.scan import Occupancy, Scan
from rules.squares import parse_square

START = 0xFFFF00000000FFFF


def run(touch: TouchRule, overlap_ms: int, on: str) -> tuple[Arbiter, list[object]]:
    """d2 goes to d3, rests, and is dragged on; for `overlap_ms` both squares read filled (negative: neither)."""
    arbiter = Arbiter(Settings(mode=Mode.PLAY, touch=touch))
    occupied, events = START, []
    steps = [(0, ""), (1000, "d2"), (2000, "d3"), (2600, on), (2600 + overlap_ms, "d3"), (6000, "g7"), (6500, "g6")]
    for t_ms, square in sorted(steps):
        if square:
            occupied ^= 1 << parse_square(square)
        events += arbiter.receive(Scan(t_ms, Occupancy(occupied)))
    events += arbiter.advance(20_000)
    return arbiter, events


@pytest.mark.parametrize("overlap_ms", [-150, -40, 0, 40, 100, 190])
@pytest.mark.parametrize("on", ["d4", "e3", "c3"])
def test_what_was_released_stands_in_strict_play(overlap_ms: int, on: str) -> None:
    arbiter, events = run(TouchRule.STRICT, overlap_ms, on)
    ruled = [event for event in events if isinstance(event, Irregular)]
    assert [(event.why, event.square) for event in ruled] == [("released", parse_square(on))]
    assert arbiter.summary()["moves"] == ["d3", "g6"]
    assert arbiter.summary()["restore"] == {"lift": [on], "place": ["d3"]}


@pytest.mark.parametrize("overlap_ms", [-150, -40, 0, 40, 100, 190])
def test_the_ply_is_revised_in_friendly_play(overlap_ms: int) -> None:
    arbiter, events = run(TouchRule.FRIENDLY, overlap_ms, "d4")
    assert not [event for event in events if isinstance(event, Irregular)]
    assert [(event.was, event.now) for event in events if isinstance(event, Revised)] == [("d2d3", "d2d4")]
    assert arbiter.summary()["moves"] == ["d4", "g6"]
