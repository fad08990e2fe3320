"""Time controls: how much time each side has, and what is added for its moves.

A control is a row of periods for each side. A period gives a base time, lasts so many moves (the last one: the rest of
the game, or, with a number of moves, it is given again and again), and has a bonus for each move. What the bonus does
is the control's `Timing`.

House rules:

1. Times are whole milliseconds.
2. The bonus counts from move 1, and comes when a move is completed: a clock of "5+3" shows 5:00 before the first move.
3. The next period's base time is added when the last move of a period is completed, not when the clock shows zero: the
   number of moves is known here, so no flag falls unseen at the control.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from rules.squares import Colour

LIMIT_MS = 359_999_000
"""No clock shows more than 99:59:59."""
BONUS_LIMIT_MS = 3_600_000
MOVES_LIMIT = 999
PERIODS_LIMIT = 9


class Timing(Enum):
    """What the bonus of a move does."""

    INCREMENT = "increment"
    """It is added to the clock when the move is completed (Fischer)."""
    BRONSTEIN = "bronstein"
    """What the move took, but not more than the bonus, is given back when it is completed."""
    DELAY = "delay"
    """The clock waits so long before it counts down (US, simple delay)."""
    HOURGLASS = "hourglass"
    """No bonus: what one side uses the other one gains."""


class TimeControlError(ValueError):
    """What is no time control: what was expected and what came."""


@dataclass(frozen=True, slots=True)
class Period:
    """A base time, for so many moves (None: for the rest of the game), with a bonus for each move."""

    base_ms: int
    moves: int | None = None
    bonus_ms: int = 0

    def __post_init__(self) -> None:
        """Raises TimeControlError for what no clock can show."""
        if not 0 < self.base_ms <= LIMIT_MS:
            raise TimeControlError(
                f"expected a time of more than nothing and less than 100 hours, got {self.base_ms} ms"
            )
        if self.moves is not None and not 0 < self.moves <= MOVES_LIMIT:
            raise TimeControlError(f"expected a period of 1 to {MOVES_LIMIT} moves, got {self.moves}")
        if not 0 <= self.bonus_ms <= BONUS_LIMIT_MS:
            raise TimeControlError(f"expected a bonus of at most an hour for each move, got {self.bonus_ms} ms")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The periods of White, and those of Black where they are others (odds)."""

    periods: tuple[Period, ...]
    timing: Timing = Timing.INCREMENT
    black_periods: tuple[Period, ...] = ()
    """Empty: as White's."""

    def __post_init__(self) -> None:
        """Raises TimeControlError for a control that cannot be."""
        if not self.periods:
            raise TimeControlError("expected at least one period of time, got none")
        for periods in (self.periods, self.black_periods):
            if len(periods) > PERIODS_LIMIT:
                raise TimeControlError(f"expected at most {PERIODS_LIMIT} periods, got {len(periods)}")
            if any(period.moves is None for period in periods[:-1]):
                raise TimeControlError("expected every period but the last to say for how many moves it is")
        bonus = any(period.bonus_ms for period in self.periods + self.black_periods)
        if self.timing is Timing.HOURGLASS and (bonus or len(self.periods) > 1 or len(self.black_periods) > 1):
            raise TimeControlError("expected an hourglass to have one time and no bonus")
        if self.timing in (Timing.BRONSTEIN, Timing.DELAY) and not bonus:
            raise TimeControlError(f"expected seconds for the {self.timing.value}, got none")

    def of(self, colour: Colour) -> tuple[Period, ...]:
        """The periods of that side."""
        return self.black_periods if self.black_periods and colour is Colour.BLACK else self.periods

    @property
    def is_odds(self) -> bool:
        """Whether the sides have different times."""
        return self.of(Colour.WHITE) != self.of(Colour.BLACK)

    def period(self, colour: Colour, moves: int) -> Period:
        """The period in which that side makes its next move, after `moves` completed ones."""
        for period in self.of(colour):
            if period.moves is None or moves < period.moves:
                return period
            moves -= period.moves
        return self.of(colour)[-1]

    def base_after_ms(self, colour: Colour, moves: int) -> int:
        """What is added to that side's clock on completing its move number `moves`, beside the bonus."""
        periods = self.of(colour)
        passed = 0
        for index, period in enumerate(periods):
            if period.moves is None:
                return 0
            passed += period.moves
            if moves == passed:
                return periods[min(index + 1, len(periods) - 1)].base_ms
            if moves < passed:
                return 0
        last = periods[-1]
        assert last.moves is not None
        return 0 if (moves - passed) % last.moves else last.base_ms
