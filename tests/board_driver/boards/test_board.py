"""The inbox between boards and the daemon, and the scanning thread that fills it."""

from __future__ import annotations

import asyncio
from threading import Thread

import pytest

from board_driver.boards.board import Clock, Inbox, Lost
from board_driver.boards.scanthread import ScanThread
from board_driver.scan import Button, ButtonName, Occupancy, Press, Scan
from rules.squares import Colour


class StoppedClock(Clock):
    """Always shows 5."""

    def now_ms(self) -> int:
        return 5


def scan(t_ms: int) -> Scan:
    return Scan(t_ms, Occupancy(t_ms))


def test_items_come_out_in_the_order_they_came_in() -> None:
    async def run() -> list[object]:
        inbox = Inbox()
        for t_ms in range(5):
            inbox.put(scan(t_ms))
        return [await inbox.get() for _ in range(5)]

    assert asyncio.run(run()) == [scan(t_ms) for t_ms in range(5)]


def test_a_full_inbox_gives_up_its_oldest_scan_and_keeps_presses_and_buttons() -> None:
    press = Press(0, Colour.WHITE)
    button = Button(1, ButtonName.DRAW, "white")

    async def run() -> tuple[list[object], int]:
        inbox = Inbox(capacity=4)
        for item in (press, scan(1), button, scan(2), scan(3), scan(4)):
            assert inbox.put(item)
        return [inbox.get_nowait() for _ in range(5)], inbox.dropped

    items, dropped = asyncio.run(run())
    assert items == [press, button, scan(3), scan(4), None]
    assert dropped == 2


def test_an_inbox_full_of_presses_refuses_the_next_item() -> None:
    async def run() -> tuple[bool, int]:
        inbox = Inbox(capacity=2)
        inbox.put(Press(0, Colour.WHITE))
        inbox.put(Press(1, Colour.BLACK))
        return inbox.put(scan(2)), inbox.dropped

    assert asyncio.run(run()) == (False, 1)


def test_a_thread_wakes_the_loop_that_waits() -> None:
    async def run() -> object:
        inbox = Inbox()
        waiting = asyncio.create_task(inbox.get())
        await asyncio.sleep(0)
        thread = Thread(target=inbox.put, args=(scan(7),))
        thread.start()
        item = await asyncio.wait_for(waiting, 5)
        thread.join()
        return item

    assert asyncio.run(run()) == scan(7)


def test_what_is_put_after_the_loop_has_closed_is_no_error() -> None:
    async def run() -> Inbox:
        return Inbox()

    assert asyncio.run(run()).put(scan(1))


def test_a_scanning_thread_delivers_changes_only_and_says_when_the_board_is_gone() -> None:
    readings = iter([1, 1, 2, 2, 2, 3])

    def read() -> Occupancy:
        try:
            return Occupancy(next(readings))
        except StopIteration:
            raise OSError("the cable was pulled") from None

    async def run() -> list[object]:
        inbox = Inbox(clock=StoppedClock())
        thread = ScanThread(inbox, read, scan_hz=1000)
        items = [await asyncio.wait_for(inbox.get(), 5) for _ in range(4)]
        await thread.stop()
        return [*items, inbox.get_nowait()]

    assert asyncio.run(run()) == [
        Scan(5, Occupancy(1)), Scan(5, Occupancy(2)), Scan(5, Occupancy(3)), Lost(5, "the cable was pulled"), None,
    ]  # fmt: skip


def test_nothing_is_delivered_once_a_scanning_thread_has_stopped() -> None:
    counter = iter(range(1, 1_000_000))

    async def run() -> tuple[object, object]:
        inbox = Inbox(capacity=8)
        thread = ScanThread(inbox, lambda: Occupancy(next(counter)), scan_hz=10_000)
        await asyncio.wait_for(inbox.get(), 5)
        await thread.stop()
        while inbox.get_nowait() is not None:
            pass
        before = next(counter)
        await asyncio.sleep(0)
        return before, next(counter) - 1

    before, after = asyncio.run(run())
    assert before == after


def test_a_scan_rate_must_be_positive() -> None:
    async def run() -> None:
        ScanThread(Inbox(), lambda: Occupancy(0), scan_hz=0)

    with pytest.raises(ValueError, match="scan_hz above 0"):
        asyncio.run(run())


@pytest.mark.parametrize("rate", [0.5, 1, 20])
def test_a_clock_knows_how_long_its_own_time_takes(rate: float) -> None:
    clock = Clock(rate)
    now_ms = clock.now_ms()
    assert clock.seconds_until(now_ms - 1) == 0
    assert clock.seconds_until(now_ms + 10_000) <= 10.001 / rate
    assert clock.seconds_until(now_ms + 1_000_000) > 10 / rate


def test_a_clock_cannot_stand_still() -> None:
    with pytest.raises(ValueError, match="rate above 0"):
        Clock(0)
