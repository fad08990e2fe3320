"""Every driver on a model of its chips: the contract of `lamps`, and pictures through a whole performer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

import pytest

from board_driver.boards.lines import Lines
from board_driver.lights.apa102 import Apa102Lamps
from board_driver.lights.beat import Beat, Step
from board_driver.lights.drivers import make_lamps, make_lights
from board_driver.lights.ht16k33 import Ht16k33Lamps
from board_driver.lights.lamps import BLACK, Frame, Lamps
from board_driver.lights.max7219 import Max7219Lamps
from board_driver.lights.performer import Performer
from board_driver.lights.picture import DARK, Meaning
from board_driver.lights.plainleds import GpioLedLamps, LedMatrixLamps
from board_driver.lights.power import AnyLamps
from board_driver.lights.shiftleds import ShiftLedLamps
from board_driver.lights.ws2812 import Ws2812Lamps
from board_driver.profile.finding import packaged_profiles
from board_driver.profile.lights import (
    Apa102,
    GpioLeds,
    Ht16k33,
    LedMatrix,
    Max7219,
    NoLights,
    Place,
    ShiftLeds,
    Ws2812,
)
from board_driver.profile.reading import sound_profile
from board_driver.profile.schema import Orientation
from tests.board_driver.lights.chips import (
    GONE,
    Ht16k33Bus,
    Max7219Chip,
    Wire,
    apa102_chain,
    bytes_of,
    chain_595,
    pulses,
)
from tests.electricity.circuits import Circuit
from tests.electricity.computers import CircuitLines

ROWS, COLUMNS, EDGES = tuple(range(100, 108)), tuple(range(110, 118)), tuple(range(100, 116))


@dataclass
class Bench:
    """A driver, which lamps its chips light now, and how to take the device away."""

    lights: AnyLamps
    lamps: Lamps
    lit: Callable[[], set[int]]
    gone: Callable[[bool], object]


class Leds(Circuit):
    """LEDs on lines; remembers what was lit together since `clear`."""

    def __init__(self) -> None:
        super().__init__()
        self.lit: set[int] = set()
        self.rows_at_once = 0

    def lines(self, _chip: int | None) -> Lines:
        return CircuitLines(self)


class Matrix(Leds):
    def changed(self, _line: int, _before: bool | None, _after: bool | None) -> None:
        rows = [n for n, line in enumerate(ROWS) if self.driven.get(line)]
        self.rows_at_once = max(self.rows_at_once, len(rows))
        self.lit |= {8 * row + n for row in rows for n, line in enumerate(COLUMNS) if self.driven.get(line) is False}


def spi_bench(lights: AnyLamps, make: Callable[[Wire], Lamps], lit: Callable[[list[bytes]], set[int]]) -> Bench:
    wire = Wire()
    return Bench(lights, make(wire), lambda: lit(wire.transfers), lambda is_gone: setattr(wire, "is_gone", is_gone))


def by_ws2812(transfers: list[bytes]) -> set[int]:
    shown = bytes_of(pulses(transfers[-1], 3_000_000))
    return {n // 3 for n, value in enumerate(shown) if value}


def by_apa102(transfers: list[bytes]) -> set[int]:
    return {n for n, (steps, wire) in enumerate(apa102_chain(transfers[-1], 81)) if steps and any(wire)}


def by_max7219(transfers: list[bytes]) -> set[int]:
    chip = Max7219Chip()
    chip.take(transfers)
    return {8 * digit + segment for digit, segment in chip.lit()}


def by_595(transfers: list[bytes]) -> set[int]:
    return {n for n, is_on in enumerate(chain_595(transfers[-1], 8)) if is_on}


def ht16k33_bench() -> Bench:
    bus = Ht16k33Bus()

    def gone(is_gone: bool) -> None:
        bus.fails = 1_000 if is_gone else 0

    return Bench(Ht16k33(), Ht16k33Lamps(Ht16k33(), lambda _: bus), lambda: {8 * c + r for c, r in bus.lit()}, gone)


def edges_bench() -> Bench:
    circuit = Leds()
    lights = GpioLeds(pins=EDGES)
    return Bench(
        lights,
        GpioLedLamps(lights, circuit.lines),
        lambda: {n for n, line in enumerate(EDGES) if circuit.driven.get(line)},
        lambda is_gone: setattr(circuit, "is_gone", is_gone),
    )


BENCHES: dict[str, Callable[[], Bench]] = {
    "ws2812": lambda: spi_bench(Ws2812(), lambda wire: Ws2812Lamps(Ws2812(), wire.opened), by_ws2812),
    "apa102": lambda: spi_bench(
        Apa102(place=Place.CORNERS), lambda wire: Apa102Lamps(Apa102(place=Place.CORNERS), wire.opened), by_apa102
    ),
    "max7219": lambda: spi_bench(Max7219(), lambda wire: Max7219Lamps(Max7219(), wire.opened), by_max7219),
    "74hc595": lambda: spi_bench(ShiftLeds(), lambda wire: ShiftLedLamps(ShiftLeds(), wire.opened), by_595),
    "ht16k33": ht16k33_bench,
    "gpio-leds": edges_bench,
}


@pytest.fixture(params=list(BENCHES.values()), ids=list(BENCHES))
def bench(request: pytest.FixtureRequest) -> Bench:
    made: Bench = request.param()
    return made


def frame(count: int, *lit: int, level: float = 1.0) -> Frame:
    return Frame(tuple((90, 90, 90) if n in lit else BLACK for n in range(count)), level)


def test_each_lamp_alone_and_then_none(bench: Bench) -> None:
    count = bench.lights.place.lamps
    bench.lamps.open()
    for n in range(count):
        bench.lamps.show(frame(count, n))
        assert bench.lit() == {n}
    bench.lamps.show(frame(count))
    assert bench.lit() == set()
    bench.lamps.close()


def test_closing_leaves_the_lamps_dark_and_may_come_twice(bench: Bench) -> None:
    bench.lamps.open()
    bench.lamps.show(frame(bench.lights.place.lamps, 3, 5))
    assert bench.lit() == {3, 5}
    bench.lamps.close()
    bench.lamps.close()
    assert bench.lit() == set()
    with pytest.raises(OSError, match="closed"):
        bench.lamps.show(frame(bench.lights.place.lamps, 1))


def test_lamps_that_are_gone_are_an_oserror_and_can_be_had_again(bench: Bench) -> None:
    count = bench.lights.place.lamps
    bench.lamps.open()
    bench.gone(True)
    with pytest.raises(OSError, match=r".+"):
        bench.lamps.show(frame(count, 1))
    bench.lamps.close()
    with pytest.raises(OSError, match=r".+"):
        bench.lamps.open()
    bench.gone(False)
    bench.lamps.open()
    bench.lamps.show(frame(count, 2))
    assert bench.lit() == {2}
    bench.lamps.close()


def test_a_picture_goes_through_a_performer_to_the_lamps(bench: Bench) -> None:
    """The performer's own clock runs here, but nothing waits for it: a picture is on the lamps when `show` returns."""

    async def perform() -> None:
        performer = Performer(bench.lights, range(bench.lights.place.lamps), bench.lamps, lambda: 720)
        await performer.open()
        await performer.show({28: Meaning.DESTINATION})
        expected = {Place.SQUARES: {28}, Place.CORNERS: {31, 32, 40, 41}, Place.EDGES: {3, 12}}
        assert bench.lit() == expected[bench.lights.place]
        await performer.show(DARK)
        assert bench.lit() == set()
        await performer.show({28: Meaning.DESTINATION})
        await performer.close()
        assert bench.lit() == set()
        with pytest.raises(OSError, match="closed"):
            await performer.show(DARK)

    asyncio.run(perform())


def test_a_chip_that_once_does_not_answer_is_asked_again() -> None:
    bus = Ht16k33Bus()
    lamps = Ht16k33Lamps(Ht16k33(), lambda _: bus)
    lamps.open()
    bus.fails = 2
    lamps.show(frame(64, 9))
    assert bus.lit() == {(1, 1)}


def test_a_chip_that_is_not_there_is_named() -> None:
    with pytest.raises(OSError, match=r"no HT16K33 answers at address 0x71 of /dev/i2c-1.*i2cdetect -y 1"):
        Ht16k33Lamps(Ht16k33(address=0x71), lambda _: Ht16k33Bus()).open()


def test_a_matrix_lights_one_row_at_a_time_and_only_what_is_lit() -> None:
    circuit = Matrix()
    lights = LedMatrix(rows=ROWS, columns=COLUMNS)
    lamps = LedMatrixLamps(lights, circuit.lines)
    lamps.open()
    wanted = {0, 7, 9, 28, 63}
    steps = lamps.steps(frame(64, *wanted))
    assert len(steps) == 8
    for step in steps:
        step.on()
        step.off()
        assert not any(circuit.driven[line] for line in ROWS)
    assert circuit.lit == wanted
    assert circuit.rows_at_once == 1
    assert lamps.steps(frame(64)) == []
    lamps.close()
    assert not circuit.driven


def test_a_beat_tells_of_lines_that_are_gone() -> None:
    tried = Event()

    def fail() -> None:
        tried.set()
        raise GONE

    beat = Beat(100)
    beat.play([Step(fail, fail)], 1.0)
    assert tried.wait(10)
    beat.stop()
    with pytest.raises(OSError, match="No such device"):
        beat.play([], 0.0)


@pytest.mark.parametrize("level", [0.0, 0.25, 1.0])
def test_a_beat_is_on_for_its_share_and_ends_every_step(level: float) -> None:
    waits: list[float] = []
    told: list[str] = []

    def on() -> None:
        told.append("on")

    def off() -> None:
        told.append("off")

    beat = Beat(100, waits.append)
    beat.round([Step(on, off)] * 8, level)
    beat.stop()
    assert told == ["on", "off"] * 8
    assert sum(waits) == pytest.approx(0.01)
    assert sum(waits[::2] if level < 1 else waits) == pytest.approx(0.01 * level)


def test_dim_shift_registers_pulse_their_enable_line_and_bright_ones_do_not() -> None:
    circuit, wire = Leds(), Wire()
    lamps = ShiftLedLamps(ShiftLeds(enable=4), wire.opened, circuit.lines)
    lamps.open()
    assert circuit.driven[4] is True, "OE is high, so dark, until something is shown"
    lamps.show(frame(64, 5))
    assert circuit.driven[4] is False
    lamps.show(frame(64, 5, level=0.0))
    assert circuit.driven[4] is True
    lamps.show(frame(64, 5, level=0.5))
    lamps.close()
    assert not circuit.driven
    assert by_595(wire.transfers) == set()


def test_lamps_that_fail_within_a_picture_are_told_of_with_the_next() -> None:
    failed = asyncio.Event()

    class FailsOnce:
        def __init__(self) -> None:
            self.frames = 0
            self.loop = asyncio.get_running_loop()

        def open(self) -> None:
            """Nothing to take."""

        def show(self, _frame: Frame) -> None:
            self.frames += 1
            if self.frames == 2:
                self.loop.call_soon_threadsafe(failed.set)
                raise GONE

        def close(self) -> None:
            """Nothing to let go."""

    async def perform() -> None:
        performer = Performer(Ws2812(), range(64), FailsOnce(), lambda: 720)
        await performer.open()
        await performer.show({0: Meaning.TAKE_AWAY})  # blinks: the next frame comes by itself, and fails
        await failed.wait()
        with pytest.raises(OSError, match="No such device"):
            await performer.show(DARK)
        await performer.close()

    asyncio.run(perform())


def test_every_packaged_profile_has_its_lights() -> None:
    for name, path in packaged_profiles().items():
        profile = sound_profile(path)
        made = [make_lights(lights, profile.orientation) for lights in profile.lights]
        assert made, name
        assert all(isinstance(performer, Performer) for performer in made)


def test_no_lights_are_none() -> None:
    assert make_lights(NoLights(), Orientation()) is None


@pytest.mark.parametrize(
    "lights",
    [
        Ws2812(),
        Apa102(),
        Max7219(),
        Ht16k33(),
        ShiftLeds(),
        GpioLeds(pins=EDGES),
        LedMatrix(rows=ROWS, columns=COLUMNS),
    ],
    ids=lambda lights: type(lights).__name__,
)
def test_every_kind_has_a_driver_that_needs_no_device_until_it_is_opened(lights: AnyLamps) -> None:
    make_lamps(lights).close()
