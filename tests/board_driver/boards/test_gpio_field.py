"""What happened to owners of boards at the header of a Raspberry Pi: cases of field.jsonl, and their neighbours.

GPIO-01 and GPIO-03 are in tests/electricity/test_shim.py, GPIO-06 in tests/electricity/test_daemon.py.
"""

from __future__ import annotations

import asyncio
import errno
import re
from pathlib import Path

import pytest

from board_driver import daemon as daemon_module
from board_driver.boards.board import Clock
from board_driver.daemon import BoardState, Daemon
from board_driver.events import Fault
from board_driver.inputerror import InputError
from board_driver.profile.finding import packaged_profiles
from board_driver.profile.reading import sound_profile
from tests.board_driver.doubles import FakeBoard
from tests.board_driver.store.lives import PLAY


def not_yet() -> OSError:
    return OSError(errno.EACCES, "no permission to use /dev/spidev1.0, which belongs to group spi")


def waited(failures: int, monkeypatch: pytest.MonkeyPatch) -> tuple[FakeBoard, float, list[str], BoardState]:
    """A daemon at a board that cannot be opened so often: how long it waited in all, and what it told."""
    board, waits, told = FakeBoard([not_yet() for _ in range(failures)]), [0.0], list[str]()
    really_sleep = asyncio.sleep

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await really_sleep(0)

    def hear(events: object) -> None:
        assert isinstance(events, list | tuple)
        told.extend(event.text for event in events if isinstance(event, Fault))

    async def run() -> BoardState:
        daemon = Daemon(board, PLAY, clock=Clock())
        daemon.listen(hear)
        with monkeypatch.context() as patch:
            patch.setattr(asyncio, "sleep", sleep)
            life = asyncio.create_task(daemon.run())
            while not board.opened:
                await really_sleep(0)
            await really_sleep(0)
            state = daemon.board_state
            daemon.stop()
            await life
        return state

    state = asyncio.run(run())
    return board, sum(waits), told, state


def test_gpio_05_permissions_that_come_late_are_waited_for_half_a_minute_and_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board, seconds, told, state = waited(9, monkeypatch)
    assert seconds >= 30
    assert (board.opened, state) == (1, BoardState.OPEN)
    assert len(told) == 1, "the same trouble is told once"
    assert "/dev/spidev1.0" in told[0]


def test_it_is_tried_again_at_once_and_then_ever_more_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    assert waited(1, monkeypatch)[1] == daemon_module.RETRY_FIRST_S
    assert waited(3, monkeypatch)[1] == 7 * daemon_module.RETRY_FIRST_S


@pytest.mark.parametrize("pin", ["99", "-1", "x", "2.5"])
def test_pins_that_cannot_be_are_told_with_their_line_before_anything_is_driven(tmp_path: Path, pin: str) -> None:
    text = packaged_profiles()["reed-matrix-gpio"].read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if "[" in line and "#" not in line.partition("[")[0])
    path = tmp_path / "board.yaml"
    path.write_text(text.replace(line, re.sub(r"\[\s*\d+", f"[{pin}", line), 1))
    with pytest.raises(InputError) as told:
        sound_profile(path)
    assert f"line {text.splitlines().index(line) + 1}" in str(told.value)
    assert pin in str(told.value)
