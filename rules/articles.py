"""Which article of the Laws says what: numbers as data, so that a new edition is an edit of a table.

Code names a `Law`; only this module knows its number. FIDE revises the Laws about every four years: add an `Edition`,
make it `IN_FORCE`, and every ruling cites it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType


class Law(Enum):
    """A rule that rulings rest on, by what it says."""

    HAS_THE_MOVE = auto()
    NO_SELF_CHECK = auto()
    BISHOP_MOVES = auto()
    ROOK_MOVES = auto()
    QUEEN_MOVES = auto()
    KNIGHT_MOVES = auto()
    PAWN_MOVES = auto()
    KING_MOVES = auto()
    EN_PASSANT = auto()
    PROMOTION_CHOICE = auto()
    CASTLING_RIGHT_LOST = auto()
    CASTLING_PREVENTED = auto()
    ADJUSTING = auto()
    ACCIDENT = auto()
    TOUCH_OWN = auto()
    TOUCH_ENEMY = auto()
    TOUCH_BOTH = auto()
    KING_THEN_ROOK = auto()
    ROOK_THEN_KING = auto()
    CASTLING_NOT_LEGAL = auto()
    CHOICE_FINAL = auto()
    TOUCH_FREE = auto()
    PROMOTION_ACT = auto()
    RELEASED = auto()
    CAPTURE_MADE = auto()
    CASTLING_MADE = auto()
    PROMOTION_MADE = auto()
    CHECKMATE = auto()
    RESIGNATION = auto()
    STALEMATE = auto()
    DEAD_POSITION = auto()
    AGREEMENT = auto()
    PRESS_COMPLETES = auto()
    LATE_PRESS = auto()
    FLAG = auto()
    CLOCK_STOPPED = auto()
    WRONG_SETUP = auto()
    DISPLACED = auto()
    ILLEGAL_MOVE = auto()
    UNPROMOTED = auto()
    PRESS_WITHOUT_MOVE = auto()
    PENALTY = auto()
    WRONG_SQUARE = auto()
    DRAW_OFFER = auto()
    THREEFOLD = auto()
    FIFTY = auto()
    CLAIM_BARRED = auto()
    CLAIM_RIGHT = auto()
    CLAIM_WRONG = auto()
    FIVEFOLD = auto()
    SEVENTYFIVE = auto()
    OUTSIDE_HELP = auto()
    DISTURBING = auto()
    CASTLING_960 = auto()


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of the Laws: its name and date, and the number of the article for each `Law`."""

    name: str
    in_force_from: str
    numbers: Mapping[Law, str]

    def number(self, law: Law) -> str:
        """The article's number alone, such as `4.3.1`."""
        return self.numbers[law]

    def cite(self, law: Law) -> str:
        """The article as a ruling cites it, such as `FIDE Laws 4.3.1`."""
        return f"{self.name} {self.numbers[law]}"


FIDE_2023 = Edition(
    "FIDE Laws",
    "2023-01-01",
    MappingProxyType(
        {
            Law.HAS_THE_MOVE: "1.3",
            Law.NO_SELF_CHECK: "3.9.2",
            Law.BISHOP_MOVES: "3.2",
            Law.ROOK_MOVES: "3.3",
            Law.QUEEN_MOVES: "3.4",
            Law.KNIGHT_MOVES: "3.6",
            Law.PAWN_MOVES: "3.7",
            Law.KING_MOVES: "3.8",
            Law.EN_PASSANT: "3.7.3.2",
            Law.PROMOTION_CHOICE: "3.7.3.3",
            Law.CASTLING_RIGHT_LOST: "3.8.2.1",
            Law.CASTLING_PREVENTED: "3.8.2.2",
            Law.ADJUSTING: "4.2.1",
            Law.ACCIDENT: "4.2.2",
            Law.TOUCH_OWN: "4.3.1",
            Law.TOUCH_ENEMY: "4.3.2",
            Law.TOUCH_BOTH: "4.3.3",
            Law.KING_THEN_ROOK: "4.4.1",
            Law.ROOK_THEN_KING: "4.4.2",
            Law.CASTLING_NOT_LEGAL: "4.4.3",
            Law.CHOICE_FINAL: "4.4.4",
            Law.TOUCH_FREE: "4.5",
            Law.PROMOTION_ACT: "4.6",
            Law.RELEASED: "4.7",
            Law.CAPTURE_MADE: "4.7.1",
            Law.CASTLING_MADE: "4.7.2",
            Law.PROMOTION_MADE: "4.7.3",
            Law.CHECKMATE: "5.1.1",
            Law.RESIGNATION: "5.1.2",
            Law.STALEMATE: "5.2.1",
            Law.DEAD_POSITION: "5.2.2",
            Law.AGREEMENT: "5.2.3",
            Law.PRESS_COMPLETES: "6.2.1",
            Law.LATE_PRESS: "6.2.2",
            Law.FLAG: "6.9",
            Law.CLOCK_STOPPED: "6.11.2",
            Law.WRONG_SETUP: "7.2.1",
            Law.DISPLACED: "7.4.1",
            Law.ILLEGAL_MOVE: "7.5.1",
            Law.UNPROMOTED: "7.5.2",
            Law.PRESS_WITHOUT_MOVE: "7.5.3",
            Law.PENALTY: "7.5.5",
            Law.WRONG_SQUARE: "7.6",
            Law.DRAW_OFFER: "9.1",
            Law.THREEFOLD: "9.2",
            Law.FIFTY: "9.3",
            Law.CLAIM_BARRED: "9.4",
            Law.CLAIM_RIGHT: "9.5.2",
            Law.CLAIM_WRONG: "9.5.3",
            Law.FIVEFOLD: "9.6.1",
            Law.SEVENTYFIVE: "9.6.2",
            Law.OUTSIDE_HELP: "11.3.1",
            Law.DISTURBING: "11.5",
            Law.CASTLING_960: "Guidelines II",
        }
    ),
)

IN_FORCE = FIDE_2023
"""The edition that rulings cite."""


def cite(law: Law) -> str:
    """The article in force, such as `FIDE Laws 4.3.1`."""
    return IN_FORCE.cite(law)


def number(law: Law) -> str:
    """The number of the article in force, such as `4.3.1`."""
    return IN_FORCE.number(law)
