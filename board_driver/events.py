"""What is decided, as it is handed on: frozen values, one class for each kind of event in the replay contract."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from board_driver.lights.picture import Picture
from rules.pieces import Piece
from rules.squares import Colour, Square


@dataclass(frozen=True, slots=True)
class Lifted:
    """A piece left a square, settled."""

    t_ms: int
    square: Square


@dataclass(frozen=True, slots=True)
class Placed:
    """Something came to stand on a square, settled."""

    t_ms: int
    square: Square


@dataclass(frozen=True, slots=True)
class Touched:
    """A touch, and what the player having the move now owes (Article 4). `obligation` as in the summary."""

    t_ms: int
    square: Square
    piece: Piece
    obligation: dict[str, object]
    destinations: tuple[Square, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Moved:
    """A ply was made. `fen` is the position after it; `ply` counts from 1."""

    t_ms: int
    san: str
    uci: str
    fen: str
    ply: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class Revised:
    """Ply `ply` was `was` and is `now` (UCI); `now` None withdraws it and all after it."""

    t_ms: int
    ply: int
    was: str
    now: str | None


@dataclass(frozen=True, slots=True)
class Irregular:
    """An irregularity: the contract's `illegal` event. `text` tells a person what is wrong and by which law."""

    t_ms: int
    why: str
    square: Square | None
    category: str
    completed: bool
    text: str
    article: str = ""
    offender: Colour | None = None


@dataclass(frozen=True, slots=True)
class RestoreAsked:
    """What puts the position right: squares to clear and squares to fill, and the words for it."""

    t_ms: int
    lift: tuple[Square, ...]
    place: tuple[Square, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Claimable:
    """Draws that the player having the move may now claim."""

    t_ms: int
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lit:
    """The lights changed to this picture."""

    t_ms: int
    picture: Picture


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    t_ms: int
    result: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unsure:
    """The evidence does not settle ply `ply`; `alternatives` are UCI moves. Empty: it is settled now."""

    t_ms: int
    ply: int
    alternatives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A sensor or device that misbehaves. `square` where one is known."""

    t_ms: int
    kind: str
    square: Square | None
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should know that is neither an irregularity nor a fault."""

    t_ms: int
    kind: str
    text: str
    colour: Colour | None = None
    details: dict[str, object] = field(default_factory=dict)


class ClockAct(Enum):
    """What changed a chess clock."""

    START = "start"
    PRESS = "press"
    MOVE = "move"
    """The move was made, where nobody presses."""
    PROMOTION = "promotion"
    """It is clear what the pawn has become, which the clock had waited for."""
    COMMAND = "command"
    """The move of a side without hands has come."""
    CARRIED_OUT = "carried-out"
    """It stands on the board."""
    TAKE_BACK = "take-back"
    PAUSE = "pause"
    RESUME = "resume"
    SET = "set"
    BONUS = "bonus"
    """Time for a penalty of the opponent's (FIDE Laws 7.5.5, 9.5.3)."""
    FLAG = "flag"
    STOP = "stop"
    """The game is over."""


@dataclass(frozen=True, slots=True)
class Clocked:
    """The clock was changed: what each side had left at `since_ms`, and whose time runs since (None: nobody's)."""

    t_ms: int
    act: ClockAct
    white_ms: int
    black_ms: int
    running: Colour | None
    since_ms: int
    colour: Colour | None = None
    """Whose act it was, or whom it concerns."""


Event = (
    Lifted
    | Placed
    | Touched
    | Moved
    | Revised
    | Irregular
    | RestoreAsked
    | Claimable
    | Lit
    | Ended
    | Unsure
    | Fault
    | Notice
    | Clocked
)
