"""What the board told in a game: of the running one from the tape, of any other from the journal.

The journal is read by a connection of its own, in a thread. A chapter holds what one mind was told; replayed into a
fresh mind [pure] it decides the same again, and the game asked for is cut out of it.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from board_driver.events import Event
from board_driver.gamerecord import GameRecord
from board_driver.mind import Settings
from board_driver.minds import make_mind
from board_driver.scan import Field, Input, Scan
from board_driver.sensing.field import FieldReader
from board_driver.store.chapters import Chapter, ChapterReader
from board_driver.store.errors import StoreError
from board_driver.store.reading import reading
from board_driver.store.resume import give
from board_driver.store.rows import Passed
from rules.fen import parse_fen
from rules.squares import Colour

MARGIN_MS = 2_000
"""What is shown before a game began, and after the next one did."""


@dataclass(frozen=True, slots=True)
class Told:
    """What came in and what was decided on it, both in order."""

    inputs: Sequence[Input]
    events: Sequence[Event]


async def told_of(journal: Path, file: str) -> Told | None:
    """All that the journal has of the game in that file; None where it has nothing (any more)."""
    return await asyncio.to_thread(_told_of, journal, file)


def felt(inputs: Iterable[Input], settings: Settings) -> Iterator[Input]:
    """The same with field strengths told as the colours, or the occupied squares, that they mean."""
    start = parse_fen(settings.start_fen, chess960=settings.chess960)
    reader = FieldReader(start.occupied_by(Colour.WHITE), start.occupied_by(Colour.BLACK), settings.calibration)
    for item in inputs:
        yield reader.read(item)[0] if isinstance(item, Scan) and isinstance(item.reading, Field) else item


def _told_of(journal: Path, file: str) -> Told | None:
    """Opened read-only, so that a daemon that writes is not in the way, nor we in its."""
    try:
        with reading(journal) as database:
            query = "SELECT chapter, number FROM game WHERE file = ? ORDER BY chapter DESC"
            for chapter, number in database.execute(query, (file,)).fetchall():
                found = ChapterReader(database, journal).chapter(chapter)
                told = None if found is None else _game_in(found, number)
                if told is not None:
                    return told
    except (sqlite3.Error, OSError, StoreError):
        return None
    return None


def _game_in(chapter: Chapter, number: int) -> Told | None:
    """The `number`th game with moves of that chapter, from 0."""
    mind = make_mind(chapter.settings)
    events: list[Event] = []
    with suppress(Exception):  # another version's journal: what was decided until then is shown
        for row in chapter.rows:
            events += give(mind, row.given)
    games = [game for game in mind.games() if game.plies]
    if number >= len(games):
        return None
    from_ms, until_ms = _span(mind.games(), games[number])
    inputs = felt((row.given for row in chapter.rows if not isinstance(row.given, Passed)), chapter.settings)
    return Told(
        [item for item in _cut(inputs, from_ms) if item.t_ms <= until_ms],
        [event for event in events if from_ms <= event.t_ms <= until_ms],
    )


def _span(games: Sequence[GameRecord], game: GameRecord) -> tuple[int, float]:
    following = next((after for one, after in pairwise(games) if one is game), None)
    until_ms = float("inf") if following is None else following.began_ms + MARGIN_MS
    return game.began_ms - MARGIN_MS, until_ms


def _cut(inputs: Iterable[Input], from_ms: int) -> Iterator[Input]:
    """The inputs from that time on, the board as it stood then first."""
    before: Scan | None = None
    for item in inputs:
        if item.t_ms >= from_ms:
            if before is not None:
                yield replace(before, t_ms=from_ms)
                before = None
            yield item
        elif isinstance(item, Scan):
            before = item
