"""A simulated game as a sensor log, and the truth that belongs to it.

Beside `NAME.jsonl` stands `NAME.truth.json`, one JSON object:

| key | meaning |
|---|---|
| `game`, `level`, `seed`, `sensing`, `scan_hz` | how it was made |
| `start_fen`, `chess960`, `result` | the game |
| `moves` | every ply of the game, as UCI; what was taken back is not in it |
| `lifted_ms`, `settled_ms` | for each ply, when its first man was lifted and its last man settled or left |
| `games_before` | with a reset, the game before it: `moves` and `settled_ms` |
| `happenings` | what else happened, in order: `t_ms`, `ply` (0: no ply's), `what` |
| `weak` | squares whose sensor is insensitive |

The log's header carries level, seed and that file's name in its `comment`.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from random import Random

from board_driver.scan import Scan, Sensing
from board_driver.sensorlog.header import Header
from board_driver.sensorlog.writer import LogWriter, TextSink, input_line
from board_driver.simulate.evening import Performance, play
from board_driver.simulate.extras import Extra
from board_driver.simulate.gamefile import ScoredGame
from board_driver.simulate.levels import LEVELS, Level
from board_driver.simulate.scanning import Scanner
from rules.squares import square_name


@dataclass(frozen=True, slots=True)
class Simulated:
    """A game as a board reported it, and what the hands did."""

    game: ScoredGame
    level: Level
    seed: int
    sensing: Sensing
    scan_hz: float
    scans: tuple[Scan, ...]
    performance: Performance
    weak: tuple[int, ...]

    def write_log(self, sink: TextSink, truth_name: str) -> None:
        """Write the sensor log; its comment says how it was made and that `truth_name` holds the truth."""
        writer = LogWriter(sink, self._header(truth_name))
        for scan in self.scans[:-1]:
            writer.write(scan)
        # The last scan repeats the one before, so that the log shows how long nothing more happened.
        sink.write(input_line(self.scans[-1]))

    def truth(self) -> dict[str, object]:
        """The object of the truth file."""
        performance = self.performance
        return {
            "game": self.game.id,
            "level": self.level.value,
            "seed": self.seed,
            "sensing": self.sensing.value,
            "scan_hz": self.scan_hz,
            "start_fen": self.game.start_fen,
            "chess960": self.game.chess960,
            "result": self.game.result,
            "moves": list(performance.moves),
            "lifted_ms": [round(timing.lifted_ms) for timing in performance.timings],
            "settled_ms": [round(timing.settled_ms) for timing in performance.timings],
            "games_before": [
                {"moves": list(played.moves), "settled_ms": [round(timing.settled_ms) for timing in played.timings]}
                for played in performance.games[:-1]
            ],
            "happenings": [{"t_ms": h.t_ms, "ply": h.ply, "what": h.what} for h in performance.happenings],
            "weak": [square_name(s) for s in self.weak],
        }

    def _header(self, truth_name: str) -> Header:
        made = f"game {self.game.id}, noise {self.level.value}, seed {self.seed}"
        return Header(
            sensing=self.sensing,
            start_fen=self.game.start_fen,
            chess960=self.game.chess960,
            scan_hz=round(self.scan_hz, 1),
            board="simulated hands",
            comment=f"{made}; the truth is in {truth_name}",
        )


def simulate_game(
    game: ScoredGame,
    level: Level,
    seed: int,
    *,
    sensing: Sensing = Sensing.OCCUPANCY,
    scan_hz: float | None = None,
    extras: Set[Extra] = frozenset(),
) -> Simulated:
    """Play a game with hands and sensors of that level. The same arguments give the same scans.

    The hands are the same for every sensing and scan rate, so that boards can be compared. `scan_hz` replaces the
    level's own.
    """
    noise = LEVELS[level]
    name = f"{seed}/{level.value}/{game.id}"
    performance = play(game, noise, Random(f"{name}/hands"), extras)
    rng = Random(f"{name}/board")
    drawn = rng.uniform(*noise.sensors.scan_hz)
    scanner = Scanner(rng, noise.sensors, sensing, scan_hz or drawn)
    scans = tuple(scanner.scans(performance.men, performance.end_ms))
    happenings = tuple(sorted([*performance.happenings, *scanner.happenings], key=lambda h: h.t_ms))
    performance = replace(performance, happenings=happenings)
    return Simulated(game, level, seed, sensing, scanner.hz, scans, performance, tuple(scanner.weak))
