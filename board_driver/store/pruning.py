"""Keeping the journal within a size: its oldest chapters give way, the present one never.

Games are files of their own, and nothing here ever removes one.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress


def size_of(database: sqlite3.Connection) -> int:
    """Bytes in use. Raises sqlite3.Error."""
    pages, free, bytes_each = (
        int(database.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * bytes_each


def prune(database: sqlite3.Connection, present: int, limit: int) -> int:
    """Drop chapters before `present`, the oldest first, until the rest fills at most `limit` bytes; how many."""
    dropped = 0
    with suppress(sqlite3.Error):
        while size_of(database) > limit:
            row = database.execute("SELECT min(id) FROM chapter WHERE id < ?", (present,)).fetchone()
            if row[0] is None:
                break
            _drop(database, row)
            dropped += 1
    return dropped


def _drop(database: sqlite3.Connection, row: tuple[int]) -> None:
    database.execute("BEGIN IMMEDIATE")
    try:
        database.execute("DELETE FROM ruling WHERE input IN (SELECT id FROM input WHERE chapter = ?)", row)
        for table, key in (("input", "chapter"), ("game", "chapter"), ("chapter", "id")):
            database.execute(f"DELETE FROM {table} WHERE {key} = ?", row)
        database.execute("COMMIT")
    except sqlite3.Error:
        with suppress(sqlite3.Error):
            if database.in_transaction:
                database.execute("ROLLBACK")
        raise
