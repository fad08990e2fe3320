"""Keeping the games of a running daemon on disk while they are played.

House rules:

1. A game is written soon after each of its moves, at most once in `EVERY_S`, and once more at the end. The disk may be
   slow: writing happens in a thread.
2. What a PGN file held before the daemon began stays in it; a folder gets a new file for each game.
3. The date of a game is put right when the clock is set (`store.dating`); a file named by a wrong one gets a new name.
4. A disk that refuses is a fault that is told, not the end: the next move tries again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.events import Ended, Event, Moved, Revised, Unsure
from board_driver.gamerecord import GameRecord
from board_driver.inputerror import InputError, shortened
from board_driver.store.dating import Begin, begun, put_right
from board_driver.store.errors import StoreError
from board_driver.store.pgnfile import pgn_text, write_after
from rules.pgn import read_games

EVERY_S = 1.0
UNDATED_LIMIT = 50
"""How many finished games wait for the clock to be set so that they get their date."""

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
            # A device or a pipe may have no end, and is only written to.
            self._before = path.read_bytes() if path.is_file() or path.is_dir() else b""
        except OSError as problem:
            raise InputError(f"{shortened(str(path), 200)}: expected a PGN file, got: {problem.strerror}") from problem
        if not path.absolute().parent.is_dir():
            raise InputError(f"{shortened(str(path), 200)}: there is no such folder; make it first")

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def names(self, begins: Sequence[Begin]) -> list[str]:
        """The file name of each game that began then: always this file's."""
        return [self._path.name] * len(begins)

    def write(self, texts: Sequence[str], begins: Sequence[Begin]) -> None:
        """Make the file hold these games. Raises StoreError."""
        del begins
        write_after(self._path, self._before, "".join(texts))

    def forget(self, count: int) -> int:
        """How many of the oldest games need not be told again: none, the file is written whole."""
        del count
        return 0

    def index_of(self, file: str, number: int) -> int | None:
        """Which of this run's games is the `number`th of the file, from 1; None for one that was there before."""
        before = sum(1 for _ in read_games(self._before.decode("utf-8", "replace")))
        return number - before - 1 if file == self._path.name and number > before else None

    def rewrite(self, file: str, change: Callable[[bytes], bytes]) -> None:
        """Change what the file held before this run; the rest follows with the next `write`. Raises StoreError."""
        assert file == self._path.name
        self._before = change(self._before)
        write_after(self._path, self._before, "")


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
        self._stems: list[str] = []

    @property
    def path(self) -> Path:
        """The folder."""
        return self._path

    def recall(self, names: Sequence[str], begins: Sequence[Begin]) -> None:
        """The first games are those that a former life wrote to these files."""
        self._names = [self._path / name for name in names]
        self._stems = [_stem(began) for began in begins]

    def names(self, begins: Sequence[Begin]) -> list[str]:
        """The file names of the games that began then; new ones for those that have none yet or began another time."""
        for index, began in enumerate(begins):
            stem = _stem(began)
            if index == len(self._names):
                self._names.append(self._free_name(stem))
                self._stems.append(stem)
        return [name.name for name in self._names]

    def write(self, texts: Sequence[str], begins: Sequence[Begin]) -> None:
        """Make the newest files hold these games. Raises StoreError."""
        try:
            self._write(texts, begins)
        except OSError as problem:
            raise StoreError(
                f"{shortened(str(self._path), 200)}: expected to write games there, got: {problem.strerror}"
            ) from problem

    def _write(self, texts: Sequence[str], begins: Sequence[Begin]) -> None:
        self.names(begins)
        for index, (text, began) in enumerate(zip(texts, begins, strict=False)):
            name = self._names[index]
            if not name.exists() or name.read_bytes() != text.encode("utf-8"):
                write_after(name, b"", text)
            if _stem(began) != self._stems[index]:
                self._rename(index, _stem(began))

    def forget(self, count: int) -> int:
        """How many of the oldest `count` games need not be told again: all, their files are whole."""
        del self._names[:count], self._stems[:count]
        return count

    def file_at(self, index: int) -> str | None:
        """The file of one of the games that are told now; None before it has one."""
        return self._names[index].name if index < len(self._names) else None

    def index_of(self, file: str, number: int) -> int | None:
        """Which of the games that are told now lies in that file; None for one that is written for good."""
        names = [name.name for name in self._names]
        return names.index(file) if number == 1 and file in names else None

    def rewrite(self, file: str, change: Callable[[bytes], bytes]) -> None:
        """Change a file that is written for good. Raises StoreError."""
        path = self._path / file
        try:
            content = path.read_bytes()
        except OSError as problem:
            raise StoreError(f"{shortened(file)}: expected a game, got: {problem.strerror}") from problem
        write_after(path, b"", change(content).decode("utf-8"))

    def _rename(self, index: int, stem: str) -> None:
        """The clock was set since that file got its name."""
        better = self._free_name(stem)
        with suppress(OSError):
            self._names[index].rename(better)
            self._names[index] = better
        self._stems[index] = stem

    def _free_name(self, stem: str) -> Path:
        names = (self._path / f"{stem}{suffix}.pgn" for suffix in ("", *(f"-{n}" for n in range(2, 100_000))))
        return next(name for name in names if not name.exists() and name not in self._names)


def _stem(began: Begin) -> str:
    return f"{began.when:%Y-%m-%d_%H%M%S}" if began.sure else "undated"


Remember = Callable[[int, str, Begin], None]
"""Called with a game's number among those of the present mind, its file and when it began."""


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
        self._begins: list[Begin] = []
        self._remembered: list[tuple[str, Begin]] = []
        self.remember: Remember | None = None
        self._writing: asyncio.Future[None] | None = None
        self._corrections: Corrections | None = None
        self._changed = asyncio.Event()
        daemon.listen(self._hear)

    def recall(self, names: Sequence[str], begins: Sequence[Begin]) -> None:
        """The first games of the daemon's mind are those that a former life wrote to these files."""
        assert isinstance(self._place, Folder)
        self._place.recall(names, begins)
        self._begins = list(begins)
        self._remembered = list(zip(names, begins, strict=True))

    def correct(self, corrections: Corrections) -> None:
        """From now on games are told as people put them right."""
        self._corrections = corrections
        corrections.watch(self._changed.set)

    async def run(self) -> None:
        """Write whenever there is something new, until cancelled."""
        while True:
            await self._changed.wait()
            await asyncio.sleep(EVERY_S)
            self._changed.clear()
            try:
                await self.write()
            except StoreError as problem:
                self._daemon.inbox.report("games-unsaved", str(problem))

    async def write(self) -> None:
        """Write all games as they are now. Raises StoreError."""
        games = self.games()
        finished = len(self._finished)
        self._date(games)
        texts = [self._text(game, began) for game, began in zip(games, self._begins, strict=False)]
        begins = self._begins[: len(texts)]
        if texts:
            mind = self._mind
            self._tell_names(begins, finished)
            await self._put(texts, begins)
            if mind is self._mind:
                self._tell_names(begins, finished)
            self._forget(finished)

    async def _put(self, texts: Sequence[str], begins: Sequence[Begin]) -> None:
        """Write in a thread, one after the other: no thread can be cancelled, and an older score must not come last."""
        while self._writing is not None and not self._writing.done():
            await asyncio.wait([self._writing])
        self._writing = asyncio.ensure_future(asyncio.to_thread(self._place.write, texts, begins))
        await asyncio.shield(self._writing)

    @property
    def newest_file(self) -> str | None:
        """The file of the newest game of this run, where each has one of its own."""
        games = self.games()
        return self._place.file_at(len(games) - 1) if games and isinstance(self._place, Folder) else None

    def running(self, file: str, number: int) -> GameRecord | None:
        """The `number`th game of that file, if it is one that is still told of by this run."""
        index, games = self._place.index_of(file, number), self.games()
        return games[index] if index is not None and index < len(games) else None

    async def rewrite(self, file: str, change: Callable[[bytes], bytes]) -> None:
        """Change games in that file that are not told of any more, in turn with what is written. Raises StoreError.

        `change` makes the new content of the old; what it raises is raised here, and nothing is changed then.
        """
        while self._writing is not None and not self._writing.done():
            await asyncio.wait([self._writing])
        self._writing = asyncio.ensure_future(asyncio.to_thread(self._place.rewrite, file, change))
        await asyncio.shield(self._writing)
        await self.write()

    def games(self) -> list[GameRecord]:
        """All games of this run in which a move was made."""
        return [*self._finished, *_played(self._daemon.mind.games())]

    def present_name(self) -> str:
        """The file of the newest game, which it may not have been written to yet; empty before the first move."""
        games = self.games()
        if not games:
            return ""
        self._date(games)
        return self._place.names(self._begins[: len(games)])[-1]

    def _text(self, game: GameRecord, began: Begin) -> str:
        tags = self._tags | began.tags()
        if self._corrections is None:
            return pgn_text([game], tags)
        return pgn_text([self._corrections.applied(game)], {**tags, **self._corrections.of(game).tags})

    def _hear(self, events: Sequence[Event]) -> None:
        if self._mind is not self._daemon.mind:
            games = self._mind.games()
            self._finished += _played(games[:-1] if self._daemon.renewing else games)
            if not self._daemon.renewing:
                del self._begins[len(self._finished) :]  # of a game whose moves were all taken back
            self._mind = self._daemon.mind
            self._remembered.clear()
            self._changed.set()
        if any(isinstance(event, Moved | Revised | Unsure | Ended) for event in events):
            self._changed.set()

    def _date(self, games: Sequence[GameRecord]) -> None:
        now_ms, now = self._daemon.clock.now_ms(), self._wall_clock()
        for index, game in enumerate(games):
            if index < len(self._begins):
                self._begins[index] = put_right(self._begins[index], game.began_ms, now_ms, now)
            else:
                self._begins.append(begun(game.began_ms, now_ms, now))

    def _tell_names(self, begins: Sequence[Begin], finished: int) -> None:
        """Have the files of the present mind's games remembered, before they are written and after a change of name."""
        if self.remember is None or not isinstance(self._place, Folder):
            return
        named = list(zip(self._place.names(begins), begins, strict=False))[finished:]
        for number, (name, began) in enumerate(named):
            if number >= len(self._remembered) or self._remembered[number] != (name, began):
                self.remember(number, name, began)
        self._remembered = named

    def _forget(self, finished: int) -> None:
        """Games of former minds are written for good once their date is sure; months of them do not stay in memory."""
        sure = next((i for i, began in enumerate(self._begins[:finished]) if not began.sure), finished)
        forgotten = self._place.forget(max(sure, finished - UNDATED_LIMIT))
        del self._finished[:forgotten], self._begins[:forgotten]


def _played(games: Sequence[GameRecord]) -> list[GameRecord]:
    return [game for game in games if game.plies]
