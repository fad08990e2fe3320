"""Whatever hands and sensors do, the events of a replay add up to its summary, in both modes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from board_driver.eventjson import event_object
from board_driver.mind import Mode, Settings, TouchRule
from board_driver.minds import make_mind
from board_driver.replay import play_out
from board_driver.report import summary_object
from board_driver.scan import Button, ButtonName, Input, Occupancy, Press, Scan
from rules.fen import START_FEN, parse_fen, write_fen
from rules.position import Position
from rules.uci import parse_uci
from tests.board_driver.gamelog import known_games, steps_of

GAMES = known_games()
PAUSES_MS = (0, 10, 60, 150, 300, 700, 2000)
BUTTONS = (
    (ButtonName.PROMOTE, "n"),
    (ButtonName.ADJUST, "white"),
    (ButtonName.CLAIM, "white"),
    (ButtonName.DRAW, "black"),
    (ButtonName.TAKEBACK, "white"),
    (ButtonName.TAKEBACK, "black"),
)


def fragment(chance: random.Random) -> tuple[Position, list[str]]:
    """Some moves of a real game, and the position before them."""
    game = chance.choice(GAMES)
    first, count = chance.randrange(len(game.moves)), chance.randrange(1, 20)
    position = parse_fen(game.start_fen, chess960=game.chess960)
    for text in game.moves[:first]:
        position = position.play(parse_uci(position, text))
    return position, list(game.moves[first : first + count])


def rough_inputs(start: Position, moves: list[str], chance: random.Random) -> Iterator[Input]:
    """Those moves by hurried hands in any order, on sensors that lie and lose scans, with buttons pressed at random.

    Now and then the pieces are set up anew, or the whole board reads nonsense and stays so.
    """
    position, occupied, t_ms = start, start.occupied, 0
    yield Scan(0, Occupancy(occupied))
    for text in moves:
        move = parse_uci(position, text)
        squares = steps_of(position, move)
        if chance.random() < 0.2:
            chance.shuffle(squares)
        for square in squares:
            t_ms += chance.choice(PAUSES_MS)
            occupied ^= 1 << square
            if chance.random() < 0.1:
                yield Scan(t_ms, Occupancy(occupied ^ 1 << chance.randrange(64)))
                t_ms += chance.choice((5, 100, 400))
            if chance.random() < 0.95:
                yield Scan(t_ms, Occupancy(occupied))
            if chance.random() < 0.05:
                yield Button(t_ms, *chance.choice(BUTTONS))
        if chance.random() < 0.5:
            yield Press(t_ms, position.turn)
        position = position.play(move)
        if chance.random() < 0.06:
            t_ms += 1000
            occupied = chance.choice((parse_fen(START_FEN).occupied, chance.getrandbits(64)))
            yield Scan(t_ms, Occupancy(occupied))
    if chance.random() < 0.3:
        yield Button(t_ms, ButtonName.RESIGN, "white")


def told(events: list[dict[str, object]]) -> list[list[str]]:
    """The games that the move and revise events tell; a notice says when the next one begins."""
    games: list[list[str]] = [[]]
    for event in events:
        if event["event"] == "notice" and event["kind"] == "new-game":
            games.append([])
        elif event["event"] == "move":
            assert event["ply"] == len(games[-1]) + 1
            games[-1].append(str(event["uci"]))
        elif event["event"] == "revise":
            at = int(str(event["ply"])) - 1
            assert games[-1][at] == event["was"]
            games[-1][at:] = [] if event["now"] is None else [str(event["now"]), *games[-1][at + 1 :]]
    return games


def replayed(start: Position, moves: list[str]) -> str:
    """The position after those moves, as FEN; every one of them legal."""
    position = start
    for text in moves:
        position = position.play(parse_uci(position, text))
    return write_fen(position)


@pytest.mark.parametrize("mode", list(Mode), ids=lambda mode: mode.value)
def test_events_add_up_to_the_summary(mode: Mode) -> None:
    @settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
    @given(seed=st.integers(0, 2**32))
    def check(seed: int) -> None:
        chance = random.Random(seed)
        start, moves = fragment(chance)
        ruled = Settings(
            mode=mode,
            start_fen=write_fen(start),
            chess960=start.chess960,
            ruleset=chance.choice(("fide", "club3", "traditional")),
            touch=chance.choice(list(TouchRule)),
            clock=chance.random() < 0.5,
        )
        mind = make_mind(ruled)
        events = [event_object(event) for event in play_out(mind, rough_inputs(start, moves, chance))]
        summary = summary_object(mind, mind.games(), "log")
        json.dumps([events, summary])
        assert mind.next_wake_ms() is None
        assert [event["t_ms"] for event in events] == sorted(int(str(event["t_ms"])) for event in events)
        games = told(events)
        assert summary["uci"] == games[-1]
        if len(games) == 1:
            assert summary["fen"] == replayed(start, games[0])
        else:
            listed = summary["games"]
            assert isinstance(listed, list)
            assert [game["uci"] for game in listed] == games
            assert [game["fen"] for game in listed] == [
                replayed(parse_fen(game["start_fen"], chess960=start.chess960), game["uci"]) for game in listed
            ]

    check()


@pytest.mark.parametrize("mode", list(Mode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("zero_ms", [-5_000_000, 1_700_000_000_000])
def test_times_count_from_any_zero(mode: Mode, zero_ms: int) -> None:
    chance = random.Random(5)
    start, moves = fragment(chance)
    ruled = Settings(mode=mode, start_fen=write_fen(start), chess960=start.chess960)
    inputs = list(rough_inputs(start, moves, chance))
    events = [event_object(event) for event in play_out(make_mind(ruled), inputs)]
    later = [replace(item, t_ms=item.t_ms + zero_ms) for item in inputs]
    moved = [event_object(event) for event in play_out(make_mind(ruled), later)]
    assert moved == [event | {"t_ms": int(str(event["t_ms"])) + zero_ms} for event in events]
