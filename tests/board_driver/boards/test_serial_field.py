"""The field cases of wires and cables: what the hands did comes through whatever the wire did, to the right moves.

Virtual time: a board's own end, a codec, the wire's fault between them, and behind them the recorder and the arbiter.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from board_driver.boards.serialreading import reading_of
from board_driver.mind import Mode, Settings
from board_driver.minds import make_mind
from board_driver.scan import Scan, Sensing
from firmware_bridge.boardclock import BoardClock
from firmware_bridge.messages import BoardRead, DeviceTrouble, Identified, Message, OccupiedSquares, Trouble
from firmware_bridge.touchmove.board import TouchmoveBoard
from firmware_bridge.touchmove.host import TouchmoveCodec
from rules.fen import parse_fen
from rules.squares import parse_square
from tests.firmware_bridge.wires import Dialogue, WholeWire

TESTS = Path(__file__).resolve().parents[2]
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in map(json.loads, (TESTS / "data" / "field.jsonl").read_text(encoding="utf-8").splitlines())
}


class Pieces(WholeWire):
    """Every frame in pieces of 1, 3 and n - 4 bytes, with gaps of 5 ms; two frames written at once stay joined."""

    def __init__(self) -> None:
        super().__init__()
        self._coming: list[tuple[int, bytes]] = []

    def write(self, payload: bytes, now_ms: int) -> None:
        start = max([now_ms, *(due for due, _ in self._coming)])
        for number, piece in enumerate((payload[:1], payload[1:4], payload[4:])):
            self._coming.append((start + 5 * number, piece))

    def read(self, now_ms: int) -> list[bytes]:
        out = [piece for due, piece in self._coming if due <= now_ms]
        self._coming = [(due, piece) for due, piece in self._coming if due > now_ms]
        return out


class DropOne(WholeWire):
    """One byte of the first event frame written after `from_ms` is dropped."""

    def __init__(self, place: int, from_ms: int) -> None:
        super().__init__()
        self._place = place
        self._from_ms = from_ms
        self.dropped = False

    def write(self, payload: bytes, now_ms: int) -> None:
        if not self.dropped and now_ms >= self._from_ms and payload.startswith(b"C "):
            payload, self.dropped = payload[: self._place] + payload[self._place + 1 :], True
        super().write(payload, now_ms)


class Cut(WholeWire):
    """Nothing passes from one time to another."""

    def __init__(self, from_ms: int, to_ms: int) -> None:
        super().__init__()
        self._span = range(from_ms, to_ms)

    def write(self, payload: bytes, now_ms: int) -> None:
        if now_ms not in self._span:
            super().write(payload, now_ms)


def scans_of(
    case: dict[str, Any],
    make_wire: Callable[[], WholeWire],
    act: Callable[[Dialogue, int], None] = lambda _talk, _ms: None,
) -> tuple[list[Scan], list[Message]]:
    """The scans that a board under the case's hands delivers. Events begin after 3 s, when all is up; `act` is asked
    each millisecond."""
    occupied, start_ms = parse_fen(case["start_fen"]).occupied, 3_000
    board = TouchmoveBoard()
    board.sense(OccupiedSquares(occupied), 0)
    talk = Dialogue(TouchmoveCodec(session=7), board, make_wire(), WholeWire())
    talk.codec.connected(0)
    events = [(start_ms + t_ms, kind, 1 << parse_square(name)) for t_ms, kind, name in case["events"]]
    clock, scans = BoardClock(), []
    last_ms = max(events[-1][0], start_ms + 22_000)
    while talk.now_ms < last_ms + 3_000:
        while events and events[0][0] <= talk.now_ms:
            _, kind, square = events.pop(0)
            occupied = occupied & ~square if kind == "lift" else occupied | square
            talk.board.sense(OccupiedSquares(occupied), talk.now_ms)
        act(talk, talk.now_ms - start_ms)
        scans += list(_scans(talk.run(1), talk.now_ms, clock, scans))
    return scans, talk.messages


def _scans(messages: list[Message], now_ms: int, clock: BoardClock, before: list[Scan]) -> Iterator[Scan]:
    seen = before[-1].reading if before else None
    for message in messages:
        if isinstance(message, Identified):
            clock.forget()
        if isinstance(message, BoardRead) and message.board_ms is not None:
            reading = reading_of(message.content, Sensing.OCCUPANCY)
            if reading is not None and reading != seen:
                seen = reading
                latest = before[-1].t_ms if before else 0
                yield Scan(max(latest, clock.host_ms(message.board_ms, now_ms)), reading)


def moves_by(mode: Mode, case: dict[str, Any], scans: list[Scan]) -> object:
    """What the arbiter or the recorder makes of the scans."""
    mind = make_mind(Settings(mode=mode, start_fen=case["start_fen"]))
    for scan in scans:
        mind.receive(scan)
    mind.advance(scans[-1].t_ms + 60_000)
    return mind.summary()["uci"]


@pytest.mark.parametrize("mode", Mode)
def test_serial_01_one_read_is_not_one_frame(mode: Mode) -> None:
    case = CASES["SERIAL-01"]
    scans, messages = scans_of(case, Pieces)
    assert moves_by(mode, case, scans) == case["recorded_moves"]
    assert not [message for message in messages if isinstance(message, DeviceTrouble)]


def test_serial_03_one_lost_byte_at_any_place_makes_no_false_event() -> None:
    case, whole = CASES["SERIAL-03"], None
    for place in range(34):
        scans, _ = scans_of({**case, "events": case["events"]}, lambda place=place: DropOne(place, 3_000))  # type: ignore[misc]
        whole = whole or scans_of(case, WholeWire)[0]
        assert [scan.reading for scan in scans] == [scan.reading for scan in whole]
        assert all(abs(one.t_ms - other.t_ms) <= 2 for one, other in zip(scans, whole, strict=True)), "nor a late one"
    assert moves_by(Mode.RECORD, case, scans) == case["recorded_moves"]


@pytest.mark.parametrize("mode", Mode)
def test_serial_10_a_lost_port_comes_back(mode: Mode) -> None:
    case = CASES["SERIAL-10"]

    def act(talk: Dialogue, ms: int) -> None:
        if ms == 6_000:
            talk.codec.connected(talk.now_ms)

    scans, messages = scans_of(case, lambda: Cut(4_000, 9_000), act)
    assert [m.kind for m in messages if isinstance(m, DeviceTrouble)] == [Trouble.SILENT]
    assert moves_by(mode, case, scans) == case["recorded_moves"]


@pytest.mark.parametrize("mode", Mode)
def test_power_01_a_cable_pulled_and_put_back(mode: Mode) -> None:
    """From 5 s to 20 s; the board has no power meanwhile and starts anew. Its missing pieces are not lifts."""
    case = CASES["POWER-01"]

    def act(talk: Dialogue, ms: int) -> None:
        if ms == 20_000:
            standing = parse_fen(case["start_fen"]).occupied
            talk.board = TouchmoveBoard(started_ms=talk.now_ms)
            talk.board.sense(OccupiedSquares(standing), talk.now_ms)
            talk.codec.connected(talk.now_ms)

    scans, messages = scans_of(case, lambda: Cut(8_000, 23_000), act)
    kinds = [m.kind for m in messages if isinstance(m, DeviceTrouble)]
    assert kinds == [Trouble.SILENT, Trouble.REBOOTED]
    assert moves_by(mode, case, scans) == case["recorded_moves"]


def test_every_serial_case_is_a_test() -> None:
    """Each is named where it is tested."""
    own = Path(__file__).name
    folders = ("firmware_bridge", "board_driver/boards", "firmware")
    places = [path for folder in folders for path in (TESTS / folder).glob("*.py") if path.name != own]
    text = "".join(path.read_text(encoding="utf-8") for path in places)
    here = {"SERIAL-01", "SERIAL-03", "SERIAL-10"}
    serial = {name for name, case in CASES.items() if case["kind"] == "serial"}
    assert serial - here - {name for name in serial if name in text} == set()
