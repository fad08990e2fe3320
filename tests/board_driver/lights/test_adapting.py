"""What lamps in other places make of a picture."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.lights.adapting import TURN_MS, Show, corners_of, edges_of, turns_of
from board_driver.lights.lamps import BLACK
from board_driver.lights.looks import LOOKS, PERIOD_MS, coloured
from board_driver.lights.picture import DARK, Meaning
from board_driver.profile.lights import Place
from rules.squares import parse_square

pictures = st.dictionaries(st.integers(0, 63), st.sampled_from(list(Meaning)), max_size=30)
phases = st.integers(0, 10 * PERIOD_MS)
places = st.sampled_from(list(Place))


def squares(names: str) -> set[int]:
    return {parse_square(name) for name in names.split()}


def on(show: Show, phase_ms: int) -> set[int]:
    return {n for n, colour in enumerate(show.colours(phase_ms)) if colour != BLACK}


@given(picture=pictures, phase_ms=phases)
def test_lamps_under_squares_show_the_picture_as_it_is(picture: dict[int, Meaning], phase_ms: int) -> None:
    shown = Show(picture, Place.SQUARES).colours(phase_ms)
    assert {n: colour for n, colour in enumerate(shown) if colour != BLACK} == coloured(picture, phase_ms)


@given(picture=pictures, place=places)
def test_turns_leave_nothing_out_and_begin_with_the_strongest(picture: dict[int, Meaning], place: Place) -> None:
    turns = turns_of(picture, place)
    together = {square: meaning for turn in turns for square, meaning in turn.items()}
    strongest = max((LOOKS[meaning].priority for meaning in picture.values()), default=None)
    if place is Place.STATUS:
        assert [LOOKS[meaning].priority for meaning in together.values()] == ([] if strongest is None else [strongest])
        return
    assert together == picture
    assert sum(map(len, turns)) == len(picture)
    assert not turns or any(LOOKS[meaning].priority == strongest for meaning in turns[0].values())


@given(picture=pictures)
def test_no_turn_of_corners_lights_a_square_that_is_not_in_it(picture: dict[int, Meaning]) -> None:
    for turn in turns_of(picture, Place.CORNERS):
        lit = {corner for square in turn for corner in corners_of(square)}
        assert {square for square in range(64) if lit >= set(corners_of(square))} == set(turn)


def test_two_squares_with_one_between_them_get_turns_of_their_own() -> None:
    picture = dict.fromkeys(squares("a1 c1"), Meaning.DESTINATION)
    assert [set(turn) for turn in turns_of(picture, Place.CORNERS)] == [squares("a1"), squares("c1")]


def test_a_pawns_two_steps_share_corners_and_are_shown_at_once() -> None:
    picture = dict.fromkeys(squares("e3 e4"), Meaning.DESTINATION)
    assert [set(turn) for turn in turns_of(picture, Place.CORNERS)] == [squares("e3 e4")]


def test_a_corner_shows_the_strongest_of_those_that_are_on() -> None:
    a1, b1 = 0, 1
    show = Show({a1: Meaning.DESTINATION, b1: Meaning.TAKE_AWAY}, Place.CORNERS)
    shared = set(corners_of(a1)) & set(corners_of(b1))
    assert {show.colours(0)[corner] for corner in shared} == {LOOKS[Meaning.TAKE_AWAY].colour}
    assert {show.colours(100)[corner] for corner in shared} == {LOOKS[Meaning.DESTINATION].colour}


@given(picture=pictures.filter(bool), phase_ms=phases)
def test_edges_show_one_square_at_a_time(picture: dict[int, Meaning], phase_ms: int) -> None:
    lit = on(Show(picture, Place.EDGES), phase_ms)
    assert not lit or any(lit == set(edges_of(square)) for square in picture)


def test_edges_come_to_every_square_in_turn() -> None:
    picture = dict.fromkeys(squares("e3 e4 c3"), Meaning.DESTINATION)
    show = Show(picture, Place.EDGES)
    seen = [frozenset(on(show, turn * TURN_MS)) for turn in range(6)]
    assert set(seen[:3]) == {frozenset(edges_of(square)) for square in picture}
    assert seen[3:] == seen[:3]


@pytest.mark.parametrize("meaning", list(Meaning))
def test_in_a_turn_the_whole_rhythm_runs_through_at_double_speed(meaning: Meaning) -> None:
    show = Show({3: meaning, 60: meaning}, Place.EDGES)
    within = [bool(on(show, ms)) for ms in range(0, TURN_MS, 50)]
    assert within == list(LOOKS[meaning].rhythm)


def test_a_status_lamp_shows_the_strongest() -> None:
    show = Show({3: Meaning.LAST_MOVE, 60: Meaning.TAKE_AWAY}, Place.STATUS)
    assert show.colours(0) == (LOOKS[Meaning.TAKE_AWAY].colour,)


@given(picture=pictures, place=places, phase_ms=phases)
def test_nothing_changes_before_the_next_change(picture: dict[int, Meaning], place: Place, phase_ms: int) -> None:
    show = Show(picture, place)
    change_ms = show.next_change_ms(phase_ms)
    assert change_ms is None or change_ms > phase_ms
    until = phase_ms + 3 * PERIOD_MS if change_ms is None else change_ms
    assert len({show.colours(ms) for ms in range(phase_ms, until, 25)}) == 1


@given(place=places)
def test_a_dark_picture_is_dark_and_stands_still(place: Place) -> None:
    show = Show(DARK, place)
    assert show.colours(0) == (BLACK,) * place.lamps
    assert show.next_change_ms(0) is None
