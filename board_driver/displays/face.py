"""What a display shows, and how that lies on rows of text [pure].

Two rows: White's and Black's time with a mark at the one that runs, then the last move and whose turn it is. With more
rows: what is wrong or owed, and the time control. Without a clock the first row says whose turn it is, the second one
the last move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from board_driver.clockwords import clock_text
from rules.squares import Colour

LOW_MS = 60_000
TENTHS_MS = 10_000
RUNS, PAUSED, FALLEN, LOW = ">", "=", "!", "*"
"""The marks at a time: it runs, it is paused, its flag has fallen, it is running out while the other one runs."""


@dataclass(frozen=True, slots=True)
class Timer:
    """One side's time as text, and its mark (or a space)."""

    text: str
    mark: str = " "


@dataclass(frozen=True, slots=True)
class Face:
    """What there is to show."""

    white: Timer | None
    black: Timer | None
    """None: there is no clock."""
    move: str
    """The last move, such as `12...Nf3+`; empty before the first."""
    turn: str
    """Who has the move, or how the game ended."""
    more: tuple[str, ...] = ()
    """What is wrong or owed, and the time control: for displays with room."""


@dataclass(frozen=True, slots=True)
class Running:
    """A clock as the arbiter's summary tells it, at a moment."""

    shown: Mapping[str, object]
    now_ms: int

    def left_ms(self, colour: Colour) -> int:
        """What that side has left."""
        left_ms, running = self._number(f"{colour.word}_ms"), self.shown.get("running")
        if running not in ("white", "black"):
            return left_ms
        used_ms = max(0, self.now_ms - self._number("since_ms") - self._number("delay_ms"))
        if running == colour.word:
            return max(0, left_ms - used_ms)
        gains = self.shown.get("timing") == "hourglass"
        return left_ms + min(used_ms, self._number(f"{running}_ms")) if gains else left_ms

    def timer(self, colour: Colour) -> Timer:
        """How that side's time is shown."""
        left_ms = self.left_ms(colour)
        return Timer(clock_text(left_ms), self._mark(colour, left_ms))

    def next_change_ms(self) -> int | None:
        """When what is shown is different, if nobody does anything before; None while no time runs."""
        running = self.shown.get("running")
        for colour in Colour:
            if running == colour.word:
                left_ms = self.left_ms(colour)
                if left_ms < 100:
                    return None  # it shows 0:00.0 already
                waits_ms = max(0, self._number("since_ms") + self._number("delay_ms") - self.now_ms)
                return self.now_ms + waits_ms + _lasts_ms(left_ms)
        return None

    def _mark(self, colour: Colour, left_ms: int) -> str:
        if self.shown.get("flag") == colour.word:
            return FALLEN
        if self.shown.get("running") == colour.word:
            return RUNS
        if self.shown.get("paused") and self.shown.get("turn") == colour.word:
            return PAUSED
        return LOW if left_ms < LOW_MS else " "

    def _number(self, key: str) -> int:
        value = self.shown.get(key, 0)
        return value if isinstance(value, int) else 0


def _lasts_ms(left_ms: int) -> int:
    """How long a time that runs is shown as it is: in seconds that have begun, the last ten in tenths."""
    if left_ms <= TENTHS_MS:
        return 1 if left_ms == TENTHS_MS else left_ms % 100 + 1
    return (left_ms - 1) % 1000 + 1


def rows_of(face: Face, columns: int, rows: int) -> tuple[str, ...]:
    """The face as that many rows of text, each exactly so wide."""
    if face.white is None or face.black is None:
        wanted = [face.turn, face.move, *face.more]
    else:
        wanted = [_clocks(face.white, face.black, columns), _two(face.move, face.turn, columns), *face.more]
    return tuple((wanted[row] if row < len(wanted) else "")[:columns].ljust(columns) for row in range(rows))


def _clocks(white: Timer, black: Timer, columns: int) -> str:
    """`W>4:58    5:00 B`; where the times are too long for that, without the letters."""
    left, right = f"W{white.mark}{white.text}", f"{black.text}{_outwards(black.mark)}B"
    if len(left) + len(right) >= columns:
        left, right = f"{white.mark}{white.text}", f"{black.text}{_outwards(black.mark)}"
    return _two(left, right, columns)


def _outwards(mark: str) -> str:
    return "<" if mark == RUNS else mark


def _two(left: str, right: str, columns: int) -> str:
    """One at each end; where there is not room for both, the left one is cut."""
    room = max(0, columns - len(right))
    if room > len(left):
        return left.ljust(room) + right
    return left[: max(0, room - 1)].ljust(room) + right if right[:1].isalpha() else left[:room] + right
