"""The state folder: the journal, the games, and a lock that says whose they are.

```
STATE/lock            who runs on it
STATE/journal.sqlite  all that the board said and what was decided (`journal`)
STATE/games/*.pgn     every game, always current
```

Opening it never fails for what the disk did to it: a damaged journal is set aside and named, and what can be read of
it, or else the newest unfinished game, is where play goes on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from board_driver.inputerror import InputError, shortened
from board_driver.mind import Mind, Settings
from board_driver.store.chapters import Chapter, GameFile, Row
from board_driver.store.damage import is_sound, reason, set_aside
from board_driver.store.errors import StoreError
from board_driver.store.journal import Journal
from board_driver.store.lock import FolderLock
from board_driver.store.reading import a_copy
from board_driver.store.resume import Resumed, clocks_of, from_moves, moves_of, resume
from rules.fen import write_fen
from rules.pgn import PgnGame, read_games
from rules.position import Position
from rules.squares import Colour

JOURNAL = "journal.sqlite"
GAMES = "games"

MindOf = Callable[[Settings], Mind]


@dataclass(frozen=True, slots=True)
class Found:
    """What there is to go on from: the mind and the files of its games."""

    resumed: Resumed
    files: tuple[GameFile, ...] = ()


class State:
    """An open state folder. `journal` is None where there can be none: play goes on without a memory."""

    def __init__(self, folder: Path) -> None:
        """Raises InputError if another process has the folder, or there cannot be such a folder."""
        self.folder = folder
        self.games = folder / GAMES
        self.rows: tuple[Row, ...] = ()
        """What the mind that is resumed was given."""
        self.remarks: list[str] = []
        """What a person should know about how it was found."""
        self.journal: Journal | None = None
        self.lock: FolderLock | None = None
        self._salvaged: Chapter | None = None
        self._was_damaged = False
        try:
            self.games.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.lock = FolderLock(folder)
            _sweep(folder, self.games)
            self.journal = self._open_journal(folder / JOURNAL)
        except (StoreError, OSError) as problem:
            if not folder.is_dir():
                raise InputError(
                    f"{shortened(str(folder), 200)}: expected a folder for the journal and the games, "
                    f"got: {reason(problem)}"
                ) from problem
            self.remarks.append(f"nothing of this run is kept: {reason(problem)}")
            self._salvaged = self._salvaged or _salvage(folder / JOURNAL)
            self._was_damaged = True

    def resume(self, wanted: Settings, mind_of: MindOf) -> Found | None:
        """The game that was left, if one was: `wanted` says how the board is read and what begins if none was."""
        chapter = self._salvaged
        if chapter is None and self.journal is not None:
            chapter = self._last_chapter(self.journal)
        found = None if chapter is None else self._from_chapter_if_it_can_be(chapter, wanted, mind_of)
        if self._was_damaged:
            found = self._longer(found, wanted, mind_of)
        if found is None:
            return None
        self.rows = () if chapter is None else chapter.rows
        mind = found.resumed.mind
        set_up = found.resumed.settings.start_fen != wanted.start_fen  # a position that somebody asked for on the page
        same = found.resumed.settings == wanted  # the pieces were seen set up, and one may be in the air just now
        if same or set_up or any(game.plies for game in mind.games()) or _is_bound(mind):
            return found
        return None

    def close(self) -> None:
        """Bring the journal to the disk and let the next one have the folder."""
        if self.journal is not None:
            self.journal.close()
        if self.lock is not None:
            self.lock.release()

    # -- within

    def _open_journal(self, path: Path) -> Journal:
        try:
            if not is_sound(path):
                return self._replace(path)
            return Journal(path)
        except StoreError as problem:
            match problem.__cause__:
                case sqlite3.OperationalError():
                    return self._wait_for(path)
                case sqlite3.DatabaseError():
                    return self._replace(path)
                case _:
                    raise

    def _wait_for(self, path: Path) -> Journal:
        """The disk does not let us have the journal now: go on from a copy of it, and let what comes wait."""
        journal = Journal(path, may_wait=True)
        if journal.trouble:
            self._salvaged = _salvage(path)
        return journal

    def _replace(self, path: Path) -> Journal:
        """Set a damaged journal aside and begin another."""
        other = set_aside(path)
        self._was_damaged = True
        self.remarks.append(f"the journal was damaged and is kept as {other}; please send it in")
        self._salvaged = _salvage(other)
        return Journal(path)

    def _last_chapter(self, journal: Journal) -> Chapter | None:
        try:
            chapter = journal.last()
        except StoreError as problem:
            self.remarks.append(str(problem))
            self._was_damaged = True
            return None
        if chapter is not None and chapter.broken:
            self.remarks.append(f"the journal is damaged: {chapter.broken}")
            self._was_damaged = True
        return chapter

    def _from_chapter_if_it_can_be(self, chapter: Chapter, wanted: Settings, mind_of: MindOf) -> Found | None:
        try:
            return self._from_chapter(chapter, wanted, mind_of)
        except Exception as problem:  # whatever it is, the board must be served
            what = f"{type(problem).__name__}: {reason(problem)}"
            self.remarks.append(f"the journal's last game cannot be taken up again ({what}); please send it in")
            self._was_damaged = True
            return None

    def _from_chapter(self, chapter: Chapter, wanted: Settings, mind_of: MindOf) -> Found:
        if _same_board(chapter.settings, wanted):
            resumed = resume(chapter, mind_of)
        else:
            start, moves = moves_of(chapter)
            why, clocks_ms = "the board is another one", clocks_of(chapter)
            settings = _starting(wanted, start)
            resumed = from_moves(settings, moves, chapter.latest_ms, mind_of, why, clocks_ms=clocks_ms)
        if resumed.retold is None and (chapter.broken or chapter is self._salvaged):
            told = tuple((row.given, ()) for row in chapter.rows)
            resumed = replace(resumed, retold=told)  # rulings are written again with the next ones
        return Found(resumed, chapter.games)

    def _longer(self, found: Found | None, wanted: Settings, mind_of: MindOf) -> Found | None:
        """What the journal gave, or the newest unfinished game on disk if that has come further."""
        newest = _newest_unfinished(self.games)
        if newest is None:
            return found
        file, game = newest
        moves = game.moves
        known = () if found is None else found.resumed.mind.games()[-1].plies
        if len(moves) <= len(known):
            return found
        settings = wanted if found is None else found.resumed.settings
        now_ms = 0 if found is None else found.resumed.now_ms
        why = f"taken from {file.file}"
        settings = _starting(settings, game.start)
        resumed = from_moves(settings, moves, now_ms, mind_of, why, clocks_ms=_clocks_of(game))
        return Found(resumed, (file,))


def _starting(settings: Settings, start: Position) -> Settings:
    return replace(settings, start_fen=write_fen(start), chess960=start.chess960)


def _same_board(one: Settings, other: Settings) -> bool:
    """Whether what the sensors said then means the same now."""
    return (one.sensing, one.dead_squares, one.calibration) == (other.sensing, other.dead_squares, other.calibration)


def _is_bound(mind: Mind) -> bool:
    """Whether something is owed already, though no move has been made."""
    owed = mind.summary().get("obligation")
    return isinstance(owed, dict) and owed.get("kind") != "none"


def _salvage(damaged: Path) -> Chapter | None:
    """The newest chapter of a damaged journal as far as it can be read, without touching the file."""
    with suppress(StoreError, OSError, sqlite3.Error), a_copy(damaged) as copy:
        if not copy.exists():
            return None
        journal = Journal(copy)
        try:
            return journal.last()
        finally:
            journal.close()
    return None


def _sweep(*folders: Path) -> None:
    """Take away what was being written beside its place when the power went: whole files are elsewhere."""
    for folder in folders:
        for left in folder.glob(".*.part"):
            with suppress(OSError):
                left.unlink()


def _newest_unfinished(folder: Path) -> tuple[GameFile, PgnGame] | None:
    """The last game that was written, if it has no result."""
    try:
        newest = max(folder.glob("*.pgn"), key=lambda path: path.stat().st_mtime_ns, default=None)
        games = [] if newest is None else list(read_games(newest.read_bytes()))
    except OSError:
        return None
    if newest is None or not games or str(games[-1].result) != "*" or not games[-1].moves:
        return None
    return GameFile(newest.name, ""), games[-1]


def _clocks_of(game: PgnGame) -> dict[Colour, int]:
    """What the players' clocks showed after their last moves, where that was written down."""
    clocks, mover = {}, game.start.turn
    for ply in game.line:
        if ply.clock_ms is not None:
            clocks[Colour(mover)] = ply.clock_ms
        mover = mover.opponent
    return clocks
