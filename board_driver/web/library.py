"""The games on disk: found, listed and read again, from a folder of PGN files or one file.

House rules:

1. A PGN file may come from anywhere: it is read by `rules.pgn`, which never raises, and what is too large is left out.
2. A game is known by its file's name and its number in it, `2026-05-01_101500.pgn~1`. Names are looked up among those
   that the folder lists, and never put into a path.
3. Files are read in a thread and remembered until they change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from board_driver.corrections import Corrections
from board_driver.scribe import Scribe
from board_driver.web.amending import AmendError, Amendment, amended_file
from board_driver.web.pagestate import letters
from rules.pgn import PgnGame, read_games, write_game
from rules.san import write_san
from rules.uci import write_uci

FILE_LIMIT = 8_000_000
"""Bytes of a PGN file that is still read."""
FILES_LIMIT = 2_000
LISTED = 200
"""Games listed at once; a search narrows it down."""
SOUGHT_TAGS = ("White", "Black", "Event", "Site", "Date", "Round", "Result")


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game and what it is known by."""

    path: Path
    number: int
    game: PgnGame

    @property
    def id(self) -> str:
        """Its file's name and its number in it, from 1."""
        return f"{self.path.name}~{self.number}"

    def line(self) -> dict[str, object]:
        """What a list shows of it."""
        tags = self.game.tags
        return {
            "id": self.id,
            "white": tags.get("White", "?"),
            "black": tags.get("Black", "?"),
            "event": tags.get("Event", "?"),
            "date": tags.get("Date", "????.??.??"),
            "result": str(self.game.result),
            "plies": len(self.game.line),
        }

    def whole(self) -> dict[str, object]:
        """All of it, for a replay: the board before the first move and after each."""
        position = self.game.start
        boards = [letters(position.piece_at(square) for square in range(64))]
        moves: list[dict[str, object]] = []
        for ply in self.game.line:
            moves.append(
                {
                    "san": write_san(position, ply.move),
                    "uci": write_uci(position, ply.move),
                    "elapsed_ms": ply.elapsed_ms,
                    "clock_ms": ply.clock_ms,
                    "comment": ply.comment,
                }
            )
            position = position.play(ply.move)
            boards.append(letters(position.piece_at(square) for square in range(64)))
        start = self.game.start
        return {
            "id": self.id,
            "tags": dict(self.game.tags) | {"Result": str(self.game.result)},
            "first_ply": start.ply,
            "boards": boards,
            "moves": moves,
            "problems": [str(problem) for problem in self.game.problems],
        }


class Library:
    """The games in a place; None: nothing is kept."""

    def __init__(self, place: Path | None) -> None:
        self._place = place
        self._read: dict[Path, tuple[tuple[int, int], tuple[StoredGame, ...]]] = {}
        self._lock = asyncio.Lock()

    @property
    def is_kept(self) -> bool:
        """Whether games are kept at all."""
        return self._place is not None

    async def games(self, sought: str = "") -> list[StoredGame]:
        """The games in which every word occurs in a tag, newest file first."""
        words = sought.casefold().split()
        return [game for game in await self._all() if _fits(game, words)]

    async def find(self, ids: Sequence[str]) -> list[StoredGame]:
        """Those games, as far as they are there, in the order of the list."""
        wanted = set(ids)
        return [game for game in await self._all() if game.id in wanted]

    async def amend(self, stored: StoredGame, amendment: Amendment, scribe: Scribe, corrections: Corrections) -> None:
        """Put that game right: by its record where it is one of this run, else in its file.

        Raises AmendError where it cannot be, StoreError where the disk refuses.
        """
        record = scribe.running(stored.path.name, stored.number)
        if record is None:
            await scribe.rewrite(stored.path.name, lambda content: amended_file(content, stored.number, amendment))
            return
        plies = {} if amendment.ply is None or amendment.uci is None else {amendment.ply: amendment.uci}
        if not corrections.amend(record, amendment.tags, plies, amendment.result):
            raise AmendError("It cannot have been that move: it, or a later one, would not be legal.")
        await scribe.write()

    async def _all(self) -> list[StoredGame]:
        if self._place is None:
            return []
        async with self._lock:
            return await asyncio.to_thread(self._load, self._place)

    def _load(self, place: Path) -> list[StoredGame]:
        found: dict[Path, tuple[tuple[int, int], tuple[StoredGame, ...]]] = {}
        for path in _files(place):
            with suppress(OSError):
                status = path.stat()
                stamp = (status.st_mtime_ns, status.st_size)
                if status.st_size <= FILE_LIMIT:
                    known = self._read.get(path)
                    found[path] = known if known is not None and known[0] == stamp else (stamp, _games_of(path))
        self._read = found
        return [game for _, games in found.values() for game in reversed(games)]


def pgn_of(games: Sequence[StoredGame]) -> str:
    """Those games as one PGN text."""
    return "".join(write_game(each.game) for each in games)


def _files(place: Path) -> list[Path]:
    """The PGN files of a folder, newest name first; of a file, itself."""
    with suppress(OSError):
        if place.is_dir():
            names = (
                path for path in place.iterdir() if path.suffix.lower() == ".pgn" and not path.name.startswith(".")
            )
            return sorted(names, reverse=True)[:FILES_LIMIT]
        return [place] if place.is_file() else []
    return []


def _games_of(path: Path) -> tuple[StoredGame, ...]:
    with path.open("rb") as lines:
        return tuple(StoredGame(path, n, game) for n, game in enumerate(read_games(lines), 1))


def _fits(game: StoredGame, words: Sequence[str]) -> bool:
    if not words:
        return True
    text = " ".join([*(game.game.tags.get(name, "") for name in SOUGHT_TAGS), game.id]).casefold()
    return all(word in text for word in words)
