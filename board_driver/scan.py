"""What comes in: scans of a board, presses of a clock, buttons, commanded moves. Frozen values, each with its time.

Times are integer milliseconds from any zero and never go back.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from rules.pieces import Piece
from rules.squares import Bitboard, Colour


class Sensing(Enum):
    """What a board's sensors can tell of a piece."""

    OCCUPANCY = "occupancy"
    COLOUR = "colour"
    FIELD = "field"
    IDENTITY = "identity"


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Which squares hold something."""

    occupied: Bitboard


@dataclass(frozen=True, slots=True)
class Colours:
    """Which squares hold a magnet of White's, and of Black's, polarity."""

    white: Bitboard
    black: Bitboard

    @property
    def occupied(self) -> Bitboard:
        return self.white | self.black


@dataclass(frozen=True, slots=True)
class Field:
    """64 signed readings, a1 first; positive is the polarity of White's magnets. The unit is the sensor's own."""

    strengths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Identity:
    """The piece on each square, a1 first."""

    pieces: tuple[Piece | None, ...]

    @property
    def occupied(self) -> Bitboard:
        bitboard = 0
        for square, piece in enumerate(self.pieces):
            if piece is not None:
                bitboard |= 1 << square
        return bitboard


Reading = Occupancy | Colours | Field | Identity


@dataclass(frozen=True, slots=True)
class Scan:
    """One reading of all squares, raw. `distrusted` squares could not be told in this scan (ghosting, bus error)."""

    t_ms: int
    reading: Reading
    distrusted: Bitboard = 0


@dataclass(frozen=True, slots=True)
class Press:
    """A player pressed the clock. `left_ms` is what that clock then showed as his, where it tells."""

    t_ms: int
    colour: Colour
    left_ms: int | None = None


class ButtonName(Enum):
    """The choices a person can make beside moving pieces."""

    PROMOTE = "promote"
    ADJUST = "adjust"
    CLAIM = "claim"
    DRAW = "draw"
    RESIGN = "resign"
    TAKEBACK = "takeback"
    RESULT = "result"
    DECLINE = "decline"
    HINT = "hint"
    PAUSE = "pause"
    TIME = "time"
    BACK_TO = "back-to"


@dataclass(frozen=True, slots=True)
class Button:
    """A choice by button, page or voice. `value` is a piece letter, a player (`white`, `black`) or a result."""

    t_ms: int
    name: ButtonName
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """The move chosen for the side having the move by a player who has no hands: an engine, a book, a remote player.

    Whoever sits at the board carries it out. `fen` is the position it was chosen in: in any other it comes too late and
    is nothing. None: it is meant for the position there is.
    """

    t_ms: int
    uci: str
    fen: str | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """A move that is advised to the player having the move, who asked for it. `fen` as in `Command`."""

    t_ms: int
    uci: str
    fen: str | None = None


Input = Scan | Press | Button | Command | Hint
