"""The service manager's side of `sd_notify`."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from board_driver import notify

ROOT = Path(__file__).parents[2]


class Listener:
    """A service manager that reads what is sent."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "notify"
        self.channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.channel.bind(str(self.path))
        self.channel.settimeout(30)

    def next(self) -> str:
        return self.channel.recv(4096).decode()


def test_nothing_is_sent_where_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not notify.notify("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/socket")
    assert not notify.notify("READY=1")


def test_an_abstract_address_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.bind(f"\0touchmove-test-{os.getpid()}")
        channel.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@touchmove-test-{os.getpid()}")
        assert notify.notify("READY=1")
        assert channel.recv(100) == b"READY=1"


@pytest.mark.parametrize(
    ("microseconds", "process", "expected"),
    [("", "", None), ("0", "", None), ("soon", "", None), ("3000000", "", 3.0), ("3000000", "1", None)],
)
def test_the_watchdog_is_for_this_process(
    monkeypatch: pytest.MonkeyPatch, microseconds: str, process: str, expected: float | None
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", microseconds)
    monkeypatch.setenv("WATCHDOG_PID", process)
    assert notify.watchdog_s() == expected


def test_a_daemon_tells_that_it_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    listener = Listener(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "board_driver", "run", "--port", "0", "--state", str(tmp_path / "state")],
        cwd=ROOT,
        env={**os.environ, "NOTIFY_SOCKET": str(listener.path), "WATCHDOG_USEC": "300000"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        told = [listener.next()]
        while told[-1] == "WATCHDOG=1":  # the loop may be fed before the board is open
            told.append(listener.next())
        assert re.fullmatch(r"READY=1\nSTATUS=the page is at http://127\.0\.0\.1:\d+/", told[-1])
        assert [listener.next() for _ in range(3)] == ["WATCHDOG=1"] * 3
        process.send_signal(signal.SIGTERM)
        while (message := listener.next()) == "WATCHDOG=1":
            pass
        assert message == "STOPPING=1"
        process.communicate(timeout=30)
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait()
