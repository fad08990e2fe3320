"""Games to be played by simulated hands, from `games.txt` or PGN.

`games.txt` is one game a line, tab-separated: id, result, start FEN or `-` for the usual start, 1 for Chess960 or 0,
moves in UCI with spaces between (in Chess960 castling is king takes rook). Anything else is read as PGN; its games
are called g0001, g0002 and so on, and those without a move are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from board_driver.inputerror import InputError, shortened
from rules import pgn
from rules.fen import START_FEN, FenError, parse_fen, write_fen
from rules.uci import UciError, parse_uci, write_uci

_FILE_NAME = re.compile(r"[^\W_][\w .+-]{0,99}")
"""What a game's id may be: its log is named by it, and lies in the folder that was asked for and nowhere else."""


class GameFileError(InputError):
    """A file that holds no game that can be played; the text is one line for a person."""


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """A game as it was scored. `moves` are UCI and legal from `start_fen`."""

    id: str
    result: str
    start_fen: str
    chess960: bool
    moves: tuple[str, ...]


def read_games(path: Path, limit: int | None = None) -> list[ScoredGame]:
    """The games of a file, the first `limit` of them. Raises GameFileError, naming file and line."""
    try:
        text = _decoded(path.read_bytes())
    except OSError as error:
        raise GameFileError(f"{path}: expected a file of games, cannot read it ({error.strerror})") from None
    except UnicodeDecodeError:
        raise GameFileError(f"{path}: expected a text file in UTF-8 or Latin-1") from None
    found = _read_table(path, text) if _is_table(text) else _read_pgn(path, text)
    games = list(islice(found, limit))
    if not games:
        raise GameFileError(f"{path}: holds no game")
    return games


def _decoded(content: bytes) -> str:
    """UTF-8, or Latin-1, as the PGN standard of 1994 has it. Raises UnicodeDecodeError for what is no text."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if b"\0" in content:
            raise
        return content.decode("latin-1")


def _is_table(text: str) -> bool:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return first.count("\t") == 4


def _read_table(path: Path, text: str) -> Iterator[ScoredGame]:
    known: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            game = _parse_row(f"{path}: line {number}", line)
            if game.id in known:
                raise GameFileError(f"{path}: line {number}: expected an id of its own, got {shortened(game.id)} again")
            known.add(game.id)
            yield game


def _parse_row(where: str, line: str) -> ScoredGame:
    cells = line.split("\t")
    if len(cells) != 5:
        raise GameFileError(f"{where}: expected five cells with tabs between, got {len(cells)}")
    name, result, fen, chess960, moves = cells
    if not _FILE_NAME.fullmatch(name):
        raise GameFileError(f"{where}: expected an id that can name a file, got {shortened(name)!r}")
    if chess960 not in ("0", "1"):
        raise GameFileError(f"{where}: expected 0 or 1 for Chess960, got {chess960!r}")
    game = ScoredGame(name, result, START_FEN if fen == "-" else fen, chess960 == "1", tuple(moves.split()))
    _check(where, game)
    return game


def _check(where: str, game: ScoredGame) -> None:
    try:
        position = parse_fen(game.start_fen, chess960=game.chess960)
        for ply, uci in enumerate(game.moves, 1):
            try:
                position = position.play(parse_uci(position, uci))
            except UciError:
                raise GameFileError(f"{where}: ply {ply}, {uci!r}, is no legal move there") from None
    except FenError as error:
        raise GameFileError(f"{where}: {error}") from None


def _read_pgn(path: Path, text: str) -> Iterator[ScoredGame]:
    """The games with moves; one that cannot be read to its end is refused, for its hands would stop half-way."""
    for number, game in enumerate(pgn.read_games(text.splitlines()), 1):
        if game.cut:
            raise GameFileError(f"{path}: game {number}: {game.problems[-1] if game.problems else 'an illegal move'}")
        if game.line:
            yield _from_pgn(f"g{number:04}", game)


def _from_pgn(name: str, game: pgn.PgnGame) -> ScoredGame:
    position, moves = game.start, []
    for move in game.moves:
        moves.append(write_uci(position, move))
        position = position.play(move)
    return ScoredGame(name, str(game.result), write_fen(game.start), game.start.chess960, tuple(moves))
