"""What a state folder keeps, read while a daemon may be writing to it: nothing here changes anything."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from board_driver.inputerror import InputError, shortened
from board_driver.mind import Settings
from board_driver.sensorlog.header import Header
from board_driver.sensorlog.writer import header_line
from board_driver.store.damage import reason
from board_driver.store.reading import reading
from board_driver.store.rows import DamagedRowError, parse_settings, text_in
from board_driver.store.state import GAMES, JOURNAL
from rules.pgn import PgnGame, read_games


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game on disk and its number, from 1."""

    number: int
    path: Path
    game: PgnGame

    def line(self) -> str:
        """For a person."""
        tags = self.game.tags
        players = f"{tags.get('White', '?')} - {tags.get('Black', '?')}"
        moves = (len(self.game.moves) + 1) // 2
        date = tags.get("Date", "????.??.??")
        count = f"{moves} move{'' if moves == 1 else 's'}"
        return f"{self.number:>4}  {date}  {players}  {self.game.result}  {count}  {self.path.name}"

    def fields(self) -> dict[str, object]:
        """For a program."""
        return {
            "number": self.number,
            "file": str(self.path),
            "tags": dict(self.game.tags),
            "result": str(self.game.result),
            "plies": len(self.game.moves),
        }


def kept_games(folder: Path) -> list[KeptGame]:
    """All games, in the order of their files' names, which is that of time; a file that is no PGN gives none."""
    games: list[KeptGame] = []
    for path in sorted((folder / GAMES).glob("*.pgn")):
        for game in read_games(_content(path)):
            games.append(KeptGame(len(games) + 1, path, game))
    return games


def kept_pgn(folder: Path, numbers: Sequence[str]) -> str:
    """The files of the games of these numbers, or all, one after the other. Raises InputError for a wrong number."""
    games = kept_games(folder)
    known = {str(game.number): game for game in games}
    for number in numbers:
        if number not in known:
            raise InputError(f"expected the number of a game, 1 to {len(games)}, got {shortened(number)}")
    paths = [known[number].path for number in numbers] if numbers else [game.path for game in games]
    return "".join(_text(path).rstrip("\n") + "\n\n" for path in dict.fromkeys(paths))


def kept_log(folder: Path) -> str:
    """The newest chapter as a sensor log. Raises InputError if there is none."""
    settings, rows = _newest_chapter(folder)
    return header_line(Header.of(settings)) + "".join(f"{line}\n" for line, _ in rows if _says_something(line))


def _says_something(line: str) -> bool:
    """Does it tell more than that time passed? A damaged line does: whoever reads the log is to see it."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return True
    return not isinstance(fields, dict) or len(fields) > 1


def kept_rulings(folder: Path) -> Iterator[str]:
    """The rulings of the newest chapter, as JSON objects. Raises InputError if there is none."""
    _, rows = _newest_chapter(folder)
    for _, rulings in rows:
        yield from rulings


def _newest_chapter(folder: Path) -> tuple[Settings, list[tuple[str, list[str]]]]:
    path = folder / JOURNAL
    try:
        with reading(path) as database:
            database.execute("BEGIN")
            found = database.execute("SELECT id, settings FROM chapter ORDER BY id DESC LIMIT 1").fetchone()
            if found is None:
                raise InputError(f"{path}: nothing has been played yet")
            rulings: dict[int, list[str]] = {}
            query = (
                "SELECT input, event FROM ruling WHERE input IN (SELECT id FROM input WHERE chapter = ?) ORDER BY id"
            )
            for number, event in database.execute(query, found[:1]):
                rulings.setdefault(number, []).append(text_in(event))
            rows = database.execute("SELECT id, line FROM input WHERE chapter = ? ORDER BY id", found[:1])
            return parse_settings(found[1]), [(text_in(line), rulings.get(number, [])) for number, line in rows]
    except (sqlite3.Error, OSError, DamagedRowError) as problem:
        raise InputError(f"{shortened(str(path), 200)}: expected a journal, got: {reason(problem)}") from problem


def _text(path: Path) -> str:
    """What a file of games holds; one that is not ours may be in Latin-1, as the PGN standard has it."""
    content = _content(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise InputError(f"{shortened(str(path), 200)}: expected a game, got: {reason(problem)}") from problem
