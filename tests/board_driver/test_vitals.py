"""What those who look after the machine can read."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import ClientSession

from board_driver.daemon import Daemon
from board_driver.events import Fault, Lifted, Placed
from board_driver.mind import Settings
from board_driver.scan import Occupancy, Scan
from board_driver.store.errors import StoreError
from board_driver.store.journal import Journal
from board_driver.upkeep import Upkeep
from board_driver.vitals import Vitals
from board_driver.web.server import Server
from rules.squares import parse_square
from tests.board_driver.doubles import FakeBoard, FakeMind, HandClock


def on_server(script: Callable[[Daemon, str], Awaitable[None]], journal: Journal | None = None) -> None:
    async def run() -> None:
        daemon = Daemon(FakeBoard(), Settings(), mind_of=FakeMind, clock=HandClock())
        server = Server(daemon, "127.0.0.1", 0, vitals=Vitals(daemon, journal))
        address = await server.start()
        life = asyncio.create_task(daemon.run())
        await daemon.ready.wait()
        try:
            await script(daemon, address)
        finally:
            daemon.stop()
            await life
            await server.stop()

    asyncio.run(run())


async def _get(address: str) -> tuple[int, str]:
    async with ClientSession() as session, session.get(address) as answer:
        return answer.status, await answer.text()


def test_a_daemon_at_work_is_well_and_counts() -> None:
    async def script(daemon: Daemon, address: str) -> None:
        assert isinstance(daemon.board, FakeBoard)
        daemon.board.send(Scan(0, Occupancy(1)), Scan(0, Occupancy(3)))
        while daemon.scans < 2:
            await asyncio.sleep(0)
        e2 = parse_square("e2")
        daemon._tell([Lifted(1, e2), Placed(2, e2), Fault(3, "stuck", None, "b2")])
        status, text = await _get(f"{address}healthz")
        assert status == 200
        health = json.loads(text)
        assert (health["ok"], health["board"], health["journal"]) == (True, "open", "none")
        status, text = await _get(f"{address}metrics")
        assert status == 200
        assert "touchmove_scans_total 2\n" in text
        assert 'touchmove_square_toggles_total{square="e2"} 2\n' in text
        assert "touchmove_faults_total 1\n" in text
        for line in text.splitlines():
            assert re.fullmatch(
                r"# (HELP|TYPE) touchmove_\w+ .+|touchmove_\w+(\{square=\"[a-h][1-8]\"\})? [-+.e0-9]+", line
            )

    on_server(script)


def test_a_folder_that_keeps_nothing_is_an_illness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_folder: Path) -> None:
        raise StoreError("expected a folder that can be written to, got: Read-only file system")

    monkeypatch.setattr("board_driver.store.state.FolderLock", refuse)

    async def run() -> None:
        with Upkeep(tmp_path) as upkeep:
            daemon = upkeep.daemon(FakeBoard(), Settings(), clock=HandClock())
            health = Vitals(daemon, upkeep.journal, unkept=upkeep.unkept).health()
            assert health["ok"] is False
            assert "nothing of this run is kept" in str(health["journal"])

    asyncio.run(run())


def test_a_journal_that_cannot_be_written_is_an_illness(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.begin(Settings(), 0)

    async def script(_daemon: Daemon, address: str) -> None:
        assert (await _get(f"{address}healthz"))[0] == 200
        assert "touchmove_journal_ok 1\n" in (await _get(f"{address}metrics"))[1]
        journal.trouble = "database or disk is full"
        status, text = await _get(f"{address}healthz")
        assert status == 503
        assert json.loads(text)["journal"] == "database or disk is full"
        assert "touchmove_journal_ok 0\n" in (await _get(f"{address}metrics"))[1]

    on_server(script, journal)


def test_other_web_sites_are_refused_here_too() -> None:
    async def script(_daemon: Daemon, address: str) -> None:
        request = urllib.request.Request(f"{address}metrics", headers={"Host": "evil.example"})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            await asyncio.to_thread(urllib.request.urlopen, request)

    on_server(script)
