"""The field of a man's magnet at a sensor, and what a sensor makes of it.

A magnet in a man's foot is taken as a dipole that points down; the sensor lies `GAP` squares below the board's face.
Fields are in units of the field right under a man that stands in the middle of its square. A reed does not care for
direction, so it sees the length of the vector; a Hall sensor sees the part that stands upright, with its sign.
"""

from __future__ import annotations

from enum import Enum
from math import sqrt

GAP = 0.35
"""From the board's face down to the sensors, in squares: about 18 mm with 50 mm squares."""
REACH = 1.7
"""Beyond so many squares a magnet is taken to do nothing (under 1 % of the field in the middle)."""
REED_ON, REED_OFF = 0.22, 0.15
"""A reed closes within about 0.40 of its middle and opens beyond 0.47, or when a man is lifted 0.31 squares."""
HALL_ON, HALL_OFF = 0.13, 0.08
"""A Hall switch closes within about 0.32 of its middle and opens beyond 0.36."""

_K = GAP**3 / 2


class SensorKind(Enum):
    """What stands under the squares."""

    REED = "reed"
    HALL = "hall"


def field_at(dx: float, dy: float, h: float) -> tuple[float, float, float]:
    """The field vector of a magnet of strength 1 that stands (dx, dy) from the sensor, h above the board."""
    z = GAP + h
    across = dx * dx + dy * dy
    r2 = across + z * z
    scale = _K / (r2 * r2 * sqrt(r2))
    return 3 * z * dx * scale, 3 * z * dy * scale, (2 * z * z - across) * scale


def switched(kind: SensorKind, was: int, vector: tuple[float, float, float], threshold: float) -> int:
    """What a sensor reads now: 0, or the sign of the field (always 1 for a reed).

    `was` is its last reading (hysteresis); `threshold` multiplies both thresholds, above 1 for a weak square.
    """
    if kind is SensorKind.REED:
        x, y, z = vector
        strength = sqrt(x * x + y * y + z * z)
        return int(strength > threshold * (REED_OFF if was else REED_ON))
    upright = vector[2]
    sign = 1 if upright > 0 else -1
    return sign if abs(upright) > threshold * (HALL_OFF if was == sign else HALL_ON) else 0
