"""Virtual time, the reports of a replayed log, and the JSON of the contract."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from board_driver.account import Incidents, account, clock_time, move_number, score
from board_driver.eventjson import event_object
from board_driver.events import (
    Claimable,
    Ended,
    Event,
    Fault,
    Irregular,
    Lifted,
    Lit,
    Moved,
    Notice,
    Placed,
    RestoreAsked,
    Revised,
    Touched,
    Unsure,
)
from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.lights.picture import DARK, Meaning, Picture
from board_driver.mind import Mode, Settings, TouchRule
from board_driver.replay import play_out
from board_driver.report import Overrides, Wanted, report
from board_driver.scan import Input, Occupancy, Press, Scan
from board_driver.sensorlog import SensorLogError
from rules.fen import START_FEN, parse_fen
from rules.pieces import PIECES
from rules.squares import Colour, parse_square
from rules.uci import parse_uci

START = 0xFFFF00000000FFFF


class EchoMind:
    """Says a notice for each input, and `patience` notices more, `every_ms` apart, after the last one."""

    def __init__(self, settings: Settings, patience: int = 3, every_ms: int = 100) -> None:
        self.settings = settings
        self.patience = patience
        self.every_ms = every_ms
        self.left = 0
        self.wake_ms: int | None = None
        self.record: tuple[GameRecord, ...] = (GameRecord(parse_fen(START_FEN)),)

    def receive(self, item: Input) -> Sequence[Event]:
        self.left = self.patience
        self.wake_ms = item.t_ms + self.every_ms if self.left else None
        return [Notice(item.t_ms, "input", type(item).__name__)]

    def advance(self, now_ms: int) -> Sequence[Event]:
        if self.wake_ms is None or self.wake_ms > now_ms:
            return []
        fired, self.left = self.wake_ms, self.left - 1
        self.wake_ms = fired + self.every_ms if self.left else None
        return [Notice(fired, "timer", str(now_ms))]

    def next_wake_ms(self) -> int | None:
        return self.wake_ms

    def picture(self) -> Picture:
        return DARK

    def summary(self) -> dict[str, object]:
        return {"moves": [], "ruleset": self.settings.ruleset, "clock": self.settings.clock}

    def games(self) -> Sequence[GameRecord]:
        return self.record


def scans(*times: int) -> Iterator[Scan]:
    return (Scan(t_ms, Occupancy(START)) for t_ms in times)


def told(events: Iterable[Event]) -> list[tuple[int, str]]:
    return [(event.t_ms, event.kind) for event in events if isinstance(event, Notice)]


def test_timers_fire_at_their_times_and_run_on_after_the_last_input() -> None:
    events = list(play_out(EchoMind(Settings()), scans(0, 250)))
    assert told(events) == [
        (0, "input"),
        (100, "timer"),
        (200, "timer"),
        (250, "input"),
        (350, "timer"),
        (450, "timer"),
        (550, "timer"),
    ]
    assert [event.text for event in events if isinstance(event, Notice) and event.kind == "timer"] == [
        "100",
        "200",
        "350",
        "450",
        "550",
    ]


def test_a_timer_due_with_an_input_fires_first() -> None:
    assert told(play_out(EchoMind(Settings(), patience=1), scans(0, 100)))[1:3] == [(100, "timer"), (100, "input")]


def test_nothing_in_is_nothing_out() -> None:
    assert list(play_out(EchoMind(Settings()), [])) == []


def test_what_was_read_before_an_error_is_played_out_before_it_is_raised() -> None:
    def broken() -> Iterator[Input]:
        yield from scans(0)
        raise SensorLogError("line 3")

    collected: list[Event] = []

    def collect() -> None:
        for event in play_out(EchoMind(Settings()), broken()):
            collected.append(event)

    with pytest.raises(SensorLogError, match="line 3"):
        collect()
    assert told(collected) == [(0, "input"), (100, "timer"), (200, "timer"), (300, "timer")]


def test_a_mind_that_never_stops_is_our_mistake() -> None:
    with pytest.raises(AssertionError, match="never end"):
        list(play_out(EchoMind(Settings(), patience=10**9, every_ms=3_600_000), scans(0)))
    with pytest.raises(AssertionError, match="without time"):
        list(play_out(EchoMind(Settings(), every_ms=0), scans(0)))


# -- the JSON of the contract --

E2, E4, G1 = (parse_square(name) for name in ("e2", "e4", "g1"))

EVENTS: list[tuple[Event, dict[str, object]]] = [
    (Lifted(5, E2), {"t_ms": 5, "event": "lift", "square": "e2"}),
    (Placed(5, E4), {"t_ms": 5, "event": "place", "square": "e4"}),
    (
        Touched(5, E2, PIECES["P"], {"kind": "move", "squares": ["e2"]}, (E4, parse_square("e3")), "own it"),
        {
            "t_ms": 5,
            "event": "touch",
            "square": "e2",
            "piece": "P",
            "obligation": {"kind": "move", "squares": ["e2"]},
            "destinations": ["e3", "e4"],
            "text": "own it",
        },
    ),
    (
        Moved(5, "e4", "e2e4", "fen", 1, True),
        {"t_ms": 5, "event": "move", "san": "e4", "uci": "e2e4", "fen": "fen", "ply": 1, "provisional": True},
    ),
    (Revised(5, 1, "e2e3", "e2e4"), {"t_ms": 5, "event": "revise", "ply": 1, "was": "e2e3", "now": "e2e4"}),
    (Revised(5, 1, "e2e3", None), {"t_ms": 5, "event": "revise", "ply": 1, "was": "e2e3", "now": None}),
    (
        Irregular(5, "self-check", E4, "illegal", True, "why", "3.9"),
        {
            "t_ms": 5,
            "event": "illegal",
            "why": "self-check",
            "square": "e4",
            "class": "illegal",
            "completed": True,
            "text": "why",
            "article": "3.9",
        },
    ),
    (
        RestoreAsked(5, (E4,), (G1, E2), "back"),
        {"t_ms": 5, "event": "restore", "lift": ["e4"], "place": ["e2", "g1"], "text": "back"},
    ),
    (Claimable(5, ("threefold",)), {"t_ms": 5, "event": "claimable", "claims": ["threefold"]}),
    (
        Lit(5, {E4: Meaning.CAPTURE, E2: Meaning.OWED}),
        {"t_ms": 5, "event": "lights", "picture": {"e2": "owed", "e4": "capture"}},
    ),
    (Ended(5, "1-0", "checkmate"), {"t_ms": 5, "event": "result", "result": "1-0", "reason": "checkmate"}),
    (Unsure(5, 3, ("e2e4",)), {"t_ms": 5, "event": "uncertain", "ply": 3, "alternatives": ["e2e4"]}),
    (Fault(5, "bus", None, "t"), {"t_ms": 5, "event": "fault", "kind": "bus", "square": None, "text": "t"}),
    (
        Notice(5, "bonus", "t", Colour.BLACK, {"ms": 9}),
        {"t_ms": 5, "event": "notice", "kind": "bonus", "text": "t", "player": "black", "ms": 9},
    ),
]


@pytest.mark.parametrize(("event", "expected"), EVENTS, ids=[type(event).__name__ for event, _ in EVENTS])
def test_events_as_json(event: Event, expected: dict[str, object]) -> None:
    assert json.loads(json.dumps(event_object(event))) == expected


# -- reports --


def log(tmp_path: Path, *lines: str, header: str = '{"sensorlog": 1}') -> str:
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join((header, *lines)) + "\n", encoding="utf-8")
    return str(path)


def replayed(name: str, wanted: Wanted, overrides: Overrides | None = None) -> tuple[list[str], SensorLogError | None]:
    said: list[str] = []
    result = report(name, wanted, overrides or Overrides(), say=said.append, warn=said.append, mind_of=EchoMind)
    return said, result.problem


def test_events_come_one_a_line_and_the_summary_last(tmp_path: Path) -> None:
    name = log(tmp_path, '{"t_ms": 0, "occ": "0x0"}')
    said, problem = replayed(name, Wanted(events=True, summary=True))
    assert problem is None
    assert [json.loads(line).get("event") for line in said] == ["notice"] * 4 + [None]
    assert json.loads(said[-1]) == {"moves": [], "ruleset": "fide", "clock": False, "log": name}


def test_a_press_in_the_log_puts_a_clock_on_the_table(tmp_path: Path) -> None:
    said, _ = replayed(log(tmp_path, '{"t_ms": 0, "press": "white"}'), Wanted(summary=True))
    assert json.loads(said[-1])["clock"] is True


def test_the_command_line_overrides_the_header(tmp_path: Path) -> None:
    name = log(tmp_path, header='{"sensorlog": 1, "ruleset": "blitz"}')
    assert json.loads(replayed(name, Wanted(summary=True))[0][-1])["ruleset"] == "blitz"
    said, _ = replayed(name, Wanted(summary=True), Overrides(Mode.PLAY, TouchRule.OFF, "club3"))
    assert json.loads(said[-1])["ruleset"] == "club3"


def test_a_log_that_breaks_off_is_reported_up_to_there(tmp_path: Path) -> None:
    said, problem = replayed(log(tmp_path, '{"t_ms": 0, "occ": "0x0"}', "junk"), Wanted(events=True, summary=True))
    assert len(said) == 5
    assert problem is not None
    assert "line 3" in str(problem)


def test_a_log_without_a_header_reports_nothing(tmp_path: Path) -> None:
    said, problem = replayed(log(tmp_path, header="junk"), Wanted(events=True, summary=True, account=True))
    assert said == []
    assert problem is not None


def test_several_games_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = parse_fen(START_FEN)
    e4 = parse_uci(start, "e2e4")
    games = (GameRecord(start, (RecordedPly(e4, 0, 0),), "1-0", "resignation"), GameRecord(start))
    monkeypatch.setattr(EchoMind, "games", lambda _: games)
    said, _ = replayed(log(tmp_path), Wanted(summary=True))
    after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert json.loads(said[-1])["games"] == [
        {"uci": ["e2e4"], "fen": after, "result": "1-0", "reason": "resignation", "start_fen": START_FEN},
        {"uci": [], "fen": START_FEN, "result": None, "reason": None, "start_fen": START_FEN},
    ]


def test_a_game_without_a_result_has_none_in_every_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EchoMind, "summary", lambda _: {"moves": [], "result": "*", "reason": ""})
    summary = json.loads(replayed(log(tmp_path), Wanted(summary=True))[0][-1])
    assert summary["result"] is None
    assert summary["reason"] is None


def test_games_that_the_mind_lists_itself_have_none_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EchoMind, "summary", lambda _: {"games": [{"uci": [], "result": "*", "reason": ""}]})
    monkeypatch.setattr(EchoMind, "games", lambda _: (GameRecord(parse_fen(START_FEN)),))
    (game,) = json.loads(replayed(log(tmp_path), Wanted(summary=True))[0][-1])["games"]
    assert (game["result"], game["reason"]) == (None, None)


# -- the account for a person --


def record(*moves: str, fen: str = START_FEN, result: str = "*", unsure: int | None = None) -> GameRecord:
    position = start = parse_fen(fen)
    plies = []
    for number, text in enumerate(moves, start=1):
        move = parse_uci(position, text)
        plies.append(RecordedPly(move, 0, 0, alternatives=("a2a3", "a7a5") if number == unsure else ()))
        position = position.play(move)
    return GameRecord(start, tuple(plies), result)


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (record(), "no move was made"),
        (record(result="1/2-1/2"), "1/2-1/2"),
        (record("e2e4", "e7e5", "g1f3"), "1. e4 e5 2. Nf3 * (not finished)"),
        (record("e2e4", result="1-0"), "1. e4 1-0"),
        (record("e2e4", "e7e5", unsure=2), "1. e4 e5 (?) * (not finished)"),
        (record("e8e7", "e1e2", fen="4k3/8/8/8/8/8/8/4K2R b - - 0 30"), "30... Ke7 31. Ke2 * (not finished)"),
    ],
)
def test_scores(game: GameRecord, expected: str) -> None:
    assert score(game) == expected


def test_the_account_tells_games_doubts_and_incidents() -> None:
    incidents = Incidents()
    for event in (
        Lifted(1000, E2),
        Moved(1700, "e4", "e2e4", "", 1, False),
        Irregular(2500, "out-of-turn", E4, "touch", False, "It is Black's move", "4.3"),
        RestoreAsked(2500, (E4,), (E2,), "pawn back to e2"),
        RestoreAsked(2600, (E4,), (), "pawn away"),
        Irregular(3000, "self-check", E4, "illegal", True, "The king is left in check (Article 3.9)", "3.9"),
        Revised(3500, 1, "e2e4", "e2e3"),
        Fault(3600, "dropout", E4, "weak magnet"),
        Revised(3700, 1, "e2e3", None),
        Notice(3800, "offer", "White offers a draw"),
        Ended(3_604_000, "1-0", "checkmate"),
    ):
        incidents.note(event)
    assert incidents.lines == [
        "0:00:01.5  after 1. e4: It is Black's move (Article 4.3)",
        "0:00:01.5  after 1. e4: to be put right: pawn back to e2",
        "0:00:02.0  after 1. e4: The king is left in check (Article 3.9), counted",
        "0:00:02.6  after 1. e2e4 became e2e3: sensor fault (dropout e4): weak magnet",
        "0:00:02.8  after 1. e2e3 was taken back: White offers a draw",
        "1:00:03.0  after 1. e2e3 was taken back: 1-0, checkmate",
    ]
    games = [record("e2e4", result="1-0"), record("d2d4", unsure=1)]
    lines = list(account("game.jsonl", games, incidents.lines))
    assert lines[0] == "game.jsonl"
    assert lines[1:3] == ["  Game 1: 1. e4 1-0", "  Game 2: 1. d4 (?) * (not finished)"]
    assert lines[3] == "  Not certain: 1. d4; it may have been a3 or a7a5."  # what is no move here stays as it is
    assert len(lines) == 4 + len(incidents.lines)
    assert list(account("x", [record()], []))[-1] == "  No irregularity."


def test_numbers_and_times() -> None:
    assert [move_number(index) for index in range(3)] == ["1.", "1...", "2."]
    assert [move_number(index, Colour.BLACK, 9) for index in range(2)] == ["9...", "10."]
    assert clock_time(3_723_456) == "1:02:03.4"


def test_presses_are_inputs_too() -> None:
    assert told(play_out(EchoMind(Settings(), patience=0), [Press(3, Colour.WHITE)])) == [(3, "input")]
