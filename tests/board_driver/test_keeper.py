"""Chapters of the journal while games come and go, and what becomes of their files."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from board_driver import keeper as keeper_module
from board_driver.boards.board import Exhausted
from board_driver.daemon import Daemon
from board_driver.events import Event, Fault
from board_driver.mind import Mode, Settings, TouchRule
from board_driver.scan import Button, ButtonName, Occupancy, Scan
from board_driver.scribe import Scribe
from board_driver.store.journal import Journal
from board_driver.store.rows import Given, Passed
from board_driver.store.state import JOURNAL
from board_driver.upkeep import Upkeep
from rules.clock import parse_time_control
from rules.pgn import read_games
from tests.board_driver.doubles import FakeBoard, HandClock
from tests.board_driver.store.lives import PLAY, START, shown

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


class Evening:
    """A daemon on a state folder, whose clock goes as the inputs say."""

    def __init__(self, upkeep: Upkeep, daemon: Daemon, scribe: Scribe, clock: HandClock) -> None:
        self.upkeep = upkeep
        self.daemon = daemon
        self.scribe = scribe
        self.clock = clock
        self.told: list[Event] = []
        daemon.listen(self.told.extend)

    async def give(self, items: Sequence[Given], begin_ms: int | None = None) -> None:
        """Let the board say these, the first at `begin_ms` or a while from now."""
        shift = (self.clock.time_ms + 5000 if begin_ms is None else begin_ms) - items[0].t_ms
        board = self.daemon.board
        assert isinstance(board, FakeBoard)
        for item in items:
            self.clock.time_ms = item.t_ms + shift
            board.send(
                Exhausted(self.clock.time_ms) if isinstance(item, Passed) else replace(item, t_ms=self.clock.time_ms)
            )
            for _ in range(200):
                await asyncio.sleep(0)
                if not self.daemon.inbox.waiting and (self.daemon.mind.next_wake_ms() or 1 << 60) > self.clock.time_ms:
                    break
            for _ in range(5):
                await asyncio.sleep(0)

    def chapters(self) -> list[int]:
        journal = self.upkeep.journal
        assert journal is not None
        return journal.chapters()


def evening(folder: Path, script: Callable[[Evening], Awaitable[None]], wanted: Settings = PLAY) -> None:
    async def run() -> None:
        clock = HandClock()
        with Upkeep(folder) as upkeep:
            daemon = upkeep.daemon(FakeBoard(), wanted, clock=clock)
            clock.time_ms = upkeep.resumed_ms
            scribe = Scribe(daemon, upkeep.place(), wall_clock=lambda: NOON)
            upkeep.instruct(scribe)
            life = asyncio.create_task(daemon.run())
            await daemon.ready.wait()
            try:
                await script(Evening(upkeep, daemon, scribe, clock))
            finally:
                daemon.stop()
                await life
            await scribe.write()

    asyncio.run(run())


def games_on_disk(folder: Path) -> list[list[str]]:
    """The moves in the game files, in the order of their names."""
    return [
        [str(ply.move) for ply in game.line]
        for path in sorted((folder / "games").glob("*.pgn"))
        for game in read_games(path.read_text(encoding="utf-8"))
    ]


RESIGNED: list[Given] = [Button(0, ButtonName.RESIGN, "white"), Passed(3000)]
SET_UP: list[Given] = [Scan(0, Occupancy(START.occupied)), Passed(6000)]


@pytest.mark.parametrize("mode", [Mode.PLAY, Mode.RECORD])
def test_each_game_gets_a_chapter_and_a_file_of_its_own(tmp_path: Path, mode: Mode) -> None:
    wanted = Settings(mode=mode)

    async def script(at: Evening) -> None:
        for number in range(4):
            await at.give(SET_UP)
            await at.give(shown("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"))
            await at.scribe.write()
            assert len(at.daemon.mind.games()) <= 2, f"after game {number}"
            await at.give(RESIGNED)
            await at.scribe.write()

    evening(tmp_path, script, wanted)
    journal = Journal(tmp_path / JOURNAL)
    chapter = journal.last()
    assert chapter is not None
    assert len(journal.chapters()) >= 3
    assert len(chapter.rows) < 100
    games = games_on_disk(tmp_path)
    assert [len(game) for game in games] == [8, 8, 8, 8]


def test_a_running_clock_keeps_no_chapter_open(tmp_path: Path) -> None:
    """A fresh mind knows the clock of the present game as well as the old one does, and takes over."""
    wanted = replace(PLAY, time_control=parse_time_control("30+5"))

    async def script(at: Evening) -> None:
        for number in range(3):
            await at.give(SET_UP)
            await at.give(shown("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"))
            assert len(at.daemon.mind.games()) == 1, f"in game {number}"
            clock = at.daemon.mind.summary()["clock"]
            assert isinstance(clock, dict)
            assert clock["running"] == "white"
            clocks = [ply.clock_ms for ply in at.daemon.mind.games()[-1].plies]
            assert None not in clocks
            await at.give(RESIGNED)
            await at.scribe.write()

    evening(tmp_path, script, wanted)
    texts = [path.read_text(encoding="utf-8") for path in sorted((tmp_path / "games").glob("*.pgn"))]
    assert [text.count('[TimeControl "1800+5"]') for text in texts] == [1, 1, 1]
    assert [text.count("[%clk") for text in texts] == [8, 8, 8]


def test_a_new_game_after_a_kill_goes_on_in_its_own_file(tmp_path: Path) -> None:
    async def first(at: Evening) -> None:
        await at.give(SET_UP)
        await at.give(shown("e2e4", "e7e5"))

    async def second(at: Evening) -> None:
        assert at.daemon.mind.summary()["uci"] == ["e2e4", "e7e5"]
        at.daemon.new_game(PLAY)
        await at.give(SET_UP)
        await at.give(shown("d2d4"))

    async def third(at: Evening) -> None:
        assert at.daemon.mind.summary()["uci"] == ["d2d4"]

    for script in (first, second, third):
        evening(tmp_path, script)
    assert [len(game) for game in games_on_disk(tmp_path)] == [2, 1]


def test_a_board_that_says_much_and_plays_nothing_begins_its_chapter_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper_module, "IDLE_ROWS", 50)

    async def script(at: Evening) -> None:
        await at.give(SET_UP)
        flicker = [Scan(t, Occupancy(START.occupied & ~(t // 20 % 2 << 8))) for t in range(0, 4000, 20)]
        await at.give([*flicker, Scan(4000, Occupancy(START.occupied)), Passed(12000)])
        await at.give([Scan(t * 1000, Occupancy(START.occupied)) for t in range(120)])
        journal = at.upkeep.journal
        assert journal is not None
        assert journal.rows_kept() <= 60

    evening(tmp_path, script)


def test_new_settings_hold_from_the_next_game_on(tmp_path: Path) -> None:
    friendly = replace(PLAY, touch=TouchRule.FRIENDLY)

    async def first(at: Evening) -> None:
        await at.give(SET_UP)
        await at.give(shown("e2e4"))

    async def second(at: Evening) -> None:
        assert at.daemon.settings.touch is TouchRule.STRICT
        await at.give(RESIGNED)
        await at.give([Scan(0, Occupancy(START.occupied & ~0xFF00)), Passed(2000)])
        await at.give(SET_UP)
        assert at.daemon.settings.touch is TouchRule.FRIENDLY

    evening(tmp_path, first)
    evening(tmp_path, second, friendly)


def test_a_disk_that_refuses_is_told_once_and_so_is_its_return(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_journal: Journal, forced: bool) -> None:
        raise sqlite3.OperationalError(f"database or disk is full (forced: {forced})")

    async def script(at: Evening) -> None:
        assert at.upkeep.journal is not None
        await at.give(SET_UP)
        monkeypatch.setattr(Journal, "_begin_commit", refuse)
        await at.give(shown("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"))
        assert at.daemon.mind.summary()["uci"] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"]
        assert at.upkeep.journal.trouble
        monkeypatch.undo()
        await at.give([Passed(0)])
        keeper = at.daemon.memory
        assert isinstance(keeper, keeper_module.Keeper)
        keeper.tend()
        await at.give([Passed(0)])
        faults = [e.text for e in at.told if isinstance(e, Fault) and e.kind == "journal-unsaved"]
        assert len(faults) == 2
        assert "cannot be written" in faults[0]
        assert faults[1] == "the journal is whole again"

    evening(tmp_path, script)
    chapter = Journal(tmp_path / JOURNAL).last()
    assert chapter is not None
    assert sum(1 for row in chapter.rows for event in row.rulings if event["event"] == "move") == 8
