"""Chapters of the journal, read back: what one mind was told, its rulings and where its games are written.

A chapter is read up to its first damaged row, and says why there are no more. Nothing here writes.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from board_driver.mind import Settings
from board_driver.store.damage import reason, refused
from board_driver.store.rows import DamagedRowError, Given, parse_given, parse_settings, text_in


@dataclass(frozen=True, slots=True)
class Row:
    """One thing a mind was given, and the rulings on it as the replay contract writes them."""

    id: int
    given: Given
    rulings: tuple[dict[str, object], ...]


@dataclass(frozen=True, slots=True)
class GameFile:
    """Where a game of a chapter is written, and when it began (ISO 8601, empty where the clock was not set)."""

    file: str
    began: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one mind was told. `broken` says why rows after the last are missing; empty where none are."""

    id: int
    settings: Settings
    began_ms: int
    latest_ms: int
    tries: int
    rows: tuple[Row, ...]
    games: tuple[GameFile, ...]
    broken: str = ""


class ChapterReader:
    """Reads the chapters of one open journal; `path` is for the words of errors."""

    def __init__(self, database: sqlite3.Connection, path: Path) -> None:
        self._database = database
        self._path = path

    def numbers(self) -> list[int]:
        """The numbers of all chapters, the oldest first. Raises StoreError."""
        try:
            return [int(row[0]) for row in self._database.execute("SELECT id FROM chapter ORDER BY id")]
        except sqlite3.Error as problem:
            raise refused(self._path, problem) from problem

    def chapter(self, number: int) -> Chapter | None:
        """That chapter, up to the first damaged row. Raises StoreError if not even its beginning can be read."""
        try:
            found = self._database.execute(
                "SELECT settings, began_ms, latest_ms, tries FROM chapter WHERE id = ?", (number,)
            ).fetchone()
            if found is None:
                return None
            settings = parse_settings(found[0])
            games = tuple(self._game_files(number))
        except (sqlite3.Error, DamagedRowError) as problem:
            raise refused(self._path, problem) from problem
        rows: list[Row] = []
        broken = ""
        try:
            rows.extend(self._rows(number, settings))
        except (sqlite3.Error, DamagedRowError) as problem:
            rows, broken = self._readable_rows(number, settings), reason(problem)
        return Chapter(number, settings, found[1], found[2], found[3], tuple(rows), games, broken)

    def _rows(self, chapter: int, settings: Settings) -> Iterator[Row]:
        rulings: dict[int, list[dict[str, object]]] = {}
        query = "SELECT input, event FROM ruling WHERE input IN (SELECT id FROM input WHERE chapter = ?) ORDER BY id"
        for number, event in self._database.execute(query, (chapter,)):
            rulings.setdefault(number, []).append(_object(event))
        for number, line, crc in self._database.execute(
            "SELECT id, line, crc FROM input WHERE chapter = ? ORDER BY id", (chapter,)
        ):
            yield Row(number, parse_given(line, crc, settings.sensing), tuple(rulings.get(number, ())))

    def _readable_rows(self, chapter: int, settings: Settings) -> list[Row]:
        """Of a damaged chapter the rows before the damage, without their rulings."""
        rows: list[Row] = []
        with suppress(sqlite3.Error, DamagedRowError):
            for number, line, crc in self._database.execute(
                "SELECT id, line, crc FROM input NOT INDEXED WHERE chapter = ? ORDER BY id", (chapter,)
            ):
                rows.append(Row(number, parse_given(line, crc, settings.sensing), ()))
        return rows

    def _game_files(self, chapter: int) -> list[GameFile]:
        query = "SELECT number, file, began FROM game WHERE chapter = ? ORDER BY number"
        files: list[GameFile] = []
        for number, file, began in self._database.execute(query, (chapter,)):
            if number != len(files):
                break  # what comes after a gap is of nobody knows which game
            files.append(GameFile(file, began))
        return files


def _object(text: object) -> dict[str, object]:
    try:
        found = json.loads(text_in(text))
    except (ValueError, RecursionError) as problem:
        raise DamagedRowError(str(problem)) from problem
    if not isinstance(found, dict):
        raise DamagedRowError("expected an object")
    return found
