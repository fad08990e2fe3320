"""The tables of the journal, and how one made by an older version becomes one of this version.

`MIGRATIONS[n]` turns version n into n + 1; SQLite's `user_version` says which one a file has. A migration is one
transaction: with the disk full or the power gone in the middle the file is as it was.
"""

from __future__ import annotations

import sqlite3

from board_driver.store.errors import StoreError

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        # What one mind was told, from its first scan: a chapter replays to that mind.
        "CREATE TABLE chapter (id INTEGER PRIMARY KEY, settings TEXT NOT NULL, began_ms INTEGER NOT NULL)",
        # `line` is a line of the sensor log; with `t_ms` alone it says that time came to there.
        "CREATE TABLE input "
        "(id INTEGER PRIMARY KEY, chapter INTEGER NOT NULL, line TEXT NOT NULL, crc INTEGER NOT NULL)",
        "CREATE INDEX input_of_chapter ON input (chapter, id)",
    ),
    (
        # What was decided on that input, as the replay contract writes it.
        "CREATE TABLE ruling (id INTEGER PRIMARY KEY, input INTEGER NOT NULL, event TEXT NOT NULL)",
        "CREATE INDEX ruling_of_input ON ruling (input)",
        # The file a game of a chapter is written to, and when it began (ISO 8601; empty: the clock was not set).
        "CREATE TABLE game (chapter INTEGER NOT NULL, number INTEGER NOT NULL, file TEXT NOT NULL, "
        "began TEXT NOT NULL, PRIMARY KEY (chapter, number))",
        "ALTER TABLE chapter ADD COLUMN latest_ms INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE chapter ADD COLUMN tries INTEGER NOT NULL DEFAULT 0",
    ),
)
VERSION = len(MIGRATIONS)


def version_of(database: sqlite3.Connection) -> int:
    """The version of the tables in that file; 0 for a new one. Raises sqlite3.Error, also for one below 0."""
    version = int(database.execute("PRAGMA user_version").fetchone()[0])
    if version < 0:
        raise sqlite3.DatabaseError("the version of its tables is damaged")
    return version


def migrate(database: sqlite3.Connection, to: int = VERSION) -> None:
    """Bring the tables to version `to`, one version after the other.

    Raises StoreError for a file of a later version, sqlite3.Error where the disk refuses: the file is then of the last
    version that was reached, whole.
    """
    found = version_of(database)
    if found > to:
        raise StoreError(
            f"expected a journal of version {to} or before, got {found}: a newer touchmove wrote it; use that one"
        )
    for number in range(found, to):
        database.execute("BEGIN IMMEDIATE")
        try:
            for statement in MIGRATIONS[number]:
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {number + 1}")
            database.execute("COMMIT")
        except BaseException:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise
