"""Reading a journal without changing anything: the file itself, or a copy where the disk does not let SQLite read it.

SQLite needs a little room beside a journal even to read it. A disk that is full or read-only may have none: then a copy
in memory is read, which holds the same.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from board_driver.store.connection import JournalConnection

MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory."""


@contextmanager
def reading(path: Path, timeout_s: float = 5.0) -> Iterator[sqlite3.Connection]:
    """A connection for reading. Raises sqlite3.Error for a file that is none or cannot be had, OSError for its copy."""
    try:
        database = _open(path, timeout_s)
    except sqlite3.OperationalError:
        if not path.exists():
            raise
        with a_copy(path) as copy, closing(sqlite3.connect(copy, factory=JournalConnection)) as database:
            yield database
        return
    with closing(database):
        yield database


@contextmanager
def a_copy(path: Path) -> Iterator[Path]:
    """A copy of a journal and what belongs to it, where there is room. Raises OSError."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        copy = Path(folder) / path.name
        for ending in ("", "-wal"):
            piece = path.with_name(path.name + ending)
            if piece.exists():
                shutil.copyfile(piece, copy.with_name(copy.name + ending))
        yield copy


def _open(path: Path, timeout_s: float) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode=ro"
    database = sqlite3.connect(address, uri=True, timeout=timeout_s, factory=JournalConnection)
    try:
        database.execute("SELECT count(*) FROM sqlite_master")  # only now is the file looked at
    except BaseException:
        database.close()
        raise
    return database
