"""When a game began, by a clock that may be wrong.

A Raspberry Pi has no clock of its own: until the network tells it the time it believes in some day of the past, and
then it jumps. Durations come from the daemon's monotonic clock, which never jumps, so the beginning of a game can be
worked out again after each jump.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from board_driver.store.pgnfile import date_tags

EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""No clock that is set shows a time before this program was written."""
JUMP = timedelta(minutes=1)
"""A clock that differs from what went by more than this has been set."""


@dataclass(frozen=True, slots=True)
class Begin:
    """When a game began. `zero` is what the wall clock showed when the daemon's was at 0, None for a former life's."""

    when: datetime
    zero: datetime | None = None

    @property
    def sure(self) -> bool:
        """Whether that can be."""
        return self.when >= EARLIEST

    def tags(self) -> dict[str, str]:
        """As PGN tags; what is not sure is unknown there."""
        return date_tags(self.when) if self.sure else {"Date": "????.??.??"}


def begun(began_ms: int, now_ms: int, now: datetime) -> Begin:
    """When a game began whose first moment was `began_ms` by the daemon's clock, which shows `now_ms` at `now`."""
    return Begin(now - timedelta(milliseconds=now_ms - began_ms), now - timedelta(milliseconds=now_ms))


def put_right(begin: Begin, began_ms: int, now_ms: int, now: datetime) -> Begin:
    """The same, or what is known better now: the clock was set, or what it was a former life did not know."""
    fresh = begun(began_ms, now_ms, now)
    if begin.zero is None:
        return begin if begin.sure or not fresh.sure else fresh
    assert fresh.zero is not None
    return fresh if abs(fresh.zero - begin.zero) > JUMP else begin
