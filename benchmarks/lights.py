"""`python -m benchmarks.lights`: what a frame costs with each kind of lamps, and what pictures cost a core.

Devices answer at once, so what is measured is the drivers' own time; the time on the wire is computed from the bytes
and the clock. The section between `<!-- lights -->` and `<!-- /lights -->` in BENCHMARKS.md is written anew.
"""

from __future__ import annotations

import asyncio
import platform
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.section import table, write_section
from board_driver.boards.lines import Lines, ReadLines, WriteLines
from board_driver.lights import apa102, max7219, shiftleds, ws2812
from board_driver.lights.apa102 import Apa102Lamps
from board_driver.lights.ht16k33 import Ht16k33Lamps
from board_driver.lights.lamps import Frame, Lamps
from board_driver.lights.max7219 import Max7219Lamps
from board_driver.lights.pacing import Pacing
from board_driver.lights.performer import Performer
from board_driver.lights.picture import DARK, Meaning, Picture
from board_driver.lights.plainleds import GpioLedLamps
from board_driver.lights.power import AnyLamps
from board_driver.lights.shiftleds import ShiftLedLamps
from board_driver.lights.ws2812 import Ws2812Lamps
from board_driver.profile.lights import Apa102, GpioLeds, Ht16k33, Max7219, Place, ShiftLeds, Ws2812
from board_driver.profile.words import Spi
from rules.squares import parse_square

ROUNDS, FRAMES = 9, 300
PLAY_S = 5.1
I2C_HZ, I2C_BITS = 100_000, 9


class Counter:
    """An SPI device, an I²C bus and GPIO lines that take everything at once, and count bytes."""

    def __init__(self) -> None:
        self.sent = 0

    def opened(self, _spi: Spi, _hz: int, _mode: int) -> Counter:
        return self

    def writebytes2(self, values: Sequence[int] | bytes, /) -> None:
        self.sent += len(values)

    def xfer2(self, values: Sequence[int], /) -> Sequence[int]:
        return values

    def write_byte(self, _address: int, _value: int, /) -> None:
        self.sent += 2

    def write_i2c_block_data(self, _address: int, _register: int, values: Sequence[int], /) -> None:
        self.sent += 2 + len(values)

    def inputs(self, lines: Sequence[int], *, pull_up: bool = True) -> ReadLines:
        raise AssertionError(f"lamps read nothing: {lines}, {pull_up}")

    def outputs(self, lines: Sequence[int], _levels: int, *, open_drain: bool = False) -> WriteLines:
        assert lines or open_drain
        return lambda _bits: None

    def lines(self, _chip: int | None) -> Lines:
        return self

    def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True)
class Bench:
    """One kind of lamps, its driver on a counter, and the bits a second of its wire; 0: no wire to wait for."""

    name: str
    lights: AnyLamps
    lamps: Lamps
    counter: Counter
    bytes_a_second: float


def benches() -> list[Bench]:
    """Every kind that is written frame by frame."""
    found: list[Bench] = []

    def add(name: str, lights: AnyLamps, lamps: Lamps, counter: Counter, bytes_a_second: float) -> None:
        lamps.open()
        found.append(Bench(name, lights, lamps, counter, bytes_a_second))

    c = Counter()
    add("WS2812, 64", Ws2812(), Ws2812Lamps(Ws2812(), c.opened), c, ws2812.CLOCK_HZ / 8)
    c, corners = Counter(), Apa102(place=Place.CORNERS)
    add("APA102, 81 corners", corners, Apa102Lamps(corners, c.opened), c, apa102.CLOCK_HZ / 8)
    c = Counter()
    add("MAX7219, 64", Max7219(), Max7219Lamps(Max7219(), c.opened), c, max7219.CLOCK_HZ / 8)
    c = Counter()
    add("HT16K33, 64", Ht16k33(), Ht16k33Lamps(Ht16k33(), lambda _n, c=c: c), c, I2C_HZ / I2C_BITS)  # type: ignore[misc]
    c = Counter()
    add("74HC595, 64", ShiftLeds(), ShiftLedLamps(ShiftLeds(), c.opened), c, shiftleds.CLOCK_HZ / 8)
    c, edges = Counter(), GpioLeds(pins=tuple(range(16)))
    add("16 LEDs on GPIO", edges, GpioLedLamps(edges, c.lines), c, 0)
    return found


QUEEN: Picture = dict.fromkeys(
    [parse_square(f"{'abcdefgh'[f]}{r + 1}") for f in range(8) for r in range(8) if (f, r) != (3, 3)
     and (f == 3 or r == 3 or abs(f - 3) == abs(r - 3))],
    Meaning.DESTINATION,
)  # fmt: skip
PICTURES: dict[str, Picture] = {
    "dark": DARK,
    "27 destinations of a queen, steady": QUEEN,
    "a piece to be taken away, the fastest blinking": {28: Meaning.TAKE_AWAY},
    "eight rhythms at once": dict(enumerate(list(Meaning)[:8])),
}


def frame_costs(bench: Bench) -> tuple[float, float, int]:
    """µs to make a frame of a picture, µs to encode and hand it over, and its bytes."""
    pacing = Pacing(bench.lights, range(bench.lights.place.lamps), 0)
    making, writing = [], []
    frame = pacing.begin(QUEEN, 0, 720)
    for _ in range(ROUNDS):
        began = time.process_time()
        for n in range(FRAMES):
            frame = pacing.begin(QUEEN, n, 720)
        making.append((time.process_time() - began) / FRAMES * 1e6)
        bench.counter.sent = 0
        began = time.process_time()
        for _ in range(FRAMES):
            bench.lamps.show(frame)
        writing.append((time.process_time() - began) / FRAMES * 1e6)
    return median(making), median(writing), bench.counter.sent // FRAMES


class Counting:
    """Lamps that count their frames."""

    def __init__(self, lamps: Lamps) -> None:
        self._lamps, self.frames = lamps, 0

    def open(self) -> None:
        self._lamps.open()

    def show(self, frame: Frame) -> None:
        self.frames += 1
        self._lamps.show(frame)

    def close(self) -> None:
        self._lamps.close()


async def picture_cost(picture: Picture) -> tuple[float, float]:
    """Frames a second, and percent of a core, of a performer that shows the picture on 64 WS2812 for a while."""
    lights = Ws2812()
    counting = Counting(Ws2812Lamps(lights, Counter().opened))
    performer = Performer(lights, range(64), counting, lambda: 720)
    await performer.open()
    await performer.show(picture)
    frames, cpu, began = counting.frames, time.process_time(), time.monotonic()
    await asyncio.sleep(PLAY_S)
    elapsed = time.monotonic() - began
    rate, share = (counting.frames - frames) / elapsed, (time.process_time() - cpu) / elapsed * 100
    await performer.close()
    return rate, share


def section() -> str:
    """The whole section."""
    rows = []
    for bench in benches():
        making, writing, sent = frame_costs(bench)
        wire_ms = sent / bench.bytes_a_second * 1000 if bench.bytes_a_second else 0.0
        most = 1000 / (wire_ms + (making + writing) / 1000)
        rows.append([bench.name, f"{making:.0f}", f"{writing:.0f}", str(sent), f"{wire_ms:.2f}", f"{most:,.0f}"])
    head = ["Lamps", "make, µs", "encode and hand over, µs", "bytes", "on the wire, ms", "frames a second at most"]
    shown = []
    for name, picture in PICTURES.items():
        rate, share = asyncio.run(picture_cost(picture))
        shown.append([name, f"{rate:.1f}", f"{share:.2f} %"])
    return "\n\n".join(
        [
            "## Lights",
            f"`python -m benchmarks.lights`, Python {platform.python_version()} on {platform.machine()}. The devices "
            "answer at once, times are of the processor, and the time on the wire is bytes by clock (SPI at the "
            "drivers' own, I²C at 100 kHz). Lamps that the computer lights row by row are not in here.",
            table(head, rows),
            f"What a picture costs on 64 WS2812 in {PLAY_S:.0f} seconds, threads included; each frame is whole, and "
            "one comes every second at the least.",
            table(["Picture", "frames a second", "of a core"], shown),
        ]
    )


def main() -> int:
    """Measure and write."""
    text = section()
    print(text)
    write_section("lights", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
