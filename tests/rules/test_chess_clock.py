"""The chess clock: each kind of control to the millisecond, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.clock import ChessClock, Period, TimeControl, Timing, parse_time_control
from rules.squares import Colour

W, B = Colour.WHITE, Colour.BLACK


def played(text: str, used_ms: Sequence[int]) -> ChessClock:
    """The clock after presses, each after so many milliseconds, White first."""
    clock, now_ms = ChessClock.fresh(parse_time_control(text)).start(W, 0), 0
    for used in used_ms:
        now_ms += used
        clock = clock.press(now_ms)
    return clock


@pytest.mark.parametrize(
    ("text", "used_ms", "white_ms", "black_ms"),
    [
        ("5+0", [10_000], 290_000, 300_000),
        ("5+0", [10_000, 1], 290_000, 299_999),
        ("5+3", [10_000], 293_000, 300_000),
        ("5+3", [1_000], 302_000, 300_000),
        ("5+3", [1_000, 2_500, 4_000], 301_000, 300_500),
        ("3 b2", [1_500], 180_000, 180_000),
        ("3 b2", [2_000], 180_000, 180_000),
        ("3 b2", [2_001], 179_999, 180_000),
        ("3 b2", [9_000, 500, 3_000], 172_000, 180_000),
        ("15 d10", [9_999], 900_000, 900_000),
        ("15 d10", [10_001], 899_999, 900_000),
        ("15 d10", [12_000, 30_000], 898_000, 880_000),
        ("hourglass 2", [10_000], 110_000, 130_000),
        ("hourglass 2", [10_000, 25_000], 135_000, 105_000),
        ("5+3 vs 3+1", [10_000, 10_000], 293_000, 171_000),
        ("2/1+2, 1/2+1, 3+0", [1_000, 0], 61_000, 62_000),
        ("2/1+2, 1/2+1, 3+0", [1_000, 0, 1_000, 0], 62_000 + 120_000, 64_000 + 120_000),
        ("2/1+2, 1/2+1, 3+0", [1_000, 0] * 3, 182_000 + 180_000, 185_000 + 180_000),
        ("2/1+2, 1/2+1, 3+0", [1_000, 0] * 4, 361_000, 365_000),
        ("2/1", [0] * 4, 120_000, 120_000),
        ("2/1", [0] * 8, 180_000, 180_000),
        ("2/1 d5, 1 d1", [0, 0, 0, 0, 3_000], 118_000, 120_000),
    ],
)
def test_controls_to_the_millisecond(text: str, used_ms: list[int], white_ms: int, black_ms: int) -> None:
    clock = played(text, used_ms)
    assert (clock.white.left_ms, clock.black.left_ms) == (white_ms, black_ms)
    assert clock.running is (B if len(used_ms) % 2 else W)


@pytest.mark.parametrize(
    ("text", "falls_ms"),
    [("1+0", 60_000), ("1+5", 60_000), ("1 b5", 60_000), ("1 d5", 65_000), ("hourglass 1", 60_000), ("2/1, 5", 60_000)],
)
def test_the_flag_falls_when_nothing_is_left(text: str, falls_ms: int) -> None:
    clock = ChessClock.fresh(parse_time_control(text)).start(W, 0)
    assert clock.flag_falls_ms() == falls_ms
    assert clock.at(falls_ms - 1).fallen is None
    assert clock.remaining_ms(W, falls_ms - 1) == 1
    fallen = clock.at(falls_ms)
    assert (fallen.fallen, fallen.white.left_ms, fallen.running, fallen.flag_falls_ms()) == (W, 0, None, None)
    assert clock.press(falls_ms - 1).fallen is None
    assert clock.press(falls_ms).fallen is W


def test_a_fallen_flag_stops_the_clock_for_both() -> None:
    fallen = ChessClock.fresh(parse_time_control("1+5")).start(W, 0).at(70_000)
    later = fallen.press(80_000).press(90_000).at(10**9)
    assert (later.white.left_ms, later.black.left_ms, later.fallen) == (0, 60_000, W)


def test_delay_begins_again_with_each_move_and_is_shown() -> None:
    clock = ChessClock.fresh(parse_time_control("1 d5")).start(W, 0)
    assert clock.delay_ms(W) == 5000
    assert clock.at(2000).delay_ms(W) == 3000
    assert clock.at(9000).delay_ms(W) == 0
    assert clock.at(9000).remaining_ms(W, 9000) == 56_000
    assert clock.press(9000).press(9100).delay_ms(W) == 5000


def test_nothing_runs_before_the_start() -> None:
    clock = ChessClock.fresh(parse_time_control("5+3"), 100)
    assert clock.at(10**6).white.left_ms == clock.press(10**6).white.left_ms == 300_000
    assert clock.running is None
    assert clock.flag_falls_ms() is None
    started = clock.start(W, 1000)
    assert started.start(B, 2000).running is W
    assert started.remaining_ms(W, 3000) == 298_000


def test_a_pause_is_nobodys_time() -> None:
    clock = ChessClock.fresh(parse_time_control("1 d5")).start(W, 0).pause(3000)
    assert (clock.running, clock.turn, clock.flag_falls_ms()) == (None, W, None)
    assert clock.remaining_ms(W, 10**6) == 60_000
    again = clock.resume(10**6)
    assert again.delay_ms(W) == 2000
    assert again.remaining_ms(W, 10**6 + 3000) == 59_000


def test_a_move_made_in_a_pause_counts_and_the_pause_goes_on() -> None:
    clock = ChessClock.fresh(parse_time_control("5+3")).start(W, 0).pause(1000).press(2000)
    assert (clock.turn, clock.running, clock.white.left_ms, clock.white.moves) == (B, None, 302_000, 1)


def test_the_arbiter_sets_and_gives() -> None:
    clock = ChessClock.fresh(parse_time_control("5+0")).start(W, 0)
    assert clock.adjust(B, 60_000, 1000).remaining_ms(B, 5000) == 60_000
    assert clock.adjust(W, 60_000, 1000).remaining_ms(W, 5000) == 56_000
    assert clock.give(B, 120_000, 1000).remaining_ms(B, 1000) == 420_000
    assert clock.give(B, -(10**9), 1000).remaining_ms(B, 1000) == 1
    assert clock.adjust(W, 5000, 10**6).running is W, "a flag that fell is up again"
    with pytest.raises(ValueError, match="1 to 359999000 ms, got 0"):
        clock.adjust(W, 0, 0)


def test_no_clock_shows_more_than_it_can() -> None:
    clock = ChessClock.fresh(parse_time_control("99h+60")).start(W, 0)
    assert clock.give(W, 10**9, 0).white.left_ms == 359_999_000
    assert clock.press(0).white.left_ms == 99 * 3_600_000 + 60_000


def test_a_move_taken_back_takes_its_bonus_and_the_opponents_time_back() -> None:
    before = ChessClock.fresh(parse_time_control("5+3")).start(W, 0).at(10_000)
    later = before.press(10_000).at(30_000)
    assert (later.white.left_ms, later.black.left_ms) == (293_000, 280_000)
    back = later.taken_back(before, 30_000)
    assert (back.white.left_ms, back.black.left_ms, back.running) == (290_000, 300_000, W)
    assert back.remaining_ms(W, 31_000) == 289_000
    assert back.white.moves == 0


def test_what_was_given_outlives_a_move_that_is_taken_back() -> None:
    before = ChessClock.fresh(parse_time_control("5+3")).start(W, 0).at(10_000)
    later = before.press(10_000).give(B, 120_000, 11_000).adjust(W, 100_000, 12_000)
    back = later.taken_back(before, 20_000)
    assert back.black.left_ms == 300_000 + 120_000
    assert back.white.left_ms == 290_000 - 193_000
    assert later.pause(13_000).taken_back(before, 20_000).running is None


def test_a_grace_is_nobodys_time_until_it_ends() -> None:
    clock = ChessClock.fresh(parse_time_control("5+3")).start(B, 0).press(1000, grace_ms=10_000)
    assert clock.running is W
    assert clock.remaining_ms(W, 11_000) == 300_000
    assert clock.remaining_ms(W, 12_000) == 299_000
    assert clock.flag_falls_ms() == 311_000
    assert clock.end_grace(4000).remaining_ms(W, 5000) == 299_000
    assert clock.end_grace(20_000).remaining_ms(W, 20_000) == 291_000
    assert clock.black.left_ms == 302_000


def test_an_act_for_a_time_that_is_past_counts_as_of_now() -> None:
    clock = ChessClock.fresh(parse_time_control("5+0")).start(W, 0).at(10_000)
    late = clock.press(4000)
    assert (late.white.left_ms, late.since_ms) == (290_000, 10_000)


def test_one_press_may_stand_for_several_moves() -> None:
    clock = ChessClock.fresh(parse_time_control("2/1+1, 2+1")).start(W, 0).press(1000, moves=2)
    assert (clock.white.moves, clock.white.left_ms) == (2, 59_000 + 1000 + 120_000)


# -- what holds for every clock


texts = st.sampled_from(
    ["5+3", "1+0", "3 b2", "1 d5", "hourglass 1", "3/1+1, 2/1+2, 1+0", "2/1", "5+3 vs 1+0", "2/1 d3, 1 d1", "0.1+0"]
)
acts = st.lists(
    st.tuples(
        st.sampled_from(["press", "pause", "resume", "give", "adjust", "look", "grace", "end-grace"]),
        st.integers(0, 30_000),
        st.sampled_from(Colour),
        st.integers(1, 200_000),
    ),
    max_size=25,
)


def acted(clock: ChessClock, act: str, now_ms: int, colour: Colour, ms: int) -> ChessClock:
    match act:
        case "press":
            return clock.press(now_ms)
        case "grace":
            return clock.press(now_ms, grace_ms=5000)
        case "end-grace":
            return clock.end_grace(now_ms)
        case "pause":
            return clock.pause(now_ms)
        case "resume":
            return clock.resume(now_ms)
        case "give":
            return clock.give(colour, ms, now_ms)
        case "adjust":
            return clock.adjust(colour, ms, now_ms)
        case _:
            return clock.at(now_ms)


@given(texts, acts)
def test_time_is_conserved(text: str, steps: list[tuple[str, int, Colour, int]]) -> None:
    """Only bonus, periods and an arbiter add; only the running side pays, and exactly the time that went by."""
    clock, now_ms = ChessClock.fresh(parse_time_control(text)).start(W, 0), 0
    for act, passed_ms, colour, ms in steps:
        before, now_ms = clock, now_ms + passed_ms
        waited = clock.at(now_ms)
        paid = before.running
        for side in Colour:
            used = before.side(side).left_ms - waited.side(side).left_ms
            thought = waited.side(side).thought_ms - before.side(side).thought_ms
            assert waited.side(side).left_ms >= 0
            if side is paid:
                assert 0 <= used <= thought <= passed_ms
                if before.control.timing is not Timing.DELAY and waited.fallen is None:
                    assert used == thought == max(0, now_ms - before.since_ms)
            elif before.control.timing is Timing.HOURGLASS and paid is not None:
                assert used == waited.side(paid).left_ms - before.side(paid).left_ms
            else:
                assert used == thought == 0
        clock = acted(clock, act, now_ms, colour, ms)
        assert clock.fallen is None or clock.running is None
        for side in Colour:
            gained = clock.side(side).left_ms - waited.side(side).left_ms
            if act in ("look", "pause", "resume", "end-grace") and now_ms >= before.since_ms:
                assert gained == 0
            if act in ("press", "grace"):
                assert gained >= 0
                assert gained == 0 or (side is before.turn and waited.fallen is None)
            if act == "give":
                assert gained == (ms if side is colour else 0)


@given(texts, acts, st.lists(st.integers(0, 60_000), max_size=8))
def test_it_does_not_matter_how_often_it_is_looked_at(
    text: str, steps: list[tuple[str, int, Colour, int]], looks: list[int]
) -> None:
    clock, now_ms = ChessClock.fresh(parse_time_control(text)).start(W, 0), 0
    for act, passed_ms, colour, ms in steps:
        now_ms += passed_ms
        clock = acted(clock, act, now_ms, colour, ms)
    looked, at_ms = clock, clock.since_ms
    for look in looks:
        at_ms += look
        looked = looked.at(at_ms)
    assert looked == clock.at(at_ms)
    assert looked.flag_falls_ms() in (clock.flag_falls_ms(), None)


@given(texts, st.lists(st.integers(0, 20_000), max_size=30))
def test_a_remaining_time_never_rises_while_nobody_acts(text: str, used: list[int]) -> None:
    clock = played(text, used)
    shown = (
        [clock.remaining_ms(clock.running, clock.since_ms + step) for step in range(0, 400_000, 7919)]
        if (clock.running) is not None
        else []
    )
    assert shown == sorted(shown, reverse=True)
    falls_ms = clock.flag_falls_ms()
    if falls_ms is not None:
        assert clock.at(falls_ms).fallen is clock.running
        assert clock.at(falls_ms - 1).fallen is None


@given(st.integers(1, 60_000), st.integers(1, 20_000), st.lists(st.integers(0, 40_000), min_size=1, max_size=20))
def test_bronstein_and_delay_leave_the_same_while_no_flag_falls(base: int, bonus: int, used: list[int]) -> None:
    """They differ only in what is shown during a move, and in the last moment."""
    left = []
    for timing in (Timing.BRONSTEIN, Timing.DELAY):
        clock = ChessClock.fresh(TimeControl((Period(base + 10**6, None, bonus),), timing)).start(W, 0)
        now_ms = 0
        for step in used:
            now_ms += step
            clock = clock.press(now_ms)
        left.append((clock.white.left_ms, clock.black.left_ms, clock.fallen))
    assert left[0] == left[1]


@given(st.lists(st.integers(0, 9_000), max_size=40))
def test_an_hourglass_keeps_its_sand(used: list[int]) -> None:
    clock = played("hourglass 5", used)
    assert clock.white.left_ms + clock.black.left_ms == 600_000
