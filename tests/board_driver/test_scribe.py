"""Games on disk while they are played."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from board_driver import scribe as scribe_module
from board_driver.daemon import Daemon
from board_driver.events import Event, Fault, Moved
from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.inputerror import InputError
from board_driver.mind import Settings
from board_driver.scan import Button, ButtonName
from board_driver.scribe import Folder, OneFile, Scribe
from board_driver.store.dating import Begin
from board_driver.store.errors import StoreError
from rules.fen import START_FEN, parse_fen
from rules.uci import parse_uci
from tests.board_driver.doubles import FakeBoard, FakeMind, HandClock

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
START = parse_fen(START_FEN)
MOVED = Moved(1, "e4", "e2e4", START_FEN, 1, False)


def game(*ucis: str, result: str = "*") -> GameRecord:
    position, plies = START, []
    for uci in ucis:
        move = parse_uci(position, uci)
        plies.append(RecordedPly(move, 0, 1000))
        position = position.play(move)
    return GameRecord(START, tuple(plies), result)


def write(place: OneFile | Folder, *games: GameRecord) -> None:
    """A run of a daemon in which these games were played, one after the other."""

    async def run() -> None:
        daemon = Daemon(FakeBoard(), Settings(), mind_of=FakeMind, clock=HandClock())
        scribe = Scribe(daemon, place, wall_clock=lambda: NOON)
        for index, played in enumerate(games):
            if index:
                daemon.new_game(Settings())
            daemon.mind.game = played  # type: ignore[attr-defined]
        await scribe.write()

    asyncio.run(run())


def test_all_games_go_into_one_file_with_their_date(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    write(OneFile(path), game("e2e4"), game("d2d4", result="1-0"))
    text = path.read_text()
    assert text.count("[Event ") == 2
    assert text.index("1. e4") < text.index("1. d4")
    assert '[Date "2026.05.01"]' in text
    assert '[Result "1-0"]' in text


def test_what_the_file_held_before_stays_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    before = b'\xef\xbb\xbf[Event "M\xfcnchen"]\r\n\r\n1. c4 *\r\n\r\n'
    path.write_bytes(before)
    place = OneFile(path)
    write(place, game("e2e4"))
    write(place, game("e2e4", "e7e5"))
    after = path.read_bytes()
    assert after.startswith(before)
    assert after.count(b"1. e4") == 1


def test_a_game_without_a_move_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    write(OneFile(path), game())
    assert not path.exists()


def test_a_game_whose_moves_were_all_taken_back_does_not_date_the_next_one(tmp_path: Path) -> None:
    async def run() -> None:
        clock, now = HandClock(), NOON
        daemon = Daemon(FakeBoard(), Settings(), mind_of=FakeMind, clock=clock)
        scribe = Scribe(daemon, Folder(tmp_path), wall_clock=lambda: now)
        daemon.mind.game = game("e2e4")  # type: ignore[attr-defined]
        await scribe.write()
        daemon.mind.game = game(result="0-1")  # type: ignore[attr-defined]
        clock.time_ms, now = 3_600_000, NOON.replace(hour=13)
        daemon.new_game(Settings())
        daemon.mind.game = replace(game("d2d4"), began_ms=3_600_000)  # type: ignore[attr-defined]
        await scribe.write()

    asyncio.run(run())
    files = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert list(files) == ["2026-05-01_130000.pgn"]
    assert '[UTCTime "13:00:00"]' in files["2026-05-01_130000.pgn"]


def test_a_folder_gets_a_file_for_each_game_and_keeps_those_it_had(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "games"
    write(Folder(folder), game("e2e4"), game("d2d4"))
    write(Folder(folder), game("c2c4"))
    files = {path.name: path.read_text() for path in folder.iterdir()}
    assert sorted(files) == ["2026-05-01_120000-2.pgn", "2026-05-01_120000-3.pgn", "2026-05-01_120000.pgn"]
    assert "1. e4" in files["2026-05-01_120000.pgn"]
    assert "1. c4" in files["2026-05-01_120000-3.pgn"]


def test_places_that_cannot_be_are_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="no such folder"):
        OneFile(tmp_path / "missing" / "games.pgn")
    with pytest.raises(InputError, match="expected a PGN file"):
        OneFile(tmp_path)
    with pytest.raises(InputError, match="expected a folder"):
        Folder(tmp_path / "file")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_device_without_an_end_is_not_read_and_refuses_later() -> None:
    place = OneFile(Path("/dev/full"))
    with pytest.raises(StoreError, match="No space left"):
        write(place, game("e2e4"))


def test_a_file_that_cannot_be_read_again_is_a_disk_that_refuses(tmp_path: Path) -> None:
    place = Folder(tmp_path)
    write(place, game("e2e4"))
    (made,) = tmp_path.iterdir()
    made.unlink()
    made.mkdir()
    with pytest.raises(StoreError, match="expected to write games there"):
        place.write(["1. e4 *"], [Begin(NOON)])


def at_work(place: OneFile, script: Callable[[Daemon, list[Event]], Awaitable[None]]) -> None:
    """A daemon whose mind makes a move on every button, with a scribe that does not wait between writings."""

    async def run() -> None:
        daemon = Daemon(FakeBoard(), Settings(), mind_of=FakeMind, clock=HandClock())
        told: list[Event] = []
        daemon.listen(told.extend)
        daemon.mind.game = game("e2e4")  # type: ignore[attr-defined]
        daemon.mind.receive = lambda item: [MOVED]  # type: ignore[method-assign]  # noqa: ARG005
        scribe = Scribe(daemon, place, wall_clock=lambda: NOON)
        async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
            life = tasks.create_task(daemon.run())
            writing = tasks.create_task(scribe.run())
            await script(daemon, told)
            writing.cancel()
            daemon.stop()
            await life

    asyncio.run(run())


def test_a_move_is_on_disk_soon_after_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scribe_module, "EVERY_S", 0)
    path = tmp_path / "games.pgn"

    async def script(daemon: Daemon, told: list[Event]) -> None:
        del told
        daemon.inbox.put(Button(1, ButtonName.DRAW))
        while not path.exists():
            await asyncio.sleep(0)

    at_work(OneFile(path), script)
    assert "1. e4" in path.read_text()


def test_a_disk_that_refuses_is_a_fault_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scribe_module, "EVERY_S", 0)
    folder = tmp_path / "stick"
    folder.mkdir()
    place = OneFile(folder / "games.pgn")
    folder.rmdir()

    async def script(daemon: Daemon, told: list[Event]) -> None:
        daemon.inbox.put(Button(1, ButtonName.DRAW))
        while not any(isinstance(event, Fault) for event in told):
            await asyncio.sleep(0)
        assert [event.kind for event in told if isinstance(event, Fault)] == ["games-unsaved"]
        folder.mkdir()
        daemon.inbox.put(Button(2, ButtonName.DRAW))
        while not (folder / "games.pgn").exists():
            await asyncio.sleep(0)

    at_work(place, script)


def test_a_write_that_was_under_way_at_the_end_does_not_come_last(tmp_path: Path) -> None:
    gate, order = threading.Event(), []

    class SlowDisk(OneFile):
        def write(self, texts: Sequence[str], begins: Sequence[Begin]) -> None:
            if not order:
                order.append("begun")
                gate.wait(10)
            super().write(texts, begins)
            order.append(texts[-1].split("\n\n")[1])

    async def run() -> None:
        daemon = Daemon(FakeBoard(), Settings(), mind_of=FakeMind, clock=HandClock())
        scribe = Scribe(daemon, SlowDisk(tmp_path / "games.pgn"), wall_clock=lambda: NOON)
        daemon.mind.game = game("e2e4")  # type: ignore[attr-defined]
        writing = asyncio.create_task(scribe.write())
        while not order:
            await asyncio.sleep(0.001)
        writing.cancel()
        await asyncio.wait([writing])
        daemon.mind.game = game("e2e4", "e7e5")  # type: ignore[attr-defined]
        last = asyncio.create_task(scribe.write())
        await asyncio.sleep(0)
        gate.set()
        await last

    asyncio.run(run())
    assert len(order) == 3
    assert "e5" in (tmp_path / "games.pgn").read_text()


def written_over(place: OneFile | Folder, file: str, *games: GameRecord) -> Scribe:
    """A run in which those games were played, and then what was in that file before became upper case."""

    async def run() -> Scribe:
        daemon = Daemon(FakeBoard(), Settings(), mind_of=FakeMind, clock=HandClock())
        scribe = Scribe(daemon, place, wall_clock=lambda: NOON)
        for index, played in enumerate(games):
            if index:
                daemon.new_game(Settings())
            daemon.mind.game = played  # type: ignore[attr-defined]
        await scribe.write()
        await scribe.rewrite(file, lambda content: content.replace(b"Ann", b"ANN"))
        return scribe

    return asyncio.run(run())


def test_games_that_a_file_held_before_can_be_changed_while_others_are_played(tmp_path: Path) -> None:
    path = tmp_path / "all.pgn"
    path.write_text('[White "Ann"]\n\n1. c4 *\n\n')
    scribe = written_over(OneFile(path), "all.pgn", game("e2e4"), game("d2d4"))
    text = path.read_text()
    assert text.startswith('[White "ANN"]')
    assert text.count("1. e4") == text.count("1. d4") == 1
    assert scribe.running("all.pgn", 1) is None
    assert scribe.running("all.pgn", 3) == game("d2d4")
    assert scribe.running("all.pgn", 4) is None
    assert scribe.running("other.pgn", 2) is None


def test_a_game_of_an_earlier_run_can_be_changed_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "old.pgn").write_text('[White "Ann"]\n\n1. c4 *\n\n')
    scribe = written_over(Folder(tmp_path), "old.pgn", game("e2e4"))
    assert (tmp_path / "old.pgn").read_text().startswith('[White "ANN"]')
    assert scribe.running("old.pgn", 1) is None
    (new,) = [path.name for path in tmp_path.iterdir() if path.name != "old.pgn"]
    assert scribe.running(new, 1) == game("e2e4")
    with pytest.raises(StoreError, match="expected a game"):
        asyncio.run(scribe.rewrite("none.pgn", bytes))
