"""`python -m benchmarks.bridge`: how fast and how sure the firmware bridge is.

Needs what `hardware/firmware` and its emulation need. The section between `<!-- bridge -->` and `<!-- /bridge -->` in
BENCHMARKS.md is written anew. Everything but `feed` and the pty is measured in virtual time, and comes out the same on
every machine.
"""

from __future__ import annotations

import os
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median, quantiles

from benchmarks.section import table, write_section
from firmware_bridge.messages import BoardRead, DeviceTrouble, Lamp, OccupiedSquares, Trouble
from firmware_bridge.serialtext.codec import TextCodec
from firmware_bridge.serialtext.profilereading import load_profile
from firmware_bridge.touchmove.board import TouchmoveBoard
from firmware_bridge.touchmove.frames import encode
from firmware_bridge.touchmove.host import TouchmoveCodec
from tests.firmware.cboard import CBoard, compile_host
from tests.firmware.simboard import SimBoard
from tests.firmware_bridge.wires import Dialogue, SerialWire

EVENTS = 100_000
GAP_MS = 15
LAMP = Lamp(0, 80, 0)


def p99(values: list[float]) -> float:
    """The 99th percentile."""
    return quantiles(values, n=100)[98]


# Latency.


class Bench:
    """A chip and a codec that answers at once, stepped together by a tenth of a millisecond."""

    def __init__(self, board: SimBoard, settings: dict[str, int]) -> None:
        self.board = board
        self.codec = TouchmoveCodec(7, settings)
        self.codec.connected(0)
        self.tenths = 0

    def step(self, answer: Callable[[], object] = lambda: None) -> None:
        """A tenth of a millisecond; `answer` is called for a change."""
        self.tenths += 1
        payload = self.board.step(100)
        if not payload and self.tenths % 10:
            return
        now = self.tenths // 10
        if any(_is_news(message) for message in self.codec.feed(payload, now)):
            answer()
        for packet in self.codec.outgoing(now):
            self.board.feed(packet.payload, now)


def reed_to_lamp(settings: dict[str, int], count: int = 300) -> list[float]:
    """Milliseconds from a reed opening to the latched picture; the host answers at once."""
    random, out = Random(1), []
    with SimBoard("atmega328p") as board:
        bench = Bench(board, settings)
        while bench.tenths < 8_000:
            bench.step(lambda: bench.codec.show({0: LAMP}))
        for i in range(count):
            square = i % 63 + 1
            frames, began = board.lamp_frames, bench.tenths
            board.sense(OccupiedSquares(1 << square), 0)
            while board.lamp_frames == frames:
                bench.step(lambda square=square: bench.codec.show({square: LAMP}))  # type: ignore[misc]
            out.append((bench.tenths - began) / 10)
            for _ in range(random.randrange(300, 400)):
                bench.step()
    return out


def through_pty(count: int = 100) -> list[float]:
    """The same through a pty, pyserial and asyncio, the host being `SerialBoard`; by the clock of the chip."""
    import asyncio  # noqa: PLC0415

    from board_driver.boards.board import Inbox  # noqa: PLC0415
    from board_driver.boards.serial import SerialBoard, SerialSetup  # noqa: PLC0415
    from board_driver.lights.picture import Meaning  # noqa: PLC0415
    from board_driver.scan import Scan  # noqa: PLC0415
    from firmware_bridge.protocols import Touchmove  # noqa: PLC0415

    async def measure() -> list[float]:
        out = []
        with SimBoard("atmega328p", pty=True) as sim:
            board = SerialBoard(SerialSetup(Touchmove(5), str(sim.port)), find_ports=list)
            inbox = Inbox()
            await board.open(inbox)
            await board.show({0: Meaning.DESTINATION})
            await asyncio.sleep(0.5)
            for i in range(count):
                await asyncio.sleep(0.05 + 0.0013 * (i % 7))
                while inbox.get_nowait() is not None:
                    pass
                frames, began = sim.number("lamp_frames"), sim.number("cycle")
                sim.tell(f"board {1 << (i % 64):016x}")
                while not isinstance(await inbox.get(inbox.now_ms() + 1000), Scan):
                    pass
                await board.show({i % 64: Meaning.DESTINATION})
                while sim.number("lamp_frames") == frames:
                    await asyncio.sleep(0)
                out.append((sim.number("cycle") - began) / 16_000)
            await board.close()
        return out

    return asyncio.run(measure())


# Certainty.


def lost_of(board: CBoard | TouchmoveBoard, events: int) -> tuple[int, int, float]:
    """Events lost, lines garbled on the way, and how busy the line was, with one byte in a hundred garbled."""
    up, down = SerialWire(3, garbled=0.01), SerialWire(4, garbled=0.01)
    codec = TouchmoveCodec(7, {"db": 1})
    talk = Dialogue(codec, board, up, down)
    board.sense(OccupiedSquares(0), 0)
    codec.connected(0)
    told: list[int] = []
    random, expected = Random(5), []

    def drain(span_ms: int) -> None:
        told.extend(m.content.occupied for m in talk.run(span_ms) if _is_news(m))  # type: ignore[union-attr]
        talk.messages.clear()

    drain(3_000)
    told.clear()
    start_ms, before = talk.now_ms, up.carried
    for _ in range(events):
        squares = random.getrandbits(64)
        board.sense(OccupiedSquares(squares), talk.now_ms)
        expected.append(squares)
        drain(GAP_MS)
    drain(2_000)
    matched = sum(one == other for one, other in zip(told, expected, strict=False))
    busy = (up.carried - before) / ((talk.now_ms - start_ms) * SerialWire.BYTES_PER_MS)
    return events - matched, codec.counters.garbled, busy


def _is_news(message: object) -> bool:
    return isinstance(message, BoardRead) and not message.again and isinstance(message.content, OccupiedSquares)


def recovery(garbage: int, count: int = 200) -> list[float]:
    """Milliseconds from the last byte of a burst of noise to the event that was sent right behind it."""
    out, random = [], Random(6)
    up, down = SerialWire(3), SerialWire(4)
    board, codec = TouchmoveBoard(), TouchmoveCodec(7)
    talk = Dialogue(codec, board, up, down)
    codec.connected(0)
    talk.run(600)
    for i in range(count):
        up.write(random.randbytes(garbage), talk.now_ms)
        last = up.carried + up.waiting
        board.sense(OccupiedSquares(i + 1), talk.now_ms)
        while up.carried < last:
            talk.run(1)
        talk.messages.clear()
        began = talk.now_ms
        talk.run_until(lambda: any(_is_news(m) for m in talk.messages), 2_000)
        out.append(float(talk.now_ms - began))
        assert not any(isinstance(m, DeviceTrouble) and m.kind is not Trouble.UNKNOWN for m in talk.messages)
        talk.run(random.randrange(50, 150))
    return out


# Throughput.


def megabytes_a_second(feed: Callable[[bytes], object], stream: bytes) -> float:
    """The best of five, in pieces of 4 KiB."""
    best = 0.0
    for _ in range(5):
        began = time.process_time()
        for start in range(0, len(stream), 4096):
            feed(stream[start : start + 4096])
        best = max(best, len(stream) / (time.process_time() - began) / 1e6)
    return best


def feeds() -> list[tuple[str, float]]:
    """Each codec with a stream of changes."""
    frames = b"".join(encode("C", f"{n & 255:02x}", f"{5 * n & 0xFFFFFF:06x}", f"{n * 77:016x}") for n in range(51_200))
    codec = TouchmoveCodec(7)
    codec.connected(0)
    codec.feed(encode("H", "1", "0007", "x", "1", "0001", "00000000"), 0)
    sentio, cells = TextCodec(load_profile("sentio")), TextCodec(load_profile("plain-cells"))
    sentio.connected(0)
    cells.connected(0)
    masks = b"".join(b":255 255 %d 0 0 0 247 255 \r\n" % (n & 255) for n in range(20_000))
    lines = b"".join(f"{n:064b}\n".encode() for n in range(10_000))
    noise = Random(1).randbytes(1_000_000)
    return [
        ("our protocol, changes", megabytes_a_second(lambda b: codec.feed(b, 1), frames)),
        ("our protocol, noise", megabytes_a_second(lambda b: codec.feed(b, 1), noise)),
        ("text, eight masks a line", megabytes_a_second(lambda b: sentio.feed(b, 1), masks)),
        ("text, 64 cells a line", megabytes_a_second(lambda b: cells.feed(b, 1), lines)),
    ]


def main() -> None:
    """Measure and write."""
    latency_rows = []
    for what, settings in (("200 scans a second, 2 must agree", {}), ("500 scans a second, 2 must agree", {"hz": 500})):
        values = reed_to_lamp(settings)
        label = f"{what}: virtual time, host answers at once"
        latency_rows.append([label, f"{median(values):.1f}", f"{p99(values):.1f}"])
    values = through_pty()
    what = "200 scans a second: through a pty, pyserial, asyncio and `SerialBoard`"
    latency_rows.append([what, f"{median(values):.1f}", f"{p99(values):.1f}"])
    lost_rows = []
    with tempfile.TemporaryDirectory() as folder:
        core = CBoard(compile_host(Path(folder) / "core.so", "hostport.c", "-shared", "-fPIC", "-O2"))
        boards: list[tuple[str, CBoard | TouchmoveBoard]] = [
            ("the firmware's core, compiled for this machine", core),
            ("the board's end in Python", TouchmoveBoard()),
        ]
        for name, board in boards:
            lost, garbled, busy = lost_of(board, EVENTS)
            lost_rows.append([name, f"{lost}", f"{garbled:,}", f"{100 * busy:.0f} %"])
    recovery_rows = []
    for garbage in (8, 64, 512, 4096):
        values = recovery(garbage)
        recovery_rows.append([f"{garbage} random bytes", f"{median(values):.0f}", f"{max(values):.0f}"])
    text = f"""## Firmware bridge

CPython {platform.python_version()}; ATmega328P in simavr; 115,200 baud. Other work ran on the {os.cpu_count()} cores
meanwhile (load average {os.getloadavg()[1]:.1f}); only the row with the pty feels it.

From a reed opening in the simulated matrix to the picture latched by the simulated chain of lamps (the settle time of
the game is not in it; the wire alone takes 9.5 ms for the change and the picture, writing the chain 1.9 ms):

{table(["Latency, ms", "median", "p99"], latency_rows)}

{EVENTS:,} changes, one each {GAP_MS} ms, one byte in a hundred garbled both ways:

{table(["Board", "events lost or wrong", "lines garbled", "line in use"], lost_rows)}

From the last byte of a burst of noise to the event sent right behind it (its first sending may share a line with the
noise; it is sent again after 50 ms):

{table(["After", "median, ms", "most, ms"], recovery_rows)}

{table(["`feed`, in pieces of 4 KiB, by processor time", "MB/s"], [[name, f"{speed:.1f}"] for name, speed in feeds()])}

A line of 115,200 baud brings 0.0115 MB/s.
"""
    write_section("bridge", text)
    print(text)


if __name__ == "__main__":
    main()
