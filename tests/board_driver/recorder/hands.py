"""Hands at a recorder's board, written as a row of tokens, and what it wrote down.

`-e2` lifts, `+e4` sets down, `-e1/-h1` does both in one scan, `promote:n` is a button, and `~500` waits. Steps are
`step_ms` apart. The board shows the true pieces, whatever the recorder makes of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from board_driver.events import Ended, Event, Irregular, Moved, Notice, Revised
from board_driver.mind import Settings
from board_driver.recorder import Recorder
from board_driver.replay import play_out
from board_driver.scan import Button, ButtonName, Input, Occupancy, Scan
from rules.fen import parse_fen
from rules.move import Move
from rules.position import Position
from rules.squares import parse_square, square_name
from rules.uci import parse_uci

DATA = Path(__file__).parents[2] / "data"


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a recorder made of a row of inputs."""

    recorder: Recorder
    events: tuple[Event, ...]

    @property
    def uci(self) -> list[str]:
        """The present game's moves."""
        uci = self.recorder.summary()["uci"]
        assert isinstance(uci, list)
        return uci

    @property
    def games(self) -> list[list[str]]:
        """Every game's moves."""
        games = self.recorder.summary()["games"]
        assert isinstance(games, list)
        return [game["uci"] for game in games]

    def summary_games(self) -> list[dict[str, Any]]:
        """Every game, as the summary tells it."""
        games = self.recorder.summary()["games"]
        assert isinstance(games, list)
        return games

    @property
    def result(self) -> object:
        """The present game's result."""
        return self.recorder.summary()["result"]

    def told(self) -> list[str]:
        """The moves of the last game as the events tell them."""
        line: list[str] = []
        for event in self.events:
            match event:
                case Moved(uci=uci, ply=ply):
                    line[ply - 1 :] = [uci]
                case Revised(ply=ply, now=None):
                    del line[ply - 1 :]
                case Revised(ply=ply, now=str(now)):
                    line[ply - 1] = now
                case Notice(kind="new-game") | Notice(kind="fragment"):
                    line = []
                case _:
                    pass
        return line

    def noticed(self, kind: str) -> bool:
        """Was there a notice or an irregularity of that kind?"""
        return any(
            (isinstance(event, Notice) and event.kind == kind) or (isinstance(event, Irregular) and event.why == kind)
            for event in self.events
        )

    def ended(self) -> list[str]:
        """The results announced, in order."""
        return [event.result for event in self.events if isinstance(event, Ended)]


def record(inputs: Iterable[Input], settings: Settings) -> Recorded:
    """Play inputs through a recorder until no timer is left."""
    recorder = Recorder(settings)
    return Recorded(recorder, tuple(play_out(recorder, inputs)))


def scanned(occupied: int, changes: Iterable[tuple[int, int]], until_ms: int, scan_hz: int) -> list[Scan]:
    """The scans of a board from one second on, on which squares change from empty to full and back.

    Each change is its time and its square.
    """
    coming = sorted(changes, reverse=True)
    scans = []
    for t_ms in range(1000, until_ms, 1000 // scan_hz):
        while coming and coming[-1][0] <= t_ms:
            occupied ^= 1 << coming.pop()[1]
        scans.append(Scan(t_ms, Occupancy(occupied)))
    return scans


def row(text: str, occupied: int, *, step_ms: int = 700, start_ms: int = 1000) -> list[Input]:
    """The inputs of a row of tokens on a board with those squares occupied."""
    inputs: list[Input] = [Scan(start_ms, Occupancy(occupied))]
    t_ms = start_ms
    for token in text.split():
        if token.startswith("~"):
            t_ms += int(token[1:])
            continue
        t_ms += step_ms
        if ":" in token:
            name, value = token.split(":")
            inputs.append(Button(t_ms, ButtonName(name), value))
            continue
        for step in token.split("/"):
            square = 1 << parse_square(step[1:])
            occupied = occupied | square if step[0] == "+" else occupied & ~square
        inputs.append(Scan(t_ms, Occupancy(occupied)))
    return inputs


def play(text: str, fen: str | None = None, *, step_ms: int = 700, **settings: Any) -> Recorded:
    """What is recorded of a row of tokens from that position (the usual start if None)."""
    chosen = Settings(**settings) if fen is None else Settings(start_fen=fen, **settings)
    start = parse_fen(chosen.start_fen, chosen.chess960)
    return record(row(text, start.occupied, step_ms=step_ms), chosen)


def steps_of(position: Position, move: Move) -> list[str]:
    """The lifts and places of a move, capture first."""
    steps = []
    victim = position.victim_square(move)
    if victim is not None:
        steps.append(f"-{square_name(victim)}")
    steps.append(f"-{square_name(move.origin)}")
    if move.rook_origin is not None and move.rook_landing is not None:
        steps += [f"-{square_name(move.rook_origin)}", f"+{square_name(move.rook_landing)}"]
    return [*steps, f"+{square_name(move.landing)}"]


def moves(text: str, fen: str | None = None) -> str:
    """A row of tokens that plays those UCI moves, one move after the other."""
    position = parse_fen(fen or Settings().start_fen)
    tokens: list[str] = []
    for uci in text.split():
        move = parse_uci(position, uci)
        tokens += [*steps_of(position, move), "~300"]
        position = position.play(move)
    return " ".join(tokens)


def field_cases() -> Sequence[dict[str, Any]]:
    """What really happened at such boards: the cases that have events."""
    lines = (DATA / "field.jsonl").read_text(encoding="utf-8").splitlines()
    return [case for case in map(json.loads, lines) if case.get("events")]
