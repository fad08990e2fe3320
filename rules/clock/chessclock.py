"""A chess clock as a value: every act gives the clock as it is afterwards, and time is an argument.

Nothing ticks. A clock says how much each side had left at `since_ms` and whose time runs since; everything else is
arithmetic, in whole milliseconds, so it does not matter how often it is looked at.

House rules:

1. At most one side's time runs, never both; none before the start, while paused, and once a flag has fallen.
2. A flag falls when nothing is left. It stops the clock, so that the other one cannot fall too: which fell first is
   always known, and "both flags are down" (FIDE Laws, Guidelines III.3.1) does not arise.
3. An act that comes late, for a time before the clock's own, counts as of the clock's time: time never goes back.
4. `since_ms` may lie ahead. Until then nobody's time runs: so a player gets time to carry out a move that he is shown.
5. Time is taken off by an arbiter down to a thousandth of a second: his hand lets no flag fall.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from rules.clock.control import LIMIT_MS, TimeControl, Timing
from rules.squares import Colour


@dataclass(frozen=True, slots=True)
class Side:
    """One side's clock at the clock's `since_ms`."""

    left_ms: int
    moves: int = 0
    """Completed moves."""
    thought_ms: int = 0
    """Used for the move in progress so far, what the delay covers included."""
    given_ms: int = 0
    """What an arbiter has given in all, or taken (negative): it outlives a move that is taken back."""

    def add(self, ms: int) -> Side:
        """With so much more time, up to what a clock can show."""
        return replace(self, left_ms=min(self.left_ms + ms, LIMIT_MS))

    def give(self, ms: int) -> Side:
        """With so much more, or less, by an arbiter's hand (rule 5)."""
        left_ms = max(1, min(self.left_ms + ms, LIMIT_MS))
        return replace(self, left_ms=left_ms, given_ms=self.given_ms + left_ms - self.left_ms)


@dataclass(frozen=True, slots=True)
class ChessClock:
    """The clock of one game. Make one with `ChessClock.fresh`."""

    control: TimeControl
    white: Side
    black: Side
    turn: Colour | None = None
    """Whose time runs, or would if the clock were not paused; None before the start."""
    since_ms: int = 0
    """When the two sides had what they say; never goes back."""
    paused: bool = False
    fallen: Colour | None = None
    """Whose flag has fallen."""

    @classmethod
    def fresh(cls, control: TimeControl, now_ms: int = 0) -> Self:
        """A clock that has not been started."""
        white, black = (Side(control.of(colour)[0].base_ms) for colour in (Colour.WHITE, Colour.BLACK))
        return cls(control, white, black, since_ms=now_ms)

    # -- what it shows

    @property
    def running(self) -> Colour | None:
        """Whose time runs (or will, at `since_ms`); None while nobody's does."""
        return None if self.paused or self.fallen is not None else self.turn

    def side(self, colour: Colour) -> Side:
        """That side's clock as of `since_ms`."""
        return self.white if colour is Colour.WHITE else self.black

    def remaining_ms(self, colour: Colour, now_ms: int) -> int:
        """What that side has left; 0 once its flag has fallen."""
        return self.at(now_ms).side(colour).left_ms

    def delay_ms(self, colour: Colour) -> int:
        """What is left at `since_ms` of the delay before that side's time counts down for its move in progress."""
        if self.control.timing is not Timing.DELAY:
            return 0
        side = self.side(colour)
        return max(0, self.control.period(colour, side.moves).bonus_ms - side.thought_ms)

    def flag_falls_ms(self) -> int | None:
        """When a flag falls if nobody does anything; None while no time runs."""
        if self.running is None:
            return None
        return self.since_ms + self.delay_ms(self.running) + self.side(self.running).left_ms

    # -- time

    def at(self, now_ms: int) -> ChessClock:
        """The clock as it stands at that time; itself where that is past."""
        if now_ms <= self.since_ms:
            return self
        running, falls_ms = self.running, self.flag_falls_ms()
        if running is None or falls_ms is None:
            return replace(self, since_ms=now_ms)
        used_ms = min(now_ms, falls_ms) - self.since_ms
        counted_ms = max(0, used_ms - self.delay_ms(running))
        side = self.side(running)
        clock = self._with(
            running, replace(side, left_ms=side.left_ms - counted_ms, thought_ms=side.thought_ms + used_ms)
        )
        if self.control.timing is Timing.HOURGLASS:
            clock = clock._with(running.opponent, self.side(running.opponent).add(counted_ms))
        return replace(clock, since_ms=now_ms, fallen=running if now_ms >= falls_ms else None)

    # -- acts

    def start(self, colour: Colour, now_ms: int) -> ChessClock:
        """That side's time runs from now on, if the clock has not been started yet."""
        clock = self.at(now_ms)
        return clock if clock.turn is not None else replace(clock, turn=colour)

    def press(self, now_ms: int, moves: int | None = None, grace_ms: int = 0) -> ChessClock:
        """The side whose turn it is has completed its move; the other one's time runs, after the grace.

        `moves`: how many moves it has completed now, where one press stands for more than one. Nothing where a flag has
        fallen, or before the start.
        """
        clock = self.at(now_ms)
        mover = clock.turn
        if mover is None or clock.fallen is not None:
            return clock
        side = clock.side(mover)
        count = max(side.moves + 1, moves or 0)
        gained_ms = clock._bonus_ms(mover, side)
        gained_ms += sum(clock.control.base_after_ms(mover, move) for move in range(side.moves + 1, count + 1))
        clock = clock._with(mover, replace(side.add(gained_ms), moves=count, thought_ms=0))
        return replace(clock, turn=mover.opponent, since_ms=clock.since_ms + grace_ms)

    def end_grace(self, now_ms: int) -> ChessClock:
        """What the grace was for is done: time runs from now on, if it does not run yet."""
        return replace(self, since_ms=now_ms) if now_ms < self.since_ms else self.at(now_ms)

    def pause(self, now_ms: int) -> ChessClock:
        """Nobody's time runs from now on (FIDE Laws 6.11.2). A grace that has not run out is kept for no one."""
        return replace(self.end_grace(now_ms), paused=True)

    def resume(self, now_ms: int) -> ChessClock:
        """The time that would have run runs again."""
        return replace(self.at(now_ms), paused=False)

    def adjust(self, colour: Colour, left_ms: int, now_ms: int) -> ChessClock:
        """The arbiter sets that side's time; its fallen flag is up again. Raises ValueError for nothing."""
        if not 0 < left_ms <= LIMIT_MS:
            raise ValueError(f"expected a time of 1 to {LIMIT_MS} ms, got {left_ms}")
        clock = self.at(now_ms)
        return clock.give(colour, left_ms - clock.side(colour).left_ms, now_ms)

    def give(self, colour: Colour, ms: int, now_ms: int) -> ChessClock:
        """That side gets so much more time, as for an illegal move of the other (FIDE Laws 7.5.5); or less."""
        clock = self.at(now_ms)
        given = clock._with(colour, clock.side(colour).give(ms))
        return replace(given, fallen=None) if given.fallen is colour and ms > 0 else given

    def taken_back(self, before: ChessClock, now_ms: int) -> ChessClock:
        """As it was at some time `before`, but going on from now. What an arbiter has given since then stays given."""
        clock = replace(before, since_ms=max(now_ms, before.since_ms), paused=self.paused, fallen=None)
        for colour in Colour:
            since_given_ms = self.side(colour).given_ms - before.side(colour).given_ms
            if since_given_ms:
                clock = clock._with(colour, before.side(colour).give(since_given_ms))
        return clock

    # -- inside

    def _with(self, colour: Colour, side: Side) -> ChessClock:
        return replace(self, white=side) if colour is Colour.WHITE else replace(self, black=side)

    def _bonus_ms(self, colour: Colour, side: Side) -> int:
        bonus_ms = self.control.period(colour, side.moves).bonus_ms
        match self.control.timing:
            case Timing.INCREMENT:
                return bonus_ms
            case Timing.BRONSTEIN:
                return min(bonus_ms, side.thought_ms)
            case Timing.DELAY | Timing.HOURGLASS:
                return 0
