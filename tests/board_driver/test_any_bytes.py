"""Any bytes on every way in: refused in words or read, never a traceback, and what is kept stays."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from board_driver.inputerror import InputError
from board_driver.store.kept import kept_log, kept_rulings
from board_driver.store.state import JOURNAL
from board_driver.web.server import FEED_PATH
from board_driver.web.timelines import told_of
from tests.board_driver.entrances import ENTRANCES, right_journal, state_of
from tests.board_driver.store.lives import PLAY, found_in
from tests.board_driver.web.test_page import Visit, hear, visit

MANY = 10_000


@pytest.mark.parametrize("name", ENTRANCES)
def test_the_right_bytes_are_read(name: str, tmp_path: Path) -> None:
    ENTRANCES[name].read(ENTRANCES[name].right, tmp_path)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ENTRANCES)
def test_ten_thousand_random_bytes(name: str, seed: int, tmp_path: Path) -> None:
    luck = random.Random(f"{name}/{seed}")
    content = luck.randbytes(MANY)
    if seed == 1:
        content = bytes(luck.choice(b" \n\"'{}[]:,.0123456789abcdefghKQRBN-/=%$;()\t\r") for _ in range(MANY))
    elif seed == 2:
        right = ENTRANCES[name].right or b"?"
        content = b"".join(right[luck.randrange(len(right)) :][: luck.randrange(1, 40)] for _ in range(500))[:MANY]
    elif seed > 2:
        content = (b"[", b'{"a":')[seed - 3] * (MANY // (1, 5)[seed - 3])  # deeper than anybody can follow
    ENTRANCES[name].read(content, tmp_path)


Edit = tuple[float, int, int, bytes]


def changed(content: bytes, edits: list[Edit]) -> bytes:
    """After edits, each at a share of the length: other bytes, some given twice, the rest cut off, a bit turned."""
    for where, kind, length, fresh in edits:
        at = int(where * len(content))
        match kind:
            case 0:
                content = content[:at] + fresh + content[at + length :]
            case 1:
                content = content[: at + length] + content[at:]
            case 2:
                content = content[:at]
            case _:
                turned = bytes(byte ^ (1 << length % 8) for byte in content[at : at + 1])
                content = content[:at] + turned + content[at + 1 :]
    return content


FRESH = st.one_of(
    st.binary(max_size=12),
    st.text(max_size=6).map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from((b"-1", b"null", b"1e999", b"99999999999999999999", b"\0", b"[[[[[", b"\n\n", b"\r\n")),
)
EDITS = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.sampled_from((0, 0, 1, 2, 3, 3)), st.integers(0, 30), FRESH),
    min_size=1,
    max_size=5,
)


@pytest.mark.parametrize("name", ENTRANCES)
def test_the_right_bytes_with_a_few_changed(name: str, tmp_path: Path) -> None:
    entrance, numbers = ENTRANCES[name], count()

    @given(edits=EDITS)
    @settings(max_examples=entrance.cases, deadline=None, suppress_health_check=list(HealthCheck))
    def check(edits: list[Edit]) -> None:
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        entrance.read(changed(entrance.right, edits), folder)
        shutil.rmtree(folder)

    check()


COLUMNS = {
    "chapter": ("settings", "began_ms", "latest_ms", "tries"),
    "input": ("line", "crc"),
    "ruling": ("event", "input"),
    "game": ("file", "began", "number"),
}


@pytest.mark.parametrize("other", ["x'ff00'", "x'7b7d'", "5", "1.5", "''", "'{'", "'[]'", "'\u00e9'"])
@pytest.mark.parametrize(("table", "column"), [(table, column) for table, those in COLUMNS.items() for column in those])
def test_a_journal_with_something_else_in_a_column(table: str, column: str, other: str, tmp_path: Path) -> None:
    path = tmp_path / JOURNAL
    path.write_bytes(right_journal()[1])
    with sqlite3.connect(path) as database:
        database.execute("INSERT INTO game (chapter, number, file, began) SELECT max(id), 0, 'a.pgn', '' FROM chapter")
        first = f"(SELECT min(rowid) FROM {table})"
        assert database.execute(f"UPDATE {table} SET {column} = {other} WHERE rowid = {first}").rowcount == 1
    database.close()
    state_of(path)
    with suppress(InputError):
        list(kept_rulings(tmp_path))


@pytest.mark.parametrize("version", [-1, -(2**31)])
def test_a_journal_of_a_version_that_never_was_is_set_aside(version: int, tmp_path: Path) -> None:
    path = tmp_path / JOURNAL
    path.write_bytes(right_journal()[1])
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {version}")
    database.close()
    state_of(path)
    assert list(tmp_path.glob("*.damaged-1"))


def test_a_journal_whose_tables_have_names_that_are_no_text(tmp_path: Path) -> None:
    """SQLite names what is damaged, and Python cannot read that name."""
    path = tmp_path / JOURNAL
    content = right_journal()[1].replace(b"CREATE TABLE chapter", b"CREATE TABLE ch!pter")
    path.write_bytes(content.replace(b"chapter", b"\x81hapter"))
    for read in (kept_log, kept_rulings):
        with pytest.raises(InputError, match="expected a journal"):
            list(read(tmp_path))
    assert asyncio.run(told_of(path, "a.pgn")) is None
    state_of(path)
    assert list(tmp_path.glob("*.damaged-1"))


def test_the_log_of_a_journal_keeps_a_damaged_line(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL
    path.write_bytes(right_journal()[1])
    whole = kept_log(tmp_path).splitlines()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE input SET line = replace(line, ':', ';') WHERE id = (SELECT min(id) FROM input)")
    database.close()
    assert kept_log(tmp_path).splitlines() == [whole[0], whole[1].replace(":", ";"), *whole[2:]]


def test_a_damaged_journal_loses_no_byte_of_itself(tmp_path: Path) -> None:
    content = bytearray(right_journal()[1])
    content[5000:9000] = random.Random(1).randbytes(4000)
    (tmp_path / "journal.sqlite").write_bytes(content)
    found_in(tmp_path, PLAY)
    assert (tmp_path / "journal.sqlite.damaged-1").read_bytes() == bytes(content)


# -- the page --


def test_random_bytes_at_the_pages_port_and_on_its_feed_and_the_game_goes_on() -> None:
    luck = random.Random(7)

    async def say(at: Visit, content: bytes) -> None:
        host, _, port = at.url.rstrip("/").removeprefix("http://").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            writer.write(content)
            writer.write_eof()
            await asyncio.wait_for(reader.read(), 20)
        except OSError:
            pass  # it hung up on us
        finally:
            writer.close()

    async def script(at: Visit) -> None:
        request = b"GET /api/v1/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX: y\r\n\r\n"
        for _ in range(8):
            await say(at, luck.randbytes(MANY))
            cut = luck.randrange(len(request))
            await say(at, request[:cut] + luck.randbytes(20) + request[cut + 5 :])
        await say(at, b"POST /api/v1/pair HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n{")
        for content in (luck.randbytes(MANY), b"{" * MANY, b"\xff\xfe" * 100):
            feed = await at.session.ws_connect(at.url.rstrip("/") + FEED_PATH)
            await feed.send_bytes(content)
            await feed.send_str(content.decode("latin-1"))
            await feed.close()
        right = '{"do": "lift", "square": "e2", "hand": 0}'
        for _ in range(200):
            where = luck.randrange(len(right))
            feed = await at.session.ws_connect(at.url.rstrip("/") + FEED_PATH)
            wrong = luck.choice(["", "9", "null", "\0", "é", '"', "{", "1e999"])
            await feed.send_str(right[:where] + wrong + right[where + 1 :])
            await feed.close()
        feed = await at.session.ws_connect(at.url.rstrip("/") + FEED_PATH)
        assert (await hear(feed))["type"] == "state"
        assert (await at.session.get(at.url)).status == 200
        assert at.daemon.board_trouble == ""

    visit(script)
