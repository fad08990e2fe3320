"""The journal: all that a mind was given and what it decided, on disk before anyone acts upon it.

Minds are deterministic, so the inputs of a game are the game: replayed into a fresh mind they give the same position,
obligation and score (`resume`). SQLite in WAL mode writes to the end of one file and knows a torn tail by checksums.

House rules:

1. What was decided is forced to the disk (`synchronous=FULL`) before anybody is told: a cut of the power takes back
   nothing that was shown. A scan that decides nothing is handed to the system at once (`NORMAL`) and reaches the disk
   with the next ruling, or when the system writes: SIGKILL loses nothing, a cut of the power at most what sensors said
   since the last ruling, and they are read anew.
2. A disk that refuses is no end: rows wait in memory, in order, and are tried again with the next one and by `retry`.
3. A damaged file is set aside under another name, never written to; what can still be read of it is carried over.
4. Chapters that are over may be dropped, the oldest first, to keep within a size. Games are files of their own, and
   nothing here ever removes one.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from board_driver.eventjson import event_object
from board_driver.events import Claimable, Ended, Event, Irregular, Lit, Moved, Notice, RestoreAsked, Revised, Touched
from board_driver.mind import Settings
from board_driver.store.chapters import Chapter, ChapterReader, GameFile
from board_driver.store.damage import reason, refused
from board_driver.store.rows import Given, checksum, given_line, settings_text
from board_driver.store.schema import migrate

SIZE_LIMIT = 64 << 20
"""Bytes that old chapters may fill before the oldest give way."""
UNSAVED_LIMIT = 100_000
"""Rows that wait for a disk that refuses; beyond it the chapter can no longer be kept."""

RULINGS = (Touched, Moved, Revised, Irregular, RestoreAsked, Claimable, Ended, Notice)
_FORCED = (*RULINGS, Lit)


Told = tuple[Given, Sequence[Event]]
"""What a mind was given, and what it decided on that."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    line: str
    rulings: tuple[str, ...]
    forced: bool


class Journal:
    """The open journal of one state folder. In the loop only; one process at a time (`lock`)."""

    def __init__(self, path: Path) -> None:
        """Open or make it. Raises StoreError where the disk refuses; see `set_aside` for a damaged one."""
        self.path = path
        self.trouble = ""
        """Why the newest rows are not on disk, in words; empty while they are."""
        self.latency_ms = 0.0
        """How long the newest commit took."""
        self.commits = 0
        self._chapter = 0
        self._unsaved: list[_Waiting] = []
        self._overflowed = False
        self._full = False
        self._tried = False
        try:
            self._database = sqlite3.connect(path, isolation_level=None, timeout=2.0, cached_statements=32)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._force(True)
            migrate(self._database)
            row = self._database.execute("SELECT max(id) FROM chapter").fetchone()
        except sqlite3.Error as problem:
            raise refused(path, problem) from problem
        self._chapter = row[0] or 0
        self._reader = ChapterReader(self._database, path)

    def close(self) -> None:
        """Bring everything to the disk and close the file."""
        self.retry()
        with suppress(sqlite3.Error):
            self._database.close()

    # -- writing

    def begin(self, settings: Settings, t_ms: int, rows: Sequence[Told] = (), files: Sequence[GameFile] = ()) -> None:
        """Begin a chapter; what is kept from now on belongs to it.

        `rows` are what its mind was given already, `files` those of the games that it knows already.
        """
        self._unsaved, self._overflowed = [], False
        waiting = [_waiting(item, events) for item, events in rows]
        try:
            self._begin_commit(forced=True)
            self._database.execute(
                "INSERT INTO chapter (settings, began_ms, latest_ms) VALUES (?, ?, ?)",
                (settings_text(settings), t_ms, t_ms),
            )
            self._chapter = int(self._database.execute("SELECT last_insert_rowid()").fetchone()[0])
            for number, file in enumerate(files):
                self._write_game(number, file)
            self._insert(waiting)
            self._database.execute("COMMIT")
            self.trouble = ""
        except sqlite3.Error as problem:
            self._roll_back(problem)
            self._chapter = 0  # nothing of this chapter is kept, rather than under the one before
            self._overflowed = True

    def keep(self, item: Given, events: Sequence[Event]) -> None:
        """Write what the mind was given and what it decided. Returns once that is as safe as rule 1 says."""
        if self._overflowed:
            return
        self._unsaved.append(_waiting(item, events))
        self.retry()
        if len(self._unsaved) > UNSAVED_LIMIT:
            self._unsaved.clear()
            self._overflowed = True

    def mark(self, t_ms: int) -> None:
        """Time has come to `t_ms` without anything; a resume goes on from there."""
        with suppress(sqlite3.Error):
            self._force(False)
            self._database.execute("UPDATE chapter SET latest_ms = ? WHERE id = ?", (t_ms, self._chapter))

    def retry(self) -> None:
        """Write what is waiting, if the disk lets us."""
        if not self._unsaved:
            return
        began = time.perf_counter()
        try:
            self._begin_commit(any(row.forced for row in self._unsaved))
            self._insert(self._unsaved)
            if self._tried and any(row.forced for row in self._unsaved):
                self._database.execute("UPDATE chapter SET tries = 0 WHERE id = ?", (self._chapter,))
                self._tried = False
            self._database.execute("COMMIT")
        except sqlite3.Error as problem:
            self._roll_back(problem)
            return
        self._unsaved.clear()
        self.trouble = ""
        self.commits += 1
        self.latency_ms = (time.perf_counter() - began) * 1000

    def files(self) -> dict[int, GameFile]:
        """Where the games of this chapter are written, by their number."""
        with suppress(sqlite3.Error):
            query = "SELECT number, file, began FROM game WHERE chapter = ?"
            return {n: GameFile(f, b) for n, f, b in self._database.execute(query, (self._chapter,))}
        return {}

    def name_game(self, number: int, file: GameFile) -> None:
        """Remember where game `number` of this chapter is written."""
        with suppress(sqlite3.Error):
            self._force(True)
            self._write_game(number, file)

    def count_try(self) -> None:
        """A resume of this chapter begins; the next ruling that is kept says that it went well."""
        self._tried = True
        with suppress(sqlite3.Error):
            self._force(True)
            self._database.execute("UPDATE chapter SET tries = tries + 1 WHERE id = ?", (self._chapter,))

    def prune(self, limit: int = SIZE_LIMIT) -> int:
        """Drop the inputs of the oldest chapters until the rest fills at most `limit` bytes; how many were dropped."""
        dropped = 0
        with suppress(sqlite3.Error):
            while self.size() > limit:
                row = self._database.execute(
                    "SELECT min(chapter) FROM input WHERE chapter < ?", (self._chapter,)
                ).fetchone()
                if row[0] is None:
                    break
                self._database.execute("BEGIN IMMEDIATE")
                self._database.execute(
                    "DELETE FROM ruling WHERE input IN (SELECT id FROM input WHERE chapter = ?)", row
                )
                self._database.execute("DELETE FROM input WHERE chapter = ?", row)
                self._database.execute("DELETE FROM game WHERE chapter = ?", row)
                self._database.execute("DELETE FROM chapter WHERE id = ?", row)
                self._database.execute("COMMIT")
                dropped += 1
        return dropped

    def size(self) -> int:
        """Bytes in use."""
        pages, free, bytes_each = (
            int(self._database.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * bytes_each

    # -- reading

    def last(self) -> Chapter | None:
        """The newest chapter; None if there is none, or none whose settings can be read. Raises StoreError."""
        return self.chapter(self._chapter) if self._chapter else None

    def chapters(self) -> list[int]:
        """The numbers of all chapters, the oldest first. Raises StoreError."""
        return self._reader.numbers()

    def chapter(self, number: int) -> Chapter | None:
        """That chapter, up to the first damaged row. Raises StoreError if not even its beginning can be read."""
        return self._reader.chapter(number)

    @property
    def forced(self) -> bool:
        """Whether the newest commit was brought to the disk before it returned."""
        return self._full

    @property
    def present(self) -> int:
        """The number of the chapter that is being written; 0 for none."""
        return self._chapter

    def rows_kept(self) -> int:
        """How many rows the present chapter has on disk."""
        return int(
            self._database.execute("SELECT count(*) FROM input WHERE chapter = ?", (self._chapter,)).fetchone()[0]
        )

    # -- within

    def _write_game(self, number: int, file: GameFile) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO game (chapter, number, file, began) VALUES (?, ?, ?, ?)",
            (self._chapter, number, file.file, file.began),
        )

    def _insert(self, waiting: Sequence[_Waiting]) -> None:
        for row in waiting:
            cursor = self._database.execute(
                "INSERT INTO input (chapter, line, crc) VALUES (?, ?, ?)", (self._chapter, row.line, checksum(row.line))
            )
            for ruling in row.rulings:
                self._database.execute("INSERT INTO ruling (input, event) VALUES (?, ?)", (cursor.lastrowid, ruling))

    def _begin_commit(self, forced: bool) -> None:
        self._force(forced)
        self._database.execute("BEGIN IMMEDIATE")

    def _force(self, full: bool) -> None:
        if full is not self._full:
            self._database.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
            self._full = full

    def _roll_back(self, problem: sqlite3.Error) -> None:
        self.trouble = reason(problem)
        with suppress(sqlite3.Error):
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")


def _waiting(item: Given, events: Sequence[Event]) -> _Waiting:
    rulings = tuple(json.dumps(event_object(e), separators=(",", ":")) for e in events if isinstance(e, RULINGS))
    return _Waiting(given_line(item), rulings, any(isinstance(event, _FORCED) for event in events))
