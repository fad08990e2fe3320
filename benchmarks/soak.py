"""Months in an hour: `python -m benchmarks.soak --hours 24`: does the daemon's memory stay flat?

One daemon with journal, games and page state plays simulated games one after the other, in both modes, with noisy
sensors; now and then its board is unplugged, a sensor misbehaves, or its disk refuses. Time is simulated, everything
else is real. After each simulated hour the resident memory is read, freed memory given back before. The section between
`<!-- soak -->` and `<!-- /soak -->` in BENCHMARKS.md is written anew.
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import gc
import json
import os
import platform
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from benchmarks.kills import GAMES
from benchmarks.kills_life import HandClock
from benchmarks.section import table, write_section
from board_driver.boards.board import Abilities, Delivery, Exhausted, Inbox, Lost
from board_driver.daemon import Daemon
from board_driver.events import Fault
from board_driver.lights.picture import Picture
from board_driver.mind import Mode, Settings, TouchRule
from board_driver.scan import Button, ButtonName, Occupancy, Scan, Sensing
from board_driver.scribe import Scribe
from board_driver.simulate import Level, simulate_game
from board_driver.simulate.gamefile import ScoredGame, read_games
from board_driver.store.journal import Journal
from board_driver.upkeep import Upkeep
from board_driver.vitals import Vitals
from rules.fen import START_FEN, parse_fen

HOUR_MS = 3_600_000
PAUSE_MS = 60_000
"""Between two games."""
UNPLUG_SHARE, FAULT_SHARE, DISK_SHARE = 0.1, 0.3, 0.05
FLAT_KB = 2048
"""How much more than after the first hour is still flat: what an allocator keeps for itself."""


class SoakBoard:
    """A board that says what it is told to say."""

    abilities = Abilities("soak", Sensing.OCCUPANCY, scan_hz=50)

    def __init__(self) -> None:
        self.inbox: Inbox | None = None
        self.pictures = 0

    async def open(self, inbox: Inbox) -> None:
        self.inbox = inbox

    async def show(self, picture: Picture) -> None:
        self.pictures += 1
        del picture

    async def close(self) -> None:
        self.inbox = None


@dataclass(frozen=True, slots=True)
class Reading:
    """How things stood at the end of a simulated hour."""

    hour: int
    games: int
    resident_kb: int
    objects: int
    journal_kb: int
    chapters: int


def simulated_scans(game: ScoredGame, level: Level, seed: int) -> tuple[Scan, ...]:
    """What the board says of a game. Called in a process of its own, so that only the daemon's memory is measured."""
    return simulate_game(game, level, seed).scans


class Soak:
    """One daemon and its evening."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._luck = random.Random(seed)
        self._hands = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        self._folder = folder
        self._clock = HandClock()
        self._board = SoakBoard()
        self.games = 0
        self.slowest_commit_ms = 0.0
        self.readings: list[Reading] = []

    async def run(self, hours: int) -> None:
        """Play for so many simulated hours."""
        with Upkeep(self._folder) as upkeep:
            daemon = upkeep.daemon(self._board, _settings(Mode.RECORD), clock=self._clock)
            scribe = Scribe(daemon, upkeep.place())
            upkeep.instruct(scribe)
            vitals = Vitals(daemon, upkeep.journal)
            journal = upkeep.journal
            assert journal is not None
            life = asyncio.create_task(daemon.run())
            await daemon.ready.wait()
            for game in self._endless_games():
                if self._clock.time_ms >= hours * HOUR_MS:
                    break
                await self._play(daemon, game)
                await scribe.write()
                vitals.metrics()
                self._read(journal)
            daemon.stop()
            await life
        self._hands.shutdown()

    def _endless_games(self) -> Iterator[ScoredGame]:
        games = [g for g in read_games(GAMES, None) if g.start_fen == START_FEN and not g.chess960]
        while True:
            yield self._luck.choice(games)

    async def _play(self, daemon: Daemon, game: ScoredGame) -> None:
        """One game; every third is begun on the page, the others by setting up the pieces."""
        luck = self._luck
        self.games += 1
        if self.games % 3 == 0:
            daemon.new_game(_settings(luck.choice((Mode.PLAY, Mode.RECORD))))
        level = Level.CLUB if daemon.settings.mode is Mode.PLAY else luck.choice((Level.CLUB, Level.ROUGH))
        scans = await asyncio.get_running_loop().run_in_executor(
            self._hands, simulated_scans, game, level, luck.randrange(1 << 30)
        )
        begin_ms = self._clock.time_ms + PAUSE_MS
        await self._give(daemon, Scan(begin_ms - 20_000, Occupancy(parse_fen(START_FEN).occupied)))
        unplugged = luck.randrange(len(scans)) if luck.random() < UNPLUG_SHARE else None
        refusing = luck.random() < DISK_SHARE
        for index, scan in enumerate(scans):
            await self._give(daemon, replace(scan, t_ms=begin_ms + scan.t_ms))
            if index == unplugged:
                await self._unplug(daemon)
            if refusing and index == len(scans) // 2:
                _refuse_for_a_while(daemon)
        if luck.random() < FAULT_SHARE:
            await self._give(daemon, Fault(self._clock.time_ms, "stuck", None, "b2 has not changed for long"))
        await self._give(daemon, Button(self._clock.time_ms + 5000, ButtonName.RESULT, game.result))
        await self._pass(daemon, 20_000)

    async def _unplug(self, daemon: Daemon) -> None:
        """The cable is pulled, and put back."""
        await self._give(daemon, Lost(self._clock.time_ms, "unplugged"))
        while self._board.inbox is None:  # the daemon waits half a second of real time
            await asyncio.sleep(0.05)

    async def _give(self, daemon: Daemon, item: Delivery) -> None:
        self._clock.time_ms = max(self._clock.time_ms, item.t_ms)
        inbox = self._board.inbox
        assert inbox is not None
        inbox.put(item)
        while inbox.waiting or (daemon.mind.next_wake_ms() or self._clock.time_ms + 1) <= self._clock.time_ms:
            await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def _pass(self, daemon: Daemon, duration_ms: int) -> None:
        await self._give(daemon, Exhausted(self._clock.time_ms + duration_ms))

    def _read(self, journal: Journal) -> None:
        self.slowest_commit_ms = max(self.slowest_commit_ms, journal.latency_ms)
        hour = self._clock.time_ms // HOUR_MS
        if hour and (not self.readings or hour > self.readings[-1].hour):
            gc.collect()
            _give_back()
            found = Reading(
                hour, self.games, _resident_kb(), len(gc.get_objects()), journal.size() // 1024, len(journal.chapters())
            )
            self.readings.append(found)
            print(found, file=sys.stderr, flush=True)


def _settings(mode: Mode) -> Settings:
    return Settings(mode=mode, touch=TouchRule.FRIENDLY)


def _refuse_for_a_while(daemon: Daemon) -> None:
    """The disk is full for the next writes, and then is not."""
    keeper = daemon.memory
    journal: Journal = keeper._journal  # type: ignore[attr-defined]
    whole, left = journal._begin_commit, [20]

    def refuse(forced: bool) -> None:
        left[0] -= 1
        if left[0] > 0:
            raise sqlite3.OperationalError("database or disk is full")
        journal._begin_commit = whole  # type: ignore[method-assign]
        whole(forced)

    journal._begin_commit = refuse  # type: ignore[method-assign]


def _give_back() -> None:
    """Return freed memory to the system, where the C library can: what is left is in use."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _resident_kb() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def report(soak: Soak, seconds: float) -> str:
    """The section for BENCHMARKS.md."""
    readings = soak.readings
    first, last = readings[0], readings[-1]
    shown = [r for r in readings if r.hour in {1, 2, 4, 8, 12, 16, 20, 24} or r is last]
    rows = [
        [
            str(r.hour),
            str(r.games),
            f"{r.resident_kb / 1024:.1f} MB",
            f"{r.objects:,}",
            f"{r.journal_kb:,} kB",
            str(r.chapters),
        ]
        for r in shown
    ]
    most = max(r.resident_kb for r in readings) - first.resident_kb
    verdict = "flat" if most <= FLAT_KB else "not flat"
    head = ["simulated hours", "games", "resident memory", "Python objects", "journal", "its chapters"]
    text = (
        f"CPython {platform.python_version()}, one daemon with journal and games for {last.hour} simulated hours "
        f"({seconds / 60:.0f} minutes): both minds, noisy sensors, boards unplugged, a disk that is full now and then. "
        f"After the first hour memory grew by {most / 1024:.1f} MB at most: {verdict} (goal: {FLAT_KB // 1024} MB)."
    )
    return f"## Soak\n\n{text}\n\n{table(head, rows)}"


def main() -> int:
    """Run it and write the section; 1 if memory was not flat."""
    parser = argparse.ArgumentParser(description="Simulated hours of a daemon, with its memory.")
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the readings, write no section")
    arguments = parser.parse_args()
    if os.environ.get("MALLOC_ARENA_MAX") != "1":  # as the service's unit has it
        os.execve(
            sys.executable,
            [sys.executable, "-m", "benchmarks.soak", *sys.argv[1:]],
            os.environ | {"MALLOC_ARENA_MAX": "1"},
        )
    began = time.monotonic()
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as name:
        soak = Soak(Path(name), arguments.seed)
        asyncio.run(soak.run(arguments.hours))
    if arguments.json:
        print(json.dumps([[r.hour, r.games, r.resident_kb, r.objects] for r in soak.readings]))
    else:
        write_section("soak", report(soak, time.monotonic() - began))
    return 1 if max(r.resident_kb for r in soak.readings) - soak.readings[0].resident_kb > FLAT_KB else 0


if __name__ == "__main__":
    sys.exit(main())
