"""Every way by which bytes come into the program from outside: an example that is right, and who reads it.

A reader may refuse what it is given in the way that its contract says, and in no other; whatever else it raises is our
mistake.
"""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from board_driver.boards.hallcalibration import Cell, HallCalibration
from board_driver.boards.hallfile import read_calibration, write_calibration
from board_driver.cli import main
from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.inputerror import InputError
from board_driver.installing.layout import port_in
from board_driver.lightcare import LightCare
from board_driver.minds import make_mind
from board_driver.pairingcode import FILE as CODE
from board_driver.pairingcode import kept_code
from board_driver.players.book import Book
from board_driver.players.uci import Limits, Search, Session
from board_driver.profile.finding import packaged_profiles
from board_driver.profile.reading import sound_profile
from board_driver.simulate.gamefile import GameFileError, read_games
from board_driver.store.archive import back_up, put_back
from board_driver.store.journal import Journal
from board_driver.store.kept import kept_games, kept_log
from board_driver.store.lock import FolderLock, holder
from board_driver.store.resume import give
from board_driver.store.state import GAMES, JOURNAL, State
from board_driver.store.status import status_of
from board_driver.web.access import Access
from firmware_bridge.capture import CaptureError, read_capture
from firmware_bridge.capturereplay import replay
from firmware_bridge.serialtext.codec import TextCodec
from firmware_bridge.serialtext.profile import ProfileError
from firmware_bridge.serialtext.profilereading import parse_profile, profile_text, ready_profiles
from firmware_bridge.touchmove.board import TouchmoveBoard
from firmware_bridge.touchmove.frames import encode
from firmware_bridge.touchmove.host import TouchmoveCodec
from rules import pgn
from rules.fen import START_FEN, FenError, parse_fen
from tests.board_driver.doubles import FakeBoard
from tests.board_driver.store.lives import PLAY, START, shown, write_chapter

DATA = Path(__file__).parents[1] / "data"
GAME = (
    '[Event "A – ö"]\n[White "A"]\n[Result "1-0"]\n\n1. e4 {[%clk 0:10:00] good} e5 $1 (1... c5 2. Nf3) 2. Qh5 1-0\n\n'
)


@dataclass(frozen=True, slots=True)
class Entrance:
    """`right` is a good example; `read` gets bytes and an empty folder to work in."""

    right: bytes
    read: Callable[[bytes, Path], None]
    cases: int = 40
    """How many changed examples are tried."""


def text_of(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def in_file(name: str, read: Callable[[Path], object], *refusals: type[Exception]) -> Callable[[bytes, Path], None]:
    """A reader of a file of that name."""

    def of_bytes(content: bytes, folder: Path) -> None:
        path = folder / name
        path.write_bytes(content)
        with suppress(*refusals):
            read(path)

    return of_bytes


def command(*words: str, lines: int = 1) -> Callable[[Path], object]:
    """A command line with a file at its end: it ends with 0, 1 or 2, and what it refuses it says in so many lines."""

    def run(path: Path) -> None:
        out, errors = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", errors)
            status = main([*words, str(path)])
        assert status in (0, 1, 2)
        if status == 2:
            told = [line for line in errors.getvalue().split("\n")[:-1] if "is ignored" not in line]
            assert 1 <= len(told) <= lines, told
            assert all(line.isprintable() for line in told), told
        assert "Traceback" not in errors.getvalue()

    return run


def standard_input(content: bytes, _folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        command("replay", "--summary")(Path("-"))


# -- wires --


def our_wire(content: bytes, _folder: Path) -> None:
    codec = TouchmoveCodec(session=7)
    codec.connected(0)
    for at in range(0, len(content), 50):
        codec.feed(content[at : at + 50], at)
        codec.outgoing(at)
    codec.advance(100_000)
    board = TouchmoveBoard()
    board.feed(content, 0)
    board.outgoing(1)


def text_wire(name: str) -> Callable[[bytes, Path], None]:
    profile = ready_profiles()[name]

    def read(content: bytes, _folder: Path) -> None:
        codec = TextCodec(profile)
        codec.connected(0)
        for at in range(0, len(content), 50):
            codec.feed(content[at : at + 50], at)
            codec.outgoing(at)
        codec.advance(100_000)

    return read


def engine(content: bytes, _folder: Path) -> None:
    session = Session({"Skill Level": "3"})
    session.take()
    for at in range(0, len(content), 40):
        session.receive(content[at : at + 40])
        session.ask(Search(START_FEN, (), Limits(nodes=1)))
        session.take()


def captured(path: Path) -> None:
    with path.open(encoding="utf-8", errors="replace") as stream:
        header, pieces = read_capture(stream)
        list(replay(header, pieces))


# -- texts --


def position(content: bytes, _folder: Path) -> None:
    for chess960 in (False, True):
        with suppress(FenError):
            parse_fen(text_of(content), chess960=chess960)


def games(content: bytes, _folder: Path) -> None:
    for game in pgn.read_games(text_of(content)):
        pgn.write_game(game)


def wire_profile(content: bytes, _folder: Path) -> None:
    with suppress(ProfileError):
        parse_profile(text_of(content))


def options(content: bytes, _folder: Path) -> None:
    assert isinstance(port_in(text_of(content)), int)


def opening_book(path: Path) -> None:
    book = Book.open(path)
    book.moves(START)
    book.close()


# -- what is kept --


def state_of(path: Path) -> None:
    """A start on that state folder, and what the commands say of it."""
    state = State(path.parent)
    state.resume(PLAY, make_mind)
    state.close()
    with suppress(InputError):
        kept_log(path.parent)
    status_of(path.parent)


def journal(content: bytes, folder: Path) -> None:
    (folder / JOURNAL).write_bytes(content)
    state_of(folder / JOURNAL)


def journals_log(content: bytes, folder: Path) -> None:
    (folder / JOURNAL).write_bytes(right_journal()[0])
    (folder / f"{JOURNAL}-wal").write_bytes(content)
    state_of(folder / JOURNAL)


def settings_in_the_journal(content: bytes, folder: Path) -> None:
    """The one text of the journal without a check of its own."""
    (folder / JOURNAL).write_bytes(right_journal()[1])
    with sqlite3.connect(folder / JOURNAL) as database:
        database.execute("UPDATE chapter SET settings = ?", (text_of(content),))
    database.close()
    state_of(folder / JOURNAL)


def rulings_in_the_journal(content: bytes, folder: Path) -> None:
    (folder / JOURNAL).write_bytes(right_journal()[1])
    with sqlite3.connect(folder / JOURNAL) as database:
        database.execute("UPDATE ruling SET event = ? WHERE id = 1", (text_of(content),))
    database.close()
    state_of(folder / JOURNAL)


def game_files(content: bytes, folder: Path) -> None:
    """The newest game beside a journal that is lost, which is where play would go on."""
    (folder / GAMES).mkdir()
    (folder / GAMES / "now.pgn").write_bytes(content)
    (folder / JOURNAL).write_bytes(b"")
    kept_games(folder)
    state_of(folder / JOURNAL)


def lock_file(content: bytes, folder: Path) -> None:
    (folder / "lock").write_bytes(content)
    assert holder(folder) is None
    lock = FolderLock(folder)
    (folder / "lock").write_bytes(content)
    assert holder(folder)
    status_of(folder)
    lock.release()


def backup(content: bytes, folder: Path) -> None:
    (folder / "b.tar.gz").write_bytes(content)
    with suppress(InputError):
        put_back(folder / "b.tar.gz", folder / "state")
    inside = {path.relative_to(folder).parts[0] for path in folder.rglob("*")}
    assert inside <= {"b.tar.gz", "state"}, inside


def beside_a_daemon(read: Callable[[Daemon, Path], object]) -> Callable[[Path], object]:
    """A reader that belongs to a daemon."""

    def run(path: Path) -> None:
        async def within() -> None:
            read(Daemon(FakeBoard(), PLAY), path)

        asyncio.run(within())

    return run


def _right_book() -> bytes:
    return b"".join(number.to_bytes(8, "big") + bytes(8) for number in (1, 0x463B96181691FC9C, 2**63))


@cache
def right_journal() -> tuple[bytes, bytes, bytes]:
    """A journal whose log is missing, the same all in one file, and its log."""
    with TemporaryDirectory() as name:
        path = Path(name) / JOURNAL
        live, mind = Journal(path), make_mind(PLAY)
        live.begin(PLAY, 0)
        file_alone = path.read_bytes()
        for item in shown("e2e4", "e7e5", "g1f3"):
            live.keep(item, list(give(mind, item)))
        log = path.with_name(f"{JOURNAL}-wal").read_bytes()
        live.close()
        return file_alone, path.read_bytes(), log


def _right_backup() -> bytes:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / GAMES).mkdir()
        (folder / GAMES / "one.pgn").write_text(GAME)
        write_chapter(folder / JOURNAL, shown("e2e4"))
        back_up(folder, folder / "b.tar.gz")
        return (folder / "b.tar.gz").read_bytes()


def _right_packed() -> bytes:
    """A backup's archive that is not compressed inside: what is changed there is not found out by gzip."""
    return gzip.decompress(_right_backup())


def repacked(content: bytes, folder: Path) -> None:
    backup(gzip.compress(content, 1), folder)


def _right_calibration() -> bytes:

    with TemporaryDirectory() as name:
        cells = tuple(Cell(2048.0, 2.0, 300.0) for _ in range(64))
        write_calibration(Path(name) / "c", HallCalibration(cells, "2026-05-01", "hall"))
        return (Path(name) / "c").read_bytes()


LOG = (
    b'{"sensorlog":1,"sensing":"occupancy","mode":"play"}\n'
    b'{"t_ms":0,"occ":"0xffff00000000ffff"}\n{"t_ms":900,"occ":"0xffff00000000efff"}\n'
    b'{"t_ms":1400,"occ":"0xffff00001000efff"}\n{"t_ms":2000,"button":"resign","value":"white"}\n'
)
UCI = b"id name Fish 1\noption name Skill Level type spin default 20 min 0 max 20\nuciok\nreadyok\n" + (
    b"info depth 3 score cp -12 nodes 9 pv e2e4\ninfo score mate 3\nbestmove e2e4 ponder e7e5\n"
)
FRAMES = encode("H", "1", "0007", "x", "1", "000f", "00000000") + encode("S", "0001", "ffff00000000ffff") * 3
CORRECTIONS = json.dumps([{"began_ms": 0, "tags": {"White": "A"}, "plies": {"1": "e2e4"}, "result": "1-0"}]).encode()

ENTRANCES: dict[str, Entrance] = {
    "our wire": Entrance(FRAMES, our_wire),
    **{
        f"text wire {name}": Entrance((DATA / "serialtext" / f"{name}.txt").read_bytes(), text_wire(name), 20)
        for name in ready_profiles()
        if (DATA / "serialtext" / f"{name}.txt").exists()
    },
    "engine": Entrance(UCI, engine),
    "position": Entrance(START_FEN.encode(), position),
    "games": Entrance(GAME.encode(), games),
    "sensor log": Entrance(LOG, in_file("log.jsonl", command("replay", "--summary"))),
    "sensor log, packed": Entrance(gzip.compress(LOG), in_file("log.jsonl.gz", command("replay", "--summary"))),
    "standard input": Entrance(LOG, standard_input),
    "games to simulate": Entrance(
        GAME.encode(), in_file("games.pgn", lambda path: read_games(path, None), GameFileError)
    ),
    "board profile": Entrance(
        next(iter(packaged_profiles().values())).read_bytes(), in_file("board.yaml", sound_profile, InputError), 10
    ),
    "board profile, checked": Entrance(
        next(iter(packaged_profiles().values())).read_bytes(),
        in_file("board.yaml", command("profile", "check", lines=1000)),
        10,
    ),
    "wire profile": Entrance(profile_text(next(iter(ready_profiles()))).encode(), wire_profile),
    "capture of a wire": Entrance(b"", in_file("capture", captured, CaptureError)),
    "calibration": Entrance(_right_calibration(), in_file("calibration.json", read_calibration, InputError)),
    "options": Entrance(b'TOUCHMOVE_OPTIONS="--board virtual --port 8080"\n', options),
    "opening book": Entrance(_right_book(), in_file("book.bin", opening_book, InputError)),
    "journal": Entrance(right_journal()[1], journal, 15),
    "journal's log": Entrance(right_journal()[2], journals_log, 15),
    "settings in the journal": Entrance(
        b'{"mode":"play","start_fen":"' + START_FEN.encode() + b'","settle_ms":200}', settings_in_the_journal, 15
    ),
    "rulings in the journal": Entrance(b'{"event":"move","ply":1,"uci":"e2e4"}', rulings_in_the_journal, 15),
    "game files": Entrance(GAME.replace(" 1-0\n", " *\n").encode(), game_files, 15),
    "lock": Entrance(b"process 12, with its page at http://127.0.0.1:9/", lock_file, 15),
    "backup": Entrance(_right_backup(), backup, 15),
    "backup, inside": Entrance(_right_packed(), repacked, 15),
    "corrections": Entrance(
        CORRECTIONS,
        in_file("corrections.json", beside_a_daemon(lambda daemon, path: Corrections(daemon, path, goes_on=True))),
    ),
    "lights": Entrance(
        b'{"brightness_percent": 30, "lights": "all"}',
        in_file("lights.json", beside_a_daemon(lambda daemon, path: LightCare(daemon, path, goes_on=True))),
    ),
    "paired pages": Entrance(
        json.dumps({"pages": {"ab" * 32: 1.0}}).encode(), in_file("pages.json", lambda path: Access(True, path=path))
    ),
    "pairing code": Entrance(b"1234 5678\n", in_file(CODE, lambda path: kept_code(path.parent))),
}
