"""Stand-ins for what stands around the daemon: a board and a mind that do as the test says, and a clock set by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from board_driver.boards.board import Abilities, Clock, Exhausted, Inbox, Lost
from board_driver.events import Event, Fault, Notice
from board_driver.gamerecord import GameRecord
from board_driver.lights.picture import Meaning, Picture
from board_driver.mind import Settings
from board_driver.scan import Button, Input, Press, Scan, Sensing
from rules.fen import parse_fen


class HandClock(Clock):
    """Moves on when the test says so."""

    def __init__(self, time_ms: int = 0) -> None:
        super().__init__()
        self.time_ms = time_ms

    def now_ms(self) -> int:
        return self.time_ms

    def seconds_until(self, t_ms: int) -> float:
        return 0 if t_ms <= self.time_ms else 3600


class FakeBoard:
    """A board that does what the test says. `gate` holds `show` up; `failures` are raised by `open`, first to last."""

    abilities = Abilities("fake", Sensing.OCCUPANCY)

    def __init__(self, failures: Sequence[OSError] = ()) -> None:
        self.failures = list(failures)
        self.shown: list[Picture] = []
        self.showing = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self.show_error: Exception | None = None
        self.opened = 0
        self.closed = 0
        self.inbox: Inbox | None = None

    async def open(self, inbox: Inbox) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.inbox = inbox
        self.opened += 1

    async def show(self, picture: Picture) -> None:
        self.showing.set()
        await self.gate.wait()
        if self.show_error is not None:
            error, self.show_error = self.show_error, None
            raise error
        self.shown.append(dict(picture))

    async def close(self) -> None:
        self.closed += 1

    def send(self, *items: Scan | Press | Button | Fault | Lost | Exhausted) -> None:
        assert self.inbox is not None
        for item in items:
            self.inbox.put(item)


class FakeMind:
    """Lights as many squares as inputs came, echoes every input as a notice, and wakes when told to."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.received: list[Input] = []
        self.advanced: list[int] = []
        self.wake_ms: int | None = None
        self.says: dict[str, object] = {}
        self.game = GameRecord(parse_fen(settings.start_fen))

    def receive(self, item: Input) -> Sequence[Event]:
        self.received.append(item)
        return [Notice(item.t_ms, "received", repr(item))]

    def advance(self, now_ms: int) -> Sequence[Event]:
        self.advanced.append(now_ms)
        self.wake_ms = None
        return [Notice(now_ms, "advanced", "")]

    def next_wake_ms(self) -> int | None:
        return self.wake_ms

    def picture(self) -> Picture:
        return dict.fromkeys(range(len(self.received)), Meaning.OWED)

    def summary(self) -> dict[str, object]:
        return self.says

    def games(self) -> Sequence[GameRecord]:
        return (self.game,)
