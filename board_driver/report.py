"""One log replayed and reported: events, summary or an account for a person."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from board_driver.account import Incidents, account
from board_driver.eventjson import event_object
from board_driver.gamerecord import GameRecord
from board_driver.mind import Mind, Mode, Settings, TouchRule
from board_driver.minds import make_mind
from board_driver.replay import play_out
from board_driver.sensorlog import SensorLog, SensorLogError, open_log
from rules.fen import parse_fen, write_fen
from rules.outcome import Result
from rules.uci import write_uci

_UNFINISHED = str(Result.UNFINISHED)

Say = Callable[[str], None]
"""Called with one line."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line says instead of a log's header; None leaves it to the header."""

    mode: Mode | None = None
    touch: TouchRule | None = None
    ruleset: str | None = None

    def applied_to(self, settings: Settings) -> Settings:
        """The settings that count."""
        return replace(
            settings,
            mode=self.mode or settings.mode,
            touch=self.touch or settings.touch,
            ruleset=self.ruleset or settings.ruleset,
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which reports are asked for."""

    events: bool = False
    summary: bool = False
    account: bool = False


@dataclass(frozen=True, slots=True)
class Replayed:
    """What one log held. `problem` is why it could not be read to its end; None if it could."""

    games: tuple[GameRecord, ...] = ()
    problem: SensorLogError | None = None


def report(
    name: str,
    wanted: Wanted,
    overrides: Overrides,
    *,
    say: Say,
    warn: Say,
    mind_of: Callable[[Settings], Mind] = make_mind,
) -> Replayed:
    """Replay one log and say what is wanted of it; what comes before a malformed line is reported all the same."""
    try:
        log = open_log(name, warn)
    except SensorLogError as problem:
        return Replayed(problem=problem)
    with log:
        settings = overrides.applied_to(log.header.settings(holds_press=log.holds_press))
        start = parse_fen(settings.start_fen, chess960=settings.chess960)
        mind = mind_of(settings)
        incidents = Incidents(start.turn, start.fullmove_number)
        broken = _play(mind, log, incidents, say if wanted.events else None)
    games = tuple(mind.games())
    if wanted.summary:
        say(json.dumps(summary_object(mind, games, name)))
    if wanted.account:
        for line in account(f"{name} ({_ruled(settings)})", games, incidents.lines):
            say(line)
    return Replayed(games, broken)


def _ruled(settings: Settings) -> str:
    """How the log was read, for the title of its account."""
    if settings.mode is Mode.RECORD:
        return "written down only"
    return f"play, {settings.ruleset} rules, touch-move {settings.touch.value}"


def _play(mind: Mind, log: SensorLog, incidents: Incidents, say: Say | None) -> SensorLogError | None:
    try:
        for event in play_out(mind, log):
            incidents.note(event)
            if say is not None:
                say(json.dumps(event_object(event)))
    except SensorLogError as problem:
        return problem
    return None


def summary_object(mind: Mind, games: Sequence[GameRecord], name: str) -> dict[str, object]:
    """The contract's summary of a log: the present game, all games where there are several, and the log's name.

    A game without a result has null for it, in every mode.
    """
    summary = _with_null(mind.summary())
    if len(games) > 1 or "games" in summary:
        summary["games"] = [_with_null(game_object(game)) for game in games]
    return summary | {"log": name}


def _with_null(game: dict[str, object]) -> dict[str, object]:
    return game | {"result": None, "reason": None} if game.get("result") == _UNFINISHED else dict(game)


def game_object(game: GameRecord) -> dict[str, object]:
    """A game in short: where it began, its moves as UCI, the position after them, the result and why."""
    position = game.start
    moves = []
    for ply in game.plies:
        moves.append(write_uci(position, ply.move))
        position = position.play(ply.move)
    return {
        "uci": moves,
        "fen": write_fen(position),
        "result": game.result,
        "reason": game.reason or None,
        "start_fen": write_fen(game.start),
    }
