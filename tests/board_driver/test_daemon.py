"""The daemon between a board in this process and a mind that only notes what it is given."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from board_driver import daemon as daemon_module
from board_driver.boards.board import Clock, Exhausted, Lost
from board_driver.daemon import BoardState, Daemon
from board_driver.events import Event, Fault
from board_driver.lights.picture import DARK, Meaning
from board_driver.mind import Settings
from board_driver.scan import Button, ButtonName, Input, Occupancy, Press, Scan
from rules.squares import Colour
from tests.board_driver.doubles import FakeBoard, FakeMind, HandClock


class Bench:
    """A daemon at work on a fake board, and all that it told."""

    def __init__(self, daemon: Daemon, board: FakeBoard) -> None:
        self.daemon = daemon
        self.board = board
        self.told: list[Event] = []
        daemon.listen(self.told.extend)

    @property
    def mind(self) -> FakeMind:
        assert isinstance(self.daemon.mind, FakeMind)
        return self.daemon.mind

    async def until(self, condition: Callable[[], object]) -> None:
        """Let the loop run until `condition` holds."""
        async with asyncio.timeout(5):
            while not condition():
                await asyncio.sleep(0)


def bench(
    script: Callable[[Bench], Awaitable[None]],
    clock: Clock | None = None,
    failures: Sequence[OSError] = (),
) -> Bench:
    """Run `script` beside a daemon; what comes back is the state after the daemon has stopped."""

    async def run() -> Bench:
        board = FakeBoard(failures)
        daemon = Daemon(board, Settings(), mind_of=FakeMind, clock=clock or HandClock())
        at = Bench(daemon, board)
        life = asyncio.create_task(daemon.run())
        await daemon.ready.wait()
        try:
            await script(at)
        finally:
            daemon.stop()
            await asyncio.wait_for(life, 5)
        return at

    return asyncio.run(run())


def scan(t_ms: int, occupied: int = 0) -> Scan:
    return Scan(t_ms, Occupancy(occupied))


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daemon_module, "RETRY_FIRST_S", 0)


def test_inputs_reach_the_mind_in_order_and_events_the_listeners() -> None:
    items: list[Input] = [scan(1), Press(2, Colour.WHITE), Button(3, ButtonName.DRAW, "white")]

    async def script(at: Bench) -> None:
        at.board.send(*items)
        await at.until(lambda: len(at.mind.received) == 3)

    at = bench(script)
    assert at.mind.received == items
    assert [event.t_ms for event in at.told] == [1, 2, 3]


def test_times_given_to_the_mind_never_go_back() -> None:
    async def script(at: Bench) -> None:
        at.board.send(scan(5), Press(3, Colour.WHITE), scan(7))
        await at.until(lambda: len(at.mind.received) == 3)

    assert bench(script).mind.received == [scan(5), Press(5, Colour.WHITE), scan(7)]


def test_the_mind_is_woken_when_it_asked_to_be_and_not_before() -> None:
    clock = HandClock()

    async def script(at: Bench) -> None:
        at.mind.wake_ms = 40
        at.board.send(scan(0))
        await at.until(lambda: len(at.mind.received) == 1)
        clock.time_ms = 39
        at.board.send(scan(39))
        await at.until(lambda: len(at.mind.received) == 2)
        assert at.mind.advanced == []
        clock.time_ms = 40
        at.board.send(scan(40))
        await at.until(lambda: at.mind.advanced)

    assert bench(script, clock).mind.advanced == [40]


def test_a_slow_board_is_shown_the_newest_picture_and_none_in_between() -> None:
    async def script(at: Bench) -> None:
        await at.until(lambda: at.board.shown)
        at.board.gate.clear()
        at.board.showing.clear()
        at.board.send(scan(1))
        await at.board.showing.wait()
        at.board.send(scan(2), scan(3), scan(4))
        await at.until(lambda: len(at.mind.received) == 4)
        at.board.gate.set()
        await at.until(lambda: len(at.board.shown) == 3)

    assert [len(picture) for picture in bench(script).board.shown] == [0, 1, 4]


def test_the_lights_keep_up_while_much_waits_in_the_inbox() -> None:
    behind: list[int] = []

    async def script(at: Bench) -> None:
        await at.until(lambda: at.board.shown)
        at.daemon.listen(lambda _: behind.append(len(at.mind.received) - len(at.board.shown[-1])))
        at.board.send(*(scan(t_ms) for t_ms in range(200)))
        await at.until(lambda: len(at.mind.received) == 200)

    bench(script)
    assert max(behind) <= 2


def test_a_picture_that_did_not_change_is_not_shown_again() -> None:
    async def script(at: Bench) -> None:
        at.mind.picture = lambda: DARK  # type: ignore[method-assign]
        at.board.send(scan(1), scan(2))
        await at.until(lambda: len(at.mind.received) == 2)
        await at.until(lambda: at.board.shown)

    assert bench(script).board.shown == [{}]


def test_a_lost_board_is_reported_opened_again_and_the_game_kept() -> None:
    async def script(at: Bench) -> None:
        mind = at.mind
        at.board.send(scan(1), Lost(2, "unplugged"))
        await at.until(lambda: at.board.opened == 2)
        assert at.daemon.board_state is BoardState.OPEN
        assert at.daemon.board_trouble == ""
        at.board.send(scan(3))
        await at.until(lambda: len(mind.received) == 2)
        await at.until(lambda: at.board.shown and len(at.board.shown[-1]) == 2)
        assert at.mind is mind

    at = bench(script)
    assert [event for event in at.told if isinstance(event, Fault)] == [
        Fault(2, "board-lost", None, "The board is gone: unplugged")
    ]
    assert at.board.closed == 2


def test_a_board_that_cannot_be_opened_is_tried_again_and_reported_once() -> None:
    async def script(at: Bench) -> None:
        assert at.daemon.board_state is BoardState.LOST
        await at.until(lambda: at.board.opened)

    at = bench(script, failures=[OSError("no such port"), OSError("no such port"), OSError("no such port")])
    assert [event.text for event in at.told if isinstance(event, Fault)] in (["The board is gone: no such port"], [])


def test_a_board_that_fails_while_showing_is_lost_and_comes_back_with_its_picture() -> None:
    async def script(at: Bench) -> None:
        await at.until(lambda: at.board.shown)
        at.board.show_error = OSError("bus error")
        at.board.send(scan(1))
        await at.until(lambda: at.board.opened == 2)
        await at.until(lambda: len(at.board.shown) == 2)

    at = bench(script)
    assert at.board.shown[-1] == {0: Meaning.OWED}


def test_a_mistake_of_ours_is_not_swallowed() -> None:
    async def script(at: Bench) -> None:
        at.board.show_error = ValueError("a bug")
        at.board.send(scan(1))
        await at.until(lambda: at.board.closed)

    with pytest.raises(ExceptionGroup) as caught:
        bench(script)
    assert caught.group_contains(ValueError, match="a bug")


def test_a_fault_of_a_sensor_is_told() -> None:
    fault = Fault(3, "stuck", None, "b2 never changes")

    async def script(at: Bench) -> None:
        at.board.send(fault)
        await at.until(lambda: at.told)

    assert bench(script).told == [fault]


def test_scans_that_came_too_fast_are_counted_as_a_fault() -> None:
    async def script(at: Bench) -> None:
        at.board.send(*(scan(t_ms) for t_ms in range(1030)))
        await at.until(lambda: len(at.mind.received) == 1024)

    faults = [event for event in bench(script).told if isinstance(event, Fault)]
    assert [(fault.kind, fault.text.split()[0]) for fault in faults] == [("overrun", "6")]


def test_a_new_game_gets_a_new_mind_that_sees_the_board_as_it_stands() -> None:
    async def script(at: Bench) -> None:
        before = at.mind
        at.board.send(scan(1, 0xF), scan(2, 0xFF))
        at.daemon.new_game(Settings(ruleset="blitz"))
        assert len(before.received) == 2
        assert at.mind.settings.ruleset == "blitz"
        assert [item.reading for item in at.mind.received if isinstance(item, Scan)] == [Occupancy(0xFF)]
        await at.until(lambda: at.board.shown and len(at.board.shown[-1]) == 1)

    bench(script)


def test_the_game_before_does_not_see_how_the_next_is_set_up() -> None:
    async def script(at: Bench) -> None:
        before = at.mind
        at.board.send(scan(1, 0xF))
        at.daemon.new_game(Settings(), set_up=lambda: at.board.send(scan(2, 0xFF)))
        seen = [[item.reading for item in mind.received if isinstance(item, Scan)] for mind in (before, at.mind)]
        assert seen == [[Occupancy(0xF)], [Occupancy(0xFF)]]

    bench(script)


def test_buttons_of_the_page_come_through_the_inbox_with_their_time() -> None:
    async def script(at: Bench) -> None:
        at.daemon.press_button(ButtonName.RESIGN, "black")
        await at.until(lambda: at.mind.received)

    assert bench(script, HandClock(12)).mind.received == [Button(12, ButtonName.RESIGN, "black")]


def test_a_log_at_its_end_is_no_fault() -> None:
    async def script(at: Bench) -> None:
        at.board.send(Exhausted(1))
        await at.until(lambda: at.daemon.board_state is BoardState.EXHAUSTED)

    assert bench(script).told == []


def test_one_who_stops_listening_is_told_nothing_more() -> None:
    async def script(at: Bench) -> None:
        heard: list[Event] = []
        end = at.daemon.listen(heard.extend)
        at.board.send(scan(1))
        await at.until(lambda: heard)
        end()
        at.board.send(scan(2))
        await at.until(lambda: len(at.told) == 2)
        assert len(heard) == 1

    bench(script)
