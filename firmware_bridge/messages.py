"""What a board behind a wire says, and what it can be told, whatever its protocol.

Codecs turn bytes into these values and these values into bytes. Nothing here knows a wire.

1. A board tells its whole placement each time (`BoardRead`), never a single square: an event that was lost can then
   not leave the model and the board apart. A codec whose wire tells single squares keeps the placement itself.
2. `board_ms` is the board's own clock, from any zero, unwrapped, never going back within one session; None where the
   wire has no time. Turning it into the host's time is the link's work, not the codec's.
3. Squares are a1 = 0 to h8 = 63 on this side of a codec, however the wire counts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from rules.pieces import Piece
from rules.squares import Bitboard


@dataclass(frozen=True, slots=True)
class OccupiedSquares:
    """Which squares hold something."""

    occupied: Bitboard


@dataclass(frozen=True, slots=True)
class ColouredSquares:
    """Which squares hold a white piece, and which a black one."""

    white: Bitboard
    black: Bitboard


@dataclass(frozen=True, slots=True)
class NamedPieces:
    """The piece on each square, a1 first."""

    pieces: tuple[Piece | None, ...]


@dataclass(frozen=True, slots=True)
class FieldStrengths:
    """64 signed readings of Hall sensors, a1 first, in the sensor's own unit; positive is White's polarity."""

    strengths: tuple[int, ...]


Content = OccupiedSquares | ColouredSquares | NamedPieces | FieldStrengths


@dataclass(frozen=True, slots=True)
class BoardRead:
    """The whole board. `again` is True where it repeats what was known (a heartbeat, an answer to a question)."""

    board_ms: int | None
    content: Content
    again: bool = False


@dataclass(frozen=True, slots=True)
class ButtonMoved:
    """A button (or the lever of a clock) went down or came up. Numbers are the wire's own."""

    board_ms: int | None
    number: int
    down: bool


class Ability(Enum):
    """What a board can do beside telling its squares."""

    LIGHTS = "lights"
    BUTTONS = "buttons"
    COLOUR = "colour"
    FIELD = "field"
    IDENTITY = "identity"


@dataclass(frozen=True, slots=True)
class Identified:
    """Who answers, and that it is ready for use. A second one in a session is news of the same board."""

    model: str
    version: str
    abilities: frozenset[Ability]


@dataclass(frozen=True, slots=True)
class LightsShown:
    """The board acknowledged picture `number` (as `Codec.show` returned it), or a later one."""

    number: int


@dataclass(frozen=True, slots=True)
class SettingTold:
    """The value in force of a setting; None where the board does not know that setting."""

    key: str
    value: int | None


class Trouble(Enum):
    """What can be wrong with a device. A device's mistake is a message, counted, never an exception."""

    UNKNOWN = "unknown"
    """A valid frame that this version does not know."""
    REBOOTED = "rebooted"
    """The board started anew in mid-session."""
    SILENT = "silent"
    """Nothing valid was heard for longer than the protocol allows."""
    REFUSED = "refused"
    """The board did not take a command."""
    MERGED = "merged"
    """Changes came faster than the link took them; the board told only their outcome."""
    VERSION = "version"
    """The board speaks a version of the protocol that this side does not."""


@dataclass(frozen=True, slots=True)
class DeviceTrouble:
    """A device's mistake, in words for a person."""

    kind: Trouble
    text: str


Message = BoardRead | ButtonMoved | Identified | LightsShown | SettingTold | DeviceTrouble


@dataclass(frozen=True, slots=True)
class Lamp:
    """How one square is lit: levels 0 to 255, and 16 slots of 100 ms, the first in bit 0 (0xFFFF is steady)."""

    red: int
    green: int
    blue: int
    slots: int = 0xFFFF


Lamps = Mapping[int, Lamp]
"""Square to lamp. Squares not in it are dark."""
