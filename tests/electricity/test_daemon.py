"""The daemon on wired boards: a whole life with unplugging, lights that fail, buttons and a clock, in real threads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from board_driver.boards.board import Delivery, Inbox
from board_driver.boards.pushbuttons import PushButtons
from board_driver.boards.sensorboard import LIGHTS_AGAIN_MS, Lights, SensorBoard, Wired
from board_driver.daemon import BoardState, Daemon
from board_driver.events import Ended, Event, Fault, Lifted, Moved
from board_driver.lights.picture import Meaning, Picture
from board_driver.mind import Mode, Settings
from board_driver.profile.schema import Buttons
from board_driver.scan import Button, ButtonName, Press
from rules.squares import Colour
from tests.board_driver.doubles import HandClock
from tests.electricity.contract import BLACK, WHITE
from tests.electricity.rigs import RIGS, Rig

PATIENCE_S = 20
E2, E4, E7, E5 = 1 << 12, 1 << 28, 1 << 52, 1 << 36


class Life:
    """A daemon that runs, and what it told."""

    def __init__(self, board: SensorBoard, settings: Settings) -> None:
        self.daemon = Daemon(board, settings)
        self.events: list[Event] = []
        self._heard = asyncio.Event()
        self.daemon.listen(self._hear)

    def _hear(self, events: Sequence[Event]) -> None:
        self.events += events
        self._heard.set()

    async def until(self, come: Callable[[], object]) -> None:
        """Wait for something to be so, and fail if it does not come about."""
        async with asyncio.timeout(PATIENCE_S):
            while not come():
                self._heard.clear()
                if not come():
                    await self._heard.wait()

    def texts(self, kind: str) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Fault) and event.kind == kind]

    def moves(self) -> list[str]:
        return [event.uci for event in self.events if isinstance(event, Moved)]

    def lifts(self) -> int:
        return sum(isinstance(event, Lifted) for event in self.events)

    def results(self) -> list[str]:
        return [event.result for event in self.events if isinstance(event, Ended)]


def settings_for(rig: Rig, mode: Mode = Mode.PLAY) -> Settings:
    calibration = getattr(rig.source, "field_calibration", None)
    return Settings(mode=mode, sensing=rig.source.senses, settle_ms=20, calibration=calibration)


def wired(rig: Rig, lights: Sequence[Lights] = (), buttons: Any = None) -> SensorBoard:
    return SensorBoard(Wired("trial", rig.source, range(64), 100, lights, buttons))


@asynccontextmanager
async def living(board: SensorBoard, settings: Settings) -> AsyncIterator[Life]:
    """A daemon that has read its board, and ends with the block."""
    life = Life(board, settings)
    task = asyncio.create_task(life.daemon.run())
    try:
        await life.until(lambda: life.daemon.last_scan is not None)
        yield life
    finally:
        life.daemon.stop()
        await task


@pytest.mark.parametrize("name", ["matrix", "4 mcp23017", "74hc165 by SPI", "hall mcp3208 4067"])
def test_a_game_outlives_its_board_being_unplugged_in_the_middle_of_a_move(name: str) -> None:
    rig = RIGS[name]()
    rig.place(WHITE, BLACK)

    async def story() -> None:
        async with living(wired(rig), settings_for(rig)) as life:
            rig.place(WHITE ^ E2, BLACK)
            await life.until(lambda: life.lifts() == 1)
            rig.unplug()
            await life.until(lambda: life.daemon.board_state is BoardState.LOST)
            rig.place(WHITE ^ E2 ^ E4, BLACK)
            rig.replug()
            await life.until(lambda: life.daemon.board_state is BoardState.OPEN)
            await life.until(lambda: life.moves() == ["e2e4"])
            rig.place(WHITE ^ E2 ^ E4, BLACK ^ E7)
            await life.until(lambda: life.lifts() == 2)
            rig.place(WHITE ^ E2 ^ E4, BLACK ^ E7 ^ E5)
            await life.until(lambda: life.moves() == ["e2e4", "e7e5"])
        assert len(life.texts("board-lost")) == 1

    asyncio.run(story())
    assert not rig.driven()


class FakeLights:
    """Lights that fail when they are told to."""

    def __init__(self) -> None:
        self.trouble: OSError | None = None
        self.shown: list[Picture] = []
        self.closed = 0

    async def open(self) -> None:
        if self.trouble is not None:
            raise self.trouble

    async def show(self, picture: Picture) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.shown.append(picture)

    async def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize("fails_at", ["open", "show"])
def test_lights_that_fail_are_told_once_and_the_game_goes_on(fails_at: str) -> None:
    """GPIO-06 of field.jsonl."""
    rig, lights = RIGS["matrix"](), FakeLights()
    rig.place(WHITE, BLACK)
    refused = OSError("hardware revision not supported")

    async def story() -> None:
        lights.trouble = refused if fails_at == "open" else None
        async with living(wired(rig, lights=[lights]), settings_for(rig)) as life:
            lights.trouble = refused
            rig.place(WHITE ^ E2, BLACK)
            await life.until(lambda: life.lifts() == 1)
            rig.place(WHITE ^ E2 ^ E4, BLACK)
            await life.until(lambda: life.moves() == ["e2e4"])
            assert life.texts("lights") == ["The lights are off: hardware revision not supported"]
            assert life.daemon.board_state is BoardState.OPEN

    asyncio.run(story())


def test_lights_are_tried_again_after_a_while_and_the_same_trouble_is_told_once() -> None:
    rig, lights, clock = RIGS["matrix"](), FakeLights(), HandClock()
    picture: Picture = {0: Meaning.OWED}

    async def story() -> list[str]:
        inbox = Inbox(clock=clock)
        lights.trouble = OSError("no such device")
        board = wired(rig, lights=[lights])
        await board.open(inbox)
        for clock.time_ms in (LIGHTS_AGAIN_MS - 1, LIGHTS_AGAIN_MS, 2 * LIGHTS_AGAIN_MS):
            await board.show(picture)
        assert lights.shown == []
        lights.trouble = None
        for clock.time_ms in (3 * LIGHTS_AGAIN_MS - 1, 3 * LIGHTS_AGAIN_MS):
            await board.show(picture)
        assert lights.shown == [picture]
        await board.close()
        told = []
        while (item := inbox.get_nowait()) is not None:
            told += [item.text] if isinstance(item, Fault) else []
        return told

    assert asyncio.run(story()) == ["The lights are off: no such device"]


def test_a_sensor_board_that_cannot_have_its_buttons_gives_its_sensors_back() -> None:
    rig = RIGS["matrix"]()

    class NoButtons:
        has_clock = False

        def open(self, _inbox: object) -> None:
            raise OSError("the button draw cannot have GPIO 4")

        def close(self) -> None:
            """Nothing is held."""

    async def run() -> None:
        board = wired(rig, buttons=NoButtons())
        with pytest.raises(OSError, match="button draw"):
            await board.open(Inbox())

    asyncio.run(run())
    assert not rig.driven()


# -- push buttons


class HandInbox(Inbox):
    """Takes what is put, at the time that the test says."""

    def __init__(self) -> None:
        self.time_ms = 1_000
        self.items: list[Delivery] = []

    def now_ms(self) -> int:
        return self.time_ms

    def put(self, item: Delivery) -> bool:
        self.items.append(item)
        return True


def pressed(factory: MockFactory, pin: int, inbox: HandInbox, edges: list[tuple[int, bool]]) -> None:
    for t_ms, down in edges:
        inbox.time_ms = t_ms
        line = factory.pin(pin)
        line.drive_low() if down else line.drive_high()


def test_a_press_counts_at_its_first_edge_and_its_bounces_do_not() -> None:
    factory, inbox = MockFactory(), HandInbox()
    buttons = PushButtons(Buttons(white_clock=4, draw=17, promote_knight=22, bounce_ms=30), factory)
    buttons.open(inbox)
    bouncing = [(1_000, True), (1_004, False), (1_007, True), (1_200, False), (1_205, True), (1_206, False)]
    pressed(factory, 4, inbox, bouncing)
    pressed(factory, 4, inbox, [(1_300, True), (1_400, False)])
    pressed(factory, 17, inbox, [(2_000, True)])
    pressed(factory, 22, inbox, [(2_100, True)])
    buttons.close()
    assert inbox.items == [
        Press(1_000, Colour.WHITE),
        Press(1_300, Colour.WHITE),
        Button(2_000, ButtonName.DRAW, None),
        Button(2_100, ButtonName.PROMOTE, "n"),
    ]


def test_a_clock_needs_both_its_buttons() -> None:
    assert not PushButtons(Buttons(white_clock=4), MockFactory()).has_clock
    assert PushButtons(Buttons(white_clock=4, black_clock=5), MockFactory()).has_clock


def test_a_button_that_cannot_be_had_is_named_and_the_others_are_given_back() -> None:
    factory, inbox = MockFactory(), HandInbox()
    first = PushButtons(Buttons(adjust=4), factory)
    first.open(inbox)
    second = PushButtons(Buttons(draw=17, takeback=4), factory)
    with pytest.raises(OSError, match="the button takeback cannot have GPIO 4"):
        second.open(inbox)
    third = PushButtons(Buttons(draw=17), factory)
    third.open(inbox)


def test_the_button_for_a_new_game_begins_one() -> None:
    factory, rig = MockFactory(), RIGS["matrix"]()
    rig.place(WHITE, BLACK)

    async def story() -> None:
        board = wired(rig, buttons=PushButtons(Buttons(new_game=4, resign=17), factory))
        async with living(board, settings_for(rig)) as life:
            factory.pin(17).drive_low()  # White, who has the move, resigns
            await life.until(life.results)
            assert life.results() == ["0-1"]
            before = life.daemon.mind
            factory.pin(4).drive_low()
            await life.until(lambda: life.daemon.mind is not before)
            assert life.daemon.mind.games()[-1].result == "*"

    asyncio.run(story())
