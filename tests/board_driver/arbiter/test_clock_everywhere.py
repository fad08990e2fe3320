"""The chess clock changes no ruling, and whatever hands do, it neither loses nor makes time."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies

from board_driver.arbiter import Arbiter
from board_driver.events import ClockAct, Clocked, Ended, Event
from board_driver.mind import ClockStart, Settings, TouchRule
from board_driver.scan import Button, ButtonName, Input, Occupancy, Press, Scan, Sensing
from board_driver.sensorlog.lines import parse_line
from rules.clock import TimeControl, Timing, parse_time_control
from rules.fen import START_FEN, parse_fen
from rules.squares import Colour
from tests.board_driver.arbiter.hands import log_of, read_cases
from tests.board_driver.arbiter.hands import settings as play

CASES = read_cases("casebook.jsonl")
LONG = parse_time_control("10h+0")


def judged(case: dict[str, Any], timed: bool) -> dict[str, Any]:
    """The summary of a casebook case, with a chess clock (that runs from the beginning, as in all cases) or without."""
    setup = play(case["fen"], ruleset=case["ruleset"], clock="clock" in case)
    arbiter = Arbiter(replace(setup, time_control=LONG if timed else None, clock_start=ClockStart.AT_ONCE))
    now_ms = 0
    for fields in log_of(case, {"start_fen": case["fen"]}, presses=case.get("clock", ()))[1:]:
        item = parse_line(fields, Sensing.OCCUPANCY)
        assert item is not None
        arbiter.receive(item)
        now_ms = item.t_ms
    arbiter.advance(now_ms + 12_000)
    return arbiter.summary()


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_a_clock_changes_no_ruling_and_gives_what_is_ruled(case: dict[str, Any]) -> None:
    without, found = judged(case, timed=False), judged(case, timed=True)
    clock = found.pop("clock")
    assert found == without
    for colour in Colour:
        bonus_ms = found.get("bonus_ms", {}).get(colour.word, 0)
        left_ms = clock[f"{colour.word}_ms"] - LONG.periods[0].base_ms - bonus_ms
        assert -200_000 <= left_ms <= 0
    if found["result"] is not None:
        assert clock["running"] is None


# -- random hands


CONTROLS = ["5+3", "0.2+0", "0.1+1", "3 b2", "0.2 d2", "hourglass 1", "2/1+1, 1+0", "1+0 vs 5+3"]
STEPS = strategies.lists(
    strategies.tuples(
        strategies.sampled_from(["square", "square", "square", "move", "move", "white", "black", "button"]),
        strategies.sampled_from([5, 60, 250, 700, 700, 4000, 15_000]),
        strategies.integers(0, 63),
        strategies.sampled_from(
            [
                *[(ButtonName.PAUSE, value) for value in (None, "on", "off", "white", "interrupted")],
                *[(ButtonName.TIME, value) for value in ("white 5000", "black +60000", "black -60000")],
                *[(ButtonName.TAKEBACK, value) for value in ("white", "black")],
                *[(ButtonName.PROMOTE, "n"), (ButtonName.CLAIM, "white"), (ButtonName.RESIGN, "black")],
            ]
        ),
    ),
    max_size=40,
)
FENS = [START_FEN, "3r2k1/4P3/8/8/8/8/1p4PP/R3K3 w Q - 0 1", "4r1k1/8/8/8/8/5n2/8/R3K3 w Q - 0 1"]


def inputs_of(fen: str, steps: list[tuple[str, int, int, tuple[ButtonName, str | None]]]) -> list[Input]:
    """What those hands send; `move` is the first legal move that moves one man, by some number."""
    position = parse_fen(fen)
    occupied, t_ms = position.occupied, 0
    items: list[Input] = [Scan(0, Occupancy(occupied))]
    for kind, wait_ms, number, (name, value) in steps:
        t_ms += wait_ms
        match kind:
            case "square":
                occupied ^= 1 << number
                items.append(Scan(t_ms, Occupancy(occupied)))
            case "move":
                moves = [m for m in position.legal_moves() if not occupied >> m.landing & 1 and not m.is_castling]
                if moves:
                    move = moves[number % len(moves)]
                    for bit in (1 << move.origin, 1 << move.landing):
                        t_ms += 400
                        occupied ^= bit
                        items.append(Scan(t_ms, Occupancy(occupied)))
                    position = position.play(move)
            case "button":
                items.append(Button(t_ms, name, value))
            case _:
                items.append(Press(t_ms, Colour.WHITE if kind == "white" else Colour.BLACK))
    return items


def check(events: list[Event], control: TimeControl) -> None:
    """What holds for every clock that is told of."""
    told = [event for event in events if isinstance(event, Clocked)]
    most_ms = 3000 + max(period.base_ms for period in control.periods)
    steady = control.timing is not Timing.HOURGLASS
    for before, after in pairwise(told):
        assert after.t_ms >= before.t_ms
        assert min(after.white_ms, after.black_ms) >= 0
        for colour in Colour:
            gained = getattr(after, f"{colour.word}_ms") - getattr(before, f"{colour.word}_ms")
            if gained > 0 and steady and after.act in (ClockAct.PAUSE, ClockAct.RESUME, ClockAct.FLAG):
                raise AssertionError(f"{after.act} gave {colour.word} {gained} ms")
            if after.act in (ClockAct.PRESS, ClockAct.MOVE, ClockAct.PROMOTION) and steady:
                assert gained <= most_ms, after
                assert gained <= 0 or after.colour is colour
    flags = [event for event in told if event.act is ClockAct.FLAG]
    ends = [event for event in events if isinstance(event, Ended) and event.reason.startswith("flag")]
    assert len(flags) == len(ends)
    for flag in flags:
        assert flag.running is None
        assert flag.colour is not None
        assert getattr(flag, f"{flag.colour.word}_ms") == 0


setups = strategies.builds(
    lambda fen, control, presses, touch, start: play(
        fen, touch=touch, clock=presses, time_control=parse_time_control(control), clock_start=start
    ),
    strategies.sampled_from(FENS),
    strategies.sampled_from(CONTROLS),
    strategies.booleans(),
    strategies.sampled_from(TouchRule),
    strategies.sampled_from(ClockStart),
)


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60, deadline=None)
@given(setups, STEPS, strategies.integers(1, 997))
def test_whatever_hands_do_time_is_kept_and_looking_changes_nothing(
    setup: Settings, steps: list[tuple[str, int, int, tuple[ButtonName, str | None]]], look_ms: int
) -> None:
    looked_at, left_alone = Arbiter(setup), Arbiter(setup)
    items = inputs_of(setup.start_fen, steps)
    end_ms = items[-1].t_ms + 5000
    events: list[Event] = []
    now_ms = 0
    for item in items:
        for moment in range(now_ms, item.t_ms, max(look_ms, (item.t_ms - now_ms) // 20)):
            events += looked_at.advance(moment)
        events += looked_at.receive(item)
        now_ms = item.t_ms
    events += looked_at.advance(end_ms)
    assert setup.time_control is not None
    check(events, setup.time_control)
    alone: list[Event] = []
    for item in items:
        alone += left_alone.receive(item)
    alone += left_alone.advance(end_ms)
    assert alone == events
    assert left_alone.summary() == looked_at.summary()
    clock = left_alone.summary()["clock"]
    assert isinstance(clock, dict)
    assert clock["running"] is None or not clock["paused"]
