"""Timing two ways of doing the same thing side by side.

This machine, like most, changes its speed from one second to the next, so microseconds mean little and ratios much: the
two run in turn in one process, CPU time is taken, and the median of the ratios of neighbours is what counts.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import thread_time_ns

Run = Callable[[], object]
Prepare = Callable[[], tuple[Run, Run]]
"""Makes everything a round needs, untimed, and gives the two that are timed: the peer's way and ours."""


@dataclass(frozen=True, slots=True)
class Duel:
    """One row of the table: what is done, what is expected, and how it is set up."""

    name: str
    target: float
    prepare: Prepare
    rounds: int = 15
    ours_repeated: int = 1
    """How often our way does the work within one run, where it is too fast for the clock."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came out: the peer's time over ours, and the least and the most of the rounds."""

    name: str
    target: float
    ratio: float
    least: float
    most: float

    @property
    def reached(self) -> bool:
        return self.ratio >= self.target


def fight(duel: Duel) -> Verdict:
    """Runs the rounds, after one that does not count."""
    ratios = [_round(duel, number) for number in range(-1, duel.rounds)][1:]
    return Verdict(duel.name, duel.target, median(ratios), min(ratios), max(ratios))


def _round(duel: Duel, number: int) -> float:
    theirs, ours = duel.prepare()
    gc.collect()
    gc.disable()
    try:
        if number % 2:
            ours_ns, theirs_ns = cpu_ns(ours), cpu_ns(theirs)
        else:
            theirs_ns, ours_ns = cpu_ns(theirs), cpu_ns(ours)
    finally:
        gc.enable()
    return theirs_ns * duel.ours_repeated / ours_ns


def cpu_ns(run: Run) -> int:
    """CPU time of one run."""
    begin = thread_time_ns()
    run()
    return thread_time_ns() - begin
