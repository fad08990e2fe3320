"""Captures so quick that the victim's square reads empty for a moment only."""

from __future__ import annotations

import pytest

from board_driver.arbiter import Arbiter
from board_driver.mind import Mode, Settings, TouchRule
from board_driver.replay import play_out
from board_driver.scan import Occupancy, Scan
from rules.fen import parse_fen
from rules.squares import parse_square

OPEN = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2"
EXD5, QXD5 = "e4d5", "d8d5"


def made(does: str, fen: str = OPEN, touch: TouchRule = TouchRule.STRICT) -> list[str]:
    """The moves made when hands do this: `0 -e4, 300 -d5, 440 +d5`."""
    occupied = parse_fen(fen).occupied
    scans = [Scan(-1000, Occupancy(occupied))]
    for part in does.split(", "):
        time, change = part.split()
        occupied ^= 1 << parse_square(change[1:])
        assert bool(occupied >> parse_square(change[1:]) & 1) == (change[0] == "+")
        scans.append(Scan(int(time), Occupancy(occupied)))
    arbiter = Arbiter(Settings(mode=Mode.PLAY, start_fen=fen, touch=touch))
    for _ in play_out(arbiter, scans):
        pass
    moves = arbiter.summary()["uci"]
    assert isinstance(moves, list)
    return moves


@pytest.mark.parametrize("touch", list(TouchRule))
@pytest.mark.parametrize(
    "does",
    [
        "0 -e4, 600 -d5, 740 +d5",
        "0 -e4, 80 -d5, 160 +d5",
        "0 -d5, 60 -e4, 150 +d5",
        "0 -e4, 600 -d5, 1300 +d5",
    ],
    ids=["held first", "all in one", "victim first", "slow"],
)
def test_a_capture_is_seen_however_quick(does: str, touch: TouchRule) -> None:
    assert made(does, touch=touch) == [EXD5]


def test_a_recapture_follows() -> None:
    assert made("0 -e4, 600 -d5, 740 +d5, 2000 -d8, 2500 -d5, 2600 +d5") == [EXD5, QXD5]


@pytest.mark.parametrize(
    "does",
    ["0 -d5, 140 +d5", "0 -g1, 600 -d5, 740 +d5", "0 -e4, 600 -h7, 740 +h7", "0 -e4, 600 -d5, 620 +d5"],
    ids=["no man in hand", "a man that cannot take there", "not a square it can take on", "the bounce of a contact"],
)
def test_a_flicker_that_can_be_no_capture_is_nothing(does: str) -> None:
    assert made(does) == []
