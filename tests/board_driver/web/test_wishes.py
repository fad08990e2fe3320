"""What a page sends is read strictly, and nothing it sends is an error of ours."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.boards.table import Hand
from board_driver.mind import ClaimsTold, LightsSetting, Mode, PromotionRule, TouchRule
from board_driver.scan import ButtonName
from board_driver.web.wishes import (
    Decide,
    Hello,
    Lift,
    NewGame,
    PressButton,
    PressClock,
    Put,
    PutBack,
    Retell,
    SetNoise,
    Settle,
    Wish,
    WishError,
    read_wish,
)
from rules.pieces import PIECES
from rules.squares import Colour, parse_square

E2 = parse_square("e2")

GOOD: list[tuple[dict[str, object], Wish]] = [
    ({"do": "lift", "square": "e2"}, Lift(E2, None)),
    ({"do": "lift", "square": "e2", "hand": 1}, Lift(E2, Hand.SECOND)),
    ({"do": "lift", "tray": "Q", "hand": 0}, Lift(PIECES["Q"], Hand.FIRST)),
    ({"do": "put", "hand": 0, "square": "e2"}, Put(Hand.FIRST, E2)),
    ({"do": "put", "hand": 1, "tray": True}, Put(Hand.SECOND, None)),
    ({"do": "back", "hand": 0}, PutBack(Hand.FIRST)),
    ({"do": "button", "name": "resign", "value": "white"}, PressButton(ButtonName.RESIGN, "white")),
    ({"do": "button", "name": "claim"}, PressButton(ButtonName.CLAIM, None)),
    ({"do": "button", "name": "pause", "value": "on"}, PressButton(ButtonName.PAUSE, "on")),
    ({"do": "button", "name": "time", "value": "white +120000"}, PressButton(ButtonName.TIME, "white +120000")),
    ({"do": "press", "colour": "black"}, PressClock(Colour.BLACK)),
    (
        {"do": "new", "promotion": "ask", "claims": "silent"},
        NewGame(None, None, None, None, None, promotion=PromotionRule.ASK, claims=ClaimsTold.SILENT),
    ),
    ({"do": "new", "time": "5+3", "press": True}, NewGame(None, None, None, None, None, False, (), "5+3", True)),
    ({"do": "new"}, NewGame(None, None, None, None, None)),
    (
        {"do": "new", "mode": "record", "touch": "off", "lights": "none", "ruleset": "blitz", "fen": " 8/8 "},
        NewGame(Mode.RECORD, TouchRule.OFF, LightsSetting.NONE, "blitz", "8/8"),
    ),
    (
        {"do": "new", "chess960": True, "tags": {"White": "Ann"}},
        NewGame(None, None, None, None, None, True, (("White", "Ann"),)),
    ),
    ({"do": "header", "tags": {"Black": ""}}, Retell((("Black", ""),))),
    ({"do": "decide", "result": "1/2-1/2"}, Decide("1/2-1/2")),
    ({"do": "decide", "result": None}, Decide(None)),
    ({"do": "settle", "ply": 3, "uci": "e7e8q"}, Settle(3, "e7e8q")),
    ({"do": "noise", "on": False}, SetNoise(False)),
    ({"do": "hello", "token": "x"}, Hello("x")),
]


@pytest.mark.parametrize(("message", "wish"), GOOD)
def test_a_wish_is_read(message: dict[str, object], wish: Wish) -> None:
    assert read_wish(json.dumps(message)) == wish


@pytest.mark.parametrize(
    "message",
    [
        {},
        [],
        None,
        {"do": "fly"},
        {"do": "lift"},
        {"do": "lift", "square": "e9"},
        {"do": "lift", "square": 12},
        {"do": "lift", "tray": "x"},
        {"do": "lift", "square": "e2", "hand": 2},
        {"do": "lift", "square": "e2", "hand": True},
        {"do": "put", "square": "e2"},
        {"do": "put", "hand": 0, "tray": False},
        {"do": "back", "hand": "0"},
        {"do": "button", "name": "explode"},
        {"do": "button", "name": "promote", "value": 3},
        {"do": "button", "name": "promote", "value": "x" * 17},
        {"do": "button", "name": "claim", "value": "everybody"},
        {"do": "button", "name": "pause", "value": "perhaps"},
        {"do": "button", "name": "time", "value": "white 0"},
        {"do": "press"},
        {"do": "press", "colour": "red"},
        {"do": "new", "time": "5" * 101},
        {"do": "new", "mode": "cheat"},
        {"do": "new", "fen": "8" * 121},
        {"do": "new", "tags": ["White"]},
        {"do": "header", "tags": {"Result": "1-0"}},
        {"do": "header", "tags": {"White": "x" * 121}},
        {"do": "header"},
        {"do": "decide", "result": "2-0"},
        {"do": "settle", "ply": True, "uci": "e2e4"},
        {"do": "settle", "ply": 1, "uci": "e2e4e5"},
        {"do": "noise", "on": 1},
    ],
)
def test_anything_else_is_refused_with_what_was_expected(message: object) -> None:
    with pytest.raises(WishError, match="expected"):
        read_wish(json.dumps(message))


@pytest.mark.parametrize("text", ["", "{", "[" * 5000, "NaN", "\ud800"])
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(WishError):
        read_wish(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["e2", "Q", "white", "play"]),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=4), children, max_size=3),
    max_leaves=5,
)
DO = st.sampled_from(["lift", "put", "back", "button", "press", "new", "header", "decide", "settle", "noise", "hello"])
KEYS = st.sampled_from(
    [
        *["square", "tray", "hand", "name", "value", "mode", "touch", "lights", "ruleset", "fen"],
        *["chess960", "tags", "result", "ply", "uci", "on", "token", "colour", "time", "press"],
    ]
)


@given(do=DO | JSON, rest=st.dictionaries(KEYS, JSON))
def test_no_message_is_an_error_of_ours(do: object, rest: dict[str, object]) -> None:
    try:
        wish: Wish | WishError = read_wish(json.dumps({"do": do, **rest}))
    except WishError as error:
        wish = error
    assert isinstance(wish, Wish | WishError)
    assert len(str(wish)) < 500
