"""What the arbiter says, in words: the headline of the moment and the last things said before it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import assert_never

from board_driver.events import (
    Claimable,
    Clocked,
    Ended,
    Event,
    Fault,
    Irregular,
    Lifted,
    Lit,
    Moved,
    Notice,
    Placed,
    RestoreAsked,
    Revised,
    Touched,
    Unsure,
)
from board_driver.gamerecord import GameRecord
from board_driver.wording import ENGLISH
from board_driver.wording.language import Language, language
from board_driver.wording.telling import in_san, tell

DEFAULT = language(ENGLISH)

KEPT = 60
"""How many lines of what was said are kept for the page."""


class Tone(Enum):
    """How a line is meant."""

    MOVE = "move"
    OWED = "owed"
    WRONG = "wrong"
    REMEDY = "remedy"
    OVER = "over"
    NOTE = "note"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing said. `article` is the law it rests on, where the event names one."""

    t_ms: int
    tone: Tone
    text: str
    article: str = ""


class Bulletin:
    """Listens to a daemon and remembers what was said in this game."""

    def __init__(self, language: Language = DEFAULT) -> None:
        """`language` is what the lines are written in, as far as it has words for them."""
        self.language = language
        self.lines: deque[Line] = deque(maxlen=KEPT)
        self.remedy = ""
        """How to put right what is wrong, as last asked; it counts only while something is wrong."""

    def hear(self, events: Sequence[Event], game: GameRecord | None = None) -> None:
        """What was decided in `game`, which is needed to tell of it in another language than English."""
        for event in events:
            line = line_for(event, 0 if game is None else game.start.ply)
            if line is not None and game is not None and isinstance(event, Revised):
                line = replace(line, text=_revision(in_san(event, game), game.start.ply))
            if line is not None and game is not None and self.language is not DEFAULT:
                line = translated(line, event, self.language, game)
            if line is None or (self.lines and self.lines[-1] == line):
                continue
            if line.tone is Tone.REMEDY:
                self.remedy = line.text
            self.lines.append(line)

    def clear(self) -> None:
        """Forget what was said: it was of another game."""
        self.lines.clear()
        self.remedy = ""

    @property
    def headline(self) -> Line | None:
        """The last thing said that is not a remedy or a device's trouble, which have places of their own."""
        return next((line for line in reversed(self.lines) if line.tone not in (Tone.REMEDY, Tone.FAULT)), None)


def translated(line: Line, event: Event, tongue: Language, game: GameRecord) -> Line:
    """The line in that language, where it has words for the event. Moves are written in SAN in every language."""
    if isinstance(event, Moved):
        return line
    text = tell(event, tongue, game)
    return line if text is None else replace(line, text=text)


def line_for(event: Event, first_ply: int = 0) -> Line | None:
    """The line an event is worth; None for what the page shows otherwise (lights) or not at all (lifts and places).

    `first_ply`: how many plies went before the game's start, which moves are numbered by.
    """
    match event:
        case Lifted() | Placed() | Lit() | Clocked():
            return None
        case Moved():
            ply = first_ply + event.ply
            number = f"{(ply + 1) // 2}{'.' if ply % 2 else '…'}"
            return Line(event.t_ms, Tone.MOVE, f"{number} {event.san}")
        case Touched():
            return Line(event.t_ms, Tone.OWED, event.text) if event.text else None
        case Irregular():
            return Line(event.t_ms, Tone.WRONG, event.text, event.article)
        case RestoreAsked():
            return Line(event.t_ms, Tone.REMEDY, event.text) if event.text else None
        case Revised():
            return Line(event.t_ms, Tone.NOTE, _revision(event, first_ply))
        case Claimable():
            return Line(event.t_ms, Tone.NOTE, _claims(event.claims)) if event.claims else None
        case Unsure():
            return Line(event.t_ms, Tone.NOTE, _doubt(event, first_ply)) if event.alternatives else None
        case Ended():
            return Line(event.t_ms, Tone.OVER, f"{event.result}: {event.reason.replace('-', ' ')}")
        case Fault():
            return Line(event.t_ms, Tone.FAULT, event.text)
        case Notice():
            return Line(event.t_ms, Tone.NOTE, _notice(event)) if event.text else None
        case _:
            assert_never(event)


def _notice(event: Notice) -> str:
    """The text, and whose it is where it does not say so itself."""
    if event.colour is None:
        return event.text[:1].upper() + event.text[1:]
    player = event.colour.word
    return f"{player.capitalize()}{event.text[len(player) :] if event.text.startswith(player) else f': {event.text}'}"


def _revision(event: Revised, first_ply: int) -> str:
    number = _move_of(first_ply + event.ply)
    return f"{number} is taken back." if event.now is None else f"{number} is {event.now}, not {event.was}."


def _move_of(ply: int) -> str:
    return f"Move {(ply + 1) // 2} of {'White' if ply % 2 else 'Black'}"


def _claims(claims: tuple[str, ...]) -> str:
    return f"A draw may be claimed: {', '.join(claim.replace('-', ' ') for claim in claims)}."


def _doubt(event: Unsure, first_ply: int) -> str:
    return f"{_move_of(first_ply + event.ply)} is not certain; it may also be {' or '.join(event.alternatives)}."
