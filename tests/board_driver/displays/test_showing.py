"""Displays beside a running daemon."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from board_driver.boards.board import Clock
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.displays import showing
from board_driver.displays.face import Face, rows_of
from board_driver.displays.hd44780 import TextDisplay
from board_driver.displays.oled import OledDisplay
from board_driver.displays.showing import Showing, display_of, face_of
from board_driver.events import Event, Fault
from board_driver.mind import Mode, Settings
from board_driver.profile.displays import Hd44780, Ssd1306
from board_driver.scan import ButtonName
from rules.clock import parse_time_control
from rules.squares import parse_square

BLITZ = Settings(mode=Mode.PLAY, time_control=parse_time_control("5+3"))


class FakeDisplay:
    """Shows what it is told; `failures` are raised by the next calls of `show`."""

    name = "the display under test"

    def __init__(self) -> None:
        self.faces: list[Face] = []
        self.failures: list[OSError] = []
        self.opened = self.closed = 0

    def open(self) -> None:
        self.opened += 1

    def show(self, face: Face) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.faces.append(face)

    def close(self) -> None:
        self.closed += 1


async def until(what: Callable[[], bool]) -> None:
    for _ in range(2000):
        if what():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not come to that")


def living(act: Callable[[Daemon, VirtualBoard, FakeDisplay, list[Event]], Awaitable[None]], rate: float = 1.0) -> None:
    """A daemon with a display beside it, for as long as `act` takes."""

    async def run() -> None:
        board, display, told = VirtualBoard(capture_ms=0), FakeDisplay(), list[Event]()
        daemon = Daemon(board, BLITZ, clock=Clock(rate))
        daemon.listen(told.extend)
        life = asyncio.create_task(daemon.run())
        await daemon.ready.wait()
        beside = asyncio.create_task(Showing(daemon, [display]).run())
        await act(daemon, board, display, told)
        beside.cancel()
        await asyncio.gather(beside, return_exceptions=True)
        assert display.closed == 1
        daemon.stop()
        await life

    asyncio.run(run())


def test_moves_and_clocks_come_to_the_display_and_it_is_cleared_at_the_end() -> None:
    async def act(daemon: Daemon, board: VirtualBoard, display: FakeDisplay, told: list[Event]) -> None:
        await until(lambda: bool(display.faces))
        assert rows_of(display.faces[-1], 16, 2) == ("W 5:00    5:00 B", "           White")
        hand = board.lift(parse_square("e2"))
        assert not hasattr(hand, "text")
        await until(lambda: daemon.mind.summary()["obligation"] == {"kind": "move", "squares": ["e2"]})
        await until(lambda: display.faces[-1].more[0] == "move: e2")
        board.put(hand, parse_square("e4"))  # type: ignore[arg-type]
        await until(lambda: display.faces[-1].move == "1.e4")
        await until(lambda: display.faces[-1].black is not None and display.faces[-1].black.mark == ">")
        shown = len(display.faces)
        await until(lambda: len(display.faces) > shown + 1)  # nothing happens, and seconds go by
        assert [event for event in told if isinstance(event, Fault)] == []

    living(act, rate=20)


def test_the_end_is_shown_and_then_nothing_changes() -> None:
    async def act(daemon: Daemon, board: VirtualBoard, display: FakeDisplay, told: list[Event]) -> None:
        del board, told
        await until(lambda: bool(display.faces))
        daemon.press_button(ButtonName.RESIGN, "white")
        await until(lambda: display.faces[-1].turn == "0-1 resignation")
        assert face_of(daemon)[1] is None

    living(act)


def test_one_that_fails_is_told_once_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "RETRY_S", 0.01)
    monkeypatch.setattr(showing, "IDLE_S", 0.01)

    async def act(daemon: Daemon, board: VirtualBoard, display: FakeDisplay, told: list[Event]) -> None:
        del daemon, board
        await until(lambda: bool(display.faces))
        display.failures = [OSError("no answer"), OSError("no answer")]
        await until(lambda: display.opened >= 2 and not display.failures)
        shown = len(display.faces)
        await until(lambda: len(display.faces) > shown)
        texts = [event.text for event in told if isinstance(event, Fault)]
        assert texts.count("no answer") <= 2
        assert texts[0] == "no answer"
        assert texts[-1] == "the display under test is back"

    living(act)


def test_a_profile_makes_the_drivers() -> None:
    assert isinstance(display_of(Hd44780()), TextDisplay)
    assert isinstance(display_of(Ssd1306()), OledDisplay)
