"""Courses: tasks read from PGN and EPD files. Those that come with the program lie in `courses/`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from board_driver.inputerror import InputError, shortened
from board_driver.training.task import Task
from rules.epd import EpdError, parse_epd
from rules.move import Move
from rules.pgn import Line, PgnGame, read_games
from rules.squares import Colour

BOTH = frozenset(Colour)
SIZE_LIMIT = 16 << 20
"""A larger file is no course."""


def game_to_follow(name: str, number: int) -> Task:
    """Game `number` (from 1) of a PGN file, to be played through. Raises InputError if there is none.

    Here and below an empty name is the file that comes with the program.
    """
    games = [game for game in read_games(_content(name, "games.pgn")) if game.line]
    if not games:
        raise InputError(f"expected a game with moves in {shortened(name)}, got none: is it a PGN file?")
    if not 1 <= number <= len(games):
        raise InputError(f"expected --game to be from 1 to {len(games)}, for so many are in the file, got {number}")
    game = games[number - 1]
    return Task(_title(game), game.start, game.moves, BOTH)


def puzzles(name: str) -> tuple[Task, ...]:
    """The puzzles of an EPD file: `bm` or `pv` is the solution, the side having the move solves. Raises InputError."""
    return tuple(_puzzles(name))


def openings(name: str, side: Colour) -> tuple[Task, ...]:
    """All lines of a PGN file of openings, variations too, each to be played by that side. Raises InputError."""
    found = []
    for game in read_games(_content(name, "openings.pgn")):
        for moves in _lines(game.line) if game.line else ():
            found.append(Task(_title(game), game.start, moves, frozenset((side,))))
    if not found:
        raise InputError(f"expected moves in {shortened(name)}, got none: is it a PGN file?")
    return tuple(found)


def _puzzles(name: str) -> Iterator[Task]:
    count = 0
    text = _content(name, "puzzles.epd").decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        count += 1
        try:
            yield _puzzle(line, count)
        except EpdError as problem:
            raise InputError(f"{shortened(name) or 'puzzles'}, line {number}: {problem}") from problem
    if count == 0:
        raise InputError(f"expected puzzles as lines of EPD in {shortened(name)}, got none")


def _puzzle(line: str, number: int) -> Task:
    epd = parse_epd(line)
    best, variation = epd.best_moves(), epd.variation()
    if not best and not variation:
        raise EpdError("expected the solution as bm or pv, got neither")
    moves = variation or best[:1]
    also_right = frozenset(best) if len(moves) == 1 else frozenset[Move]()
    pupil = frozenset((Colour(epd.position.turn),))
    return Task(epd.text("id") or f"puzzle {number}", epd.position, moves, pupil, also_right)


def _lines(line: Line) -> Iterator[tuple[Move, ...]]:
    """Every way through a game and its variations, the main line first."""
    yield tuple(ply.move for ply in line)
    for index, ply in enumerate(line):
        before = tuple(earlier.move for earlier in line[:index])
        for variation in ply.variations:
            for rest in _lines(variation):
                yield before + rest


def _title(game: PgnGame) -> str:
    players = " – ".join(game.tags.get(tag, "?") for tag in ("White", "Black"))
    fallback = players if "?" not in players else game.tags.get("Event", "a game")
    return game.tags.get("Opening") or fallback


def _content(name: str, packaged: str) -> bytes:
    """The bytes of that file; without a name, of the one that comes with the program. Raises InputError."""
    if not name:
        return files(__package__).joinpath("courses", packaged).read_bytes()
    path = Path(name).expanduser()
    try:
        if path.stat().st_size > SIZE_LIMIT:
            raise InputError(f"expected a file of at most {SIZE_LIMIT >> 20} MB, got a larger one: {shortened(name)}")
        return path.read_bytes()
    except OSError as problem:
        raise InputError(f"cannot read {shortened(name)}: {problem.strerror}") from problem
