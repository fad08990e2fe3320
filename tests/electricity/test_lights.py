"""From a lifted piece to the lamps that light: sensors, daemon, law, picture, wire, decoded by the data sheet."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from board_driver.boards.gpiozerolines import GpiozeroLines
from board_driver.lights.lamps import BLACK, Frame
from board_driver.lights.performer import Performer
from board_driver.lights.plainleds import GpioLedLamps, LedMatrixLamps
from board_driver.lights.power import AnyLamps
from board_driver.lights.ws2812 import CLOCK_HZ, Ws2812Lamps
from board_driver.profile.lights import GpioLeds, LedMatrix, Place, Ws2812
from board_driver.profile.places import place_order
from board_driver.profile.schema import Orientation
from board_driver.profile.words import Corner, Order
from rules.squares import parse_square
from tests.board_driver.lights.chips import GONE, Wire, bytes_of, pulses
from tests.electricity.circuits import Circuit
from tests.electricity.computers import mock_factory
from tests.electricity.contract import BLACK as BLACK_PIECES
from tests.electricity.contract import WHITE
from tests.electricity.rigs import COLUMNS, RIGS, ROWS
from tests.electricity.test_daemon import PATIENCE_S, living, settings_for, wired

A2 = 1 << parse_square("a2")


class Strip(Wire):
    """A strip that tells the loop of every frame."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.get_running_loop()
        self.written = asyncio.Event()

    def writebytes2(self, values: Sequence[int] | bytes, /) -> None:
        super().writebytes2(values)
        self.loop.call_soon_threadsafe(self.written.set)

    def lit(self) -> set[int]:
        if not self.transfers:
            return set()
        shown = bytes_of(pulses(self.transfers[-1], CLOCK_HZ))
        return {n // 3 for n, value in enumerate(shown) if value}

    async def until(self, come: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not come():
                self.written.clear()
                if not come():
                    await self.written.wait()


def performer_for(lights: Ws2812, strip: Strip) -> Performer:
    order = place_order(lights.place, lights.order, Orientation())
    return Performer(lights, order, Ws2812Lamps(lights, strip.opened), lambda: 720)


@pytest.mark.parametrize(
    ("order", "lamps"),
    [(Order(snake=True), {16, 31}), (Order(first=Corner.H8), {47, 39}), (Order(), {16, 24})],
    ids=["serpentine", "from h8", "plain"],
)
def test_led_03_a_lifted_a2_lights_a3_and_a4_for_every_wiring(order: Order, lamps: set[int]) -> None:
    """The lamps of a3 and a4 counted by hand: along the strip as it is laid."""

    async def story() -> None:
        rig, strip = RIGS["4 mcp23017"](), Strip()
        rig.place(WHITE, BLACK_PIECES)
        lights = performer_for(Ws2812(order=order), strip)
        async with living(wired(rig, lights=[lights]), settings_for(rig)) as life:
            rig.place(WHITE ^ A2, BLACK_PIECES)
            await life.until(lambda: life.lifts() == 1)
            await strip.until(lambda: lamps <= strip.lit())
            others = strip.lit() - lamps
            home = {number for number in others if number in (8, 15, 55)}
            assert others == home, "nothing but the square it came from"
        assert strip.lit() == set(), "dark when the daemon has ended"

    asyncio.run(story())


def test_a_strip_that_is_unplugged_does_not_stop_the_game() -> None:
    async def story() -> None:
        rig, strip = RIGS["matrix"](), Strip()
        rig.place(WHITE, BLACK_PIECES)
        lights = performer_for(Ws2812(), strip)
        async with living(wired(rig, lights=[lights]), settings_for(rig)) as life:
            strip.is_gone = True
            rig.place(WHITE ^ A2, BLACK_PIECES)
            await life.until(lambda: life.lifts() == 1)
            rig.place(WHITE ^ A2 ^ 1 << parse_square("a4"), BLACK_PIECES)
            await life.until(lambda: life.moves() == ["a2a4"])
            await life.until(lambda: life.texts("lights"))
            assert life.texts("lights") == [f"The lights are off: {GONE}"]

    asyncio.run(story())


def test_a_picture_beyond_the_budget_is_told_once_in_a_game() -> None:
    async def story() -> None:
        rig, strip = RIGS["matrix"](), Strip()
        rig.place(WHITE, BLACK_PIECES)
        lights = performer_for(Ws2812(budget_ma=65, brightness_percent=100), strip)
        async with living(wired(rig, lights=[lights]), settings_for(rig)) as life:
            for squares in (WHITE ^ A2, WHITE):
                rig.place(squares, BLACK_PIECES)
                await life.until(lambda: life.texts("lights"))
            assert len(life.texts("lights")) == 1
            assert "dimmed" in life.texts("lights")[0]

    asyncio.run(story())


class Leds(Circuit):
    """LEDs between rows and columns; what was lit together."""

    def __init__(self) -> None:
        super().__init__()
        self.lit: set[int] = set()

    def changed(self, _line: int, _before: bool | None, _after: bool | None) -> None:
        rows = [n for n, line in enumerate(ROWS) if self.driven.get(line)]
        columns = [n for n, line in enumerate(COLUMNS) if self.driven.get(line) is False]
        self.lit |= {8 * row + column for row in rows for column in columns}


def frame_of(lights: AnyLamps, lit: set[int]) -> Frame:
    return Frame(tuple((9, 9, 9) if n in lit else BLACK for n in range(lights.place.lamps)), 1.0)


def test_leds_by_row_and_column_through_gpiozero() -> None:
    circuit = Leds()
    lights = LedMatrix(rows=tuple(ROWS), columns=tuple(COLUMNS))
    lamps = LedMatrixLamps(lights, lambda _chip: GpiozeroLines(mock_factory(circuit)))
    lamps.open()
    wanted = {0, 7, 28, 35, 63}
    for step in lamps.steps(frame_of(lights, wanted)):
        step.on()
        step.off()
    assert circuit.lit == wanted
    lamps.close()
    assert not any(circuit.driven.get(line) for line in ROWS)


@pytest.mark.parametrize(("place", "pins"), [(Place.EDGES, tuple(range(5, 21))), (Place.STATUS, (5,))])
def test_leds_on_lines_of_their_own_through_gpiozero(place: Place, pins: tuple[int, ...]) -> None:
    circuit = Circuit()
    lights = GpioLeds(place=place, pins=pins)
    lamps = GpioLedLamps(lights, lambda _chip: GpiozeroLines(mock_factory(circuit)))
    lamps.open()
    for n, pin in enumerate(pins):
        lamps.show(frame_of(lights, {n}))
        assert {line for line, high in circuit.driven.items() if high} == {pin}
    lamps.close()
    assert not any(circuit.driven.values())
