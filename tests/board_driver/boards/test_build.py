"""From a profile to a board, and to how games on it are read."""

from __future__ import annotations

import pytest

from board_driver.boards.build import board_of, settings_of, source_of, squares_read, tags_of
from board_driver.boards.pushbuttons import MEANINGS
from board_driver.boards.sensorboard import SensorBoard
from board_driver.mind import ClockStart, LightsSetting, Mode, Settings, TouchRule
from board_driver.profile.finding import packaged_profiles
from board_driver.profile.reading import read_profile, sound_profile
from board_driver.profile.schema import Profile
from board_driver.scan import Button, Press, Sensing
from board_driver.store.rows import checksum, given_line, parse_given
from rules.clock import parse_time_control
from rules.fen import START_FEN
from rules.squares import SQUARE_NAMES

MATRIX = """\
name: trial
sensors:
  kind: gpio-matrix
  rows: [5, 6, 12, 13, 16, 17, 18, 19]
  columns: [20, 21, 22, 23, 24, 25, 26, 27]
"""


def profile(more: str = "", base: str = MATRIX) -> Profile:
    found = read_profile(base + more)
    assert isinstance(found, Profile), found
    return found


def settings(of: Profile) -> Settings:
    return settings_of(of, board_of(of), START_FEN, chess960=False)


def test_rows_are_ranks_and_columns_files_as_built() -> None:
    assert squares_read(profile()) == tuple(range(64))


@pytest.mark.parametrize(
    ("more", "first", "last"),
    [
        ("orientation: {turn: 180}\n", "h8", "a1"),
        ("orientation: {turn: 90}\n", "a8", "h1"),
        ("orientation: {mirror: true}\n", "h1", "a8"),
        ("  order: {first: h1, along: file}\n", "h1", "a8"),
        ("  order: {first: h1, along: file}\norientation: {turn: 180}\n", "a8", "h1"),
    ],
)
def test_wires_and_orientation_together_say_which_square_a_cell_is(more: str, first: str, last: str) -> None:
    squares = squares_read(profile(more))
    assert (SQUARE_NAMES[squares[0]], SQUARE_NAMES[squares[-1]]) == (first, last)


@pytest.mark.parametrize("name", packaged_profiles())
def test_every_packaged_profile_makes_a_board_with_lights_and_buttons(name: str) -> None:
    board = board_of(sound_profile(packaged_profiles()[name]))
    assert isinstance(board, SensorBoard)
    assert board.abilities.has_lights
    assert board.abilities.has_clock


def test_what_the_profile_says_of_games_holds_and_the_rest_is_the_programs_default() -> None:
    default = Settings()
    assert settings(profile()) == Settings(mode=Mode.PLAY)
    some = settings(
        profile(
            "buttons: {white_clock: 2, black_clock: 3}\n"
            "game: {mode: record, ruleset: blitz, touch: friendly, lights: none, settle_ms: 90, dead_squares: [e4]}\n"
        )
    )
    assert some == Settings(
        mode=Mode.RECORD,
        ruleset="blitz",
        touch=TouchRule.FRIENDLY,
        lights=LightsSetting.NONE,
        clock=True,
        settle_ms=90,
        dead_squares=frozenset({28}),
    )
    assert some.sensing is default.sensing is Sensing.OCCUPANCY
    assert not settings(profile("buttons: {white_clock: 2, black_clock: 3}\ngame: {clock: false}\n")).clock


def test_squares_without_a_sensor_are_dead() -> None:
    base = "name: x\nsensors: {kind: gpio-direct, pins: [5, 6], order: {each: [a1, c1]}}\n"
    half = profile("orientation: {turn: 180}\n", base)
    assert settings(half).dead_squares == frozenset(range(64)) - {63, 61}


def test_players_and_event_become_tags() -> None:
    game = profile("game: {white: Ann, black: Bob, event: Club evening, site: Here}\n").game
    assert tags_of(game) == {"Event": "Club evening", "Site": "Here", "White": "Ann", "Black": "Bob"}
    assert tags_of(profile().game) == {}


def test_only_plugins_have_no_driver_of_ours() -> None:
    with pytest.raises(TypeError):
        source_of(profile(base="name: x\nsensors: {kind: plugin, source: y}\n").sensors)


@pytest.mark.parametrize("name", MEANINGS)
def test_what_a_push_button_means_can_be_kept_in_the_journal(name: str) -> None:
    """The journal once took a button without a value for damage."""
    item = MEANINGS[name](5)
    if isinstance(item, Press | Button):
        line = given_line(item)
        assert parse_given(line, checksum(line), Sensing.OCCUPANCY) == item


def test_the_clock_of_a_profile_is_that_of_its_games() -> None:
    timed = settings(profile('game: {time: "40/90+30, 30+30", clock_start: move, execution_grace_ms: 3000}\n'))
    assert timed.time_control == parse_time_control("40/90+30, 30+30")
    assert (timed.clock_start, timed.execution_grace_ms) == (ClockStart.MOVE, 3000)
