"""Finding the board's port, and saying why a port cannot be had."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.ports import Port, candidates, stable_names
from firmware_bridge.porttrouble import explain, holders_of

ROOT = Path(__file__).resolve().parents[2]
UNO = ROOT / "tests" / "data" / "arduino-uno.umockdev"
NANO = Port("/dev/ttyUSB0", "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0", 0x1A86, 0x7523, None)
MEGA = Port("/dev/ttyACM0", "/dev/serial/by-id/usb-Arduino_Mega_85", 0x2341, 0x42, "85")


def test_an_arduino_is_found_by_its_usb_identity() -> None:
    """Through pyserial and a mocked /sys and /dev."""
    if shutil.which("umockdev-run") is None:
        pytest.skip("no umockdev-run: apt-get install --no-install-recommends umockdev")
    program = "from firmware_bridge.ports import list_ports as p; [p] = p(); print(p.device, p.kind, p.serial_number)"
    command = ["umockdev-run", "-d", str(UNO), "--", sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stdout.strip() == "/dev/ttyACM0 Arduino 75833353934351F0D1A1", done.stderr


def test_by_id_names_are_found(tmp_path: Path) -> None:
    by_id, device = tmp_path / "by-id", tmp_path / "ttyACM0"
    by_id.mkdir()
    device.touch()
    (by_id / "usb-Arduino_Uno_75").symlink_to("../ttyACM0")
    assert stable_names(by_id) == {str(device): str(by_id / "usb-Arduino_Uno_75")}
    assert stable_names(tmp_path / "none") == {}


def test_a_named_port_is_the_only_candidate() -> None:
    assert candidates("/dev/ttyS7", MEGA, [NANO, MEGA]) == ["/dev/ttyS7"]


def test_stable_names_are_asked_and_the_board_of_before_first() -> None:
    assert candidates(None, None, [NANO, MEGA]) == [NANO.stable, MEGA.stable]
    renumbered = Port("/dev/ttyACM4", "/dev/ttyACM4", 0x2341, 0x42, "85")
    assert candidates(None, renumbered, [NANO, MEGA]) == [MEGA.stable, NANO.stable], "known by its serial number"
    assert candidates(None, MEGA, [NANO, renumbered]) == [renumbered.stable, NANO.stable]
    assert candidates(None, NANO, [MEGA, NANO]) == [NANO.stable, MEGA.stable], "known by its by-id name"


def test_a_missing_port_lists_those_that_are_there() -> None:
    """Field case SERIAL-11."""
    text = explain("/dev/ttyS0", FileNotFoundError(errno.ENOENT, "gone"), [NANO, MEGA])
    assert text.startswith("there is no /dev/ttyS0: plug it in, or choose one of /dev/serial/by-id/usb-1a86")
    assert MEGA.stable in text


def test_a_refused_port_names_user_group_and_remedy(tmp_path: Path) -> None:
    """Field case SERIAL-08. The group is the device's own: dialout here, plugdev or uucp elsewhere."""
    device = tmp_path / "ttyACM0"
    device.touch()
    groups = [line.split(":") for line in Path("/etc/group").read_text().splitlines()]
    name, number = next((g[0], int(g[2])) for g in groups if g[0] in ("dialout", "uucp", "plugdev", "tty", "users"))
    try:
        os.chown(device, -1, number)
    except PermissionError:
        pytest.skip(f"only root can give a file to group {name}")
    text = explain(str(device), PermissionError(errno.EACCES, "no"))
    assert f"which group {name} may: sudo usermod -aG {name} " in text
    assert f"SupplementaryGroups={name}" in text


def test_a_device_of_root_alone_needs_a_udev_rule(tmp_path: Path) -> None:
    device = tmp_path / "ttyACM0"
    device.touch()
    if device.stat().st_gid != 0:
        pytest.skip("only root makes files of group root")
    assert "udev rule" in explain(str(device), PermissionError(errno.EACCES, "no"))


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EAGAIN])
def test_a_busy_port_names_who_holds_it(tmp_path: Path, number: int) -> None:
    device = tmp_path / "ttyACM0"
    device.touch()
    holder = subprocess.Popen(["sleep", "60"], stdin=device.open())
    try:
        assert holders_of(str(device)) == [f"sleep (process {holder.pid})"]
        text = explain(str(device), OSError(number, "busy"))
        assert text == f"{device} is in use by sleep (process {holder.pid}): end that first"
    finally:
        holder.kill()
        holder.wait()


def test_a_busy_port_whose_holder_cannot_be_seen_says_how_to_look(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    text = explain("/dev/ttyACM0", OSError(errno.EBUSY, "busy"), proc=tmp_path)
    assert text == (
        "/dev/ttyACM0 is in use by another program (sudo fuser -v /dev/ttyACM0 tells which): end that first"
    )


def test_any_other_error_is_told_as_it_is() -> None:
    assert explain("/dev/ttyACM0", OSError(errno.EIO, "Input/output error")) == (
        "/dev/ttyACM0 cannot be opened: Input/output error"
    )
