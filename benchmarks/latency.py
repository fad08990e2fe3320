"""`python -m benchmarks.latency`: how quickly the daemon answers, and what it costs while nothing happens.

The section between `<!-- daemon -->` and `<!-- /daemon -->` in BENCHMARKS.md is written anew.
"""

from __future__ import annotations

import asyncio
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median, quantiles

from benchmarks.section import table, write_section
from board_driver.boards.board import Clock
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.demo.script import acts
from board_driver.demo.stage import Stage
from board_driver.events import Event, Lifted
from board_driver.lights.picture import Picture
from board_driver.mind import Mind, Mode, Settings
from board_driver.minds import make_mind
from board_driver.scan import Input

ROOT = Path(__file__).parent.parent
RATE = 8.0
"""The game is played so much faster than hands; latencies are real time all the same."""

ACTS = 330
IDLE_S = 10
STARTS = 7
RUN = [sys.executable, "-m", "board_driver", "run", "--port", "0"]
IMPORT = """
import time
wall, cpu = time.perf_counter(), time.process_time()
import board_driver.service, board_driver.boards.virtual, board_driver.arbiter, board_driver.web.server
print(time.perf_counter() - wall, time.process_time() - cpu)
"""


class WatchedClock(Clock):
    """A clock that knows in real time when it showed a time."""

    def real_s(self, t_ms: int) -> float:
        """The moment, by `time.monotonic`, at which this clock came to `t_ms`."""
        return time.monotonic() - (self.now_s() - t_ms / 1000) / self.rate

    def now_s(self) -> float:
        return (time.monotonic() - self._began_s) * self.rate


class WatchedMind:
    """A mind that remembers when a lift settled in it."""

    def __init__(self, mind: Mind, watch: Watch) -> None:
        self._mind = mind
        self._watch = watch
        self.next_wake_ms = mind.next_wake_ms
        self.picture = mind.picture
        self.summary = mind.summary
        self.games = mind.games

    def receive(self, item: Input) -> Sequence[Event]:
        return self._seen(time.monotonic(), self._mind.receive(item))

    def advance(self, now_ms: int) -> Sequence[Event]:
        return self._seen(time.monotonic(), self._mind.advance(now_ms))

    def _seen(self, began_s: float, events: Sequence[Event]) -> Sequence[Event]:
        for event in events:
            if isinstance(event, Lifted):
                self._watch.settled(began_s, event.t_ms)
        return events


class Watch:
    """Takes the times from a settled lift to its picture."""

    def __init__(self, clock: WatchedClock) -> None:
        self._clock = clock
        self._open: tuple[float, float] | None = None
        self.from_taken_ms: list[float] = []
        """From the moment at which the daemon took up the settled lift."""
        self.from_due_ms: list[float] = []
        """From the moment at which the lift had been quiet for the settle time, timers included."""

    def settled(self, began_s: float, t_ms: int) -> None:
        self._open = (began_s, self._clock.real_s(t_ms))

    def shown(self) -> None:
        if self._open is None:
            return
        began_s, due_s = self._open
        self._open = None
        now_s = time.monotonic()
        self.from_taken_ms.append((now_s - began_s) * 1000)
        self.from_due_ms.append((now_s - due_s) * 1000)


class WatchedBoard(VirtualBoard):
    """A virtual board that notes when it is handed a picture."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self._watch = watch

    async def show(self, picture: Picture) -> None:
        self._watch.shown()
        await super().show(picture)


async def measure_latency() -> Watch:
    """Play most of a real game."""
    clock = WatchedClock(RATE)
    watch = Watch(clock)
    board = WatchedBoard(watch)

    def mind_of(settings: Settings) -> Mind:
        return WatchedMind(make_mind(settings), watch)

    daemon = Daemon(board, Settings(mode=Mode.PLAY), mind_of=mind_of, clock=clock)
    life = asyncio.create_task(daemon.run())
    await daemon.ready.wait()
    await Stage(daemon, board, lambda _: None).play(islice(acts(), ACTS))
    daemon.stop()
    await life
    return watch


def start_daemon() -> tuple[subprocess.Popen[str], float]:
    """A daemon on the virtual board, and the seconds from the command to its page's address."""
    began = time.perf_counter()
    process = subprocess.Popen(RUN, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert "http://" in process.stdout.readline()
    return process, time.perf_counter() - began


def stop(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0


def measure_ready() -> list[float]:
    """Milliseconds to ready, each of several starts."""
    times = []
    for _ in range(STARTS):
        process, seconds = start_daemon()
        stop(process)
        times.append(seconds * 1000)
    return times


def measure_idle() -> float:
    """The share of one core, in percent, that a daemon takes with nobody at the board."""
    process, _ = start_daemon()
    time.sleep(1)
    before = cpu_s(process.pid)
    time.sleep(IDLE_S)
    share = (cpu_s(process.pid) - before) / IDLE_S
    stop(process)
    return share * 100


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_imports() -> tuple[list[float], list[float]]:
    """Milliseconds, on the clock and of the processor, to import what the daemon and its page need."""
    wall, cpu = [], []
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(STARTS + 1):
        command = [sys.executable, "-c", IMPORT]
        result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
        wall_s, cpu_time_s = map(float, result.stdout.split())
        wall.append(wall_s * 1000)
        cpu.append(cpu_time_s * 1000)
    return wall[1:], cpu[1:]  # the first one may have written the bytecode


def main() -> None:
    wall, cpu = measure_imports()
    ready = measure_ready()
    idle = measure_idle()
    watch = asyncio.run(measure_latency())
    rows = [
        ["settled lift taken up, to the picture handed to the board", "1 ms", *spread(watch.from_taken_ms)],
        ["settle time over, to the picture handed to the board (timer included)", "", *spread(watch.from_due_ms)],
        ["command to the page's address printed", "1000 ms", *spread(ready)],
        ["import of daemon, arbiter and page, by the clock", "250 ms", *spread(wall)],
        ["the same, processor time", "", *spread(cpu)],
    ]
    text = table(["What", "goal (median)", "median", "99th percentile or most"], rows)
    about = (
        f"CPython {platform.python_version()}, the daemon on the virtual board in play mode; {len(watch.from_due_ms)} "
        f"lifts of a real game. An idle daemon takes {idle:.2f} % of one core (goal: under 1 %)."
    )
    write_section("daemon", f"## Daemon\n\n{about}\n\n{text}")
    print(f"{about}\n\n{text}")


def spread(values_ms: Sequence[float]) -> list[str]:
    """Median, and the 99th percentile; of few values the largest."""
    high = quantiles(values_ms, n=100)[98] if len(values_ms) >= 100 else max(values_ms)
    return [f"{median(values_ms):.2f} ms", f"{high:.2f} ms"]


if __name__ == "__main__":
    main()
