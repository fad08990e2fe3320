"""What goes wrong between a square and the log: chatter, glitches, stuck squares, bumps, lost and torn scans.

Faults act on what the switches say (0, 1 or -1 for each square), never on the magnets.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, inf
from random import Random

from board_driver.simulate.levels import Sensors
from board_driver.simulate.table import Happening

MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Spell:
    """A fault that lasts. `square` is None where it is the whole board's."""

    start_ms: float
    end_ms: float
    square: int | None = None


@dataclass(slots=True)
class Faults:
    """All faults of one game, drawn beforehand for its length, and those that arise as switches change."""

    rng: Random
    sensors: Sensors
    period_ms: float
    end_ms: float
    happenings: list[Happening] = field(default_factory=list)
    _glitches: list[Spell] = field(default_factory=list)
    _shakes: list[Spell] = field(default_factory=list)
    _outages: list[Spell] = field(default_factory=list)
    _stuck: list[Spell] = field(default_factory=list)
    _held: dict[int, int] = field(default_factory=dict)
    _chatter: dict[int, float] = field(default_factory=dict)
    _before: list[int] | None = None

    def __post_init__(self) -> None:
        rng, sensors, minutes = self.rng, self.sensors, self.end_ms / MINUTE_MS
        period = self.period_ms
        self._glitches = self._spells("glitch", sensors.glitches_per_minute * minutes, 0.9 * period, 3 * period, True)
        self._shakes = self._spells("shake", sensors.shakes_per_minute * minutes, 60, 250, False)
        self._outages = self._spells("outage", sensors.outages_per_minute * minutes, 300, 900, False)
        self._stuck = self._spells("stuck", sensors.stuck, 1000, 20_000, True)
        rng.random()

    def _spells(self, what: str, mean: float, shortest: float, longest: float, one_square: bool) -> list[Spell]:
        spells = []
        for _ in range(count(self.rng, mean)):
            start = self.rng.uniform(0, self.end_ms)
            square = self.rng.randrange(64) if one_square else None
            spells.append(Spell(start, start + self.rng.uniform(shortest, longest), square))
            self.happenings.append(Happening(round(start), 0, what))
        return sorted(spells, key=lambda spell: -spell.start_ms)

    def busy(self, t_ms: float) -> bool:
        """Whether any fault acts or begins now, so that the scan must be looked at."""
        return bool(self._chatter) or any(
            spells and spells[-1].start_ms <= t_ms for spells in (self._glitches, self._shakes, self._stuck)
        )

    def next_ms(self) -> float:
        """When the next fault begins that may act on a board at rest."""
        return min((s[-1].start_ms for s in (self._glitches, self._shakes, self._stuck) if s), default=inf)

    def changed(self, square: int, t_ms: float) -> None:
        """A switch changed; it may chatter."""
        if self.sensors.bounce and self.rng.random() < self.sensors.bounce:
            self._chatter[square] = t_ms + self.rng.uniform(10, 60)

    def lost(self, t_ms: float) -> bool:
        """Whether this scan never arrives."""
        return _acting(self._outages, t_ms) is not None or (
            self.sensors.lost > 0 and self.rng.random() < self.sensors.lost
        )

    def reading(self, states: list[int], t_ms: float) -> list[int]:
        """What is read where the switches say `states`."""
        shown = states.copy()
        for square in [s for s, until in self._chatter.items() if until <= t_ms]:
            del self._chatter[square]
        for square in self._chatter:
            if self.rng.random() < 0.5:
                shown[square] = 0 if states[square] else 1
        self._hold(shown, t_ms)
        glitch = _acting(self._glitches, t_ms)
        if glitch is not None and glitch.square is not None:
            shown[glitch.square] = 0 if states[glitch.square] else 1
        if _acting(self._shakes, t_ms) is not None:
            shown = [0 if state and self.rng.random() < 0.12 else state for state in shown]
        return self._torn(shown)

    def _hold(self, shown: list[int], t_ms: float) -> None:
        stuck = _acting(self._stuck, t_ms)
        if stuck is None or stuck.square is None:
            self._held.clear()
        else:
            shown[stuck.square] = self._held.setdefault(stuck.square, shown[stuck.square])

    def _torn(self, shown: list[int]) -> list[int]:
        before, self._before = self._before, shown
        if before is None or not self.sensors.torn or self.rng.random() >= self.sensors.torn:
            return shown
        split = 8 * self.rng.randrange(1, 8)
        if self.rng.random() < 0.5:
            return before[:split] + shown[split:]
        return shown[:split] + before[split:]


def count(rng: Random, mean: float) -> int:
    """How many times something happens that happens `mean` times on average (Poisson)."""
    limit, product, number = exp(-min(mean, 500)), rng.random(), 0
    while product > limit:
        product *= rng.random()
        number += 1
    return number


def _acting(spells: list[Spell], t_ms: float) -> Spell | None:
    """The spell that acts now; spells that are over are dropped (they are sorted, the next one last)."""
    while spells and spells[-1].end_ms <= t_ms:
        spells.pop()
    return spells[-1] if spells and spells[-1].start_ms <= t_ms else None
