"""Rulings of our own, written from the Laws before the arbiter was asked: field by field, and from the other side.

`title` tells the hands: `-e2` lifts, `+e4` sets down, `!w` presses the clock, `*n` chooses a knight, `~w` adjusts, `?w`
claims a draw; what is in brackets happens in one scan. The properties below hold for every ruling, ours or not.
"""

from __future__ import annotations

from typing import Any

import pytest

from board_driver.arbiter import Arbiter
from board_driver.replay import play_out
from board_driver.scan import Button, ButtonName, Input, Occupancy, Press, Scan
from rules.fen import parse_fen
from rules.pieces import Role
from rules.squares import Colour, parse_square, square_name
from tests.board_driver.arbiter.hands import PLAYERS, read_cases, settings
from tests.board_driver.arbiter.test_casebook import from_both_sides, settled, told

RULINGS = read_cases("rulings.jsonl")
EVERY = [*RULINGS, *read_cases("casebook.jsonl")]
STEADY = [case for case in EVERY if settled(case)]


def asked(case: dict[str, Any]) -> dict[str, Any]:
    """What the arbiter says of a case that reaches it as scans, presses and buttons."""
    occupied = parse_fen(case["fen"]).occupied
    inputs: list[Input] = [Scan(0, Occupancy(occupied))]
    steps = [(t, kind, value) for t, kind, value in case["events"]]
    steps += [(t, "press", player) for t, player in case.get("clock", [])]
    for t_ms in sorted({t for t, _, _ in steps}):
        now = [(kind, value) for t, kind, value in steps if t == t_ms]
        for _, value in (step for step in now if step[0] in ("lift", "place")):
            occupied ^= 1 << parse_square(value)
        inputs.append(Scan(t_ms, Occupancy(occupied)))
        for kind, value in now:
            if kind == "press":
                inputs.append(Press(t_ms, PLAYERS[value]))
            elif kind not in ("lift", "place"):
                inputs.append(Button(t_ms, ButtonName(kind), value))
    arbiter = Arbiter(settings(case["fen"], ruleset=case["ruleset"], clock="clock" in case))
    list(play_out(arbiter, inputs))
    return told(arbiter.summary())


def shifted(case: dict[str, Any], factor: float = 1, by_ms: int = 0) -> dict[str, Any]:
    """The same hands slower, faster or later."""
    turned = dict(case)
    turned["events"] = [[int(t * factor) + by_ms, kind, value] for t, kind, value in case["events"]]
    if "clock" in case:
        turned["clock"] = [[int(t * factor) + by_ms, player] for t, player in case["clock"]]
    return turned


@pytest.mark.parametrize("case", RULINGS, ids=lambda c: c["id"])
def test_rules_as_the_laws_say(case: dict[str, Any]) -> None:
    assert asked(case) == case["expect"], case["title"]


@pytest.mark.parametrize("case", [c for c in RULINGS if settled(c)], ids=lambda c: c["id"])
def test_rules_alike_for_both_sides(case: dict[str, Any]) -> None:
    found, expected = from_both_sides(case)
    assert found == expected, case["title"]


@pytest.mark.parametrize("factor", [0.6, 2.5])
@pytest.mark.parametrize("case", STEADY, ids=lambda c: c["id"])
def test_how_fast_the_hands_are_makes_no_difference(case: dict[str, Any], factor: float) -> None:
    assert asked(shifted(case, factor)) == case["expect"], case["title"]


@pytest.mark.parametrize("case", STEADY, ids=lambda c: c["id"])
def test_a_king_straightened_by_the_waiting_side_is_nothing(case: dict[str, Any]) -> None:
    """Nobody can capture it, so it was its owner's hand (D1, D3): the rulings after it are what they are without."""
    position = parse_fen(case["fen"])
    waiting = Colour(position.turn).opponent
    king = square_name(position.pieces(waiting, Role.KING).bit_length() - 1)
    later = shifted(case, by_ms=1400)
    later["events"] = [[700, "lift", king], [1400, "place", king], *later["events"]]
    assert asked(later) == case["expect"], case["title"]
