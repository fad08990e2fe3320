"""The front door: any kind of sensing, one kind of answer."""

from __future__ import annotations

import pytest

from board_driver.events import Fault
from board_driver.mind import Settings
from board_driver.scan import Colours, Field, Identity, Occupancy, Reading, Scan, Sensing
from board_driver.sensing.senses import Senses
from board_driver.sensing.settle import SettledChange
from rules.fen import START_FEN, parse_fen
from rules.pieces import PIECES
from rules.squares import parse_square, square_name

WHITE, BLACK = 0xFFFF, 0xFFFF << 48
E2, E4 = parse_square("e2"), parse_square("e4")
RANKS = "RNBQKBNR" + "P" * 8 + " " * 32 + "p" * 8 + "rnbqkbnr"


def reading_of(sensing: Sensing, letters: str) -> Reading:
    """What a board of that kind reads; `letters` are the squares from a1, a space for an empty one."""
    white = sum(1 << s for s, letter in enumerate(letters) if letter.isupper())
    black = sum(1 << s for s, letter in enumerate(letters) if letter.islower())
    match sensing:
        case Sensing.OCCUPANCY:
            return Occupancy(white | black)
        case Sensing.COLOUR:
            return Colours(white, black)
        case Sensing.IDENTITY:
            return Identity(tuple(PIECES.get(letter) for letter in letters))
        case Sensing.FIELD:
            return Field(tuple(100.0 * ((white >> s & 1) - (black >> s & 1)) + s % 5 for s in range(64)))


@pytest.mark.parametrize("sensing", list(Sensing))
def test_every_kind_of_board_tells_a_move(sensing: Sensing) -> None:
    senses = Senses(Settings(sensing=sensing), parse_fen(START_FEN))
    assert not senses.started
    lifted = RANKS[:E2] + " " + RANKS[E2 + 1 :]
    placed = lifted[:E4] + "P" + lifted[E4 + 1 :]
    out: list[SettledChange | Fault] = []
    for t_ms, letters in ((0, RANKS), (1000, lifted), (1700, placed)):
        out += senses.feed(Scan(t_ms, reading_of(sensing, letters)))
    assert senses.next_wake_ms() == 1900
    out += senses.advance(2000)
    changes = [item for item in out if isinstance(item, SettledChange)]
    assert [(square_name(change.square), change.placed) for change in changes] == [("e2", False), ("e4", True)]
    assert [(change.began_ms, change.settled_ms) for change in changes] == [(1000, 1200), (1700, 1900)]
    assert len(out) == 2
    assert senses.quiet
    assert senses.occupied == (WHITE | BLACK) ^ 1 << E2 ^ 1 << E4


def test_faults_come_between_the_changes() -> None:
    senses = Senses(Settings(), parse_fen(START_FEN))
    out: list[SettledChange | Fault] = []
    occupied = WHITE | BLACK
    for t_ms in (0, 1000, 1100, 3000, 3100, 5000, 5100, 7000):
        out += senses.feed(Scan(t_ms, Occupancy(occupied)))
        occupied ^= 1 << E2
    assert [type(item).__name__ for item in out] == ["Fault"]
    assert [(flicker.square, flicker.left_ms, flicker.returned_ms) for flicker in senses.flickers()] == [
        (E2, 1000, 1100),
        (E2, 3000, 3100),
        (E2, 5000, 5100),
    ]
    assert senses.flickers() == ()


def test_dead_squares_of_the_settings_are_left_out() -> None:
    senses = Senses(Settings(dead_squares=frozenset({E4})), parse_fen(START_FEN))
    senses.feed(Scan(0, Occupancy(WHITE | BLACK)))
    senses.feed(Scan(100, Occupancy(WHITE | BLACK | 1 << E4)))
    assert senses.advance(10_000) == ()
