"""What disks do to a journal: how it is told in words, how damage is found, and how the evidence is kept."""

from __future__ import annotations

import os
import sqlite3
import tarfile
import zlib
from contextlib import suppress
from pathlib import Path

from board_driver.inputerror import shortened
from board_driver.store.errors import StoreError
from board_driver.store.reading import reading

KEPT_DAMAGED = 5
"""Damaged journals that are kept: evidence, but not for ever."""
_WORDS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "it may only be read, not written",
    "SQLITE_CANTOPEN": "it cannot be opened there",
    "SQLITE_NOTADB": "it is no journal, or its beginning is damaged",
    "SQLITE_CORRUPT": "a page of it is damaged",
    "SQLITE_BUSY": "another program is writing to it",
    "SQLITE_LOCKED": "another program is writing to it",
    "SQLITE_IOERR": "the disk did not do what it was asked",
    "SQLITE_PERM": "that is not allowed",
    "SQLITE_AUTH": "that is not allowed",
    "SQLITE_NOMEM": "there is no memory left",
}
"""What a person is told for SQLite's errors, by the name of the kind; the finer names begin with these."""


def reason(problem: Exception) -> str:
    """Why it did not work, as a person may be told: no numbers of errors, one line."""
    name = getattr(problem, "sqlite_errorname", None) or ""
    for kind, words in _WORDS.items():
        if name == kind or name.startswith(f"{kind}_"):
            return words
    match problem:
        case OSError(errno=int(number)):
            return os.strerror(number)
        case tarfile.TarError() | EOFError() | zlib.error():
            return "a damaged or unfinished archive"
        case sqlite3.DatabaseError() if "not a database" in str(problem):
            return _WORDS["SQLITE_NOTADB"]
        case _:
            return shortened(str(problem) or type(problem).__name__, 200)


def refused(path: Path, problem: Exception) -> StoreError:
    """The error of a journal that the disk does not let us have."""
    return StoreError(
        f"{shortened(str(path), 200)}: expected a journal that can be read and written, got: {reason(problem)}"
    )


def is_sound(path: Path) -> bool:
    """Whether that file is a database whose pages hang together. A missing one is sound. Raises StoreError."""
    if not path.exists():
        return True
    if path.stat().st_size == 0:
        return False  # a journal is never empty: its content was lost with the power
    try:
        # Read-only, so that evidence of damage stays as it is: no checkpoint on closing.
        with reading(path, timeout_s=2.0) as database:
            return bool(database.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except (sqlite3.OperationalError, OSError) as problem:
        raise refused(path, problem) from problem
    except sqlite3.DatabaseError:
        return False


def set_aside(path: Path) -> Path:
    """Give a damaged journal and what belongs to it another name, so that nothing writes to them; that name.

    The newest `KEPT_DAMAGED` of them stay.
    """
    numbers = sorted(
        int(number)
        for one in path.parent.glob(f"{path.name}.damaged-*")
        if (number := one.name.rpartition("-")[2]).isdigit()
    )
    other = path.with_name(f"{path.name}.damaged-{numbers[-1] + 1 if numbers else 1}")
    for old in numbers[: max(0, len(numbers) + 1 - KEPT_DAMAGED)]:
        for ending in ("-wal", "-shm", ""):
            with suppress(OSError):
                path.with_name(f"{path.name}.damaged-{old}{ending}").unlink(missing_ok=True)
    try:
        for ending in ("-wal", "-shm", ""):
            piece = path.with_name(path.name + ending)
            if piece.exists():
                piece.rename(path.with_name(other.name + ending))
    except OSError as problem:
        raise refused(path, problem) from problem
    return other
