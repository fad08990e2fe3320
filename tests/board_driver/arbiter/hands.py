"""Hands at a board, written as a row of tokens, and what the arbiter makes of them.

`-e2` lifts, `+e4` sets down, `-e1/-h1` does both in one scan, `W` and `B` press the clock, `promote:n` is a button
(with `_` for a space in what it says), and `~500` waits. Steps are 700 ms apart, so that each of them settles.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from board_driver.arbiter import Arbiter
from board_driver.arbiter.buttons import press_button
from board_driver.arbiter.core import Core
from board_driver.arbiter.fenstd import passed_square
from board_driver.arbiter.gamestate import GameState
from board_driver.events import Event
from board_driver.mind import Mode, Settings
from board_driver.replay import play_out
from board_driver.scan import Button, ButtonName, Input, Press, Reading, Scan
from board_driver.sensing.cells import SOMETHING, cells_of_occupancy
from board_driver.sensing.settle import SettledChange
from rules.fen import START_FEN, parse_fen
from rules.pieces import PIECES, Piece
from rules.squares import Colour, parse_square
from tests.board_driver.gamelog import reading_of

DATA = Path(__file__).resolve().parents[2] / "data"
STEP_MS = 700
PLAYERS = {"white": Colour.WHITE, "black": Colour.BLACK}


def read_cases(name: str) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file in tests/data."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def settings(fen: str = START_FEN, **changes: Any) -> Settings:
    """Play mode from that position."""
    return replace(Settings(mode=Mode.PLAY, start_fen=fen), **changes)


class Hands:
    """A board whose pieces are moved by tokens; it keeps the inputs that its sensors send.

    On a board that sees more than occupancy a man keeps its kind: `+e8=Q` sets a new one down, `^d5` swaps what stands
    there for the man lifted last without the square ever being seen empty.
    """

    def __init__(self, setup: Settings) -> None:
        position = parse_fen(setup.start_fen, chess960=setup.chess960)
        self.sensing = setup.sensing
        self.men: dict[int, Piece] = {s: p for s in range(64) if (p := position.piece_at(s)) is not None}
        self.air: list[Piece] = []
        self.t_ms = 0
        self.inputs: list[Input] = [Scan(0, self.reading())]

    def reading(self) -> Reading:
        """What the sensors read now."""
        return reading_of(self.men, self.sensing)

    def do(self, tokens: str, step_ms: int = STEP_MS) -> Hands:
        """Carry the tokens out, one step after the other."""
        for token in tokens.split():
            if token.startswith("~"):
                self.t_ms += int(token[1:])
                continue
            self.t_ms += step_ms
            if token in ("W", "B"):
                self.inputs.append(Press(self.t_ms, Colour.WHITE if token == "W" else Colour.BLACK))
            elif ":" in token:
                name, _, value = token.partition(":")
                self.inputs.append(Button(self.t_ms, ButtonName(name), value.replace("_", " ")))
            else:
                for part in token.split("/"):
                    self.move(part)
                self.inputs.append(Scan(self.t_ms, self.reading()))
        return self

    def move(self, part: str) -> None:
        """One lift, placement or swap."""
        square = parse_square(part[1:3])
        if part[0] == "-":
            self.air.append(self.men.pop(square))
            return
        man = PIECES[part[4]] if part[3:4] == "=" else self._from_air()
        if part[0] == "^":
            self.men.pop(square)
        self.men[square] = man

    def _from_air(self) -> Piece:
        """The man lifted last; a white pawn out of the box if there is none."""
        return self.air.pop() if self.air else PIECES["P"]


def rule(tokens: str, fen: str = START_FEN, step_ms: int = STEP_MS, **changes: Any) -> dict[str, Any]:
    """The summary after those hands; `clock` is in use if a press is among them."""
    return Ruled(tokens, fen, step_ms, **changes).summary


class Ruled:
    """The arbiter after those hands: its summary, its events and its picture."""

    def __init__(self, tokens: str, fen: str = START_FEN, step_ms: int = STEP_MS, **changes: Any) -> None:
        clock = any(token in ("W", "B") for token in tokens.split())
        setup = settings(fen, **({"clock": clock} | changes))
        self.arbiter = Arbiter(setup)
        self.events: list[Event] = list(play_out(self.arbiter, Hands(setup).do(tokens, step_ms).inputs))
        self.summary: dict[str, Any] = self.arbiter.summary()
        self.lights = {square: meaning.value for square, meaning in self.arbiter.picture().items()}

    def lit(self, name: str) -> str | None:
        """What the light of that square means."""
        return self.lights.get(parse_square(name))


def game_of(case: dict[str, Any]) -> GameState:
    """The game after a casebook case, fed with settled changes, without any sensing."""
    position = parse_fen(case["fen"])
    setup = settings(case["fen"], ruleset=case["ruleset"], clock="clock" in case)
    game = GameState(setup, position, passed_square(case["fen"]), cells_of_occupancy(position.occupied))
    core = Core(game)
    steps = [(t, 0, kind, value) for t, kind, value in case["events"]]
    steps += [(t, 1, "press", value) for t, value in case.get("clock", [])]
    steps.sort(key=lambda step: step[:2])
    for (t_ms, hands), group in groupby(steps, key=lambda step: (step[0], step[2] in ("lift", "place"))):
        if hands:
            core.settle([_change(t_ms, kind, value) for _, _, kind, value in group], t_ms)
            continue
        for _, _, kind, value in group:
            if kind == "press":
                core.press(PLAYERS[value], t_ms)
            else:
                press_button(game, Button(t_ms, ButtonName(kind), value), t_ms, set())
    return game


def _change(t_ms: int, kind: str, value: str) -> SettledChange:
    before, after = (SOMETHING, None) if kind == "lift" else (None, SOMETHING)
    return SettledChange(parse_square(value), before, after, t_ms, t_ms)


def log_of(
    case: dict[str, Any], head: dict[str, object], starts_ms: int = 0, presses: Sequence[tuple[int, str]] = ()
) -> list[dict[str, object]]:
    """A sensor log out of a case: the position's occupancy at 0, then one scan for each distinct time."""
    occupied = parse_fen(str(head["start_fen"])).occupied
    steps = [(t, 0, kind, value) for t, kind, value in case["events"]]
    steps += [(t, 1, "press", value) for t, value in presses]
    steps.sort(key=lambda step: step[:2])
    lines: list[dict[str, object]] = [head, {"t_ms": 0, "occ": hex(occupied)}]
    for t_ms, group in groupby(steps, key=lambda step: step[0]):
        before, rest = occupied, []
        for _, _, kind, value in group:
            if kind in ("lift", "place"):
                square = 1 << parse_square(value)
                occupied = occupied & ~square if kind == "lift" else occupied | square
            elif kind == "press":
                rest.append({"t_ms": t_ms + starts_ms, "press": value})
            else:
                rest.append({"t_ms": t_ms + starts_ms, "button": kind, "value": value})
        if occupied != before:
            lines.append({"t_ms": t_ms + starts_ms, "occ": hex(occupied)})
        lines += rest
    return lines
