"""Numbered frames, so that no event is lost or doubled: selective repeat over a wire that keeps order.

The sender numbers events 0 to 255 and round again, keeps each until it is acknowledged, and never has more than
`WINDOW` unacknowledged. The receiver delivers in order, keeps what came early, and answers with the number it waits
for and a map of what came beyond it. Because the wire keeps order, an event of which a later sending is acknowledged
was lost, and is sent again at once; otherwise after `RESEND_MS`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

WINDOW = 32
RESEND_MS = 50
MAP_BITS = 16
"""Events beyond the awaited one that an acknowledgement can tell of."""

Event = TypeVar("Event", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """`awaited` is the next number wanted; bit i of `beyond` says that number awaited + 1 + i is here."""

    awaited: int
    beyond: int


class Receiver(Generic[Event]):
    """The receiving side."""

    def __init__(self) -> None:
        self._awaited = 0
        self._early: dict[int, Event] = {}
        self.doubled = 0

    def take(self, number: int, event: Event) -> list[Event]:
        """What can be delivered now that `event` came with that number (0 to 255), in order."""
        ahead = (number - self._awaited) & 0xFF
        if ahead >= WINDOW or number in self._early:
            self.doubled += 1
            return []
        self._early[number] = event
        ready = []
        while self._awaited in self._early:
            ready.append(self._early.pop(self._awaited))
            self._awaited = (self._awaited + 1) & 0xFF
        return ready

    def is_level(self, last: int) -> bool:
        """Whether everything up to and including number `last` was delivered, and nothing beyond."""
        return (last + 1) & 0xFF == self._awaited

    def acknowledgement(self) -> Acknowledgement:
        """What to answer now."""
        beyond = sum(1 << i for i in range(MAP_BITS) if (self._awaited + 1 + i) & 0xFF in self._early)
        return Acknowledgement(self._awaited, beyond)


@dataclass(slots=True)
class _Kept(Generic[Event]):
    event: Event
    due: bool = True
    sent_ms: int = 0
    sent_order: int = -1
    here: bool = False


@dataclass(slots=True)
class Sender(Generic[Event]):
    """The sending side."""

    _next: int = 0
    _first: int = 0
    _order: int = 0
    _kept: dict[int, _Kept[Event]] = field(default_factory=dict)
    resent: int = 0

    @property
    def has_room(self) -> bool:
        """Whether another event can be taken."""
        return (self._next - self._first) & 0xFF < WINDOW

    @property
    def last(self) -> int:
        """The number of the latest event (255 before the first)."""
        return (self._next - 1) & 0xFF

    def put(self, event: Event) -> None:
        """Number an event and have it sent. Ask `has_room` first."""
        self._kept[self._next] = _Kept(event)
        self._next = (self._next + 1) & 0xFF

    def due(self, now_ms: int) -> list[tuple[int, Event]]:
        """What to send now, in order; it counts as sent."""
        out = []
        for number, kept in self._kept.items():
            if not kept.here and (kept.due or now_ms - kept.sent_ms >= RESEND_MS):
                self.resent += kept.sent_order >= 0
                kept.due, kept.sent_ms, kept.sent_order = False, now_ms, self._order
                self._order += 1
                out.append((number, kept.event))
        return out

    def next_wake_ms(self, now_ms: int) -> int | None:
        """When `due` will have something; None when all is acknowledged."""
        waiting = [kept for kept in self._kept.values() if not kept.here]
        if not waiting:
            return None
        return now_ms if any(kept.due for kept in waiting) else min(kept.sent_ms for kept in waiting) + RESEND_MS

    def acknowledge(self, answer: Acknowledgement) -> None:
        """Take an answer. One that acknowledges what was never sent is ignored."""
        passed = (answer.awaited - self._first) & 0xFF
        if passed > (self._next - self._first) & 0xFF:
            return
        newest = -1
        for number in [n for n in self._kept if (n - self._first) & 0xFF < passed]:
            newest = max(newest, self._kept.pop(number).sent_order)
        self._first = answer.awaited
        for i in range(MAP_BITS):
            kept = self._kept.get((answer.awaited + 1 + i) & 0xFF) if answer.beyond >> i & 1 else None
            if kept is not None:
                kept.here = True
                newest = max(newest, kept.sent_order)
        for kept in self._kept.values():
            kept.due = kept.due or (not kept.here and kept.sent_order < newest)
