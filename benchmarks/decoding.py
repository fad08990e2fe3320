"""Running a decoder over a log, and what stood on the page at every moment of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import thread_time_ns

from board_driver.events import Event, Moved, Revised
from board_driver.gamerecord import GameRecord
from board_driver.mind import Mind
from board_driver.scan import Scan
from rules.uci import write_uci

MOST_WAKES = 10_000
"""So many timers between two scans are taken for a mind that wakes for ever."""
LONGEST_SILENCE_MS = 600_000
"""Time is run on for so long after the last scan, if the mind asks for it."""


class StalledError(Exception):
    """The mind asks to be woken again and again and time does not go on."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the page: from `t_ms` on, ply `ply` (1 is the first) reads `uci`; None cuts the game before it."""

    t_ms: int
    ply: int
    uci: str | None


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a decoder made of a log. Times in `cpu_ms` and `worst_ms` are those of one thread's processor."""

    moves: tuple[str, ...]
    uncertain: frozenset[int]
    changes: tuple[Change, ...]
    whole: bool = True
    """Whether it is one game; False where it fell to pieces, `moves` being those of all of them."""
    cpu_ms: float = 0.0
    worst_ms: float = 0.0


@dataclass(slots=True)
class Page:
    """The score as a watcher sees it: apply changes in order, look at it at any time."""

    changes: Sequence[Change]
    moves: list[str] = field(default_factory=list)
    _next: int = 0

    def at(self, t_ms: float) -> list[str]:
        """The moves that stand at that time. Times must not go back."""
        while self._next < len(self.changes) and self.changes[self._next].t_ms <= t_ms:
            change = self.changes[self._next]
            self._next += 1
            if change.uci is None:
                del self.moves[change.ply - 1 :]
            elif change.ply <= len(self.moves):
                self.moves[change.ply - 1] = change.uci
            else:
                self.moves.append(change.uci)
        return self.moves


@dataclass(slots=True)
class _Watch:
    """Collects events and the time spent on each call."""

    changes: list[Change] = field(default_factory=list)
    spent_ns: int = 0
    worst_ns: int = 0

    def note(self, began_ns: int, events: Sequence[Event]) -> None:
        took = thread_time_ns() - began_ns
        self.spent_ns += took
        self.worst_ns = max(self.worst_ns, took)
        for event in events:
            match event:
                case Moved(t_ms=t_ms, ply=ply, uci=uci):
                    self.changes.append(Change(t_ms, ply, uci))
                case Revised(t_ms=t_ms, ply=ply, now=now):
                    self.changes.append(Change(t_ms, ply, now))
                case _:
                    pass


def decode(mind: Mind, scans: Sequence[Scan]) -> Decoded:
    """Run a mind over scans in virtual time, every timer at its time, and on until no timer is left."""
    watch = _Watch()
    for scan in scans:
        _wake_until(mind, scan.t_ms, watch)
        began = thread_time_ns()
        watch.note(began, mind.receive(scan))
    _wake_until(mind, scans[-1].t_ms + LONGEST_SILENCE_MS, watch)
    moves, marked = _written(mind.games())
    last = mind.summary().get("uci")
    assert isinstance(last, (list, tuple))
    whole = tuple(last) == moves
    return Decoded(moves, marked, tuple(watch.changes), whole, watch.spent_ns / 1e6, watch.worst_ns / 1e6)


def _written(games: Sequence[GameRecord]) -> tuple[tuple[str, ...], frozenset[int]]:
    """The moves of all games and fragments one after the other, and the numbers of those marked uncertain."""
    moves, marked = [], set()
    for game in games:
        position = game.start
        for ply in game.plies:
            moves.append(write_uci(position, ply.move))
            position = position.play(ply.move)
            if ply.alternatives:
                marked.add(len(moves))
    return tuple(moves), frozenset(marked)


def _wake_until(mind: Mind, t_ms: int, watch: _Watch) -> None:
    for _ in range(MOST_WAKES):
        wake = mind.next_wake_ms()
        if wake is None or wake >= t_ms:
            return
        began = thread_time_ns()
        watch.note(began, mind.advance(wake))
    raise StalledError(f"still asks for {mind.next_wake_ms()} ms before {t_ms} ms")
