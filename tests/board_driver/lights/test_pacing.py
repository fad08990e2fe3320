"""When frames are written: at once, at changes, and once a second."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.lights.lamps import BLACK, Frame
from board_driver.lights.looks import LOOKS, SLOT_MS, SLOTS
from board_driver.lights.pacing import REFRESH_MS, Pacing
from board_driver.lights.picture import DARK, Meaning, Picture
from board_driver.profile.lights import Night, Place, Ws2812
from board_driver.profile.words import Order

SECONDS = 16


def frames_of(pacing: Pacing, picture: Picture, until_ms: int, began_ms: int = 0) -> list[tuple[int, Frame]]:
    """All frames of a picture with their times, by a shell that wakes when it is told to."""
    now_ms = began_ms
    out = [(now_ms, pacing.begin(picture, now_ms, 0))]
    while (due_ms := pacing.due_ms(now_ms)) < until_ms:
        assert due_ms > now_ms
        now_ms = due_ms
        frame = pacing.step(now_ms, 0)
        if frame is not None:
            out.append((now_ms, frame))
    return out


def pacing_of(place: Place = Place.SQUARES, lights: Ws2812 | None = None) -> Pacing:
    return Pacing(lights or Ws2812(place=place), range(place.lamps), 0)


def test_a_picture_that_stands_still_costs_one_frame_a_second() -> None:
    for picture in (DARK, {28: Meaning.DESTINATION}):
        times = [t_ms for t_ms, _ in frames_of(pacing_of(), picture, 1000 * SECONDS)]
        assert times == list(range(0, 1000 * SECONDS, REFRESH_MS))


@pytest.mark.parametrize("meaning", list(Meaning))
def test_a_rhythm_costs_a_frame_for_each_of_its_changes_and_no_more_than_the_refresh(meaning: Meaning) -> None:
    rhythm = LOOKS[meaning].rhythm
    changes = sum(rhythm[n] != rhythm[n - 1] for n in range(SLOTS))
    found = frames_of(pacing_of(), {9: meaning}, SLOTS * SLOT_MS * 10)
    at_changes = [t for (t, frame), (_, before) in zip(found[1:], found, strict=False) if frame != before]
    assert len(at_changes) in (changes * 10, changes * 10 - 1)
    assert len(found) <= changes * 10 + SLOTS * SLOT_MS * 10 // REFRESH_MS + 1
    assert all(t_ms % SLOT_MS == 0 for t_ms in at_changes)


@given(
    picture=st.dictionaries(st.integers(0, 63), st.sampled_from(list(Meaning)), max_size=12),
    place=st.sampled_from(list(Place)),
    glitch_ms=st.integers(0, 9_000),
)
def test_a_glitch_heals_within_a_second(picture: dict[int, Meaning], place: Place, glitch_ms: int) -> None:
    """LED-05: frames are whole, and whenever the lamps show something wrong, a whole frame comes within a second."""
    found = frames_of(pacing_of(place), picture, 12_000)
    assert all(len(frame.colours) == place.lamps for _, frame in found)
    assert any(glitch_ms < t_ms <= glitch_ms + REFRESH_MS for t_ms, _ in found)


@given(
    one=st.dictionaries(st.integers(0, 63), st.sampled_from(list(Meaning)), max_size=12),
    other=st.dictionaries(st.integers(0, 63), st.sampled_from(list(Meaning)), max_size=12),
)
def test_nothing_of_an_earlier_picture_remains(one: dict[int, Meaning], other: dict[int, Meaning]) -> None:
    """LED-06."""
    pacing = pacing_of()
    frames_of(pacing, one, 777)
    after = [frame for _, frame in frames_of(pacing, other, 3_000, began_ms=777)]
    assert after == [frame for _, frame in frames_of(pacing_of(), other, 3_000 - 777)]


def test_led_01_error_lights_are_steady_while_on_and_gone_with_the_picture() -> None:
    pacing = pacing_of()
    assert all(frame.colours[28] != BLACK for _, frame in frames_of(pacing, {28: Meaning.DESTINATION}, 5_000))
    assert set(pacing.begin(DARK, 5_000, 0).colours) == {BLACK}


def test_dusk_dims_a_picture_that_stands_still() -> None:
    pacing = pacing_of(lights=Ws2812(brightness_percent=50, night=Night(brightness_percent=4)))
    assert pacing.begin({0: Meaning.DESTINATION}, 0, 20 * 60 + 59).level == 0.5
    dusk = pacing.step(1000, 21 * 60)
    assert dusk is not None
    assert dusk.level == 0.04


def test_lamps_are_in_the_order_of_the_wires() -> None:
    pacing = Pacing(Ws2812(order=Order()), range(63, -1, -1), 0)
    frame = pacing.begin({0: Meaning.DESTINATION}, 0, 0)
    assert [n for n, colour in enumerate(frame.colours) if colour != BLACK] == [63]


def test_a_picture_that_must_be_dimmed_is_warned_of_once() -> None:
    pacing = pacing_of(lights=Ws2812(brightness_percent=100, budget_ma=200))
    assert pacing.take_warning() == ""
    for _ in range(2):
        pacing.begin(dict.fromkeys(range(64), Meaning.DESTINATION), 0, 0)
    warning = pacing.take_warning()
    assert "200" in warning
    assert "dimmed" in warning
    pacing.begin(dict.fromkeys(range(64), Meaning.DESTINATION), 0, 0)
    assert pacing.take_warning() == ""
