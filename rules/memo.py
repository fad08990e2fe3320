"""Tables that fill themselves.

Almost everything this package looks up is worked out the first time it is asked for, and kept. So an import costs next
to nothing, and a table holds only what the positions met so far have needed. Every table is bounded: by geometry, or by
a limit at which it starts afresh (what was met again is then worked out again, a few microseconds each).
"""

from __future__ import annotations

from collections.abc import Callable

TYPE_CHECKING = False  # type checkers read it as True; `typing` itself is slow to import
if TYPE_CHECKING:
    from typing import TypeVar

    K = TypeVar("K")
    V = TypeVar("V")


class Memo(dict["K", "V"]):
    """A dict that works out what it lacks by `fill(key)` and keeps it, up to `limit` entries."""

    __slots__ = ("_fill", "_limit")

    def __init__(self, fill: Callable[[K], V], limit: int = 1 << 14) -> None:
        self._fill = fill
        self._limit = limit

    def __missing__(self, key: K) -> V:
        if len(self) >= self._limit:
            self.clear()
        value = self[key] = self._fill(key)
        return value
