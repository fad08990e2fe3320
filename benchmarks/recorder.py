"""`python -m benchmarks.recorder`: the recorder on simulated games, beside two simple decoders, on the same logs.

Each log is made from the game, the level and the seed, read by all decoders in one process, and dropped; so a run
needs no disk and can be repeated to the move. Two processes share the games. The sections `recorder` and
`recorder prices` of BENCHMARKS.md are written anew.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields, replace
from pathlib import Path

from benchmarks.decoding import Change, Decoded, decode
from benchmarks.random_games import random_games
from benchmarks.scoring import Score, broken, score
from benchmarks.section import write_section
from benchmarks.simple_decoders import Published, read_lift_then_place, read_settled
from board_driver.mind import Settings
from board_driver.progressbar import ProgressBar
from board_driver.recorder import Recorder
from board_driver.recorder.prices import Prices
from board_driver.scan import Sensing
from board_driver.simulate import Level, Simulated, simulate_game
from board_driver.simulate.gamefile import ScoredGame, read_games
from board_driver.sweeping import settle
from rules.fen import parse_fen
from rules.uci import write_uci

GAMES = Path(__file__).parent.parent / "tests" / "data" / "games.txt"
RECORDER, SETTLED, LIFT_PLACE = "recorder", "settled pictures", "lift then place"


@dataclass(frozen=True, slots=True)
class Task:
    """One log, and who reads it. `prices` None: the recorder's own, and the simple decoders beside it."""

    game: ScoredGame
    level: Level
    seed: int
    sensing: Sensing = Sensing.OCCUPANCY
    prices: Prices | None = None
    beside: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task: the score of each decoder."""

    task: Task
    scores: dict[str, Score]


def perform(task: Task) -> Outcome:
    """Make the log and let the decoders read it."""
    simulated = simulate_game(task.game, task.level, task.seed, sensing=task.sensing)
    truth = simulated.performance.moves
    settled = [timing.settled_ms for timing in simulated.performance.timings]
    scores = {RECORDER: _recorded(task, simulated)}
    if task.beside and task.sensing is Sensing.OCCUPANCY:
        start = parse_fen(task.game.start_fen, chess960=task.game.chess960)
        for name, read in ((SETTLED, read_settled), (LIFT_PLACE, read_lift_then_place)):
            scores[name] = score(truth, settled, _decoded(task.game, read(start, simulated.scans)))
    return Outcome(task, scores)


def _recorded(task: Task, simulated: Simulated) -> Score:
    game = task.game
    settings = Settings(sensing=task.sensing, start_fen=game.start_fen, chess960=game.chess960)
    settled = [timing.settled_ms for timing in simulated.performance.timings]
    settle()  # as the commands do, so that what made the log is not collected on the recorder's time
    try:
        recorder = Recorder(settings) if task.prices is None else Recorder(settings, prices=task.prices)
        return score(game.moves, settled, decode(recorder, simulated.scans))
    except Exception:  # a benchmark counts what breaks and goes on
        return broken(len(game.moves), traceback.format_exc())


def _decoded(game: ScoredGame, published: Sequence[Published]) -> Decoded:
    """What a simple decoder published, in the recorder's terms."""
    position = parse_fen(game.start_fen, chess960=game.chess960)
    changes = []
    for ply, made in enumerate(published, 1):
        changes.append(Change(made.t_ms, ply, write_uci(position, made.move)))
        position = position.play(made.move)
    return Decoded(tuple(c.uci or "" for c in changes), frozenset(), tuple(changes))


def run(tasks: Iterable[Task], jobs: int) -> Iterator[Outcome]:
    """Perform tasks, in their order."""
    if jobs == 1:
        yield from map(perform, tasks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(perform, tasks, chunksize=4)


def priced() -> Iterator[tuple[str, Prices]]:
    """Each price halved and doubled, and all of them together."""
    usual = Prices()
    names = [field.name for field in fields(Prices)]
    for name in names:
        for word, factor in (("halved", 0.5), ("doubled", 2)):
            yield f"{name} {word}", replace(usual, **{name: scaled(getattr(usual, name), factor)})
    for word, factor in (("halved", 0.5), ("doubled", 2)):
        yield f"all {word}", replace(usual, **{name: scaled(getattr(usual, name), factor) for name in names})


def scaled(price: int, factor: float) -> int:
    """A price times a factor, at least 1."""
    return max(1, round(price * factor))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write the sections."""
    options = _parser().parse_args(arguments)
    levels = [Level(word) for word in options.levels.split(",")]
    real = read_games(GAMES, options.games)
    if not options.only_prices:
        _publish("recorder", _judge(options, levels, real), options.dry)
    if options.priced:
        noisy = [level for level in levels if level in (Level.ROUGH, Level.BLITZ)]
        few = real[:: max(1, len(real) // options.priced)][: options.priced]
        _publish("recorder prices", _price(options, noisy, few), options.dry)
    return 0


def _judge(options: argparse.Namespace, levels: list[Level], real: list[ScoredGame]) -> str:
    """The recorder and the simple decoders on real and random games, and the recorder with other sensings."""
    from benchmarks.recorder_report import Run, report  # noqa: PLC0415

    made = list(random_games(options.random, options.seed))
    sensings = [sensing for sensing in Sensing if sensing is not Sensing.OCCUPANCY]
    result = Run(levels, options.seed)
    result.real = _watched("real games", [Task(g, lv, options.seed) for lv in levels for g in real], options.jobs)
    result.made = _watched("random games", [Task(g, lv, options.seed) for lv in levels for g in made], options.jobs)
    others = [Task(g, lv, options.seed, s) for s in sensings for lv in levels for g in real[: options.sensings]]
    result.sensings = _watched("other sensings", others, options.jobs)
    return report(result)


def _price(options: argparse.Namespace, levels: Sequence[Level], games: Sequence[ScoredGame]) -> str:
    """The recorder with each price changed."""
    from benchmarks.recorder_report import report_prices  # noqa: PLC0415

    variants = [("as they are", Prices()), *priced()]
    each = [(game, level) for level in levels for game in games]
    tasks = [Task(g, lv, options.seed, prices=p, beside=False) for _, p in variants for g, lv in each]
    outcomes = _watched("prices", tasks, options.jobs)
    named = {name: outcomes[k * len(each) : (k + 1) * len(each)] for k, (name, _) in enumerate(variants)}
    return report_prices(levels, named)


def _publish(section: str, text: str, dry: bool) -> None:
    print(text, flush=True)
    if not dry:
        write_section(section, text)


def _watched(what: str, tasks: list[Task], jobs: int) -> list[Outcome]:
    progress, outcomes = ProgressBar(len(tasks), sys.stderr), []
    for outcome in run(tasks, jobs):
        outcomes.append(outcome)
        progress.step(len(outcomes), what)
    progress.clear()
    return outcomes


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recorder", description=__doc__)
    parser.add_argument("--games", type=int, metavar="N", help="only the first N real games (default: all)")
    parser.add_argument("--levels", default="clean,club,rough,blitz", help="which levels, with commas")
    parser.add_argument("--random", type=int, default=40, metavar="N", help="so many random games (default: 40)")
    parser.add_argument("--seed", type=int, default=1, help="of hands, sensors and random games (default: 1)")
    parser.add_argument("--sensings", type=int, default=12, metavar="N", help="real games for each other sensing")
    parser.add_argument("--priced", type=int, default=6, metavar="N", help="real games for each changed price")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--only-prices", action="store_true", help="only the table of prices")
    parser.add_argument("--dry", action="store_true", help="print only, leave BENCHMARKS.md alone")
    return parser


if __name__ == "__main__":
    sys.exit(main())
