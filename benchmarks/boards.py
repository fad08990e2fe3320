"""`python -m benchmarks.boards`: what a scan costs with each sensor driver, and what a whole board costs a core.

GPIO lines are those of the fake chip that the tests preload under unmodified lgpio: a request to it costs less than one
to a kernel, so the table tells requests and time apart. SPI and I²C devices answer at once with constants. What remains
is the drivers' own time.

The section between `<!-- boards -->` and `<!-- /boards -->` in BENCHMARKS.md is written anew.
"""

from __future__ import annotations

import asyncio
import json
import platform
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.boarddevices import (
    COLUMNS,
    ROWS,
    Answers,
    Devices,
    NoInbox,
    Noisy,
    NoLights,
    QuietBus,
    calibration,
    gpiozero_lines,
    half,
    without_diodes,
)
from benchmarks.section import table, write_section
from board_driver.boards.expanders import ExpanderSource
from board_driver.boards.halladc import HallSource
from board_driver.boards.matrix import MatrixSource
from board_driver.boards.sensorboard import SensorBoard, SquareReader, Wired
from board_driver.boards.shiftregisters import ShiftRegisterSource
from board_driver.boards.source import Source
from board_driver.daemon import Daemon
from board_driver.mind import Mode, Settings
from board_driver.profile.sensors import BitBang, ChainEnd, Expanders, GpioMatrix, HallAdc, ShiftRegisters
from board_driver.scan import Sensing
from rules.squares import parse_square

START = 0xFFFF_0000_0000_FFFF
ROUNDS, SCANS = 9, 200
KNIGHTS = (("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8"))
HZ = 100.0
UNDER = "--under-the-fake-chip"


def main() -> int:
    """Measure and write; 1 if the fake chip cannot be had here."""
    if sys.argv[1:] == [UNDER]:
        print(json.dumps(measured_under()))
        return 0
    from tests.electricity.shim import compile_shim, run_under, what_is_missing  # noqa: PLC0415

    missing = what_is_missing()
    if missing is not None:
        print(f"boards cannot be measured: {missing}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        done = run_under(compile_shim(Path(folder)), ["-m", "benchmarks.boards", UNDER])
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return 1
    text = section(json.loads(done.stdout.splitlines()[-1]))
    print(text)
    write_section("boards", text)
    return 0


# -- under the fake chip


def measured_under() -> dict[str, Any]:
    """Everything, in this process, whose GPIO chip is the fake one."""
    from tests.electricity.shim import ShimState  # noqa: PLC0415

    state = ShimState()
    state.set_cells(START)
    scans = {name: _scan_costs(make(), state) for name, make in drivers().items()}
    return {"scans": scans, "lines": _line_costs(state), "lives": _lives(state)}


def drivers() -> dict[str, Callable[[], Source]]:
    """Each driver on lines of the fake chip and devices that answer at once."""
    quick = GpioMatrix(rows=ROWS, columns=COLUMNS, row_settle_us=0)
    return {
        "reed matrix, lgpio groups": lambda: MatrixSource(quick),
        "the same without diodes": lambda: MatrixSource(without_diodes(quick)),
        "reed matrix, gpiozero pins": lambda: MatrixSource(quick, lambda _chip: gpiozero_lines()),
        "reed matrix, gpiozero devices": Devices,
        "8 74HC165, SPI": lambda: ShiftRegisterSource(
            ShiftRegisters(load=4, end=ChainEnd.LOW), open_device=lambda _s, _h, _m: Answers([0] * 9)
        ),
        "8 74HC165, bit by bit": lambda: ShiftRegisterSource(
            ShiftRegisters(load=4, pins=BitBang(clock=7, data=8), end=ChainEnd.OPEN)
        ),
        "4 MCP23017": lambda: ExpanderSource(Expanders(), lambda _number: QuietBus()),
        "MCP3208 and 4067": lambda: HallSource(
            HallAdc(select=(8, 9, 10, 11), mux_settle_us=0), calibration(), open_device=lambda _s, _h, _m: half()
        ),
    }


def _scan_costs(source: Source, state: Any) -> dict[str, float]:
    source.open()
    inbox: Any = NoInbox()
    reader = SquareReader(source, range(64), inbox)
    requests = state.requests
    source.read()
    requests = state.requests - requests
    driver = _us_each(source.read)
    whole = _us_each(reader.read)
    source.close()
    return {"requests": requests, "driver": driver, "squares": whole}


def _us_each(read: Callable[[], object]) -> float:
    rounds = []
    for _ in range(ROUNDS):
        began = time.thread_time()
        for _ in range(SCANS):
            read()
        rounds.append((time.thread_time() - began) / SCANS * 1e6)
    return median(rounds)


def _line_costs(state: Any) -> dict[str, float]:
    """One group write and one group read, as lgpio and the fake chip do them: what a scan cannot do without."""
    from board_driver.boards.lgpiolines import LgpioLines, library  # noqa: PLC0415

    lines, lgpio = LgpioLines(), library()
    lines.outputs(ROWS, 0xFF, open_drain=True)
    lines.inputs(COLUMNS)
    handle: int = lines._handle or 0

    def bare() -> None:
        for row in range(8):
            lgpio.group_write(handle, ROWS[0], 0xFF & ~(1 << row), 0xFF)
            lgpio.group_read(handle, COLUMNS[0])
        lgpio.group_write(handle, ROWS[0], 0xFF, 0xFF)

    before = state.requests
    bare()
    requests = state.requests - before
    cost = _us_each(bare)
    lines.close()
    return {"requests": requests, "bare": cost}


def _lives(state: Any) -> dict[str, float]:
    """The share of a core, in percent, that a daemon takes at `HZ` on the matrix of the fake chip."""
    return {
        "the matrix, nobody moves": asyncio.run(_life(state, is_played=False)),
        "the matrix, a knight is moved each second": asyncio.run(_life(state, is_played=True)),
        "Hall sensors at 50 Hz, nobody moves": asyncio.run(_hall_life()),
    }


async def _life(state: Any, *, is_played: bool) -> float:
    cells = START
    state.set_cells(cells)
    wiring = GpioMatrix(rows=ROWS, columns=COLUMNS)
    board = SensorBoard(Wired("matrix", MatrixSource(wiring), range(64), HZ, [NoLights()]))
    daemon = Daemon(board, Settings(mode=Mode.PLAY))
    task = asyncio.create_task(daemon.run())
    await daemon.ready.wait()
    await asyncio.sleep(1)
    cpu_s, began = _cpu_s(), time.monotonic()
    for origin, landing in KNIGHTS * 2:
        for square in (origin, landing):
            cells ^= 1 << parse_square(square) if is_played else 0
            state.set_cells(cells)
            await asyncio.sleep(0.5)
    share = 100 * (_cpu_s() - cpu_s) / (time.monotonic() - began)
    plies = len(daemon.mind.games()[-1].plies)
    assert plies == (8 if is_played else 0), f"{plies} plies were seen"
    daemon.stop()
    await task
    return share


async def _hall_life() -> float:
    """Sensors with a noise of one per cent of a piece."""
    noisy = Noisy()
    source = HallSource(HallAdc(select=(8, 9, 10, 11)), calibration(), open_device=lambda _s, _h, _m: noisy)
    board = SensorBoard(Wired("hall", source, range(64), 50.0, [NoLights()]))
    settings = Settings(mode=Mode.PLAY, sensing=Sensing.FIELD, calibration=source.field_calibration)
    daemon = Daemon(board, settings)
    task = asyncio.create_task(daemon.run())
    await daemon.ready.wait()
    await asyncio.sleep(1)
    cpu_s, began = _cpu_s(), time.monotonic()
    await asyncio.sleep(8)
    share = 100 * (_cpu_s() - cpu_s) / (time.monotonic() - began)
    daemon.stop()
    await task
    return share


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


# -- the section


def section(found: dict[str, Any]) -> str:
    """Markdown."""
    bare, scans = found["lines"]["bare"], found["scans"]
    rows = []
    for name, costs in scans.items():
        is_matrix = name.startswith(("reed matrix, lgpio", "the same"))
        above = f"{costs['driver'] - bare:.0f}" if is_matrix else ""
        driver, squares, share = (f"{x:.0f}" for x in (costs["driver"], costs["squares"], costs["squares"] * HZ / 1e3))
        rows.append([name, f"{costs['requests']:.0f}", driver, above, squares, f"{int(share) / 10:.1f} %"])
    head = ["One scan of 64 squares", "GPIO requests", "µs", "above the calls", "to squares, µs", "at 100 Hz"]
    lives = [[name, f"{share:.1f} %"] for name, share in found["lives"].items()]
    ratio = scans["reed matrix, gpiozero devices"]["driver"] / scans["reed matrix, lgpio groups"]["driver"]
    calls = f"{found['lines']['requests']:.0f}"
    return f"""\
## Boards

CPython {platform.python_version()}, CPU time. GPIO requests go through unmodified lgpio to the fake chip of the tests,
which answers faster than a kernel; SPI and I²C devices answer at once, so that drivers are measured and not wires. The
bare calls of a matrix scan, {calls} through lgpio, take {bare:.0f} µs; the target for the driver is less than 25 µs
above them. No row is given time to settle here.

{table(head, rows)}

A matrix by gpiozero's device classes takes {ratio:.1f} times as long as by lgpio's groups.

{table(["The daemon, 100 scans a second where not told otherwise, from scan to lights", "of one core"], lives)}

The target is less than 3 % of a core. A row settles for 20 µs here, as by default.
"""


if __name__ == "__main__":
    sys.exit(main())
