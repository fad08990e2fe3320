"""The board and all men on and beside it, and what a hand does with one man: lift it, set it down, take it off.

Every gesture is written into the track of its man, from the time asked for or from when the man is free, whichever
is later. A square knows when it was last left, so that nobody sets a man through another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, exp, pi, sin
from random import Random

from board_driver.simulate.levels import Hands
from board_driver.simulate.men import OFF_BOARD, Man, Point
from rules.pieces import Piece
from rules.squares import Square, file_of, rank_of

CLEAR_MS = 90
"""How long after a lift begins a square is free for another man."""
STANDS_MS = 100
"""The least time a man stands before somebody lifts it again."""
SLIP_MS = 60
"""How long a push or a slip takes."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something beside the plain move, for the truth: when, in which ply (1 is the first), and what.

    The time is -1 for a way in which a ply is carried out, until the ply's own time is known.
    """

    t_ms: int
    ply: int
    what: str


@dataclass(slots=True)
class Table:
    """The board, all men that were ever on it, and the hands at work. `ply` is the number of the ply in hand."""

    rng: Random
    habits: Hands
    null: float
    strength_spread: float
    men: dict[Square, Man] = field(default_factory=dict)
    all_men: list[Man] = field(default_factory=list)
    left_ms: dict[Square, float] = field(default_factory=dict)
    happenings: list[Happening] = field(default_factory=list)
    ply: int = 0

    def chance(self, share: float) -> bool:
        """True in that share of the cases."""
        return self.rng.random() < share

    def spread(self, median: float, sigma: float) -> float:
        """A time around that median (log-normal)."""
        return median * exp(self.rng.gauss(0, sigma))

    def note(self, t_ms: float, what: str) -> None:
        """Write into the truth that this happened."""
        self.happenings.append(Happening(round(t_ms), self.ply, what))

    def note_way(self, what: str) -> None:
        """Write into the truth in which way the ply in hand is carried out; the time is the ply's own."""
        self.happenings.append(Happening(-1, self.ply, what))

    def spot(self, square: Square) -> tuple[float, float]:
        """Where on that square a hand sets a man down."""
        sigma = self.habits.centre_sigma
        dx = max(-0.25, min(0.25, self.rng.gauss(0, sigma)))
        dy = max(-0.25, min(0.25, self.rng.gauss(0, sigma)))
        return file_of(square) + dx, rank_of(square) + dy

    def set_up(self, square: Square, piece: Piece) -> None:
        """A man stands there from the beginning."""
        man = Man(piece, max(0.5, self.rng.gauss(1, self.strength_spread)))
        x, y = self.spot(square)
        man.track.append(Point(0, x, y, 0))
        self.men[square] = man
        self.all_men.append(man)

    def raise_from(self, square: Square, t_ms: float, height: float = 1.0) -> tuple[Man, float]:
        """Lift the man from its square straight up; it and when the lift began."""
        man = self.men.pop(square)
        start = man.wait(max(t_ms, man.free_ms + STANDS_MS))
        man.go(start + self.spread(80, 0.2), man.last.x, man.last.y, height)
        self.left_ms[square] = start + CLEAR_MS
        return man, start

    def set_down(self, man: Man, square: Square, t_ms: float, earliest_ms: float = 0) -> float:
        """Bring a lifted man down on a square, at `t_ms` or when the square is free and not before `earliest_ms`.

        Returns when it has settled. Placing may be near the edge (put straight later) or hesitant.
        """
        habits = self.habits
        x, y = self.spot(square)
        down = self.spread(80, 0.2)
        t_ms = max(t_ms, man.free_ms + down, self.left_ms.get(square, 0), earliest_ms)
        man.go(t_ms - down, x, y, max(0.6, man.last.h))
        if self.chance(habits.hover):
            self.note(t_ms, "hover")
            man.go(t_ms, x, y, self.rng.uniform(0.1, 0.4))
            t_ms = self._hesitate(man, x, y, t_ms)
        if self.chance(habits.off_centre):
            t_ms = self._place_badly(man, square, t_ms)
        man.go(t_ms, x, y, 0)
        self.men[square] = man
        if self.null and self.chance(self.null):
            self._stand_on_null(man, t_ms)
        return t_ms

    def _hesitate(self, man: Man, x: float, y: float, t_ms: float) -> float:
        """Stay low over the square, go up, come down again; when it may stand."""
        t_ms = man.wait(t_ms + self.rng.uniform(50, 400))
        man.go(t_ms + 100, x, y, 0.8)
        t_ms = man.wait(t_ms + self.rng.uniform(150, 500))
        return t_ms + 100

    def _place_badly(self, man: Man, square: Square, t_ms: float) -> float:
        """Stand near the edge for a while; when it stands right."""
        self.note(t_ms, "off centre")
        angle, far = self.rng.uniform(0, 2 * pi), self.rng.uniform(0.36, 0.56)
        man.go(t_ms, file_of(square) + far * cos(angle), rank_of(square) + far * sin(angle), 0)
        man.wait(t_ms + self.rng.uniform(200, 2000))
        return man.free_ms + 2 * SLIP_MS

    def _stand_on_null(self, man: Man, t_ms: float) -> None:
        """Stand exactly over the reed's middle, where its blades do not close, until the man slips.

        The missing field is modelled as height, since only the sensor below can tell.
        """
        self.note(t_ms, "dropout")
        x, y, _ = man.last[1:]
        start = man.wait(t_ms + self.rng.uniform(60, 250))
        man.go(start, x, y, 0.9)
        end = man.wait(start + self.rng.uniform(200, 1500))
        man.go(end, x, y, 0)

    def take_off(self, square: Square, t_ms: float) -> float:
        """Take a man off the board; when it was lifted."""
        man, start = self.raise_from(square, t_ms)
        man.go(man.free_ms + 350, OFF_BOARD, man.last.y, 1.0)
        return start

    def discard(self, man: Man, t_ms: float) -> None:
        """Take away a man whose square already belongs to another."""
        start = man.wait(t_ms)
        man.go(start + 80, man.last.x, man.last.y, 1.0)
        man.go(start + 430, OFF_BOARD, man.last.y, 1.0)

    def bring_on(self, piece: Piece, square: Square, t_ms: float, earliest_ms: float = 0) -> float:
        """Set a new man on the board; when it has settled."""
        man = Man(piece, max(0.5, self.rng.gauss(1, self.strength_spread)))
        man.track.append(Point(0, OFF_BOARD, rank_of(square), 1.0))
        self.all_men.append(man)
        man.wait(max(0.0, t_ms - 450))
        man.go(t_ms - 100, file_of(square), rank_of(square), 1.0)
        return self.set_down(man, square, t_ms, earliest_ms)
