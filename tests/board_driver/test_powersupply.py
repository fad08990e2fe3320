"""A weak supply, told once for each time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from board_driver import vitals as vitals_module
from board_driver.daemon import Daemon
from board_driver.events import Event, Fault
from board_driver.powersupply import PowerSupply
from board_driver.vitals import Vitals
from tests.board_driver.doubles import FakeBoard
from tests.board_driver.store.lives import PLAY


def a_pi(folder: Path) -> Path:
    """Sensors as a Raspberry Pi has them; the alarm's file."""
    for name, kind in (("hwmon0", "cpu_thermal"), ("hwmon1", "rpi_volt")):
        (folder / name).mkdir()
        (folder / name / "name").write_text(f"{kind}\n")
    alarm = folder / "hwmon1" / "in0_lcrit_alarm"
    alarm.write_text("0\n")
    return alarm


def test_each_drop_is_news_once(tmp_path: Path) -> None:
    alarm = a_pi(tmp_path)
    supply = PowerSupply(tmp_path)
    looks = []
    for state in "0110010":
        alarm.write_text(f"{state}\n")
        looks.append(supply.look())
    assert looks == [False, True, False, False, False, True, False]


@pytest.mark.parametrize("content", [b"", b"\xff\xff", b"yes"])
def test_what_is_no_alarm_is_none(tmp_path: Path, content: bytes) -> None:
    a_pi(tmp_path).write_bytes(content)
    assert not PowerSupply(tmp_path).look()


def test_a_machine_that_does_not_tell_is_not_weak(tmp_path: Path) -> None:
    assert not PowerSupply(tmp_path / "nowhere").look()
    alarm = a_pi(tmp_path)
    supply = PowerSupply(tmp_path)
    alarm.unlink()
    assert not supply.look()


def test_a_daemon_tells_it_as_a_fault_and_measures_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_pi(tmp_path).write_text("1\n")
    monkeypatch.setattr(vitals_module, "BEAT_S", 0)

    async def script() -> tuple[list[Event], str]:
        daemon, told = Daemon(FakeBoard(), PLAY), list[Event]()
        daemon.listen(told.extend)
        vitals = Vitals(daemon, supply=PowerSupply(tmp_path))
        life, measuring = asyncio.create_task(daemon.run()), asyncio.create_task(vitals.run())
        while not any(isinstance(event, Fault) and event.kind == "power" for event in told):
            await asyncio.sleep(0)
        for _ in range(20):
            await asyncio.sleep(0)
        metrics = vitals.metrics()
        measuring.cancel()
        daemon.stop()
        await life
        return told, metrics

    told, metrics = asyncio.run(script())
    faults = [event for event in told if isinstance(event, Fault) and event.kind == "power"]
    assert len(faults) == 1
    assert "too weak" in faults[0].text
    assert "touchmove_supply_weak 1\n" in metrics
