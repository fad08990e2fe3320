"""The seam between the shell and the two minds: settings in, inputs in, events out, time as an argument."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, runtime_checkable

from board_driver.events import Event
from board_driver.gamerecord import GameRecord
from board_driver.lights.picture import Picture
from board_driver.scan import Input, Sensing
from board_driver.sensing.field import Calibration
from rules.clock import TimeControl
from rules.fen import START_FEN
from rules.squares import Colour


class Mode(Enum):
    """Which mind reads the board."""

    PLAY = "play"
    RECORD = "record"


class TouchRule(Enum):
    """How far Article 4 is enforced."""

    STRICT = "strict"
    FRIENDLY = "friendly"
    OFF = "off"


class LightsSetting(Enum):
    """What may be lit. Lights that show legal moves are help, forbidden in rated play (FIDE Laws 11.3.1)."""

    ALL = "all"
    FAULTS_ONLY = "faults-only"
    NONE = "none"


class ClockStart(Enum):
    """What starts the chess clock where no presses are delivered."""

    TOUCH = "touch"
    """The first man that is touched."""
    MOVE = "move"
    """The first move: it costs nothing."""
    AT_ONCE = "at-once"
    """The pieces stand (FIDE Laws 6.6); so too where presses are delivered."""


class PromotionRule(Enum):
    """What a pawn becomes when nobody has said so."""

    QUEEN = "queen"
    """A queen, at once; another piece until the press or the opponent's touch."""
    ASK = "ask"
    """It is asked, and the game waits."""


class ClaimsTold(Enum):
    """Whether players are told what they may claim (FIDE Laws 9.2, 9.3). An arbiter tells no counts (12.6)."""

    TOLD = "told"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a game is to be read and ruled. Defaults are those of the replay contract."""

    mode: Mode = Mode.RECORD
    sensing: Sensing = Sensing.OCCUPANCY
    start_fen: str = START_FEN
    chess960: bool = False
    ruleset: str = "fide"
    touch: TouchRule = TouchRule.STRICT
    clock: bool = False
    """True where presses of a chess clock are delivered."""
    time_control: TimeControl | None = None
    """The chess clock that is kept in play mode; None: none."""
    clock_start: ClockStart = ClockStart.TOUCH
    execution_grace_ms: int = 10_000
    """How long a commanded move may take to be carried out before the other side's time runs."""
    promotion: PromotionRule = PromotionRule.QUEEN
    """What a pawn becomes in play mode when nobody has said so."""
    claims: ClaimsTold = ClaimsTold.TOLD
    """Whether play mode tells which draws may be claimed."""
    abandon_ms: int = 0
    """After so long without anything done at the board play mode keeps a game as abandoned; 0: never."""
    settle_ms: int = 200
    lights: LightsSetting = LightsSetting.ALL
    dead_squares: frozenset[int] = field(default_factory=frozenset)
    """Squares whose sensor is known not to work."""
    later_game: bool = False
    """Another game was played here before: White may sit on the other side now, with nobody having turned the board."""
    handless: frozenset[Colour] = frozenset()
    """The sides whose moves are commanded, and carried out by whoever sits at the board."""
    players: tuple[str, str] = ("hand", "hand")
    """Who plays White and Black, as `players.spec` reads it; the minds only ask who is `handless`."""
    follow_board: bool = False
    """True where another move carried out for a handless side is accepted instead of the one commanded."""
    calibration: Calibration | None = None
    """How field strengths are read, for boards that were calibrated; None: the start position shows it."""


class Mind(Protocol):
    """The arbiter or the recorder: a pure state machine. Times given to it never go back."""

    def receive(self, item: Input) -> Sequence[Event]:
        """Take one input (all timers due before it fire first); what was decided, in order."""

    def advance(self, now_ms: int) -> Sequence[Event]:
        """Let time come to `now_ms` without input; what was decided, in order."""

    def next_wake_ms(self) -> int | None:
        """When `advance` should be called if nothing comes in before; None when nothing is waited for."""

    def picture(self) -> Picture:
        """What the lights should show now."""

    def summary(self) -> dict[str, object]:
        """The replay contract's summary of the present game (without `log`)."""

    def games(self) -> Sequence[GameRecord]:
        """All games so far, the present one last."""


@runtime_checkable
class Relightable(Protocol):
    """A mind whose lights may be set otherwise in the middle of a game."""

    def relight(self, setting: LightsSetting, now_ms: int) -> Sequence[Event]:
        """Light so much from now on; what changed."""
