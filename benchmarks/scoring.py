"""Comparing what a decoder wrote down with what the hands did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median, quantiles

from benchmarks.decoding import Decoded, Page

LIVE_MS = 500
"""The page is looked at so long after a move's last piece has settled."""


@dataclass(frozen=True, slots=True)
class Score:
    """How one decoder did on one log."""

    plies: int
    exact: bool
    exact_live: bool
    first_error: int | None
    """Plies that are right before the first that is wrong; None for an exact game."""
    live_right: int
    marked: int
    settled_right: int
    """Plies not marked uncertain that are right; those not marked at all are `plies - marked`."""
    latencies_ms: tuple[float, ...]
    cpu_ms: float
    worst_ms: float
    broke: str = ""
    """The error that ended it, if one did."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How one decoder did on many logs. Shares are from 0 to 1."""

    games: int
    exact: float
    exact_live: float
    live_right: float
    before_error: float | None
    """Mean number of right plies before the first error, over the games with one."""
    marked: float
    calibration: float
    latency_ms: float | None
    latency_95_ms: float | None
    cpu_ms_a_ply: float
    worst_ms: float
    broke: int


def score(truth: Sequence[str], settled_ms: Sequence[float], decoded: Decoded) -> Score:
    """Compare a decoded game with the truth, ply by ply, as it ended and as it stood live."""
    right = [
        ply <= len(decoded.moves) and same(decoded.moves[ply - 1], uci, ply in decoded.uncertain)
        for ply, uci in enumerate(truth, 1)
    ]
    exact = all(right) and len(decoded.moves) == len(truth) and decoded.whole
    live = live_plies(truth, settled_ms, decoded)
    marked = [ply in decoded.uncertain for ply in range(1, len(truth) + 1)]
    first = None if exact else next((k for k, ok in enumerate(right) if not ok), len(truth))
    return Score(
        plies=len(truth),
        exact=exact,
        exact_live=all(live),
        first_error=first,
        live_right=sum(live),
        marked=sum(marked),
        settled_right=sum(ok for ok, doubtful in zip(right, marked, strict=True) if not doubtful),
        latencies_ms=latencies(truth, settled_ms, decoded),
        cpu_ms=decoded.cpu_ms,
        worst_ms=decoded.worst_ms,
    )


def broken(plies: int, problem: str) -> Score:
    """The score of a decoder that raised."""
    return Score(plies, False, False, 0, 0, 0, 0, (), 0.0, 0.0, problem)


def same(got: str, truth: str, doubtful: bool) -> bool:
    """Whether a ply is right. A promotion to something else is, where the ply is marked uncertain."""
    return got == truth or (doubtful and len(truth) == 5 and got[:4] == truth[:4])


def live_plies(truth: Sequence[str], settled_ms: Sequence[float], decoded: Decoded) -> list[bool]:
    """For each ply, whether it stood on the page half a second after its last piece had settled."""
    page = Page(decoded.changes)
    right = [False] * len(truth)
    for at, ply in sorted((settled + LIVE_MS, ply) for ply, settled in enumerate(settled_ms)):
        moves = page.at(at)
        right[ply] = ply < len(moves) and moves[ply][:4] == truth[ply][:4]
    return right


def latencies(truth: Sequence[str], settled_ms: Sequence[float], decoded: Decoded) -> tuple[float, ...]:
    """For each ply that was ever published right, the time from its settling to that; 0 where it came before."""
    waits = []
    for ply, (uci, settled) in enumerate(zip(truth, settled_ms, strict=True), 1):
        times = [c.t_ms for c in decoded.changes if c.ply == ply and c.uci is not None and c.uci[:4] == uci[:4]]
        if times:
            waits.append(max(0.0, min(times) - settled))
    return tuple(waits)


def tally(scores: Sequence[Score]) -> Tally:
    """Sum up. There must be one score at least."""
    plies = sum(s.plies for s in scores)
    unmarked = plies - sum(s.marked for s in scores)
    waits = [wait for s in scores for wait in s.latencies_ms]
    errors = [s.first_error for s in scores if s.first_error is not None]
    return Tally(
        games=len(scores),
        exact=mean(s.exact for s in scores),
        exact_live=mean(s.exact_live for s in scores),
        live_right=sum(s.live_right for s in scores) / plies,
        before_error=mean(errors) if errors else None,
        marked=sum(s.marked for s in scores) / plies,
        calibration=sum(s.settled_right for s in scores) / unmarked if unmarked else 1.0,
        latency_ms=median(waits) if waits else None,
        latency_95_ms=quantiles(waits, n=20)[-1] if len(waits) > 1 else None,
        cpu_ms_a_ply=sum(s.cpu_ms for s in scores) / plies,
        worst_ms=max(s.worst_ms for s in scores),
        broke=sum(bool(s.broke) for s in scores),
    )
