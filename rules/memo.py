"""Tables that fill themselves.

Almost everything this package looks up is worked out the first time it is asked for, and kept. So an import costs next
to nothing, and a table holds only what the positions met so far have needed. Every table is bounded: by geometry, or by
a limit at which it starts afresh (what was met again is then worked out again, a few microseconds each).

All tables together come to 4 MB in a few games and to 14 MB in a hundred. A program that runs for months on a small
computer may `forget` them between two games.
"""

from __future__ import annotations

from collections.abc import Callable

TYPE_CHECKING = False  # type checkers read it as True; `typing` itself is slow to import
if TYPE_CHECKING:
    from typing import Any, TypeVar

    K = TypeVar("K")
    V = TypeVar("V")


_TABLES: list[dict[Any, Any]] = []
"""Every table there is, the plain ones too."""


def forget() -> None:
    """Empty all tables. Nothing is lost: they fill again with what is asked for from now on."""
    for table in _TABLES:
        table.clear()


def entries() -> int:
    """How many answers all tables hold at present."""
    return sum(map(len, _TABLES))


def table(known: dict[K, V]) -> dict[K, V]:
    """That plain dict, as one of the tables: whoever looks into it knows how to work out what it lacks."""
    _TABLES.append(known)
    return known


class Memo(dict["K", "V"]):
    """A dict that works out what it lacks by `fill(key)` and keeps it, up to `limit` entries."""

    __slots__ = ("_fill", "_limit")

    def __init__(self, fill: Callable[[K], V], limit: int = 1 << 14) -> None:
        self._fill = fill
        self._limit = limit
        _TABLES.append(self)

    def __missing__(self, key: K) -> V:
        if len(self) >= self._limit:
            self.clear()
        value = self[key] = self._fill(key)
        return value
