"""Stories of what people do with their hands beside moving: the table is `tests/data/byhand.jsonl`.

Each is told as `hands.py` tells them, and says what must come of it. Every story has to come out the same at the scan
rates of real boards, with sensors that flicker meanwhile, and with quicker hands.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pytest

from board_driver.arbiter import Arbiter
from board_driver.events import Event, Irregular, Notice, RestoreAsked
from board_driver.mind import ClaimsTold, PromotionRule, Settings, TouchRule
from board_driver.replay import play_out
from board_driver.scan import Input, Occupancy, Scan, Sensing
from rules.fen import START_FEN
from rules.squares import square_name
from tests.board_driver.arbiter.hands import Hands, read_cases, settings

STORIES = read_cases("byhand.jsonl")
FLICKER_MS = 90
SETTINGS = {"touch": TouchRule, "sensing": Sensing, "promotion": PromotionRule, "claims": ClaimsTold}
"""Settings that a story may name, by how their text is read."""


@dataclass(frozen=True)
class Table:
    """A board as it is in real life: so many scans a second, squares that flicker, hands of that pace."""

    step_ms: int = 700
    scan_ms: int = 0
    flickers: bool = False


TABLES = {
    "careful": Table(),
    "brisk": Table(step_ms=450),
    "10 scans": Table(scan_ms=100),
    "50 scans, flickering": Table(scan_ms=20, flickers=True),
}


def story_settings(story: dict[str, Any]) -> Settings:
    """The settings a story is played with; with a clock if a press is among its tokens."""
    changes: dict[str, Any] = {"clock": any(token in ("W", "B") for token in story["hands"].split())}
    changes |= {key: SETTINGS[key](story[key]) if key in SETTINGS else story[key] for key in story.get("set", ())}
    changes |= {key: SETTINGS[key](story[key]) for key in SETTINGS if key in story}
    return settings(story.get("fen", START_FEN), **changes)


def told(story: dict[str, Any], table: Table) -> tuple[Arbiter, list[Event]]:
    """The arbiter after the story at that table, and all it decided."""
    setup = story_settings(story)
    inputs: Sequence[Input] = Hands(setup).do(story["hands"], table.step_ms).inputs
    if table.scan_ms:
        inputs = [replace(item, t_ms=-(-item.t_ms // table.scan_ms) * table.scan_ms) for item in inputs]
    if table.flickers and setup.sensing is Sensing.OCCUPANCY:
        inputs = flickering(inputs, story["id"])
    arbiter = Arbiter(setup)
    return arbiter, list(play_out(arbiter, inputs))


def flickering(inputs: Sequence[Input], seed: str) -> list[Input]:
    """Between the scans some square reads wrongly for a moment: empty ones filled, and filled ones empty."""
    dice, out = random.Random(seed), list(inputs)
    for item, following in pairwise(inputs):
        free_ms = following.t_ms - item.t_ms
        if not isinstance(item, Scan) or not isinstance(item.reading, Occupancy) or free_ms < 400:
            continue
        square = dice.choice([s for s in range(64) if not item.reading.occupied >> s & 1])
        t_ms = item.t_ms + dice.randrange(240, free_ms - FLICKER_MS - 20)
        noisy = Occupancy(item.reading.occupied ^ 1 << square)
        out += [Scan(t_ms, noisy), Scan(t_ms + FLICKER_MS, item.reading)]
    return sorted(out, key=lambda item: item.t_ms)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story["id"])
def test_what_comes_of_it(story: dict[str, Any], table: str) -> None:
    arbiter, events = told(story, TABLES[table])
    found: dict[str, Any] = arbiter.summary()
    for key in ("moves", "result", "reason", "uncertain", "restore", "claim", "asking", "fouls", "obligation"):
        if key in story:
            assert found.get(key) == story[key], (key, story["about"])
    if "placement" in story:
        assert found["fen"].split()[:4] == story["placement"].split()
    if "games" in story:
        assert [[game["result"], len(game["uci"])] for game in found.get("games", [])] == story["games"]
    check_events(story, arbiter, events)


def check_events(story: dict[str, Any], arbiter: Arbiter, events: Sequence[Event]) -> None:
    """What was said and lit: `irregular`, `said` (kinds of notices), `asked` (words of the last restore), `lights`."""
    if "irregular" in story:
        assert [e.why for e in events if isinstance(e, Irregular)] == story["irregular"], story["about"]
    if "said" in story:
        assert [e.kind for e in events if isinstance(e, Notice)] == story["said"], story["about"]
    if "asked" in story:
        assert [e.text for e in events if isinstance(e, RestoreAsked)][-1:] == [story["asked"]]
    if "lights" in story:
        lights = {square_name(s): meaning.value for s, meaning in arbiter.picture().items()}
        assert lights == story["lights"], story["about"]


def test_there_are_many_and_each_once() -> None:
    assert len({story["id"] for story in STORIES}) == len(STORIES) >= 150
    assert all(story["about"] for story in STORIES)
