"""A daemon with a journal that is killed and started again, in this process: a killed one simply never closes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from board_driver.events import Event
from board_driver.mind import Mode, Settings
from board_driver.minds import make_mind
from board_driver.scan import Occupancy, Scan
from board_driver.store.journal import Journal
from board_driver.store.resume import give
from board_driver.store.retelling import retell
from board_driver.store.rows import Given, Passed
from board_driver.store.state import Found, State
from rules.fen import START_FEN, parse_fen
from rules.squares import Square, parse_square
from rules.uci import parse_uci

PLAY = Settings(mode=Mode.PLAY)
START = parse_fen(START_FEN)


def shown(*ucis: str, settings: Settings = PLAY) -> list[Given]:
    """What a board says of these moves made from the start position."""
    position, moves = START, []
    for text in ucis:
        moves.append(parse_uci(position, text))
        position = position.play(moves[-1])
    return list(retell(settings, START, moves))


def lifted(given: Iterable[Given], square: str, after_ms: int = 1000) -> list[Given]:
    """The same, and then what stands on `square` is taken up and held."""
    items = list(given)
    last = next(item for item in reversed(items) if isinstance(item, Scan))
    assert isinstance(last.reading, Occupancy)
    bit = 1 << Square(parse_square(square))
    t_ms = items[-1].t_ms + after_ms
    return [*items, Scan(t_ms, Occupancy(last.reading.occupied & ~bit)), Passed(t_ms + 1000)]


def write_chapter(path: Path, given: Iterable[Given], settings: Settings = PLAY) -> dict[str, object]:
    """Keep these in a journal that is not closed; the summary of the mind that was given them."""
    journal = Journal(path)
    mind = make_mind(settings)
    journal.begin(settings, 0)
    for item in given:
        events: list[Event] = list(give(mind, item))
        journal.keep(item, events)
    return mind.summary()


def found_in(folder: Path, wanted: Settings = PLAY) -> tuple[Found | None, list[str]]:
    """What a new life finds there, and what it says."""
    state = State(folder)
    try:
        return state.resume(wanted, make_mind), state.remarks
    finally:
        state.close()
