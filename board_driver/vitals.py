"""How the daemon is: counted in its loop, read by `/healthz` and `/metrics`.

A daemon is well while its loop turns and what it decides is kept. A board that is unplugged is no illness: the daemon
waits for it, and restarting would not bring it back.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from board_driver.daemon import BoardState, Daemon
from board_driver.events import Event, Fault, Irregular, Lifted, Moved, Placed
from board_driver.powersupply import TEXT, PowerSupply
from rules.squares import square_name

if TYPE_CHECKING:
    from board_driver.store.journal import Journal

BEAT_S = 1.0

Sample = tuple[str, str, str, list[tuple[str, float]]]
"""A metric's name, type and meaning, and its values with their labels."""


class Vitals:
    """Listens to a daemon. `run` measures how late its loop is, and looks at the supply."""

    def __init__(
        self, daemon: Daemon, journal: Journal | None = None, supply: PowerSupply | None = None, unkept: str = ""
    ) -> None:
        """`supply`: None for this machine's. `unkept` says why there is no journal although one was asked for."""
        self._unkept = unkept
        self._daemon = daemon
        self._journal = journal
        self._supply = supply or PowerSupply()
        self._toggles = [0] * 64
        self._events = {"moves": 0, "irregularities": 0, "faults": 0}
        self._lag_s = self._worst_lag_s = 0.0
        self._began_s = time.monotonic()
        daemon.listen(self._hear)

    async def run(self) -> None:
        """Measure the loop once in `BEAT_S`, until cancelled."""
        while True:
            due_s = time.monotonic() + BEAT_S
            await asyncio.sleep(BEAT_S)
            self._lag_s = max(0.0, time.monotonic() - due_s)
            self._worst_lag_s = max(self._lag_s, self._worst_lag_s)
            if self._supply.look():
                self._daemon.inbox.report("power", TEXT)

    def health(self) -> dict[str, object]:
        """What `/healthz` says; `ok` is what it is about."""
        journal = self._journal
        trouble = self._unkept if journal is None else journal.trouble
        return {
            "ok": not trouble,
            "board": self._daemon.board_state.value,
            "board_trouble": self._daemon.board_trouble,
            "journal": trouble or ("none" if journal is None else "kept"),
            "uptime_s": round(time.monotonic() - self._began_s, 1),
        }

    def metrics(self) -> str:
        """What `/metrics` says, in the Prometheus text format."""
        lines: list[str] = []
        for name, kind, meaning, values in self._samples():
            lines += [f"# HELP touchmove_{name} {meaning}", f"# TYPE touchmove_{name} {kind}"]
            lines += [f"touchmove_{name}{labels} {value:g}" for labels, value in values]
        return "\n".join(lines) + "\n"

    def _hear(self, events: Sequence[Event]) -> None:
        for event in events:
            match event:
                case Lifted(square=square) | Placed(square=square):
                    self._toggles[square] += 1
                case Moved():
                    self._events["moves"] += 1
                case Irregular():
                    self._events["irregularities"] += 1
                case Fault():
                    self._events["faults"] += 1
                case _:
                    pass

    def _samples(self) -> Iterator[Sample]:
        daemon, journal = self._daemon, self._journal
        up = daemon.board_state in (BoardState.OPEN, BoardState.EXHAUSTED)
        yield "board_up", "gauge", "1 while the board is there", [("", up)]
        yield "board_openings_total", "counter", "how often the board was opened", [("", daemon.openings)]
        yield "scans_total", "counter", "scans read that differ from the one before", [("", daemon.scans)]
        yield "scans_late_total", "counter", "scans that were read late", [("", daemon.late_scans)]
        yield (
            "inputs_dropped_total",
            "counter",
            "inputs that came faster than they were read",
            [("", daemon.inbox.dropped)],
        )
        yield "queue_depth", "gauge", "inputs that wait to be read", [("", daemon.inbox.waiting)]
        yield "loop_lag_seconds", "gauge", "how late the loop last came to its turn", [("", self._lag_s)]
        yield "loop_lag_worst_seconds", "gauge", "the worst of it since the start", [("", self._worst_lag_s)]
        yield (
            "supply_weak",
            "gauge",
            "1 while a Raspberry Pi says that its supply is too weak",
            [("", self._supply.is_weak)],
        )
        yield "uptime_seconds", "gauge", "since the start", [("", time.monotonic() - self._began_s)]
        for name, count in self._events.items():
            yield f"{name}_total", "counter", f"{name} told since the start", [("", count)]
        if journal is not None:
            yield (
                "journal_commit_seconds",
                "gauge",
                "how long the newest commit took",
                [("", journal.latency_ms / 1000)],
            )
            yield "journal_commits_total", "counter", "commits since the start", [("", journal.commits)]
            yield "journal_bytes", "gauge", "bytes that the journal fills", [("", journal.size())]
            yield "journal_ok", "gauge", "0 while the disk refuses", [("", not journal.trouble)]
        toggles = [(f'{{square="{square_name(s)}"}}', float(count)) for s, count in enumerate(self._toggles) if count]
        yield "square_toggles_total", "counter", "settled lifts and places of each square", toggles
