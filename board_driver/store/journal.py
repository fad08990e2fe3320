"""The journal: all that a mind was given and what it decided, on disk before anyone acts upon it.

Minds are deterministic, so the inputs of a game are the game: replayed into a fresh mind they give the same position,
obligation and score (`resume`). SQLite in WAL mode writes to the end of one file and knows a torn tail by checksums.

House rules:

1. What was decided is forced to the disk (`synchronous=FULL`) before anybody is told: a cut of the power takes back
   nothing that was shown. So is the first scan of a chapter: pieces that were seen set up stay so. Any other scan that
   decides nothing is handed to the system at once (`NORMAL`) and reaches the disk with the next ruling, or when the
   system writes: SIGKILL loses nothing, a cut of the power at most what sensors said since the last ruling, and they
   are read anew.
2. A disk that refuses is no end, not even of opening the file: rows wait in memory, in order, and are tried again with
   the next one and by `retry`.
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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import assert_never

from board_driver.eventjson import event_object
from board_driver.events import (
    Claimable,
    Clocked,
    Ended,
    Event,
    Irregular,
    Lit,
    Moved,
    Notice,
    RestoreAsked,
    Revised,
    Touched,
)
from board_driver.mind import Settings
from board_driver.store.chapters import Chapter, ChapterReader, GameFile
from board_driver.store.connection import JournalConnection
from board_driver.store.damage import reason, refused
from board_driver.store.errors import StoreError
from board_driver.store.pruning import prune, size_of
from board_driver.store.rows import Given, checksum, given_line, settings_text
from board_driver.store.schema import migrate

SIZE_LIMIT = 64 << 20
"""Bytes that old chapters may fill before the oldest give way."""
UNSAVED_LIMIT = 100_000
"""Rows that wait for a disk that refuses; beyond it the chapter can no longer be kept."""

RULINGS = (Touched, Moved, Revised, Irregular, RestoreAsked, Claimable, Ended, Notice, Clocked)
_FORCED = (*RULINGS, Lit)


Told = tuple[Given, Sequence[Event]]
"""What a mind was given, and what it decided on that."""


@dataclass(frozen=True, slots=True)
class _Beginning:
    """A chapter that is to be begun."""

    settings: str
    t_ms: int
    forced: bool = True


@dataclass(frozen=True, slots=True)
class _Name:
    """The file of a game of the chapter."""

    number: int
    file: GameFile
    forced: bool = True


@dataclass(frozen=True, slots=True)
class _Row:
    """What a mind was given, as text."""

    line: str
    rulings: tuple[str, ...]
    forced: bool


_Waiting = _Beginning | _Name | _Row

CACHE_KIB = 256
"""Pages of the file that SQLite keeps in memory: rows are only ever added at its end. (By default it keeps 2 MB.)"""


class Journal:
    """The open journal of one state folder. In the loop only; one process at a time (`lock`)."""

    def __init__(self, path: Path, may_wait: bool = False) -> None:
        """Open or make it. Raises StoreError for a damaged one (see `set_aside`) or one of a later version.

        Also where the disk refuses, but with `may_wait` it is tried again with everything that is to be kept.
        """
        self.path = path
        self.trouble = ""
        """Why the newest rows are not on disk, in words; empty while they are."""
        self.latency_ms = 0.0
        """How long the newest commit took."""
        self.commits = 0
        self._chapter = 0
        self._reader = ChapterReader(sqlite3.connect(":memory:"), path)
        self._unsaved: list[_Waiting] = []
        """What is not on disk yet, in order."""
        self._overflowed = False
        self._full = False
        self._tried = False
        self._is_blank = True
        """Whether the chapter has no rows yet."""
        self._database = sqlite3.connect(":memory:", isolation_level=None)  # until the file can be had
        self._is_open = False
        try:
            self._open()
        except sqlite3.Error as problem:
            if not (may_wait and isinstance(problem, sqlite3.OperationalError)):
                raise refused(path, problem) from problem
            migrate(self._database)
            self.trouble = reason(problem)

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
        if self._overflowed:
            self._unsaved, self._overflowed = [], False
        self._unsaved.append(_Beginning(settings_text(settings), t_ms))
        self._unsaved += [_Name(number, file) for number, file in enumerate(files)]
        self._unsaved += [_row(item, events) for item, events in rows]
        self._is_blank = not rows
        self.retry()

    def keep(self, item: Given, events: Sequence[Event]) -> None:
        """Write what the mind was given and what it decided. Returns once that is as safe as rule 1 says."""
        row = _row(item, events)
        self._write(replace(row, forced=True) if self._is_blank else row)
        self._is_blank = False

    def mark(self, t_ms: int) -> None:
        """Time has come to `t_ms` without anything; a resume goes on from there."""
        if self._unsaved:
            return  # the chapter may not even have begun on disk
        with suppress(sqlite3.Error):
            self._force(False)
            self._database.execute("UPDATE chapter SET latest_ms = ? WHERE id = ?", (t_ms, self._chapter))

    def retry(self) -> None:
        """Write what is waiting, if the disk lets us."""
        if not self._unsaved and self._is_open:
            return
        began, chapter = time.perf_counter(), self._chapter
        forced = any(waiting.forced for waiting in self._unsaved)
        try:
            if not self._is_open:
                self._open()
                chapter = self._chapter
            self._begin_commit(forced)
            for waiting in self._unsaved:
                self._carry_out(waiting)
            if self._tried and forced:
                self._database.execute("UPDATE chapter SET tries = 0 WHERE id = ?", (self._chapter,))
            self._database.execute("COMMIT")
        except (sqlite3.Error, StoreError) as problem:
            self._chapter = chapter
            self._roll_back(problem)
            return
        self._tried = self._tried and not forced
        self._unsaved.clear()
        self.trouble = ""
        self.commits += 1
        self.latency_ms = (time.perf_counter() - began) * 1000

    def files(self) -> dict[int, GameFile]:
        """Where the games of this chapter are written, by their number."""
        files: dict[int, GameFile] = {}
        with suppress(sqlite3.Error):
            query = "SELECT number, file, began FROM game WHERE chapter = ?"
            files = {n: GameFile(f, b) for n, f, b in self._database.execute(query, (self._chapter,))}
        for waiting in self._unsaved:
            match waiting:
                case _Beginning():
                    files = {}
                case _Name(number=number, file=file):
                    files[number] = file
                case _:
                    pass
        return files

    def name_game(self, number: int, file: GameFile) -> None:
        """Remember where game `number` of this chapter is written."""
        self._write(_Name(number, file))

    def count_try(self) -> None:
        """A resume of this chapter begins; the next ruling that is kept says that it went well."""
        self._tried = True
        with suppress(sqlite3.Error):
            self._force(True)
            self._database.execute("UPDATE chapter SET tries = tries + 1 WHERE id = ?", (self._chapter,))

    def prune(self, limit: int = SIZE_LIMIT) -> int:
        """Drop the oldest chapters until the rest fills at most `limit` bytes; how many were dropped."""
        return 0 if self._unsaved else prune(self._database, self._chapter, limit)

    def size(self) -> int:
        """Bytes in use; 0 where that cannot be found out."""
        with suppress(sqlite3.Error):
            return size_of(self._database)
        return 0

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

    def rows_kept(self) -> int:
        """How many rows the present chapter has on disk."""
        return int(
            self._database.execute("SELECT count(*) FROM input WHERE chapter = ?", (self._chapter,)).fetchone()[0]
        )

    # -- within

    def _open(self) -> None:
        # psow=0: no forced commit shares a sector of the disk with a later one, whose writing the power may cut.
        address = f"{self.path.absolute().as_uri()}?psow=0"
        database = sqlite3.connect(
            address, uri=True, isolation_level=None, timeout=2.0, cached_statements=32, factory=JournalConnection
        )
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            database.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            migrate(database)
            row = database.execute("SELECT max(id) FROM chapter").fetchone()
            first = database.execute("SELECT 1 FROM input WHERE chapter = ? LIMIT 1", (row[0] or 0,)).fetchone()
        except BaseException:
            database.close()
            raise
        self._database.close()
        self._database, self._is_open, self._full = database, True, True
        self._chapter = row[0] or 0
        self._is_blank = first is None
        self._reader = ChapterReader(database, self.path)

    def _write(self, waiting: _Waiting) -> None:
        if self._overflowed:
            return
        self._unsaved.append(waiting)
        self.retry()
        if len(self._unsaved) > UNSAVED_LIMIT:
            self._unsaved.clear()
            self._overflowed = True

    def _carry_out(self, waiting: _Waiting) -> None:
        execute = self._database.execute
        match waiting:
            case _Beginning(settings=settings, t_ms=t_ms):
                query = "INSERT INTO chapter (settings, began_ms, latest_ms) VALUES (?, ?, ?)"
                self._chapter = int(execute(query, (settings, t_ms, t_ms)).lastrowid or 0)
            case _Name(number=number, file=file):
                query = "INSERT OR REPLACE INTO game (chapter, number, file, began) VALUES (?, ?, ?, ?)"
                execute(query, (self._chapter, number, file.file, file.began))
            case _Row(line=line, rulings=rulings):
                query = "INSERT INTO input (chapter, line, crc) VALUES (?, ?, ?)"
                cursor = execute(query, (self._chapter, line, checksum(line)))
                for ruling in rulings:
                    execute("INSERT INTO ruling (input, event) VALUES (?, ?)", (cursor.lastrowid, ruling))
            case _:
                assert_never(waiting)

    def _begin_commit(self, forced: bool) -> None:
        self._force(forced)
        self._database.execute("BEGIN IMMEDIATE")

    def _force(self, full: bool) -> None:
        if full is not self._full:
            self._database.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
            self._full = full

    def _roll_back(self, problem: Exception) -> None:
        self.trouble = reason(problem)
        with suppress(sqlite3.Error):
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")


def _row(item: Given, events: Sequence[Event]) -> _Row:
    rulings = tuple(json.dumps(event_object(e), separators=(",", ":")) for e in events if isinstance(e, RULINGS))
    return _Row(given_line(item), rulings, any(isinstance(event, _FORCED) for event in events))
