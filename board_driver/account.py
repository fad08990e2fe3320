"""A replayed log told to a person: the score of each game, then every irregularity with its law [pure]."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from board_driver.events import Ended, Event, Fault, Irregular, Moved, Notice, RestoreAsked, Revised
from board_driver.gamerecord import GameRecord
from rules.position import Position
from rules.san import write_san
from rules.squares import Colour, square_name
from rules.uci import UciError, parse_uci

WIDTH = 100
_INDENT = "  "


class Incidents:
    """Collects, event by event, what a person should be told beside the score.

    `first` and `fullmove` are who begins and the number of that move.
    """

    def __init__(self, first: Colour = Colour.WHITE, fullmove: int = 1) -> None:
        self._first = first
        self._fullmove = fullmove
        self._began_ms: int | None = None
        self._told_ms: int | None = None
        """When the last irregularity was told; how it is put right is told with it, and not each step of doing so."""
        self._last_move = "before the first move"
        self.lines: list[str] = []

    def note(self, event: Event) -> None:
        """Take the next event."""
        if self._began_ms is None:
            self._began_ms = event.t_ms
        match event:
            case Moved(san=san, ply=ply):
                self._last_move = f"after {self._number(ply)} {san}"
            case Revised(ply=ply, was=was, now=now):
                change = f"became {now}" if now else "was taken back"
                self._last_move = f"after {self._number(ply)} {was} {change}"
            case Irregular(text=text, article=article, completed=completed):
                counted = ", counted" if completed else ""
                self._tell(event, f"{text}{_law(text, article)}{counted}")
                self._told_ms = event.t_ms
            case RestoreAsked(t_ms=t_ms, text=text) if t_ms == self._told_ms:
                self._tell(event, f"to be put right: {text}")
            case Fault(kind=kind, square=square, text=text):
                where = "" if square is None else f" {square_name(square)}"
                self._tell(event, f"sensor fault ({kind}{where}): {text}")
            case Notice(text=text):
                self._tell(event, text)
            case Ended(result=result, reason=reason):
                self._tell(event, f"{result}, {reason}")
            case _:
                pass

    def _number(self, ply: int) -> str:
        return move_number(ply - 1, self._first, self._fullmove)

    def _tell(self, event: Event, text: str) -> None:
        assert self._began_ms is not None
        self.lines.append(f"{clock_time(event.t_ms - self._began_ms)}  {self._last_move}: {text}")


def _law(text: str, article: str) -> str:
    return f" (Article {article})" if article and article not in text else ""


def clock_time(elapsed_ms: int) -> str:
    """Hours, minutes and seconds: `0:01:07.3`."""
    tenths = elapsed_ms // 100
    return f"{tenths // 36000}:{tenths // 600 % 60:02}:{tenths // 10 % 60:02}.{tenths % 10}"


def move_number(index: int, first: Colour = Colour.WHITE, fullmove: int = 1) -> str:
    """The number of the ply that has `index` plies before it, such as `12.` or `12...`."""
    half_moves = index + int(first)
    return f"{fullmove + half_moves // 2}{'...' if half_moves % 2 else '.'}"


def score(game: GameRecord) -> str:
    """The moves of a game with their numbers, and the result; a ply that is not settled is followed by `(?)`."""
    words: list[str] = []
    for index, (ply, san) in enumerate(zip(game.plies, sans(game), strict=True)):
        number = _number_in(game, index)
        if index == 0 or not number.endswith("..."):
            words.append(number)
        words.append(san + (" (?)" if ply.alternatives else ""))
    if game.result != "*":
        return " ".join([*words, game.result])
    return " ".join([*words, "* (not finished)"]) if words else "no move was made"


def sans(game: GameRecord) -> list[str]:
    """The moves of a game as SAN."""
    position = game.start
    texts = []
    for ply in game.plies:
        texts.append(write_san(position, ply.move))
        position = position.play(ply.move)
    return texts


def account(title: str, games: Sequence[GameRecord], incidents: Sequence[str]) -> Iterator[str]:
    """The lines of an account: its title, each game, then what happened beside the moves."""
    yield title
    for number, game in enumerate(games, start=1):
        title = f"Game {number}: " if len(games) > 1 else ""
        yield from _indented(title + score(game))
        if game.comment:
            yield from _indented(game.comment)
        for line in _doubts(game):
            yield from _indented(line)
    for line in incidents:
        yield from _indented(line)
    if not incidents:
        yield f"{_INDENT}No irregularity."


def _doubts(game: GameRecord) -> Iterator[str]:
    position = game.start
    for index, ply in enumerate(game.plies):
        if ply.alternatives:
            others = " or ".join(_san_or_uci(position, uci) for uci in ply.alternatives)
            yield f"Not certain: {_number_in(game, index)} {write_san(position, ply.move)}; it may have been {others}."
        position = position.play(ply.move)


def _san_or_uci(position: Position, uci: str) -> str:
    """The move as SAN; what is no move of this position stays as it is."""
    try:
        return write_san(position, parse_uci(position, uci))
    except UciError:
        return uci


def _number_in(game: GameRecord, index: int) -> str:
    return move_number(index, game.start.turn, game.start.fullmove_number)


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT * 2, break_on_hyphens=False)
