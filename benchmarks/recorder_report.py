"""The recorder's section of BENCHMARKS.md, made of outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.recorder import LIFT_PLACE, RECORDER, SETTLED, Outcome
from benchmarks.scoring import Tally, tally
from benchmarks.section import table
from board_driver.scan import Sensing
from board_driver.simulate import Level

_HEAD = """\
## The recorder

Simulated hands (`touchmove simulate`) play games; the logs are read by the recorder and by two simple decoders that
stand for how others do it (`benchmarks/simple_decoders.py`), all in one run. `make bench-recorder` repeats it.

- *exact*: games with every ply right, as finally recorded. A promotion to another piece counts as right where the
  ply is marked uncertain, since an occupancy board cannot tell.
- *live*: what stood on the page 0.5 s after each move's last piece had settled: share of plies, and games with all.
- *before*: mean number of right plies before the first wrong one, over the games that are not exact.
- *marked*: share of plies marked uncertain; *unmarked right*: share of the others that are right.
- *latency*: from the last piece settling to the first publication of the right move, median and 95th percentile.
- *ms a ply*: processor time, mean; *worst*: the longest single scan."""


@dataclass(slots=True)
class Run:
    """All outcomes of a run."""

    levels: list[Level]
    seed: int
    real: list[Outcome] = field(default_factory=list)
    made: list[Outcome] = field(default_factory=list)
    sensings: list[Outcome] = field(default_factory=list)


def report(run: Run) -> str:
    """The section's text."""
    parts = [_HEAD, f"### Real games, occupancy sensing, seed {run.seed}", _main_table(run.levels, run.real)]
    if run.made:
        parts += ["### Random games (captures, castling, promotions)", _main_table(run.levels, run.made)]
    if run.sensings:
        parts += ["### Other sensings", _sensing_table(run.levels, run.sensings)]
    broke = [s.broke for o in [*run.real, *run.made, *run.sensings] for s in o.scores.values() if s.broke]
    if broke:
        parts += [f"### Broken\n\n{len(broke)} logs ended with an error; the first:\n\n```\n{broke[0].strip()}\n```"]
    return "\n\n".join(parts)


def report_prices(levels: Sequence[Level], outcomes: Mapping[str, Sequence[Outcome]]) -> str:
    """The section on prices: the outcomes for each change, by its name."""
    return f"{_PRICES}\n\n{_price_table(levels, outcomes)}"


_PRICES = """\
### The recorder's prices halved and doubled

Games exact as finally recorded, and plies right live, with each price of the model changed alone and all of them
changed together (`board_driver/recorder/prices.py`)."""


def _main_table(levels: Sequence[Level], outcomes: Sequence[Outcome]) -> str:
    head = [
        "level", "decoder", "games", "exact", "live exact", "live plies", "before", "marked", "unmarked right",
        "latency ms", "ms a ply", "worst ms",
    ]  # fmt: skip
    rows = []
    for level in levels:
        for name in (RECORDER, SETTLED, LIFT_PLACE):
            scores = [o.scores[name] for o in outcomes if o.task.level is level and name in o.scores]
            if scores:
                rows.append([level.value, name, *_cells(tally(scores), timed=name == RECORDER)])
    return table(head, rows)


def _cells(sums: Tally, *, timed: bool) -> list[str]:
    return [
        str(sums.games),
        percent(sums.exact),
        percent(sums.exact_live),
        percent(sums.live_right),
        "" if sums.before_error is None else f"{sums.before_error:.0f}",
        percent(sums.marked) if timed else "",
        percent(sums.calibration, 3) if timed else "",
        _latency(sums),
        f"{sums.cpu_ms_a_ply:.1f}" if timed else "",
        f"{sums.worst_ms:.0f}" if timed else "",
    ]


def percent(share: float, digits: int = 1) -> str:
    """A share in percent; 100 % only where it is whole."""
    text = f"{100 * share:.{digits}f}"
    if share < 1 and float(text) == 100:
        text = f"{100 - 10**-digits:.{digits}f}"
    return f"{text} %"


def _latency(sums: Tally) -> str:
    if sums.latency_ms is None or sums.latency_95_ms is None:
        return ""
    return f"{sums.latency_ms:.0f} / {sums.latency_95_ms:.0f}"


def _sensing_table(levels: Sequence[Level], outcomes: Sequence[Outcome]) -> str:
    head = ["sensing", "level", "games", "exact", "live plies", "marked", "unmarked right", "ms a ply", "worst ms"]
    rows = []
    for sensing in Sensing:
        for level in levels:
            scores = [o.scores[RECORDER] for o in outcomes if o.task.level is level and o.task.sensing is sensing]
            if scores:
                sums = tally(scores)
                rows.append([
                    sensing.value, level.value, str(sums.games), percent(sums.exact), percent(sums.live_right),
                    percent(sums.marked), percent(sums.calibration, 3), f"{sums.cpu_ms_a_ply:.1f}",
                    f"{sums.worst_ms:.0f}",
                ])  # fmt: skip
    return table(head, rows)


def _price_table(levels: Sequence[Level], changed: Mapping[str, Sequence[Outcome]]) -> str:
    rows = []
    for name, outcomes in changed.items():
        cells = []
        for level in levels:
            sums = tally([o.scores[RECORDER] for o in outcomes if o.task.level is level])
            cells += [f"{round(sums.exact * sums.games)} of {sums.games}", percent(sums.live_right)]
        rows.append([name, *cells])
    head = ["price"]
    for level in levels:
        head += [level.value, "live plies"]
    return table(head, rows)
