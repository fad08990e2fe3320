"""Positions set up from FEN before a game, led step by step by lights and words, on every kind of board."""

from __future__ import annotations

import pytest

from board_driver.arbiter import Arbiter
from board_driver.events import RestoreAsked
from board_driver.lights.picture import Meaning
from board_driver.scan import Occupancy, Scan, Sensing
from rules.fen import START_FEN, parse_fen
from rules.pieces import Piece
from rules.squares import square_name
from tests.board_driver.arbiter.hands import settings
from tests.board_driver.gamelog import reading_of

ENDING = "8/4P1k1/8/8/8/8/P7/R3K3 w - - 0 1"
MIDDLE = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8"
EMPTY = "8/8/8/8/8/8/8/8"
Men = dict[int, Piece]


def men_of(fen: str) -> Men:
    if fen == EMPTY:
        return {}
    position = parse_fen(fen)
    return {s: man for s in range(64) if (man := position.piece_at(s)) is not None}


def set_up(target: str, first: str, sensing: Sensing) -> tuple[Arbiter, list[str], int]:
    """The arbiter after somebody did what the lights said, until the game began; what was said; how many steps."""
    arbiter, men, t_ms, steps, said = Arbiter(settings(target, sensing=sensing)), men_of(first), 0, 0, []
    wanted = men_of(target)
    events = list(arbiter.receive(Scan(0, reading_of(men, sensing))))
    while True:
        said += [event.text for event in events if isinstance(event, RestoreAsked)]
        lit = arbiter.picture()
        take = [s for s, meaning in lit.items() if meaning is Meaning.TAKE_AWAY]
        put = [s for s, meaning in lit.items() if meaning is Meaning.PUT_HERE]
        if not take and not put:
            return arbiter, said, steps
        steps += 1
        assert steps <= 100, said[-5:]
        events = []
        for square in take:
            men.pop(square)
            t_ms += 700
            events += [*arbiter.receive(Scan(t_ms, reading_of(men, sensing))), *arbiter.advance(t_ms + 400)]
        for square in put:
            men[square] = wanted[square]
            t_ms += 700
            events += [*arbiter.receive(Scan(t_ms, reading_of(men, sensing))), *arbiter.advance(t_ms + 400)]


@pytest.mark.parametrize("sensing", [Sensing.OCCUPANCY, Sensing.COLOUR, Sensing.IDENTITY])
@pytest.mark.parametrize("first", [EMPTY, START_FEN, MIDDLE])
@pytest.mark.parametrize("target", [ENDING, MIDDLE])
def test_following_the_lights_sets_the_position_up(target: str, first: str, sensing: Sensing) -> None:
    arbiter, said, steps = set_up(target, first, sensing)
    assert steps <= len(men_of(first)) + len(men_of(target)), said
    arbiter.advance(60_000)
    assert arbiter.picture() == {} or steps == 0
    assert arbiter.summary()["moves"] == []
    assert arbiter.summary()["fen"] == target


def test_one_step_is_lit_and_named() -> None:
    arbiter = Arbiter(settings(MIDDLE))
    events = arbiter.receive(Scan(0, Occupancy(0)))
    assert {square_name(s): meaning.value for s, meaning in arbiter.picture().items()} == {"e1": "put-here"}
    asked = [event.text for event in events if isinstance(event, RestoreAsked)]
    assert asked == ["White king on e1 (32 squares are not right yet)"]


def test_the_usual_array_is_shown_as_a_whole() -> None:
    arbiter = Arbiter(settings())
    arbiter.receive(Scan(0, Occupancy(0)))
    assert len(arbiter.picture()) == 32


def test_swapped_men_are_led_on_a_board_that_knows_them() -> None:
    men = men_of(START_FEN)
    men[3], men[4] = men[4], men[3]
    men[1], men[2] = men[2], men[1]
    men[57], men[58] = men[58], men[57]
    arbiter = Arbiter(settings(sensing=Sensing.IDENTITY))
    events = arbiter.receive(Scan(0, reading_of(men, Sensing.IDENTITY)))
    asked = [event.text for event in events if isinstance(event, RestoreAsked)]
    assert asked == ["Take the white bishop on b1 off for now: it stands in the way (6 squares are not right yet)"]
