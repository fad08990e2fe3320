"""Which sensors misbehave, and how often [pure].

A *dropout* is a piece that a square loses and has back within the settle time, after it had been there for a while: a
weak magnet, one exactly over the middle of a reed, or a bad contact. *Chatter* is a square that goes on changing. Both
are nothing to the game, because settling takes them out; they are told so that somebody can mend the board. The short
bounce of a healthy contact is neither.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from board_driver.events import Fault
from board_driver.sensing.cells import Cells
from rules.squares import Square, square_name

BOUNCE_MS = 50
"""Changes closer together than this are the bounce of one contact."""
DROPOUTS_TOLD = 3
"""Fewer in one window may be captures, done so fast that the square is empty for a moment only."""
DROPOUT_WINDOW_MS = 10_000
CHATTER_CHANGES = 20
CHATTER_WINDOW_MS = 2_000


@dataclass(frozen=True, slots=True)
class SquareHealth:
    """Counts of one square since the start: raw changes, dropouts, and spells of chatter."""

    changes: int
    dropouts: int
    chatter: int


@dataclass(slots=True)
class _Watch:
    """One square."""

    changes: int = 0
    dropouts: int = 0
    chatter: int = 0
    filled_ms: int | None = None
    """When the square was last filled; None for a piece that was there at the start."""
    left_ms: int | None = None
    """When a piece left that had been there for longer than a bounce; None once the square is filled again."""
    recent: deque[int] = field(default_factory=lambda: deque(maxlen=CHATTER_CHANGES))
    recent_dropouts: deque[int] = field(default_factory=lambda: deque(maxlen=DROPOUTS_TOLD))
    chatter_until_ms: int | None = None


class SensorHealth:
    """Watches raw cells, scan by scan. A piece that comes back within `settle_ms` was a dropout."""

    def __init__(self, settle_ms: int) -> None:
        self._settle_ms = settle_ms
        self._last: Cells | None = None
        self._watches = tuple(_Watch() for _ in range(64))

    def observe(self, t_ms: int, cells: Cells) -> tuple[Fault, ...]:
        """Take the cells as read at that time: what is newly wrong."""
        last, self._last = self._last, cells
        if last is None or last == cells:
            return ()
        faults: list[Fault] = []
        for square, (before, after) in enumerate(zip(last, cells, strict=True)):
            if before != after:
                faults += self._changed(square, t_ms, was_filled=before is not None, is_filled=after is not None)
        return tuple(faults)

    def counts(self, square: int) -> SquareHealth:
        """What was counted on that square."""
        watch = self._watches[square]
        return SquareHealth(watch.changes, watch.dropouts, watch.chatter)

    def _changed(self, square: int, t_ms: int, *, was_filled: bool, is_filled: bool) -> list[Fault]:
        watch = self._watches[square]
        watch.changes += 1
        watch.recent.append(t_ms)
        faults = self._chatter(square, watch, t_ms)
        if was_filled and not is_filled:
            stayed = watch.filled_ms is None or t_ms - watch.filled_ms >= BOUNCE_MS
            watch.left_ms = t_ms if stayed else watch.left_ms
        elif is_filled and not was_filled:
            watch.filled_ms = t_ms
            if watch.left_ms is not None and BOUNCE_MS <= t_ms - watch.left_ms < self._settle_ms:
                faults += self._dropout(square, watch, t_ms)
            watch.left_ms = None
        return faults

    def _dropout(self, square: int, watch: _Watch, t_ms: int) -> list[Fault]:
        watch.dropouts += 1
        watch.recent_dropouts.append(t_ms)
        if len(watch.recent_dropouts) < DROPOUTS_TOLD or t_ms - watch.recent_dropouts[0] > DROPOUT_WINDOW_MS:
            return []
        watch.recent_dropouts.clear()
        times = f"{watch.dropouts} times so far"
        text = f"{square_name(square)} lost its piece for a moment, {times}: a weak magnet or a bad contact"
        return [Fault(t_ms, "dropout", Square(square), text)]

    def _chatter(self, square: int, watch: _Watch, t_ms: int) -> list[Fault]:
        """One fault for each spell: it is over when the square was slower than that for a whole window."""
        fast = len(watch.recent) == CHATTER_CHANGES and t_ms - watch.recent[0] <= CHATTER_WINDOW_MS
        if not fast:
            return []
        is_new = watch.chatter_until_ms is None or t_ms > watch.chatter_until_ms
        watch.chatter_until_ms = t_ms + CHATTER_WINDOW_MS
        if not is_new:
            return []
        watch.chatter += 1
        text = f"{square_name(square)} changed {CHATTER_CHANGES} times in two seconds: check its sensor and wiring"
        return [Fault(t_ms, "chatter", Square(square), text)]
