"""What one step of calibrating shows to be wrong [pure].

`shifts` are how far each square has moved from its zero, a1 first; `level` is what a common piece moves one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean, median

from board_driver.boards.hallsteps import Finding, Step, expected_sign
from rules.squares import Square, square_name

MISSING_SHARE = 0.25
"""Of the median level: less is no piece."""
DRIFT_SHARE = 0.1
"""Of the median level: empty squares that moved together by more have drifted."""


def findings_of(step: Step, shifts: Sequence[float], level: float) -> tuple[Finding, ...]:
    """What is wrong with that step's board, the worst first."""
    should = [square for square in range(64) if expected_sign(step, square)]
    findings = [
        *_absent(step, shifts, should, level),
        *_intruders(shifts, should, level),
        *_one_sided(step, shifts, level),
        *_drifted(shifts, should, level),
    ]
    return tuple(sorted(findings, key=lambda finding: not finding.stops))


def _absent(step: Step, shifts: Sequence[float], should: Iterable[int], level: float) -> list[Finding]:
    absent = [s for s in should if abs(shifts[s]) < MISSING_SHARE * level]
    if len(absent) > 8:
        word = "White" if all(expected_sign(step, s) > 0 for s in absent) else "Black"
        one_army = len({expected_sign(step, s) for s in absent}) == 1
        whose = f"{word}'s pieces are not felt" if one_army else f"{len(absent)} pieces are not felt"
        text = f"{whose}: are they all there? Sensors for one pole only, or magnets too weak, look like this"
        return [Finding(text, True)]
    return [
        Finding(f"{square_name(Square(s))} feels nothing: is its piece there, and over the sensor?", True)
        for s in absent
    ]


def _intruders(shifts: Sequence[float], should: Sequence[int], level: float) -> list[Finding]:
    rest = [s for s in range(64) if s not in should]
    drift = median(shifts[s] for s in rest)
    return [
        Finding(f"{square_name(Square(s))} should be empty, but a piece is felt there", True)
        for s in rest
        if abs(shifts[s] - drift) > 0.5 * level
    ]


def _one_sided(step: Step, shifts: Sequence[float], level: float) -> list[Finding]:
    """Both armies move their sensors the same way: their magnets are alike, and colours cannot be told."""
    means = [fmean(shifts[s] for s in range(64) if expected_sign(step, s) == sign) for sign in (1, -1)]
    if means[0] * means[1] > 0 and min(map(abs, means)) > 0.5 * level:
        text = "White's and Black's magnets lie the same way round: turn one army's, or colours cannot be told"
        return [Finding(text, True)]
    return []


def _drifted(shifts: Sequence[float], should: Sequence[int], level: float) -> list[Finding]:
    drift = median(shifts[s] for s in range(64) if s not in should)
    if abs(drift) <= DRIFT_SHARE * level:
        return []
    text = (
        f"all sensors have drifted by {drift / level:.0%} of a piece since the board was empty: let the board warm up"
    )
    return [Finding(text, abs(drift) > 3 * DRIFT_SHARE * level)]
