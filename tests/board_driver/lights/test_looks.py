"""Every meaning can be told from every other, by rhythm alone."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.lights.looks import LOOKS, PERIOD_MS, SLOT_MS, SLOTS, coloured, next_change_ms, plain, strongest
from board_driver.lights.picture import DARK, Meaning

ALL = list(Meaning)
PAIRS = list(combinations(ALL, 2))
pictures = st.dictionaries(st.integers(0, 63), st.sampled_from(ALL))
phases = st.integers(0, 10 * PERIOD_MS)


def flashes_and_gaps(rhythm: tuple[bool, ...]) -> tuple[list[int], list[int]]:
    """Lengths in one period, wherever the period is cut; a light that never goes off has no flash and no gap."""
    start = next((i for i in range(SLOTS) if rhythm[i] and not rhythm[i - 1]), None)
    if start is None:
        return [], []
    turned = "".join("#" if on else "." for on in rhythm[start:] + rhythm[:start])
    return [len(run) for run in turned.split(".") if run], [len(run) for run in turned.split("#") if run]


def much_longer(a: list[int], b: list[int]) -> bool:
    return max(a) >= 2 * max(b) or max(b) >= 2 * max(a)


def test_every_meaning_has_a_look_and_a_priority_of_its_own() -> None:
    assert set(LOOKS) == set(ALL)
    assert len({look.priority for look in LOOKS.values()}) == len(ALL)
    assert all(any(look.rhythm) for look in LOOKS.values())


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_rhythms_differ_however_they_are_shifted(one: Meaning, other: Meaning) -> None:
    """Nobody sees where a period begins."""
    a, b = LOOKS[one].rhythm, LOOKS[other].rhythm
    closest = min(sum(x != y for x, y in zip(a, b[shift:] + b[:shift], strict=True)) for shift in range(SLOTS))
    assert closest * SLOT_MS >= 100


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_rhythms_differ_in_what_the_eye_counts_or_measures(one: Meaning, other: Meaning) -> None:
    """Another number of flashes, or the longest flash or the longest gap at least twice as long."""
    a_flashes, a_gaps = flashes_and_gaps(LOOKS[one].rhythm)
    b_flashes, b_gaps = flashes_and_gaps(LOOKS[other].rhythm)
    assert len(a_flashes) != len(b_flashes) or much_longer(a_flashes, b_flashes) or much_longer(a_gaps, b_gaps)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_colours_differ(one: Meaning, other: Meaning) -> None:
    distance = sum(abs(x - y) for x, y in zip(LOOKS[one].colour, LOOKS[other].colour, strict=True))
    assert distance >= 40


@given(picture=pictures, phase_ms=phases)
def test_colour_and_one_colour_lights_are_on_together(picture: dict[int, Meaning], phase_ms: int) -> None:
    lit = coloured(picture, phase_ms)
    assert plain(picture, phase_ms) == sum(1 << square for square in lit)
    assert lit.items() <= {square: LOOKS[meaning].colour for square, meaning in picture.items()}.items()


@given(picture=pictures, phase_ms=phases)
def test_nothing_changes_before_the_next_change(picture: dict[int, Meaning], phase_ms: int) -> None:
    now = plain(picture, phase_ms)
    change_ms = next_change_ms(picture, phase_ms)
    if change_ms is None:
        assert all(plain(picture, phase_ms + step) == now for step in range(0, PERIOD_MS, SLOT_MS))
    else:
        assert phase_ms < change_ms <= phase_ms + PERIOD_MS
        assert plain(picture, change_ms - 1) == now
        assert plain(picture, change_ms) != now


def test_a_dark_picture_and_a_steady_one_stand_still() -> None:
    assert plain(DARK, 0) == 0
    assert next_change_ms(DARK, 0) is None
    assert next_change_ms({12: Meaning.DESTINATION}, 250) is None


def test_what_is_wrong_is_shown_before_what_is_possible() -> None:
    assert strongest([Meaning.DESTINATION, Meaning.TAKE_AWAY, Meaning.LAST_MOVE]) is Meaning.TAKE_AWAY
    assert strongest([Meaning.LAST_MOVE, Meaning.CAPTURE]) is Meaning.CAPTURE
