"""What a cut of the power leaves, as `benchmarks.baddisk` works it out from what a program really did."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.baddisk import Disk, Taken, compile_shim

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc and libc6-dev for the bad disk")

PROGRAM = """
import ctypes, os, sys
from pathlib import Path
folder, log = Path(sys.argv[1]), sys.argv[2]
disk = ctypes.CDLL(None)
disk.baddisk_watch(os.fsencode(folder), os.fsencode(log))

def sync(path):
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)

"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = compile_shim(tmp_path_factory.mktemp("shim"))
    assert library is not None
    return library


def after(shim: Path, folder: Path, script: str) -> Disk:
    """The disk after `script` has been at work in `folder`."""
    state, log = folder / "state", folder / "log"
    state.mkdir()
    environment = {**os.environ, "LD_PRELOAD": str(shim)}
    subprocess.run([sys.executable, "-c", PROGRAM + script, str(state), str(log)], check=True, env=environment)
    disk = Disk(state, log)
    disk.read()
    return disk


def left(disk: Disk, folder: Path, taken: Taken, seed: int = 0) -> dict[str, bytes]:
    disk.cut(taken, random.Random(seed))
    return {path.name: path.read_bytes() for path in (folder / "state").iterdir()}


def test_the_log_knows_every_byte(shim: Path, tmp_path: Path) -> None:
    disk = after(
        shim,
        tmp_path,
        """
import sqlite3
database = sqlite3.connect(folder / "j", isolation_level=None)
database.execute("PRAGMA journal_mode = WAL")
database.execute("CREATE TABLE t (x)")
for number in range(3000):
    database.execute("INSERT INTO t VALUES (?)", ("x" * number,))
(folder / "a").write_bytes(b"12345")
os.truncate(folder / "a", 5)
with open(folder / "a", "r+b") as stream:
    stream.truncate(3)
os.replace(folder / "a", folder / "b")
(folder / "c").touch()
(folder / "c").unlink()
os._exit(0)
""",
    )
    there = {p.name: p.read_bytes() for p in (tmp_path / "state").iterdir() if not p.name.endswith("-shm")}
    seen = {name: content for name, content in disk.seen().items() if not name.endswith("-shm")}
    assert seen == there
    assert set(there) == {"j", "j-wal", "b"}
    assert there["b"] == b"123"


def test_only_what_was_synced_is_promised(shim: Path, tmp_path: Path) -> None:
    disk = after(
        shim,
        tmp_path,
        """
(folder / "kept").write_bytes(b"old")
sync(folder / "kept"); sync(folder)
(folder / "kept").open("ab").write(b"new")
(folder / "other").write_bytes(b"x")
""",
    )
    assert disk.seen() == {"kept": b"oldnew", "other": b"x"}
    assert left(disk, tmp_path, Taken.ALL) == {"kept": b"old"}


def test_a_file_put_in_place_unsynced_may_be_empty(shim: Path, tmp_path: Path) -> None:
    disk = after(
        shim,
        tmp_path,
        """
(folder / "game").write_bytes(b"whole"); sync(folder / "game"); sync(folder)
(folder / "part").write_bytes(b"better")
os.replace(folder / "part", folder / "game"); sync(folder)
""",
    )
    assert left(disk, tmp_path, Taken.ALL) == {"game": b""}


@pytest.mark.parametrize("taken", [Taken.END, Taken.SECTORS, Taken.ZEROED, Taken.NOISE])
@pytest.mark.parametrize("seed", range(5))
def test_what_was_synced_stands_whatever_is_taken(shim: Path, tmp_path: Path, taken: Taken, seed: int) -> None:
    disk = after(
        shim,
        tmp_path,
        """
stream = (folder / "log").open("wb", buffering=0)
stream.write(bytes([1]) * 4096); os.fsync(stream.fileno()); sync(folder)
for _ in range(3):
    stream.write(bytes([2]) * 4096)
""",
    )
    content = left(disk, tmp_path, taken, seed)["log"]
    assert content[:4096] == bytes([1]) * 4096
    assert len(content) <= 4 * 4096


def test_a_full_disk_refuses_what_wants_room(shim: Path, tmp_path: Path) -> None:
    disk = after(
        shim,
        tmp_path,
        """
import errno
(folder / "a").write_bytes(b"1")
disk.baddisk_refuse(errno.ENOSPC)
for name in ("a", "b"):
    try:
        with open(folder / name, "ab", buffering=0) as stream:
            stream.write(b"2")
    except OSError as problem:
        assert problem.errno == errno.ENOSPC
    else:
        raise AssertionError("it was written")
disk.baddisk_refuse(0)
(folder / "b").write_bytes(b"3")
""",
    )
    assert disk.seen() == {"a": b"1", "b": b"3"}
