"""How far a board's clock and the host's are apart [pure].

A frame arrives some time after its moment, never before. So the smallest difference seen is the nearest to the truth;
the rest is delay. Clocks drift (a cheap resonator by 0.5 %: 0.3 s a minute), so only the last `SPAN_MS` count.
"""

from __future__ import annotations

SPAN_MS = 4_000


class BoardClock:
    """Learns from every message that carries the board's time."""

    def __init__(self) -> None:
        self._since_ms: int | None = None
        self._before: int | None = None
        self._now: int | None = None

    def host_ms(self, board_ms: int, arrived_ms: int) -> int:
        """The host's time of that moment of the board; never later than `arrived_ms`."""
        difference = arrived_ms - board_ms
        if self._since_ms is None or arrived_ms - self._since_ms >= SPAN_MS:
            self._since_ms, self._before, self._now = arrived_ms, self._now, None
        self._now = difference if self._now is None else min(self._now, difference)
        offset = self._now if self._before is None else min(self._now, self._before)
        return board_ms + offset

    def forget(self) -> None:
        """The board's clock began anew."""
        self._since_ms = self._before = self._now = None
