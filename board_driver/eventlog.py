"""What is said while the daemon runs: to the system's journal with levels and fields, to a terminal in lines.

House rules:

1. A person at a terminal is told what is wrong and nothing else: the page shows the game.
2. The journal is told of each game, move and ruling, too, as fields that `journalctl` can look for; docs/operation.md
   lists them. No entry holds a code or a token.
3. Saying something never fails and never waits.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, IntEnum

from board_driver.daemon import BoardState, Daemon
from board_driver.events import Ended, Event, Fault, Irregular, Moved, Notice, Revised
from board_driver.journald import JournalSocket, leads_to_the_journal
from rules.squares import Square, square_name


class Level(IntEnum):
    """How bad it is, in syslog's numbers."""

    ERROR = 3
    WARNING = 4
    NOTICE = 5
    INFO = 6


class Kind(Enum):
    """What an entry is about, and by which number the journal knows such entries (MESSAGE_ID, made once by chance)."""

    STARTED = "6162c51df381456b9ed1f5e0a1df6123"
    REMARK = "329c0fd634cb43b8b31667e373e0cbbf"
    FAULT = "92c584e6eeae4bc185069b7002445d1c"
    BOARD_LOST = "4a42f22242f844f6890f9dfc2feb6235"
    BOARD_BACK = "acc04eb6cbb94bc5b078bb75a20cefec"
    MOVE = "f687ff5d0b084ad99b3d7d894361f871"
    REVISED = "7c57ef1c0f9f4bf8b1bcfe669e8169fb"
    IRREGULARITY = "f72ea28c084049a790aedd71d3ceec47"
    NOTICE = "1c7819cab2514745a4fad051b2e7f45c"
    ENDED = "84f5042f68844f16ab3d23a4ee0ca451"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is said. `fields` are named without their beginning, TOUCHMOVE_."""

    kind: Kind
    level: Level
    text: str
    fields: Mapping[str, str] = field(default_factory=dict)

    def journal_fields(self) -> dict[str, str]:
        """As the system's journal wants it."""
        return {
            "MESSAGE": self.text,
            "PRIORITY": str(int(self.level)),
            "MESSAGE_ID": self.kind.value,
            "SYSLOG_IDENTIFIER": "touchmove",
            "TOUCHMOVE_EVENT": self.kind.name.lower().replace("_", "-"),
            **{f"TOUCHMOVE_{name}": value for name, value in self.fields.items() if value},
        }


def entry_of(event: Event) -> Entry | None:
    """What is said of an event; None for those that nobody looks for afterwards [pure]."""
    match event:
        case Fault(kind="board-lost", text=text):
            return Entry(Kind.BOARD_LOST, Level.ERROR, text)
        case Fault(kind=kind, square=square, text=text):
            return Entry(Kind.FAULT, Level.WARNING, text, {"FAULT": kind, "SQUARE": _name(square)})
        case Moved(san=san, uci=uci, ply=ply):
            return Entry(Kind.MOVE, Level.INFO, f"ply {ply}: {san}", {"PLY": str(ply), "SAN": san, "UCI": uci})
        case Revised(ply=ply, was=was, now=now):
            fields = {"PLY": str(ply), "WAS": was, "UCI": now or ""}
            return Entry(Kind.REVISED, Level.INFO, f"ply {ply}: {was} became {now or 'nothing'}", fields)
        case Irregular(why=why, square=square, text=text, article=article):
            fields = {"WHY": why, "SQUARE": _name(square), "ARTICLE": article}
            return Entry(Kind.IRREGULARITY, Level.NOTICE, text, fields)
        case Notice(kind=kind, text=text):
            return Entry(Kind.NOTICE, Level.INFO, text, {"NOTICE": kind})
        case Ended(result=result, reason=reason):
            return Entry(Kind.ENDED, Level.NOTICE, f"{result}, {reason}", {"RESULT": result, "REASON": reason})
        case _:
            return None


class Log:
    """Where entries go: by itself to the journal if standard error leads there, else to standard error."""

    def __init__(self, journal: JournalSocket | None = None, in_service: bool | None = None) -> None:
        """`in_service`: whether standard error is read by the journal; None: as systemd said."""
        stream = os.environ.get("JOURNAL_STREAM", "")
        self._in_service = bool(stream) if in_service is None else in_service
        self._journal = journal
        if journal is None and in_service is None and _is_journal(stream):
            with suppress(OSError):
                self._journal = JournalSocket()

    @property
    def in_service(self) -> bool:
        """Whether what is said goes to the system's journal, which others may read."""
        return self._in_service

    def say(self, entry: Entry) -> None:
        """Say it."""
        if self._journal is not None and self._journal.send(entry.journal_fields()):
            return
        if self._in_service:
            _print(f"<{int(entry.level)}>touchmove: {entry.text}")
        elif entry.level <= Level.WARNING:
            _print(f"touchmove: {entry.text}")

    def warn(self, text: str) -> None:
        """Something a person should know."""
        self.say(Entry(Kind.REMARK, Level.WARNING, text))


class EventLog:
    """Listens to a daemon and says what happens; a board that was lost and is back is said, too."""

    def __init__(self, daemon: Daemon, log: Log, game: Callable[[], str] = lambda: "") -> None:
        """`game` names the game that is on, as its file is named."""
        self._daemon = daemon
        self._log = log
        self._game = game
        self._is_lost = daemon.board_state is BoardState.LOST
        daemon.listen(self._hear)

    def _hear(self, events: Sequence[Event]) -> None:
        for event in events:
            entry = entry_of(event)
            if entry is not None:
                self._log.say(Entry(entry.kind, entry.level, entry.text, {"GAME": self._game(), **entry.fields}))
        match self._daemon.board_state:
            case BoardState.LOST:
                self._is_lost = True
            case BoardState.OPEN if self._is_lost:
                self._is_lost = False
                self._log.say(Entry(Kind.BOARD_BACK, Level.WARNING, "the board is back"))
            case _:
                pass


def _name(square: Square | None) -> str:
    return "" if square is None else square_name(square)


def _is_journal(stream: str) -> bool:
    try:
        return leads_to_the_journal(sys.stderr.fileno(), stream)
    except (OSError, ValueError, AttributeError):
        return False


def _print(line: str) -> None:
    with suppress(OSError, ValueError):
        print(" ".join(line.splitlines()), file=sys.stderr, flush=True)
