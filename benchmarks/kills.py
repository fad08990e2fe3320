"""Killing the daemon in the middle of games, to see that nothing is lost: `python -m benchmarks.kills --kills 1000`.

Real games are played move by move into a daemon with a journal, which runs in a process of its own (`kills_life`). At
random instants that process gets SIGKILL: between two inputs, while one is being worked on, while it is starting up.
Half of the time the power goes with it: of everything that was not synced the disk keeps what `baddisk` lets it, down
to half a write. Now and then the disk is full for a while. Then the daemon is started again, its sensors are read, and
the hands go on.

What is checked: after each start everything that was told and kept before the kill stands (score, time of each move,
position, obligation, what is wrong and what puts it right); at the end of each game the score is that of the game,
once, and so is the PGN on disk.

Exit status 1 and the seed of the failing game where that is not so.
"""

from __future__ import annotations

import argparse
import errno
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.baddisk import Disk, Taken, compile_shim
from benchmarks.kills_life import BadDisk, Process, Told, log_of, start
from benchmarks.section import table, write_section
from board_driver import scribe as scribe_module
from board_driver.mind import Mode, Settings, TouchRule
from board_driver.scan import Input, Press, Scan
from board_driver.simulate.gamefile import ScoredGame, read_games
from board_driver.store.retelling import retell
from board_driver.store.rows import Passed
from rules.clock import parse_time_control
from rules.fen import parse_fen
from rules.pgn import read_games as read_pgn
from rules.squares import Colour
from rules.uci import parse_uci, write_uci

GAMES = Path(__file__).parents[1] / "tests" / "data" / "games.txt"
LONGEST_STEPS = 60
LONG = parse_time_control("10h+5")
"""How many inputs a life may last."""
STARTUP_SHARE, CUT_SHARE, FULL_SHARE = 0.1, 0.5, 0.15
"""Of the kills: how many are followed by one while starting, are a cut of the power, come after a full disk."""


class LostError(Exception):
    """Something that had been told was gone, or came twice."""


@dataclass
class Tally:
    """What was done and seen."""

    games: int = 0
    kills: int = 0
    cuts: Counter[Taken] = field(default_factory=Counter)
    torn: Counter[str] = field(default_factory=Counter)
    full: int = 0
    at_startup: int = 0
    plies: int = 0
    slowest_start_s: float = 0.0

    def lines(self) -> list[str]:
        """For a person."""
        cuts = ", ".join(f"{taken.value} {self.cuts[taken]}" for taken in Taken if self.cuts[taken])
        torn = ", ".join(f"{part} {count}" for part, count in sorted(self.torn.items()))
        return [
            f"{self.kills} kills in {self.games} games ({self.plies} plies), {self.at_startup} of them while starting: "
            f"0 moves lost, 0 doubled; slowest start {self.slowest_start_s:.2f} s",
            f"{self.cuts.total()} with a cut of the power, which took of what was not synced: {cuts or '-'}",
            f"the journal's log was torn in its {torn or '-'}",
            f"{self.full} times the disk was full meanwhile",
        ]

    def report(self, seed: int) -> str:
        """The section for BENCHMARKS.md."""
        rows = [[f"power cut, which takes {_WORDS[taken]}", f"{self.cuts[taken]:,}"] for taken in Taken]
        rows += [[f"journal's log torn in its {part}", f"{count:,}"] for part, count in sorted(self.torn.items())]
        rows += [["while starting", f"{self.at_startup:,}"], ["disk full or failing meanwhile", f"{self.full:,}"]]
        told = table(["of these kills", "times"], rows)
        return (
            f"## Kills\n\n`make kills`, seed {seed}: the daemon of {self.games} real games ({self.plies:,} plies, both "
            f"minds) was killed {self.kills:,} times. **0 moves lost, 0 doubled**; after each start score, time of "
            "each move, position, obligation and what is wrong were those told before, or, where one input was being "
            f"worked on, those after it.\n\n{told}"
        )


_WORDS = {
    Taken.NOTHING: "nothing that was not synced",
    Taken.ALL: "all that was not synced",
    Taken.END: "the end of it, from any byte on",
    Taken.SECTORS: "sectors of it, which stay old",
    Taken.ZEROED: "sectors of it, which read as zeros",
    Taken.NOISE: "sectors of it, which read as noise",
}


def play(game: ScoredGame, settings: Settings, luck: random.Random, tally: Tally, most_kills: int) -> None:
    """One game with kills at random instants. Raises LostError."""
    scribe_module.EVERY_S = 0.02
    start_position = parse_fen(settings.start_fen, chess960=settings.chess960)
    moves, wanted, position = [], [], start_position
    for text in game.moves:
        moves.append(parse_uci(position, text))
        wanted.append(write_uci(position, moves[-1]))
        position = position.play(moves[-1])
    items = list(retell(replace(settings, time_control=None), start_position, moves))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "state"
        folder.mkdir()
        evening = _Evening(folder, settings, luck, tally, most_kills)
        told = evening.play(items)
        if list(told.moves) != wanted:
            raise LostError(f"expected {' '.join(wanted)}\n     got {' '.join(told.moves)}")
        files = list((folder / "games").glob("*.pgn"))
        if len(files) != 1:
            raise LostError(f"expected one PGN file, got {len(files)}")
        (written,) = read_pgn(files[0].read_text(encoding="utf-8"))
        if list(written.moves) != moves:
            raise LostError(f"the PGN holds {len(written.moves)} moves of {len(moves)}")
    tally.games += 1
    tally.plies += len(moves)


class _Evening:
    """A game and its kills."""

    def __init__(self, folder: Path, settings: Settings, luck: random.Random, tally: Tally, most_kills: int) -> None:
        self._folder = folder
        self._settings = settings
        self._luck = luck
        self._tally = tally
        self._kills_left = most_kills
        self._disk = Disk(folder, log_of(folder))
        self._process = start(folder, settings)
        self._seen: Scan | None = None
        self._pressed = 0
        self._left = self._life()
        """How many inputs this life has left."""
        self._full_for = 0
        """How many inputs the disk stays full."""

    def play(self, items: Sequence[Input | Passed]) -> Told:
        """Show these to the daemon in one life after the other; what it told at last."""
        self._expect("up", "the daemon did not start")
        for item in items:
            self._show(item)
            if self._settings.clock and isinstance(item, Scan):
                self._press(item.t_ms + self._settings.settle_ms + 100)
        self._make_room()
        self._give(Passed(items[-1].t_ms + 10_000))  # should the last scan have been read anew, it settles
        if self._process.end() != 0:
            raise LostError("the daemon ended in disorder")
        self._disk.read()
        self._tally.torn += self._disk.torn
        assert self._process.told is not None
        return self._process.told

    # -- within

    def _show(self, item: Input | Passed) -> None:
        """The next input; or its middle, and a kill."""
        self._tend_disk()
        self._left -= 1
        if self._left > 0 or self._kills_left <= 0 or self._full_for:
            self._give(item)
            self._seen = item if isinstance(item, Scan) else self._seen
            return
        self._seen = item if isinstance(item, Scan) else self._seen
        is_amid = self._luck.random() < 0.5
        if is_amid:
            self._process.send(item)
            _wait(self._luck.random() ** 2 * 0.004)
        else:
            self._give(item)
        self._kill(is_amid)
        self._left = self._life()
        if self._seen is not None:
            self._give(replace(self._seen, t_ms=item.t_ms))  # the sensors are read anew
        if is_amid and not isinstance(item, Scan):
            self._show(item)  # a button is pressed again by one who sees nothing happen

    def _press(self, t_ms: int) -> None:
        """The clock, by the player who has moved."""
        self._give(Passed(t_ms))
        told = self._process.told
        if told is not None and len(told.moves) > self._pressed:
            self._pressed = len(told.moves)
            first = Colour.WHITE if parse_fen(self._settings.start_fen).turn is Colour.WHITE else Colour.BLACK
            mover = first if self._pressed % 2 else first.opponent
            self._show(Press(t_ms + 100, mover))

    def _give(self, item: Input | Passed) -> None:
        self._process.send(item)
        self._expect("ack", f"no answer to {item}")

    def _tend_disk(self) -> None:
        if self._full_for:
            self._full_for -= 1
            if not self._full_for:
                self._make_room()
        elif BadDisk().is_there and self._luck.random() < FULL_SHARE / LONGEST_STEPS * 2:
            self._full_for = self._luck.randint(1, 30)
            self._tally.full += 1
            self._process.refuse(self._luck.choice((errno.ENOSPC, errno.ENOSPC, errno.EIO, errno.EROFS)))
            self._expect("ack", "no answer on the full disk")

    def _make_room(self) -> None:
        self._full_for = 0
        self._process.refuse(0)
        self._expect("ack", "no answer after the full disk")

    def _kill(self, is_amid: bool) -> None:
        """The end of this life, perhaps of a few that do not get far, and the next one.

        `is_amid` says that an input was being worked on, and may or may not have been taken in.
        """
        luck, tally = self._luck, self._tally
        before = self._process
        self._end_life(before)
        while luck.random() < STARTUP_SHARE:
            process = start(self._folder, self._settings)
            _wait(luck.random() * 0.05)
            self._end_life(process)
            tally.at_startup += 1
        began = time.perf_counter()
        self._process = start(self._folder, self._settings)
        self._expect("up", "the daemon did not start again")
        tally.slowest_start_s = max(tally.slowest_start_s, time.perf_counter() - began)
        now = self._process.told
        kept = before.kept
        if kept is not None and (now is None or not (now.goes_on(kept) if is_amid else now == kept)):
            raise LostError(f"told before: {kept}\nafter it:    {now}")

    def _end_life(self, process: Process) -> None:
        process.kill()
        self._tally.kills += 1
        self._kills_left -= 1
        self._disk.read()
        if BadDisk().is_there and self._luck.random() < CUT_SHARE:
            taken = self._luck.choice((*Taken, Taken.END, Taken.END))
            self._disk.cut(taken, self._luck)
            self._tally.cuts[taken] += 1

    def _expect(self, word: str, problem: str) -> None:
        if not self._process.wait_for(word):
            raise LostError(problem)

    def _life(self) -> int:
        return self._luck.randint(1, LONGEST_STEPS)


def _wait(seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def run(kills: int, seed: int, say: bool = False) -> Tally:
    """Games, one after the other, until the daemon has been killed `kills` times. Raises LostError."""
    tally = Tally()
    games = [game for game in read_games(GAMES, None) if 20 <= len(game.moves) <= 160]
    for number in range(10**6):
        if tally.kills >= kills:
            break
        luck = random.Random(f"{seed}/{number}")
        game = luck.choice(games)
        mode = luck.choice((Mode.PLAY, Mode.RECORD))
        settings = Settings(
            mode=mode,
            touch=luck.choice((TouchRule.STRICT, TouchRule.FRIENDLY)),
            start_fen=game.start_fen,
            chess960=game.chess960,
            clock=mode is Mode.PLAY and luck.random() < 0.5,
            time_control=LONG if mode is Mode.PLAY and number % 2 else None,
        )
        try:
            play(game, settings, luck, tally, kills - tally.kills)
        except LostError as problem:
            raise LostError(f"seed {seed}, game {number} ({game.id}, {settings.mode.value}): {problem}") from None
        if say:
            print(f"{tally.kills} kills in {tally.games} games, {tally.cuts.total()} cuts", file=sys.stderr)
    return tally


def main() -> int:
    """Say how it went."""
    parser = argparse.ArgumentParser(description="Kill the daemon at random instants of replayed games.")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if not BadDisk().is_there:
        _again_with_the_disk()
        print("no C compiler: the power is not cut and the disk never full", file=sys.stderr)
    try:
        tally = run(arguments.kills, arguments.seed, say=True)
    except LostError as problem:
        print(problem, file=sys.stderr)
        return 1
    print("\n".join(tally.lines()))
    if tally.kills >= 1000:
        write_section("kills", tally.report(arguments.seed))
    return 0


def _again_with_the_disk() -> None:
    """Begin this program again with the bad disk loaded before libc; comes back only where there is no compiler."""
    with tempfile.TemporaryDirectory() as name:
        shim = compile_shim(Path(name))
        if shim is None or "baddisk" in os.environ.get("LD_PRELOAD", ""):
            return
        environment = {**os.environ, "LD_PRELOAD": str(shim)}
        command = [sys.executable, "-m", "benchmarks.kills", *sys.argv[1:]]
        sys.exit(os.spawnve(os.P_WAIT, sys.executable, command, environment))


if __name__ == "__main__":
    sys.exit(main())
