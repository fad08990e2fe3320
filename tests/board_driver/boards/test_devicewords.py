"""Why a device cannot be had, in words; and GPIO chips that are forbidden."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from board_driver.boards import devicewords, lgpiolines
from board_driver.boards.devicewords import why_not
from board_driver.boards.i2cbus import open_i2c
from board_driver.boards.spidevice import open_spi
from board_driver.profile.words import Spi


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOENT, r"/dev/x is not there \(none is there\): switch it on"),
        (errno.EBUSY, "/dev/x is in use by another program"),
        (errno.EIO, "/dev/x: Input/output error"),
    ],
)
def test_what_is_wrong_with_a_device(number: int, told: str) -> None:
    problem = OSError(number, os.strerror(number))
    assert re.match(told, why_not("/dev/x", problem, "switch it on", "/no/such/*"))


def test_a_group_to_join_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    denied = OSError(errno.EACCES, "Permission denied")
    monkeypatch.setattr(devicewords, "owning_group", lambda _path: "gpio")
    assert "sudo usermod -aG gpio $USER" in why_not("/dev/x", denied, "", "")
    monkeypatch.setattr(devicewords, "owning_group", lambda _path: "root")
    assert "install the udev rules" in why_not("/dev/x", denied, "", "")


def test_the_group_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.touch()
    assert stat.S_ISREG(file.stat().st_mode)
    assert devicewords.owning_group(str(tmp_path / "none")) is None


def test_devices_that_are_not_there_are_told_with_what_to_do() -> None:
    pytest.importorskip("smbus2", reason="smbus2 is missing: pip install 'touchmove[i2c]'")
    with pytest.raises(OSError, match=r"/dev/i2c-63 is not there .*raspi-config nonint do_i2c 0"):
        open_i2c(63)
    pytest.importorskip("spidev", reason="spidev is missing: pip install 'touchmove[spi]'")
    with pytest.raises(OSError, match=r"/dev/spidev63.0 is not there .*raspi-config nonint do_spi 0"):
        open_spi(Spi(bus=63), 1_000_000)


def test_libraries_that_are_not_installed_are_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("smbus2", "spidev"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(OSError, match=r"pip install 'touchmove\[i2c\]'"):
        open_i2c(1)
    with pytest.raises(OSError, match=r"pip install 'touchmove\[spi\]'"):
        open_spi(Spi(), 1)


class RefusedError(Exception):
    """lgpio's own error."""


def test_a_gpio_chip_that_may_not_be_opened_names_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_number: int) -> int:
        raise RefusedError("can not open gpiochip")

    monkeypatch.setattr(lgpiolines, "library", lambda: SimpleNamespace(gpiochip_open=refuse, error=RefusedError))
    monkeypatch.setattr(os.path, "exists", lambda path: path == "/dev/gpiochip0")
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    monkeypatch.setattr(devicewords, "owning_group", lambda _path: "gpio")
    for number in (None, 0):
        with pytest.raises(OSError, match="no permission to use /dev/gpiochip0: add the user to group gpio"):
            lgpiolines.find_chip(number)


def test_a_computer_without_gpio_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_number: int) -> int:
        raise RefusedError("can not open gpiochip")

    monkeypatch.setattr(lgpiolines, "library", lambda: SimpleNamespace(gpiochip_open=refuse, error=RefusedError))
    monkeypatch.setattr(os.path, "exists", lambda _path: False)
    with pytest.raises(OSError, match="this computer has no GPIO lines"):
        lgpiolines.find_chip(None)
