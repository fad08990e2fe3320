"""A profile: all that the program must know of one board, as frozen values. Defaults are the effective values.

The file is YAML with these keys; `reading` reads it, `checks` sees what no single key can show (a pin used twice).
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from msgspec import Meta

from board_driver.mind import ClaimsTold, ClockStart, LightsSetting, Mode, PromotionRule, TouchRule
from board_driver.profile.displays import Displays
from board_driver.profile.lights import Lights
from board_driver.profile.sensors import Sensors
from board_driver.profile.words import Part, Pin

Milliseconds = Annotated[int, Meta(ge=0, le=5_000, extra={"expected": "a whole number of ms from 0 to 5000"})]


Minutes = Annotated[int, Meta(ge=0, le=10_080, extra={"expected": "a whole number of minutes from 0 to 10080"})]
Grace = Annotated[int, Meta(ge=0, le=600_000, extra={"expected": "a whole number of ms from 0 to 600000"})]


class Buttons(Part, frozen=True, kw_only=True):
    """The GPIO line of each push button; None: there is none. A button closes to ground, the pull-up is the chip's.

    `adjust`, `claim`, `draw`, `resign`, `takeback` and `hint` are for the player having the move; draws and
    resignations may have a button for each player as well. `white_clock` and `black_clock` are what a player presses to
    end the turn; `pause` stops the chess clock and lets it go on.
    """

    promote_queen: Pin | None = None
    promote_rook: Pin | None = None
    promote_bishop: Pin | None = None
    promote_knight: Pin | None = None
    adjust: Pin | None = None
    claim: Pin | None = None
    draw: Pin | None = None
    draw_white: Pin | None = None
    draw_black: Pin | None = None
    resign: Pin | None = None
    resign_white: Pin | None = None
    resign_black: Pin | None = None
    takeback: Pin | None = None
    hint: Pin | None = None
    white_clock: Pin | None = None
    black_clock: Pin | None = None
    pause: Pin | None = None
    new_game: Pin | None = None
    bounce_ms: Annotated[int, Meta(ge=0, le=500)] = 30

    def pins(self) -> dict[str, Pin]:
        """The buttons that there are, by name, in the order above."""
        named = {field: getattr(self, field) for field in self.__struct_fields__ if field != "bounce_ms"}
        return {field: pin for field, pin in named.items() if pin is not None}


class Turn(Enum):
    """How far the board is turned, clockwise, from White sitting at its first rank."""

    NONE = 0
    QUARTER = 90
    HALF = 180
    THREE_QUARTERS = 270


class Orientation(Part, frozen=True, kw_only=True):
    """How the whole board, sensors and lights alike, lies before White.

    `order` of sensors and lights says how their wires run on the board; this comes after it. A board built with its
    first rank before White needs neither. `mirror` exchanges left and right (files a and h), and comes before `turn`.
    """

    turn: Turn = Turn.NONE
    mirror: bool = False


class Game(Part, frozen=True, kw_only=True):
    """How games on this board are read unless the command line says otherwise. None: the program's own default."""

    mode: Mode | None = None
    ruleset: str | None = None
    touch: TouchRule | None = None
    lights: LightsSetting | None = None
    promotion: PromotionRule | None = None
    """What a pawn becomes where nobody has said so: a queen at once, or the board asks."""
    claims: ClaimsTold | None = None
    """Whether draws that may be claimed are told (FIDE Laws 12.6)."""
    abandon_min: Minutes | None = None
    """After so many minutes without anything done a game is kept as abandoned; 0: never."""
    clock: bool | None = None
    """Whether a turn ends only with a press of the clock; None: where both players have a button for it."""
    time: str | None = None
    """The chess clock that is kept, such as `5+3`; None: none."""
    clock_start: ClockStart | None = None
    execution_grace_ms: Grace | None = None
    """How long an engine's move may take to be carried out before the player's own time runs."""
    settle_ms: Milliseconds | None = None
    dead_squares: tuple[str, ...] = ()
    """Squares whose sensor is known not to work."""
    white: str | None = None
    black: str | None = None
    event: str | None = None
    site: str | None = None


class Players(Part, frozen=True, kw_only=True):
    """Who plays on this board unless the command line says otherwise, as `touchmove run --white` is told it."""

    white: str = "hand"
    black: str = "hand"
    follow_board: bool = False
    """Whether another move that is made on the board for a player without hands is accepted."""


class Sound(Part, frozen=True, kw_only=True):
    """What the board lets people hear, and in which language things are said and shown. The command line may differ."""

    language: Annotated[str, Meta(pattern="^(en|zh)$", extra={"expected": "en or zh"})] = "en"
    voice: bool = False
    """Whether moves and rulings are spoken aloud, by espeak-ng."""
    buzzer: Pin | None = None
    """The GPIO line of an active buzzer; None: there is none."""


class Profile(Part, frozen=True, kw_only=True):
    """One board."""

    name: str
    sensors: Sensors
    lights: tuple[Lights, ...] = ()
    """One kind of lamps, or a list of several."""
    buttons: Buttons = Buttons()
    orientation: Orientation = Orientation()
    game: Game = Game()
    players: Players = Players()
    sound: Sound = Sound()
    displays: tuple[Displays, ...] = ()
    """One display, or a list of several."""
