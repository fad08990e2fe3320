"""The chess clock of one game in play mode, with what is needed to take its turns back."""

from __future__ import annotations

from dataclasses import dataclass

from board_driver.events import ClockAct, Clocked
from board_driver.mind import ClockStart, Settings
from rules.clock import ChessClock, TimeControl
from rules.move import Move
from rules.squares import Colour, Square


@dataclass(frozen=True, slots=True)
class TimedPly:
    """A ply the clock knows of, and how the clock stood when it was made, before anything was added for it."""

    move: Move
    made_ms: int
    before: ChessClock

    def is_ply(self, move: Move, made_ms: int) -> bool:
        """Whether that is this ply; another choice of promotion makes it no other."""
        return (self.move.origin, self.move.landing, self.made_ms) == (move.origin, move.landing, made_ms)


class GameClock:
    """The clock as it stands, and what the arbiter has to remember with it. Changed by `timekeeping` alone."""

    __slots__ = (
        "awaiting", "clock", "given_ms", "grace_ms", "interrupted", "led", "over", "paid_before", "plies", "said",
        "starts", "too_late",
    )  # fmt: skip

    def __init__(self, control: TimeControl, settings: Settings, t_ms: int) -> None:
        self.clock = ChessClock.fresh(control, t_ms)
        self.starts = settings.clock_start
        self.grace_ms = settings.execution_grace_ms
        self.plies: list[TimedPly] = []
        self.paid_before: ChessClock | None = None
        """As it stood when a move to carry out came, and that side's time stopped; None: none is to be carried out."""
        self.awaiting: tuple[Colour, int] | None = None
        """Whose time runs on until a promotion is chosen, and the stamp of the pawn's arrival."""
        self.given_ms = {Colour.WHITE: 0, Colour.BLACK: 0}
        """What has been given for penalties (FIDE Laws 7.5.5, 9.5.3)."""
        self.interrupted = False
        """Paused since power or program was gone: the next touch lets it run on."""
        self.led = False
        """Paused while the board is led to a position that the arbiter chose."""
        self.over = False
        """Stopped because the game has ended."""
        self.too_late: tuple[Square, int] | None = None
        """Where a pawn stood that was to end the game when the flag fell, and the stamp of its arrival."""
        self.said: list[Clocked] = []

    @classmethod
    def of(cls, settings: Settings, t_ms: int) -> GameClock | None:
        """The clock of a game with these settings; None where it is played without one."""
        return None if settings.time_control is None else cls(settings.time_control, settings, t_ms)

    @property
    def started(self) -> bool:
        """Whether somebody's time has ever run."""
        return self.clock.turn is not None

    @property
    def starts_by_touch(self) -> bool:
        """Whether the first touch starts it."""
        return self.starts is ClockStart.TOUCH and not self.started

    def become(self, clock: ChessClock, act: ClockAct, t_ms: int, colour: Colour | None = None) -> None:
        """The clock is now so, by that act, which is told as of `t_ms`."""
        self.clock = clock
        left = (clock.white.left_ms, clock.black.left_ms)
        self.said.append(Clocked(t_ms, act, *left, clock.running, clock.since_ms, colour))

    def falls_ms(self) -> int | None:
        """When a flag falls if nothing happens; None while none can."""
        return None if self.over else self.clock.flag_falls_ms()

    def shown(self) -> dict[str, object]:
        """The summary's `clock`: what each side had left at `since_ms`, and whose time runs since."""
        clock = self.clock
        turn, running = clock.turn, clock.running
        shown: dict[str, object] = {
            "white_ms": clock.white.left_ms,
            "black_ms": clock.black.left_ms,
            "running": None if running is None else running.word,
            "since_ms": clock.since_ms if self.started else 0,
            "turn": None if turn is None else turn.word,
            "paused": clock.paused and not self.over,
            "timing": clock.control.timing.value,
            "flag": None if clock.fallen is None else clock.fallen.word,
        }
        delay_ms = 0 if running is None else clock.delay_ms(running)
        return shown | ({"delay_ms": delay_ms} if delay_ms else {})
