"""The connection to a journal: whatever the disk made of the file, it fails as SQLite's do."""

from __future__ import annotations

import sqlite3
from typing import Any


class JournalConnection(sqlite3.Connection):
    """One to give to `sqlite3.connect` as its `factory` for every file that a disk may have damaged.

    SQLite names in its complaint what is damaged, and Python fails to read that name where it is no text any more: a
    UnicodeDecodeError, which nobody expects of a database.
    """

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """As `sqlite3.Connection.execute`. Raises sqlite3.Error only."""
        try:
            return super().execute(*arguments)
        except UnicodeDecodeError as problem:
            raise sqlite3.DatabaseError("the names of its tables are damaged") from problem
