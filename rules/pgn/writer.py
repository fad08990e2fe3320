"""From games to text, in PGN's export format: the seven tags first, lines of at most 79 characters.

Movetext is a sequence of *units* that no line break may part. A unit that begins with `%` or `[` never begins a line,
where readers would take it for an escape or a tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rules.fen import START_FEN, write_fen
from rules.pgn.clocks import time_command
from rules.pgn.tree import Line, PgnGame, Ply
from rules.position import Position
from rules.san import write_san
from rules.squares import Colour

LINE_WIDTH = 79
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
"""The seven tags that every game has, in their order, with what stands for the unknown."""
_TAG_NAME = re.compile(r"[A-Za-z0-9_]{1,255}")


def write_game(game: PgnGame) -> str:
    """The game as PGN text, with an empty line after it, so that texts can stand one after the other.

    Raises ValueError for a tag name that PGN does not know how to write; all values and comments can be written.
    """
    tags = "".join(f'[{name} "{_tag_value(value)}"]\n' for name, value in _tags(game).items())
    return f"{tags}\n{_wrapped(_movetext(game))}\n\n"


def _tags(game: PgnGame) -> dict[str, str]:
    """All tags in the order of the export format: the roster, and then by name."""
    told = {name: value for name, value in game.tags.items() if name not in ("SetUp", "FEN", "Variant")}
    fen = write_fen(game.start)
    if fen != START_FEN or game.start.chess960:
        told |= {"SetUp": "1", "FEN": fen}
    if game.start.chess960:
        told["Variant"] = "Chess960"
    told["Result"] = str(game.result)
    for name in told:
        if not _TAG_NAME.fullmatch(name):
            raise ValueError(f"expected a tag name of letters, digits and _, got {name!r}")
    roster: Mapping[str, str] = {name: told.pop(name, "") or unknown for name, unknown in ROSTER.items()}
    return {**roster, **dict(sorted(told.items()))}


def _tag_value(value: str) -> str:
    return _plain(value).replace("\\", "\\\\").replace('"', '\\"')


def _plain(text: str) -> str:
    """The text on one line, with single spaces, and of what UTF-8 can hold."""
    return " ".join(text.split()).encode("utf-8", "replace").decode("utf-8")


# ---- movetext


def _movetext(game: PgnGame) -> Iterator[str]:
    yield from _comment(game.comment)
    yield from _line(game.start, game.line)
    yield str(game.result)


def _line(position: Position, line: Line) -> Iterator[str]:
    numbered = True
    for ply in line:
        yield from _comment(ply.before)
        if position.turn is Colour.WHITE:
            yield f"{position.fullmove_number}."
        elif numbered or ply.before:
            yield f"{position.fullmove_number}..."
        yield write_san(position, ply.move)
        yield from (f"${nag}" for nag in ply.nags)
        yield from _comment(ply.comment, *_times(ply))
        for variation in ply.variations:
            yield from _enclosed("(", _line(position, variation), ")")
        numbered = bool(ply.comment or ply.variations or _times(ply))
        position = position.play(ply.move)


def _times(ply: Ply) -> list[str]:
    times = (("clk", ply.clock_ms), ("emt", ply.elapsed_ms))
    return [time_command(name, milliseconds) for name, milliseconds in times if milliseconds is not None]


def _comment(text: str, *commands: str) -> Iterator[str]:
    """The units of a comment; a closing brace in it would end it and becomes a round one."""
    return _enclosed("{", iter((*commands, *_plain(text).replace("}", ")").split())), "}")


def _enclosed(before: str, units: Iterator[str], after: str) -> Iterator[str]:
    """The units, with brackets tied to the first and the last; nothing if there are none."""
    last = next(units, None)
    if last is None:
        return
    last = before + last
    for unit in units:
        yield last
        last = unit
    yield last + after


def _wrapped(units: Iterator[str]) -> str:
    """The units in lines of at most 79 characters, except where a single unit is longer."""
    lines = [""]
    for unit in _tied(units):
        if lines[-1] and len(lines[-1]) + 1 + len(unit) <= LINE_WIDTH:
            lines[-1] += f" {unit}"
        else:
            lines.append(unit)
    return "\n".join(lines[1:])


def _tied(units: Iterator[str]) -> Iterator[str]:
    """The units, those that may not begin a line tied to the ones before them."""
    tied = next(units)
    for unit in units:
        if unit[0] in "%[":
            tied += f" {unit}"
        else:
            yield tied
            tied = unit
    yield tied
