"""One life of the daemon in a process of its own, for `benchmarks.kills`: its sensors are at the end of a pipe.

An order is a line of a sensor log, or what the disk is to do from now on; an answer is what the mind told.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import select
import signal
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from board_driver import scribe as scribe_module
from board_driver.boards.board import Abilities, Clock, Exhausted, Inbox
from board_driver.lights.picture import Picture
from board_driver.mind import Mind, Settings
from board_driver.scan import Input, Sensing
from board_driver.sensorlog.lines import line_fields, parse_line
from board_driver.store.dating import Begin
from board_driver.store.rows import Passed
from board_driver.upkeep import Upkeep

ANSWER_S = 60.0


@dataclass(frozen=True, slots=True)
class Told:
    """What a daemon says of its game: what must stand after a kill."""

    moves: tuple[str, ...]
    times_ms: tuple[int, ...]
    """How long each move took."""
    rest: str
    """Position, obligation, what is wrong, what puts it right, the result, as JSON."""
    clocks_ms: tuple[int | None, ...] = ()
    """What the chess clock showed after each move."""

    @classmethod
    def of(cls, mind: Mind) -> Told:
        summary = mind.summary()
        moves = summary["uci"]
        assert isinstance(moves, list)
        plies = mind.games()[-1].plies
        times, clocks = tuple(ply.elapsed_ms for ply in plies), tuple(ply.clock_ms for ply in plies)
        rest = [summary.get(key) for key in ("fen", "obligation", "illegal", "restore", "result")]
        return cls(tuple(moves), times, json.dumps(rest), clocks)

    def goes_on(self, before: Told) -> bool:
        """Whether this can be `before` and one input more, which was worked on when the kill came."""
        if self == before:
            return True
        known = len(before.moves)
        if self.moves[:known] != before.moves or len(self.moves) > known + 1:
            return False
        settled = max(0, known - 1)  # the newest move may go on: a piece that is dragged further
        same_times = self.times_ms[:settled] == before.times_ms[:settled]
        return same_times and self.clocks_ms[:settled] == before.clocks_ms[:settled]


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


class BadDisk:
    """The preloaded `baddisk.c`, where it is."""

    def __init__(self) -> None:
        library = ctypes.CDLL(None)
        self._library = library if hasattr(library, "baddisk_watch") else None

    @property
    def is_there(self) -> bool:
        return self._library is not None

    def watch(self, folder: Path, log: Path) -> None:
        """Log every change below `folder`."""
        if self._library is not None:
            self._library.baddisk_watch(os.fsencode(folder), os.fsencode(log))

    def refuse(self, number: int) -> None:
        """Let writing fail with that error from now on; 0: no more."""
        if self._library is not None:
            self._library.baddisk_refuse(number)


async def _life(folder: Path, settings: Settings, orders: int, answers: int) -> None:
    disk = BadDisk()
    disk.watch(folder, log_of(folder))
    clock, board = HandClock(), PipeBoard()
    with Upkeep(folder) as upkeep:
        daemon = upkeep.daemon(board, settings, clock=clock)
        clock.time_ms = upkeep.resumed_ms
        scribe = scribe_module.Scribe(daemon, upkeep.place())
        upkeep.instruct(scribe)

        def tell(word: str) -> None:
            journal = upkeep.journal
            assert journal is not None
            told = Told.of(daemon.mind)
            answer = [word, not journal.trouble, told.moves, told.times_ms, told.rest]
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
                if "refuse" in fields:
                    disk.refuse(fields["refuse"])
                    upkeep.tend()
                    tell("ack")
                    continue
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


def log_of(folder: Path) -> Path:
    """Where the disk's log of that folder is: beside it."""
    return folder.with_name(f"{folder.name}.log")


# -- the other side of the pipes --


@dataclass
class Process:
    """The daemon's process, and what it told last."""

    pid: int
    orders: int
    answers: int
    told: Told | None = None
    """The newest."""
    kept: Told | None = None
    """The newest that was kept: not what was told while the disk refused."""
    rest: bytes = field(default=b"", repr=False)

    def send(self, item: Input | Passed) -> None:
        fields = {"t_ms": item.t_ms} if isinstance(item, Passed) else line_fields(item)
        os.write(self.orders, json.dumps(fields).encode() + b"\n")

    def refuse(self, number: int) -> None:
        """Let the disk fail with that error; 0: no more."""
        os.write(self.orders, json.dumps({"refuse": number}).encode() + b"\n")

    def wait_for(self, word: str, seconds: float = ANSWER_S) -> bool:
        """Read answers until one is `word`; False if the time is over or the process gone."""
        end = time.perf_counter() + seconds
        while True:
            while b"\n" in self.rest:
                line, _, self.rest = self.rest.partition(b"\n")
                said, is_kept, moves, times_ms, rest = json.loads(line)
                self.told = Told(tuple(moves), tuple(times_ms), rest)
                self.kept = self.told if is_kept else self.kept
                if said == word:
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
