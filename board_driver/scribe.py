"""Keeping the games of a running daemon on disk while they are played.

House rules:

1. A game is written soon after each of its moves, at most once in `EVERY_S`, and once more at the end. The disk may be
   slow: writing happens in a thread.
2. What a PGN file held before the daemon began stays in it; a folder gets a new file for each game.
3. A disk that refuses is a fault that is told, not the end: the next move tries again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from board_driver.daemon import Daemon
from board_driver.events import Ended, Event, Fault, Moved, Revised, Unsure
from board_driver.gamerecord import GameRecord
from board_driver.inputerror import InputError, shortened
from board_driver.store.errors import StoreError
from board_driver.store.pgnfile import date_tags, pgn_text, write_after

EVERY_S = 1.0

WallClock = Callable[[], datetime]


def local_time() -> datetime:
    """Now, with the time zone of this machine."""
    return datetime.now(UTC).astimezone()


class OneFile:
    """All games of this run at the end of one PGN file."""

    def __init__(self, path: Path) -> None:
        """Raises InputError if the file cannot be read or made."""
        self._path = path
        try:
            self._before = path.read_bytes() if path.exists() else b""
        except OSError as problem:
            raise InputError(f"{shortened(str(path), 200)}: expected a PGN file, got: {problem.strerror}") from problem
        if not path.absolute().parent.is_dir():
            raise InputError(f"{shortened(str(path), 200)}: there is no such folder; make it first")

    def write(self, texts: Sequence[str], begins: Sequence[datetime]) -> None:
        """Make the file hold these games. Raises StoreError."""
        del begins
        write_after(self._path, self._before, "".join(texts))


class Folder:
    """A PGN file for each game, named by when it began."""

    def __init__(self, path: Path) -> None:
        """Makes the folder if it is missing. Raises InputError if that cannot be."""
        self._path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(
                f"{shortened(str(path), 200)}: expected a folder for the games, got: {problem.strerror}"
            ) from problem
        self._names: list[Path] = []

    def write(self, texts: Sequence[str], begins: Sequence[datetime]) -> None:
        """Make the newest files hold these games. Raises StoreError."""
        for began in begins[len(self._names) :]:
            self._names.append(self._free_name(began))
        for name, text in zip(self._names, texts, strict=False):
            if not name.exists() or name.read_bytes() != text.encode("utf-8"):
                write_after(name, b"", text)

    def _free_name(self, began: datetime) -> Path:
        stem = f"{began:%Y-%m-%d_%H%M%S}"
        names = (self._path / f"{stem}{suffix}.pgn" for suffix in ("", *(f"-{n}" for n in range(2, 1000))))
        return next(name for name in names if not name.exists() and name not in self._names)


class Scribe:
    """Listens to a daemon and writes its games to a place."""

    def __init__(
        self,
        daemon: Daemon,
        place: OneFile | Folder,
        wall_clock: WallClock = local_time,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        self._daemon = daemon
        self._place = place
        self._wall_clock = wall_clock
        self._tags = dict(tags or {})
        """What every game is told with: its players, its event."""
        self._mind = daemon.mind
        self._finished: list[GameRecord] = []
        """Games of minds that have given way to another."""
        self._begins: list[datetime] = []
        self._changed = asyncio.Event()
        daemon.listen(self._hear)

    async def run(self) -> None:
        """Write whenever there is something new, until cancelled."""
        while True:
            await self._changed.wait()
            await asyncio.sleep(EVERY_S)
            self._changed.clear()
            try:
                await self.write()
            except StoreError as problem:
                self._daemon.inbox.put(Fault(self._daemon.clock.now_ms(), "games-unsaved", None, str(problem)))

    async def write(self) -> None:
        """Write all games as they are now. Raises StoreError."""
        games = self.games()
        self._date(games)
        begins = zip(games, self._begins, strict=False)
        texts = [pgn_text([game], self._tags | date_tags(began)) for game, began in begins]
        if texts:
            await asyncio.to_thread(self._place.write, texts, self._begins[: len(texts)])

    def games(self) -> list[GameRecord]:
        """All games of this run in which a move was made."""
        return [*self._finished, *_played(self._daemon.mind.games())]

    def _hear(self, events: Sequence[Event]) -> None:
        if self._mind is not self._daemon.mind:
            self._finished += _played(self._mind.games())
            self._mind = self._daemon.mind
            self._changed.set()
        if any(isinstance(event, Moved | Revised | Unsure | Ended) for event in events):
            self._changed.set()

    def _date(self, games: Sequence[GameRecord]) -> None:
        now_ms = self._daemon.clock.now_ms()
        for game in games[len(self._begins) :]:
            self._begins.append(self._wall_clock() - timedelta(milliseconds=now_ms - game.began_ms))


def _played(games: Sequence[GameRecord]) -> list[GameRecord]:
    return [game for game in games if game.plies]
