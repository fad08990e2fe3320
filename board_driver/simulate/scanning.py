"""The scanner: what reaches the log of moving magnets, as scans in the driver's own vocabulary.

The scanner reads rank after rank at its own, slightly uneven pace (so a picture may hold a man twice or not at all).
A scan that differs in nothing from the one before is not reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from board_driver.scan import Colours, Field, Identity, Occupancy, Reading, Scan, Sensing
from board_driver.simulate.faults import Faults
from board_driver.simulate.levels import Sensors
from board_driver.simulate.men import Man, Point
from board_driver.simulate.switches import SWEEP, Switches
from board_driver.simulate.table import Happening

CENTRED = 100.0
"""What a Hall sensor reads under a centred man, in counts."""
FIELD_EVERY_MS = 1000
"""How often a `field` board reports when nothing moves."""


@dataclass(slots=True)
class Scanner:
    """A board's sensors and the loop that reads them. `hz` is this board's scan rate."""

    rng: Random
    sensors: Sensors
    sensing: Sensing
    hz: float
    happenings: list[Happening] = field(default_factory=list)
    weak: list[int] = field(default_factory=list)

    def scans(self, men: Sequence[Man], end_ms: float) -> Iterator[Scan]:
        """All scans reported from 0 to `end_ms`, the first and the last among them."""
        period = 1000 / self.hz
        switches = Switches(self.rng, self.sensors, self.sensing)
        faults = Faults(self.rng, self.sensors, period, end_ms, self.happenings)
        self.weak.extend(switches.weak)
        for man in men:
            switches.rest(man, man.track[0][1:])
        waiting = sorted(((m, s) for m in men for s in m.stretches()), key=lambda motion: -motion[1][0].t_ms)
        readings = _Readings(self.rng, self.sensors, switches)
        active: list[tuple[Man, list[Point]]] = []
        switches.look()
        t_ms, last, was_busy = 0.0, None, True
        while t_ms < end_ms:
            active = _advance(active, waiting, switches, t_ms)
            busy = bool(active) or switches.restless or faults.busy(t_ms)
            if not busy and not was_busy:
                if self.sensing is Sensing.FIELD:
                    yield Scan(round(t_ms), readings.of(switches.states))
                next_ms = min(waiting[-1][1][0].t_ms if waiting else end_ms, faults.next_ms(), end_ms)
                t_ms += self._quiet_ms(next_ms - t_ms)
                continue
            if not faults.lost(t_ms):
                if active or switches.moving:
                    switches.fly(active, t_ms, period * SWEEP)
                for square in switches.look():
                    faults.changed(square, t_ms)
                reading = readings.of(faults.reading(switches.states, t_ms))
                if reading != last:
                    yield Scan(round(t_ms), reading)
                    last = reading
                was_busy = busy
            t_ms += period * max(0.3, self.rng.gauss(1, self.sensors.jitter)) if self.sensors.jitter else period
        yield Scan(round(t_ms), readings.of(switches.states))

    def _quiet_ms(self, until_next_ms: float) -> float:
        """Time to the scan at which something happens next, whole periods; a field is reported now and then."""
        period = 1000 / self.hz
        if self.sensing is Sensing.FIELD:
            until_next_ms = min(until_next_ms, FIELD_EVERY_MS)
        return period * max(1, int(until_next_ms / period))


def _advance(
    active: list[tuple[Man, list[Point]]], waiting: list[tuple[Man, list[Point]]], switches: Switches, t_ms: float
) -> list[tuple[Man, list[Point]]]:
    """Men begin to move and come to rest as their tracks say; those in motion at `t_ms`."""
    going = []
    for man, stretch in active:
        if stretch[-1].t_ms <= t_ms:
            switches.rest(man, stretch[-1][1:])
        else:
            going.append((man, stretch))
    while waiting and waiting[-1][1][0].t_ms <= t_ms:
        man, stretch = waiting.pop()
        switches.stir(man)
        if stretch[-1].t_ms <= t_ms:
            switches.rest(man, stretch[-1][1:])
        else:
            going.append((man, stretch))
    return going


@dataclass(slots=True)
class _Readings:
    """Turns what the switches say into what the board reports, by its kind of sensing."""

    rng: Random
    sensors: Sensors
    switches: Switches
    offsets: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.offsets = [self.rng.gauss(0, 300 * self.sensors.field_noise) for _ in range(64)]

    def of(self, shown: list[int]) -> Reading:
        match self.switches.sensing:
            case Sensing.OCCUPANCY:
                return Occupancy(_bits(shown, 1) | _bits(shown, -1))
            case Sensing.COLOUR:
                return Colours(_bits(shown, 1), _bits(shown, -1))
            case Sensing.IDENTITY:
                seen = self.switches.seen
                return Identity(tuple(m.piece if state and m else None for state, m in zip(shown, seen, strict=True)))
            case Sensing.FIELD:
                return Field(tuple(self._counts(square, shown[square]) for square in range(64)))

    def _counts(self, square: int, shown: int) -> float:
        """A raw reading; a fault shows as a reading that belongs to what it pretends."""
        upright = self.switches.vector(square)[2]
        if shown != self.switches.states[square]:
            upright = float(shown)
        noise = self.rng.gauss(0, CENTRED * self.sensors.field_noise)
        return round(CENTRED * upright / self.switches.thresholds[square] + self.offsets[square] + noise)


def _bits(shown: list[int], sign: int) -> int:
    bits = 0
    for square, state in enumerate(shown):
        if state == sign:
            bits |= 1 << square
    return bits
