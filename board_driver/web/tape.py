"""What the board told lately and what was decided on it, kept in memory for the timeline and for problem reports.

It stands before the daemon's memory (the journal, where there is one) and hands everything on to it.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Sequence

from board_driver.daemon import Daemon, Memory
from board_driver.eventjson import event_object
from board_driver.events import Event, Lit
from board_driver.mind import Settings
from board_driver.scan import Input, Scan
from board_driver.sensorlog.header import Header
from board_driver.sensorlog.writer import header_line, input_line

INPUTS_KEPT = 20_000
"""Scans that differ from the one before, presses and buttons: some hours of play, some minutes of Hall sensors."""
EVENTS_KEPT = 5_000


class Tape:
    """A `Memory` before another one. It begins anew with each new game that is asked for, not with one just set up."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon
        self._memory: Memory = daemon.memory
        self._inputs: deque[Input] = deque(maxlen=INPUTS_KEPT)
        self._events: deque[Event] = deque(maxlen=EVENTS_KEPT)
        self._last: Scan | None = None
        daemon.memory = self

    @property
    def inputs(self) -> Iterable[Input]:
        """What came in, oldest first; of scans that are alike only the first."""
        return tuple(self._inputs)

    @property
    def events(self) -> Iterable[Event]:
        """What was decided, oldest first."""
        return tuple(self._events)

    def begin(self, settings: Settings, now_ms: int) -> None:
        """A fresh mind with these settings begins."""
        self._inputs.clear()
        self._events.clear()
        self._last = None
        self._memory.begin(settings, now_ms)

    def keep(self, item: Input, events: Sequence[Event]) -> None:
        """The mind was given `item` and decided `events`."""
        self._memory.keep(item, events)
        if isinstance(item, Scan):
            last, self._last = self._last, item
            if last is None or (last.reading, last.distrusted) != (item.reading, item.distrusted):
                self._inputs.append(item)
        else:
            self._inputs.append(item)
        self._note(events)

    def passed(self, now_ms: int, events: Sequence[Event]) -> None:
        """Time came to `now_ms`, and the mind decided `events`."""
        self._memory.passed(now_ms, events)
        self._note(events)

    @property
    def is_whole(self) -> bool:
        """Whether it still has all of the present game."""
        return len(self._inputs) < INPUTS_KEPT

    def log(self) -> str:
        """What came in, as a sensor log that `touchmove replay` reads."""
        header = Header.of(
            self._daemon.settings,
            board=self._daemon.board.abilities.name,
            comment=None if self.is_whole else "the newest part of a longer log",
        )
        return header_line(header) + "".join(input_line(item) for item in self._inputs)

    def decisions(self) -> str:
        """What was decided, one JSON object a line."""
        return "".join(json.dumps(event_object(event), ensure_ascii=False) + "\n" for event in self._events)

    def _note(self, events: Sequence[Event]) -> None:
        self._events.extend(event for event in events if not isinstance(event, Lit))
