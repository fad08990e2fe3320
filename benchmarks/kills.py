"""Killing the daemon in the middle of games, to see that nothing is lost: `python -m benchmarks.kills --kills 1000`.

Real games are played move by move into a daemon with a journal, which runs in a process of its own. At random instants
that process gets SIGKILL (between two inputs, while one is being worked on, while it is starting up); now and then
the tail of what was not yet forced to the disk is torn off or overwritten with noise, as a cut of the power does. Then
it is started again, its sensors are read, and the hands go on.

What is checked: after each start everything that was told before the kill stands (score, position, obligation, what is
wrong and what puts it right); at the end of each game the score is that of the game, once, and so is the PGN on disk.

Exit status 1 and the seed of the failing game where that is not so.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import select
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from board_driver import scribe as scribe_module
from board_driver.boards.board import Abilities, Clock, Exhausted, Inbox
from board_driver.lights.picture import Picture
from board_driver.mind import Mode, Settings, TouchRule
from board_driver.scan import Input, Scan, Sensing
from board_driver.sensorlog.lines import line_fields, parse_line
from board_driver.simulate.gamefile import ScoredGame, read_games
from board_driver.store.dating import Begin
from board_driver.store.retelling import retell
from board_driver.store.rows import Passed
from board_driver.upkeep import Upkeep
from rules.fen import parse_fen
from rules.pgn import read_games as read_pgn
from rules.uci import parse_uci, write_uci

GAMES = Path(__file__).parents[1] / "tests" / "data" / "games.txt"
LONGEST_STEPS = 60
"""How many inputs a life may last."""
STARTUP_SHARE, TORN_SHARE = 0.1, 0.3
AUTOCHECKPOINT_BYTES = 1000 * 4096
"""Beyond this SQLite writes its log from the beginning again, and the end of the file is not its tail."""
ANSWER_S = 60.0


class LostError(Exception):
    """Something that had been told was gone, or came twice."""


# -- the daemon's side, in a process of its own --


class HandClock(Clock):
    """Shows what the other side says."""

    def __init__(self) -> None:
        super().__init__()
        self.time_ms = 0

    def now_ms(self) -> int:
        return self.time_ms

    def seconds_until(self, t_ms: int) -> float:
        return 0.0 if t_ms <= self.time_ms else 3600.0


class PipeBoard:
    """A board whose sensors are on the other end of a pipe."""

    abilities = Abilities("pipe", Sensing.OCCUPANCY)

    def __init__(self) -> None:
        self.inbox: Inbox | None = None

    async def open(self, inbox: Inbox) -> None:
        self.inbox = inbox

    async def show(self, picture: Picture) -> None:
        """Nobody looks."""

    async def close(self) -> None:
        """Nothing is held."""


async def _life(folder: Path, settings: Settings, orders: int, answers: int) -> None:
    """One run of the daemon: an order is a line of a sensor log, an answer what the mind told."""
    clock, board = HandClock(), PipeBoard()
    with Upkeep(folder) as upkeep:
        daemon = upkeep.daemon(board, settings, clock=clock)
        clock.time_ms = upkeep.resumed_ms
        scribe = scribe_module.Scribe(daemon, upkeep.place())
        upkeep.instruct(scribe)
        forced_bytes = 0

        def tell(word: str) -> None:
            nonlocal forced_bytes
            journal = upkeep.journal
            assert journal is not None
            if journal.forced:
                with suppress(OSError):
                    forced_bytes = (folder / "journal.sqlite-wal").stat().st_size
            answer = {"word": word, "told": _told(daemon.mind.summary()), "forced": forced_bytes}
            os.write(answers, json.dumps(answer).encode() + b"\n")

        remember = scribe.remember
        assert remember is not None

        def remember_and_tell(number: int, name: str, began: Begin) -> None:
            remember(number, name, began)
            tell("named")  # that was forced to the disk too

        scribe.remember = remember_and_tell
        daemon.listen(lambda _: tell("step"))
        life = asyncio.create_task(daemon.run())
        writing = asyncio.create_task(scribe.run())
        await daemon.ready.wait()
        tell("up")
        loop = asyncio.get_running_loop()
        with os.fdopen(orders, "rb") as stream:
            while line := await loop.run_in_executor(None, stream.readline):
                fields = json.loads(line)
                clock.time_ms = max(clock.time_ms, fields["t_ms"])
                item = parse_line(fields, Sensing.OCCUPANCY)
                assert board.inbox is not None
                board.inbox.put(Exhausted(clock.time_ms) if item is None else item)
                await asyncio.sleep(0)
                while board.inbox.waiting or (daemon.mind.next_wake_ms() or clock.time_ms + 1) <= clock.time_ms:
                    await asyncio.sleep(0)
                await asyncio.sleep(0)
                tell("ack")
        daemon.stop()
        await life
        writing.cancel()
        await scribe.write()


def _told(summary: dict[str, object]) -> list[object]:
    return [summary.get(key) for key in ("uci", "fen", "obligation", "illegal", "restore", "result")]


# -- the hands' side --


@dataclass
class Process:
    """The daemon's process, and what it told last."""

    pid: int
    orders: int
    answers: int
    told: list[object] | None = None
    forced: int = 0
    rest: bytes = field(default=b"", repr=False)

    def send(self, item: Input | Passed) -> None:
        fields = {"t_ms": item.t_ms} if isinstance(item, Passed) else line_fields(item)
        os.write(self.orders, json.dumps(fields).encode() + b"\n")

    def wait_for(self, word: str, seconds: float = ANSWER_S) -> bool:
        """Read answers until one is `word`; False if the time is over or the process gone."""
        end = time.perf_counter() + seconds
        while True:
            while b"\n" in self.rest:
                line, _, self.rest = self.rest.partition(b"\n")
                answer = json.loads(line)
                self.told, self.forced = answer["told"], answer["forced"]
                if answer["word"] == word:
                    return True
            left = end - time.perf_counter()
            if left <= 0 or not select.select([self.answers], [], [], left)[0]:
                return False
            read = os.read(self.answers, 65536)
            if not read:
                return False
            self.rest += read

    def kill(self) -> None:
        """SIGKILL; what it told until then is read."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self.wait_for("nothing", 5.0)
        self._close()

    def end(self) -> int:
        """Let it end in good order; its exit status."""
        os.close(self.orders)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.answers)
        return os.waitstatus_to_exitcode(status)

    def _close(self) -> None:
        os.close(self.orders)
        os.close(self.answers)


def start(folder: Path, settings: Settings) -> Process:
    """A new life of the daemon on that folder."""
    order_end, orders = os.pipe()
    answers, answer_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(orders)
            os.close(answers)
            asyncio.run(_life(folder, settings, order_end, answer_end))
            status = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(status)
    os.close(order_end)
    os.close(answer_end)
    return Process(pid, orders, answers)


@dataclass
class Tally:
    """What was done and seen."""

    games: int = 0
    kills: int = 0
    torn: int = 0
    at_startup: int = 0
    plies: int = 0
    slowest_start_s: float = 0.0


def play(game: ScoredGame, settings: Settings, luck: random.Random, tally: Tally, most_kills: int) -> None:
    """One game with kills at random instants. Raises LostError."""
    scribe_module.EVERY_S = 0.02
    start_position = parse_fen(settings.start_fen, chess960=settings.chess960)
    moves, position = [], start_position
    for text in game.moves:
        moves.append(parse_uci(position, text))
        position = position.play(moves[-1])
    items = list(retell(settings, start_position, moves))
    wanted = []
    position = start_position
    for move in moves:
        wanted.append(write_uci(position, move))
        position = position.play(move)
    with tempfile.TemporaryDirectory() as name:
        evening = _Evening(Path(name), settings, luck, tally, most_kills)
        told = evening.play(items)
        if told != wanted:
            raise LostError(f"expected {' '.join(wanted)}\n     got {' '.join(told)}")
        files = list((Path(name) / "games").glob("*.pgn"))
        if len(files) != 1:
            raise LostError(f"expected one PGN file, got {len(files)}")
        (written,) = read_pgn(files[0].read_text(encoding="utf-8"))
        if list(written.moves) != moves:
            raise LostError(f"the PGN holds {len(written.moves)} moves of {len(moves)}")
    tally.games += 1
    tally.plies += len(moves)


@dataclass
class _Evening:
    """A game and its kills."""

    folder: Path
    settings: Settings
    luck: random.Random
    tally: Tally
    most_kills: int

    def play(self, items: Sequence[Input | Passed]) -> list[str]:
        """Show these to the daemon in one life after the other; the moves that it told at last, as UCI."""
        process = start(self.folder, self.settings)
        if not process.wait_for("up"):
            raise LostError("the daemon did not start")
        kills, index, left = 0, 0, self.luck.randint(1, LONGEST_STEPS)
        seen: Scan | None = None
        while index < len(items):
            item = items[index]
            process.send(item)
            seen = item if isinstance(item, Scan) else seen
            left -= 1
            if left > 0 or kills >= self.most_kills:
                _expect(process, f"no answer to input {index}")
                index += 1
                continue
            _wait(self.luck.random() ** 2 * 0.004)
            process.kill()
            kills += 1
            process = self._start_again(process)
            left = self.luck.randint(1, LONGEST_STEPS)
            index += isinstance(item, Scan)  # a button is pressed again by one who sees nothing happen
            if seen is not None:
                process.send(replace(seen, t_ms=item.t_ms))  # the sensors are read anew
                _expect(process, "no answer to the first scan")
        process.send(Passed(items[-1].t_ms + 10_000))  # should the last scan have been read anew, it settles
        _expect(process, "no answer at the end")
        if process.end() != 0:
            raise LostError("the daemon ended in disorder")
        assert process.told is not None
        moves = process.told[0]
        assert isinstance(moves, list)
        return moves

    def _start_again(self, before: Process) -> Process:
        """The next life, after perhaps a few that did not get far."""
        luck, tally = self.luck, self.tally
        tally.kills += 1
        if luck.random() < TORN_SHARE:
            tally.torn += _tear(self.folder, before.forced, luck)
        while luck.random() < STARTUP_SHARE:
            process = start(self.folder, self.settings)
            _wait(luck.random() * 0.05)
            process.kill()
            tally.kills += 1
            tally.at_startup += 1
        began = time.perf_counter()
        process = start(self.folder, self.settings)
        if not process.wait_for("up"):
            raise LostError("the daemon did not start again")
        tally.slowest_start_s = max(tally.slowest_start_s, time.perf_counter() - began)
        told, now = before.told, process.told
        if told is not None and told != now and not _goes_on(told, now):
            raise LostError(f"told before: {told}\nafter it:    {now}")
        return process


def _expect(process: Process, problem: str) -> None:
    if not process.wait_for("ack"):
        raise LostError(problem)


def _goes_on(told: list[object], now: list[object] | None) -> bool:
    """Whether `now` can be `told` and one input more, which was worked on when the kill came."""
    if now is None:
        return False
    before, after = told[0], now[0]
    assert isinstance(before, list)
    assert isinstance(after, list)
    return before == after or after[:-1] == before


def _tear(folder: Path, forced: int, luck: random.Random) -> bool:
    """Take away, or turn into noise, some of what had not been forced to the disk."""
    log = folder / "journal.sqlite-wal"
    with suppress(OSError):
        size = log.stat().st_size
        if 0 < forced < size < AUTOCHECKPOINT_BYTES:
            cut = luck.randrange(forced, size)
            with log.open("r+b") as stream:
                if luck.random() < 0.5:
                    stream.truncate(cut)
                else:
                    stream.seek(cut)
                    stream.write(luck.randbytes(size - cut))
            return True
    return False


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
        settings = Settings(
            mode=luck.choice((Mode.PLAY, Mode.RECORD)),
            touch=luck.choice((TouchRule.STRICT, TouchRule.FRIENDLY)),
            start_fen=game.start_fen,
            chess960=game.chess960,
        )
        try:
            play(game, settings, luck, tally, kills - tally.kills)
        except LostError as problem:
            raise LostError(f"seed {seed}, game {number} ({game.id}, {settings.mode.value}): {problem}") from None
        if say:
            print(f"{tally.kills} kills in {tally.games} games, {tally.torn} with a torn tail", file=sys.stderr)
    return tally


def main() -> int:
    """Say how it went."""
    parser = argparse.ArgumentParser(description="Kill the daemon at random instants of replayed games.")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        tally = run(arguments.kills, arguments.seed, say=True)
    except LostError as problem:
        print(problem, file=sys.stderr)
        return 1
    print(
        f"{tally.kills} kills in {tally.games} games ({tally.plies} plies), {tally.at_startup} while starting, "
        f"{tally.torn} with a torn tail: 0 moves lost, 0 doubled; slowest start {tally.slowest_start_s:.2f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
