"""A driver, a mind that reads it, and time that the test moves on."""

from __future__ import annotations

from board_driver.boards.board import Clock, Inbox
from board_driver.boards.sensorboard import SquareReader
from board_driver.boards.source import Contacts, Source, Strengths
from board_driver.events import Event, Fault
from board_driver.mind import Mind, Settings
from board_driver.minds import make_mind
from board_driver.scan import Scan
from rules.squares import square_name
from tests.electricity.contract import BLACK, WHITE

START = WHITE | BLACK
E2, E4 = 1 << 12, 1 << 28


class HandInbox(Inbox):
    """Only tells the time that the test sets."""

    def __init__(self) -> None:
        self.time_ms = 0
        self.clock = Clock()

    def now_ms(self) -> int:
        return self.time_ms


class Evening:
    """A driver, a mind, and time that the test moves on."""

    def __init__(self, source: Source, settings: Settings) -> None:
        self.inbox = HandInbox()
        self.mind: Mind = make_mind(settings)
        self.events: list[Event] = []
        source.open()
        self._reader = SquareReader(source, range(64), self.inbox)

    def until(self, t_ms: int, every_ms: int = 10) -> None:
        """Scan a hundred times a second, or less often, up to that time."""
        while self.inbox.time_ms < t_ms:
            self.inbox.time_ms += every_ms
            now_ms = self.inbox.time_ms
            sensed = self._reader.read()
            self.events += [Fault(now_ms, kind, square, text) for kind, square, text in sensed.troubles]
            self.events += self.mind.receive(Scan(now_ms, sensed.reading, sensed.distrusted))

    def faults(self, kind: str) -> list[str]:
        return list(dict.fromkeys(e.text for e in self.events if isinstance(e, Fault) and e.kind == kind))

    def moves(self) -> list[str]:
        plies = self.mind.games()[-1].plies
        return [square_name(ply.move.origin) + square_name(ply.move.landing) for ply in plies]


def contacts(source: Source) -> Contacts:
    sample = source.read()
    assert isinstance(sample, Contacts)
    return sample


def strengths(source: Source) -> Strengths:
    sample = source.read()
    assert isinstance(sample, Strengths)
    return sample
