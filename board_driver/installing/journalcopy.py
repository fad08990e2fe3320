"""The journal as it was before an upgrade: a newer version may change its tables, which the version before cannot read.

The games themselves are PGN files, which every version reads.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from board_driver.store.archive import copy_into_place, copy_journal
from board_driver.store.reading import reading
from board_driver.store.schema import version_of
from board_driver.store.state import JOURNAL


class JournalCopy:
    """Of the journal in the folder `state`, kept in the folder `place`."""

    def __init__(self, state: Path, place: Path) -> None:
        self._journal = state / JOURNAL
        self._copy = place / f"{JOURNAL}.before"

    def take(self) -> None:
        """Copy it, for root's eyes alone; where there is none, nothing. Raises OSError, sqlite3.Error."""
        if self._journal.exists():
            self._copy.touch(mode=0o600)
            os.truncate(self._copy, 0)
            copy_journal(self._journal, self._copy)

    def put_back(self) -> bool:
        """Put it back if the tables were changed since; whether that was so. What the newer one wrote is set aside."""
        if not self._copy.exists() or _version(self._journal) == _version(self._copy):
            return False
        for ending in ("-wal", "-shm", ""):
            piece = self._journal.with_name(self._journal.name + ending)
            if piece.exists():
                piece.rename(piece.with_name(f"{JOURNAL}.newer{ending}"))
        copy_into_place(self._copy, self._journal, self._journal.parent)
        return True

    def drop(self) -> None:
        """It is needed no more."""
        self._copy.unlink(missing_ok=True)


def _version(path: Path) -> int | None:
    try:
        with reading(path) as database:
            return version_of(database)
    except (sqlite3.Error, OSError):
        return None
