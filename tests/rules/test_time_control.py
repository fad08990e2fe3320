"""Time controls as people and as PGN write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.clock import (
    Period,
    TimeControl,
    TimeControlError,
    Timing,
    parse_pgn_time_control,
    parse_time_control,
    pgn_time_control,
    time_control_tags,
    write_time_control,
)
from rules.squares import Colour

MINUTE = 60_000
FORTY = TimeControl((Period(90 * MINUTE, 40, 30_000), Period(30 * MINUTE, None, 30_000)))
ODDS = TimeControl((Period(5 * MINUTE, None, 3000),), black_periods=(Period(3 * MINUTE),))


def simple(minutes: float, seconds: float = 0, timing: Timing = Timing.INCREMENT) -> TimeControl:
    return TimeControl((Period(int(minutes * MINUTE), None, int(seconds * 1000)),), timing)


READ = {
    "5+3": simple(5, 3),
    "  5 +  3 ": simple(5, 3),
    "90+30": simple(90, 30),
    "5": simple(5),
    "G/5": simple(5),
    "g/60;d5": simple(60, 5, Timing.DELAY),
    "40/90+30, 30+30": FORTY,
    "40/90+30 then 30+30": FORTY,
    "40/90, 30, +30": FORTY,
    "40/90, SD/30; +30": FORTY,
    "40/120": TimeControl((Period(120 * MINUTE, 40),)),
    "15 d10": simple(15, 10, Timing.DELAY),
    "15 delay 10": simple(15, 10, Timing.DELAY),
    "15d10": simple(15, 10, Timing.DELAY),
    "3 b2": simple(3, 2, Timing.BRONSTEIN),
    "3 Bronstein 2": simple(3, 2, Timing.BRONSTEIN),
    "hourglass 2": simple(2, 0, Timing.HOURGLASS),
    "Hourglass 90s": simple(1.5, 0, Timing.HOURGLASS),
    "5+3 vs 3+0": ODDS,
    "5+3 | 3": ODDS,
    "1h30m + 30s": simple(90, 30),
    "90 minutes + 30 seconds": simple(90, 30),
    "5 min + 3 sec": simple(5, 3),
    "2'30\" + 1": simple(2.5, 1),
    "0.5+1": simple(0.5, 1),
    "3+1.5": simple(3, 1.5),
    "300+3": simple(5, 3),
    "180+2": simple(3, 2),
    "40/5400+30:1800+30": FORTY,
    "40/7200": TimeControl((Period(120 * MINUTE, 40),)),
    "*120": simple(2, 0, Timing.HOURGLASS),
    "900+10d": simple(15, 10, Timing.DELAY),
    "5 d0": simple(5),
}


@pytest.mark.parametrize("text", READ)
def test_what_people_write_is_read(text: str) -> None:
    assert parse_time_control(text) == READ[text]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there is no time"),
        ("5+x", "'5+x' is no time with its bonus"),
        ("5+", "'5+' is no time with its bonus"),
        ("five", "'five' is no time with its bonus"),
        ("-5", "'-5' is no time with its bonus"),
        ("0+1", "more than nothing"),
        ("100h", "less than 100 hours"),
        ("5+2h", "at most an hour"),
        ("0/5", "1 to 999 moves"),
        ("1000/5", "1 to 999 moves"),
        ("5+3, 3+0", "for how many moves"),
        ("5+3, d4", "'d4' is no time with its bonus"),
        ("40/90+30, 30 d5", "one kind of bonus"),
        ("5+3 vs hourglass 3", "one kind of bonus"),
        ("1 vs 2 vs 3", "two sides"),
        ("hourglass", "there is no time"),
        ("hourglass 2+1", "'2+1' is no time"),
        ("3 b2d", "says twice"),
        ("0.00001+1", "finer than a thousandth"),
        ("99999999999", "too much"),
        (",".join(["1/1"] * 10), "at most 9 periods"),
        ("?", "'?' is no time"),
        ("40/x:30", "expected seconds such as"),
        ("١+٢", "is no time"),
    ],
)
def test_what_cannot_be_read_is_told_precisely(text: str, why: str) -> None:
    with pytest.raises(TimeControlError) as caught:
        parse_time_control(text)
    message = str(caught.value)
    assert why in message
    assert message.startswith("expected a time control such as 5+3")
    assert repr(text) in message
    assert "\n" not in message


def test_a_text_without_end_is_not_repeated() -> None:
    with pytest.raises(TimeControlError, match="a text of 100000 characters"):
        parse_time_control("5" * 100_000)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("5", "5+0"),
        ("300+3", "5+3"),
        ("40/90, 30, +30", "40/90+30, 30+30"),
        ("15 delay 10", "15 d10"),
        ("3 b2", "3 b2"),
        ("sandclock 2", "hourglass 2"),
        ("90s+1", "90s+1"),
        ("3h", "180m+0"),
        ("5|3", "5+0 vs 3+0"),
    ],
)
def test_controls_are_written_for_people(text: str, written: str) -> None:
    assert write_time_control(parse_time_control(text)) == written


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("5+3", "300+3"),
        ("5", "300"),
        ("40/90, 30, +30", "40/5400+30:1800+30"),
        ("40/120, 20/60, 15+30", "40/7200:20/3600:900+30"),
        ("15 d10", "900+10d"),
        ("3 b2", "180+2b"),
        ("hourglass 2", "*120"),
        ("0.5+1.5", "30+1.5"),
    ],
)
def test_pgn_tells_what_ran(text: str, tag: str) -> None:
    control = parse_time_control(text)
    assert time_control_tags(control) == {"TimeControl": tag}
    assert parse_pgn_time_control(tag) == control


def test_odds_have_a_tag_for_each_side() -> None:
    assert time_control_tags(ODDS) == {"WhiteTimeControl": "300+3", "BlackTimeControl": "180"}


def test_pgn_seconds_stay_seconds_however_few() -> None:
    assert parse_pgn_time_control("60+1") == simple(1, 1)
    assert parse_time_control("60+1") == simple(60, 1)


# -- any control


milliseconds = st.one_of(
    st.integers(1, 359_999).map(lambda s: s * 1000),
    st.integers(1, 5999).map(lambda m: m * MINUTE),
    st.integers(1, 10**7),
)
bonuses = st.one_of(st.just(0), st.integers(0, 60).map(lambda s: s * 1000), st.integers(0, 3_600_000))


@st.composite
def sides(draw: st.DrawFn, timing: Timing) -> tuple[Period, ...]:
    if timing is Timing.HOURGLASS:
        return (Period(draw(milliseconds)),)
    count = draw(st.integers(1, 4))
    numbers = [draw(st.integers(1, 999)) for _ in range(count - 1)] + [draw(st.none() | st.integers(1, 999))]
    return tuple(Period(draw(milliseconds), moves, draw(bonuses)) for moves in numbers)


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    timing = draw(st.sampled_from(Timing))
    white = draw(sides(timing))
    black = draw(st.just(()) | sides(timing))
    bonus = any(period.bonus_ms for period in white + black)
    if timing in (Timing.BRONSTEIN, Timing.DELAY) and not bonus:
        timing = Timing.INCREMENT
    return TimeControl(white, timing if timing is Timing.HOURGLASS or bonus else Timing.INCREMENT, black)


@given(controls())
def test_what_is_written_is_read_back(control: TimeControl) -> None:
    assert parse_time_control(write_time_control(control)) == control


@given(controls())
def test_each_side_survives_its_pgn_tag(control: TimeControl) -> None:
    for colour in Colour:
        told = parse_pgn_time_control(pgn_time_control(control, colour))
        assert told.periods == control.of(colour)
        if any(period.bonus_ms for period in control.of(colour)) or control.timing is Timing.HOURGLASS:
            assert told.timing is control.timing


@given(st.text(max_size=30) | st.text("0123456789+/:,;dbh .*|vs?-", max_size=20))
def test_any_text_is_a_control_or_a_message(text: str) -> None:
    try:
        control = parse_time_control(text)
    except TimeControlError:
        return
    assert parse_time_control(write_time_control(control)) == control


@given(controls(), st.sampled_from(Colour), st.integers(0, 200))
def test_base_times_come_where_periods_change(control: TimeControl, colour: Colour, moves: int) -> None:
    if not control.base_after_ms(colour, moves + 1):
        assert control.period(colour, moves + 1) == control.period(colour, moves)
    else:
        assert control.base_after_ms(colour, moves + 1) == control.period(colour, moves + 1).base_ms
