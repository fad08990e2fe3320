"""Wires that were swapped: said in the simplest words, and put right in the profile."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.doctor.correction import corrected_order, order_line, with_order
from board_driver.doctor.mapping import SYMMETRIES, explain
from board_driver.profile.finding import packaged_profiles
from board_driver.profile.places import square_order
from board_driver.profile.reading import read_profile, sound_profile
from board_driver.profile.schema import Orientation, Profile, Turn
from board_driver.profile.words import Along, Corner, Order

orders = st.builds(Order, first=st.sampled_from(Corner), along=st.sampled_from(Along), snake=st.booleans())
orientations = st.builds(Orientation, turn=st.sampled_from(Turn), mirror=st.booleans())


@pytest.mark.parametrize("words", SYMMETRIES)
def test_a_turned_board_is_known_by_a_few_squares_and_explained_for_all(words: str) -> None:
    felt = SYMMETRIES[words]
    explanation = explain({square: felt[square] for square in (0, 1, 9, 40)})
    assert explanation is not None
    assert explanation.text == words
    assert explanation.is_complete


def test_the_seven_ways_are_different_and_none_is_as_it_should_be() -> None:
    ways = [tuple(felt[square] for square in range(64)) for felt in SYMMETRIES.values()]
    assert len({*ways, tuple(range(64))}) == 8
    assert all(sorted(way) == list(range(64)) for way in ways)


def test_what_is_right_needs_no_explanation() -> None:
    assert explain({square: square for square in range(64)}) is None
    assert explain({}) is None


@given(seed=st.integers(0, 10_000), crossed=st.booleans())
def test_mixed_up_rows_and_columns_are_found_from_one_square_of_each(seed: int, crossed: bool) -> None:
    random = Random(seed)
    ranks, files = list(range(8)), list(range(8))
    random.shuffle(ranks)
    random.shuffle(files)

    def felt(square: int) -> int:
        rank, file = ranks[square // 8], files[square % 8]
        return 8 * file + rank if crossed else 8 * rank + file

    diagonal = {square: felt(square) for square in range(0, 64, 9)}
    corner = {square: felt(square) for square in (1, 8, 62, 55)}
    explanation = explain(diagonal | corner)
    if explanation is not None:
        assert explanation.is_complete
        assert all(explanation.felt[square] == felt(square) for square in range(64))
    else:
        assert all(felt(square) == square for square in range(64))


@given(seed=st.integers(0, 10_000))
def test_any_mix_up_is_explained_when_all_squares_were_seen(seed: int) -> None:
    felt = list(range(64))
    Random(seed).shuffle(felt)
    explanation = explain(dict(enumerate(felt)))
    assert explanation is not None
    assert explanation.is_complete
    assert [explanation.felt[square] for square in range(64)] == felt


def test_one_square_of_a_swap_that_was_not_seen_is_inferred() -> None:
    pairs = {square: square for square in range(64)} | {12: 20, 20: 12}
    del pairs[20]
    explanation = explain(pairs)
    assert explanation is not None
    assert explanation.is_complete
    assert explanation.felt[20] == 12


def test_two_squares_that_answer_alike_cannot_be_put_right() -> None:
    explanation = explain({square: square for square in range(64)} | {12: 13})
    assert explanation is not None
    assert not explanation.is_complete


@given(was=orders, truly=orders, orientation=orientations)
def test_a_corrected_order_feels_every_piece_where_it_stands(
    was: Order, truly: Order, orientation: Orientation
) -> None:
    """Whatever the profile says and however the wires truly run, and the correction is a rule again."""
    squares, lies = square_order(was, orientation), square_order(truly, orientation)
    felt = {lies[cell]: squares[cell] for cell in range(64)}
    order = corrected_order(squares, felt, orientation)
    assert square_order(order, orientation) == lies
    assert not order.each


@given(seed=st.integers(0, 10_000), orientation=orientations)
def test_without_a_rule_every_square_is_named(seed: int, orientation: Orientation) -> None:
    squares = square_order(Order(), orientation)
    lies = list(range(64))
    Random(seed).shuffle(lies)
    order = corrected_order(squares, {lies[cell]: squares[cell] for cell in range(64)}, orientation)
    assert square_order(order, orientation) == tuple(lies)


@pytest.mark.parametrize("name", packaged_profiles())
@pytest.mark.parametrize("order", [Order(first=Corner.H8, snake=True), Order(along=Along.FILE)], ids=order_line)
def test_a_profile_is_corrected_with_its_comments(name: str, order: Order) -> None:
    path = packaged_profiles()[name]
    before = path.read_text(encoding="utf-8")
    after = with_order(before, sound_profile(path), order)
    profile = read_profile(after)
    assert isinstance(profile, Profile)
    assert profile.sensors.order == order
    comments = [line for line in before.split("\n") if line.strip().startswith("#")]
    assert [line for line in after.split("\n") if line.strip().startswith("#")] == comments
    changed = set(after.split("\n")) ^ set(before.split("\n"))
    assert all("order:" in line for line in changed)


def test_a_profile_written_in_another_way_is_made_anew() -> None:
    text = "{name: x, sensors: {kind: mcp23017}}"
    profile = read_profile(text)
    assert isinstance(profile, Profile)
    corrected = read_profile(with_order(text, profile, Order(first=Corner.A8)))
    assert isinstance(corrected, Profile)
    assert corrected.sensors.order == Order(first=Corner.A8)
    assert corrected.name == "x"
