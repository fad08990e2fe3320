"""Sixty-four sensors under moving magnets: the field at each, and what each switch makes of it.

Resting men's fields are summed once; only squares within reach of a man in motion are looked at again. Squares whose
field lies within the noise of a threshold are looked at every time, since noise alone may switch them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, floor, hypot, sqrt
from random import Random

from board_driver.scan import Sensing
from board_driver.simulate.faults import count
from board_driver.simulate.levels import Sensors
from board_driver.simulate.magnets import HALL_OFF, HALL_ON, REACH, REED_OFF, REED_ON, SensorKind, field_at, switched
from board_driver.simulate.men import Man, Point, place_on
from rules.squares import Colour

SWEEP = 0.5
"""Share of the time between scans that reading the eight ranks takes."""
TAG_REACH = 0.6
"""How far from its square's middle, along and up, the tag in a man's foot is read (identity sensing)."""
WEAK_REED, WEAK_HALL = (1.8, 3.0), (2.0, 3.5)
"""By how much an insensitive square's thresholds are raised: a centred man closes it, one beside the middle not."""

Place = tuple[float, float, float]


@dataclass(slots=True)
class Switches:
    """The sensors of one board. `states` is what each switch says: 0, 1, or -1 for Black's polarity (Hall)."""

    rng: Random
    sensors: Sensors
    sensing: Sensing
    states: list[int] = field(default_factory=lambda: [0] * 64)
    seen: list[Man | None] = field(default_factory=lambda: [None] * 64)
    thresholds: list[float] = field(default_factory=list)
    weak: list[int] = field(default_factory=list)
    fields: list[list[float]] = field(default_factory=lambda: [[0.0, 0.0, 0.0] for _ in range(64)])
    """The field of all resting men at each sensor."""
    moving: dict[int, list[float]] = field(default_factory=dict)
    """What the men in motion add, at the squares within their reach."""
    _resting: dict[int, tuple[Man, Place]] = field(default_factory=dict)
    _flying: dict[int, tuple[Man, Place]] = field(default_factory=dict)
    _marginal: set[int] = field(default_factory=set)
    _stirred: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        rng = self.rng
        self.thresholds = [max(0.7, rng.gauss(1, self.sensors.spread)) for _ in range(64)]
        for _ in range(count(rng, self.sensors.weak)):
            square = rng.randrange(64)
            self.thresholds[square] = rng.uniform(*(WEAK_REED if self.kind is SensorKind.REED else WEAK_HALL))
            self.weak.append(square)

    @property
    def kind(self) -> SensorKind:
        """Hall sensors tell colour and field; reeds tell occupancy, and stand in for a tag reader's range."""
        return SensorKind.HALL if self.sensing in (Sensing.COLOUR, Sensing.FIELD) else SensorKind.REED

    def rest(self, man: Man, place: Place) -> None:
        """That man stands still there now."""
        self._resting[id(man)] = (man, place)
        self._add(man, place, 1)

    def stir(self, man: Man) -> None:
        """That man is in motion from now on."""
        _, place = self._resting.pop(id(man))
        self._add(man, place, -1)

    def fly(self, motions: list[tuple[Man, list[Point]]], t_ms: float, sweep_ms: float) -> None:
        """Men in motion act where they are as each rank is read, from `t_ms` on."""
        self._stirred.update(self.moving)
        self.moving.clear()
        self._flying.clear()
        for man, stretch in motions:
            place = place_on(stretch, t_ms)
            self._flying[id(man)] = (man, place)
            for rank in _within(place[1]):
                self._add_rank(man, place_on(stretch, t_ms + sweep_ms * rank / 8), rank)
        self._stirred.update(self.moving)

    def look(self) -> list[int]:
        """Read all switches that may have changed; the squares of those that did."""
        changed = []
        noise = self.sensors.field_noise
        for square in sorted(self._stirred | self._marginal):
            vector = self.vector(square)
            factor = self.thresholds[square] * (1 + self.rng.gauss(0, 3 * noise))
            state = switched(self.kind, self.states[square], vector, factor)
            if state != self.states[square]:
                changed.append(square)
                self.states[square] = state
        if self.sensing is Sensing.IDENTITY:
            for square in self._stirred:
                self.seen[square] = self._tag(square)
        self._sort_marginal()
        self._stirred.clear()
        return changed

    @property
    def restless(self) -> bool:
        """Whether the next look may find a change."""
        return bool(self._marginal or self._stirred)

    def vector(self, square: int) -> tuple[float, float, float]:
        """The field at a sensor now."""
        x, y, z = self.fields[square]
        extra = self.moving.get(square)
        return (x + extra[0], y + extra[1], z + extra[2]) if extra else (x, y, z)

    def _sort_marginal(self) -> None:
        on, off = (REED_ON, REED_OFF) if self.kind is SensorKind.REED else (HALL_ON, HALL_OFF)
        for square in self._stirred:
            x, y, z = self.fields[square]
            strength = sqrt(x * x + y * y + z * z) if self.kind is SensorKind.REED else abs(z)
            near = (off if self.states[square] else on) * self.thresholds[square]
            if abs(strength - near) < 12 * self.sensors.field_noise * near:
                self._marginal.add(square)
            else:
                self._marginal.discard(square)

    def _strength(self, man: Man) -> float:
        if self.kind is SensorKind.HALL and man.piece.colour is Colour.BLACK:
            return -man.strength
        return man.strength

    def _add(self, man: Man, place: Place, sign: int) -> None:
        x, y, h = place
        strength = sign * self._strength(man)
        for rank in _within(y):
            for file in _within(x):
                dx, dy = file - x, rank - y
                if dx * dx + dy * dy < REACH * REACH:
                    square = 8 * rank + file
                    total, part = self.fields[square], field_at(dx, dy, h)
                    for axis in range(3):
                        total[axis] += strength * part[axis]
                    self._stirred.add(square)

    def _add_rank(self, man: Man, place: Place, rank: int) -> None:
        x, y, h = place
        strength = self._strength(man)
        dy = rank - y
        for file in _within(x):
            dx = file - x
            if dx * dx + dy * dy < REACH * REACH:
                bx, by, bz = field_at(dx, dy, h)
                total = self.moving.setdefault(8 * rank + file, [0.0, 0.0, 0.0])
                total[0] += strength * bx
                total[1] += strength * by
                total[2] += strength * bz

    def _tag(self, square: int) -> Man | None:
        """The man whose tag a reader there sees: the nearest in reach."""
        file, rank = square & 7, square >> 3
        best, nearest = None, TAG_REACH
        for man, (x, y, h) in [*self._resting.values(), *self._flying.values()]:
            far = hypot(x - file, y - rank, 2 * h)
            if far < nearest:
                best, nearest = man, far
        return best


def _within(middle: float) -> range:
    """Files or ranks within reach of a coordinate."""
    return range(max(0, ceil(middle - REACH)), min(8, floor(middle + REACH) + 1))
