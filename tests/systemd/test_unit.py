"""The unit and the rules as systemd's own tools read them, for every board."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from board_driver.installing.layout import Device, board_drop_in, devices_of, display_extras, network_drop_in
from board_driver.profile.finding import packaged_profiles

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "systemd" / "touchmove.service"
needs_analyze = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze (systemd)")

BOARDS = {
    "virtual": None,
    "serial": None,
    **{name: path.read_text(encoding="utf-8") for name, path in packaged_profiles().items()},
}


def with_drop_ins(folder: Path, *drop_ins: str) -> Path:
    """The unit with what `touchmove install` adds, as one file, which is how it is analysed offline."""
    text = UNIT.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^ExecStart=.*", "ExecStart=/bin/true", text)
    added = "\n".join(line for part in drop_ins for line in part.splitlines() if "=" in line)
    text = text.replace("[Service]\n", f"[Service]\n{added}\n", 1)
    path = folder / UNIT.name
    path.write_text(text, encoding="utf-8")
    return path


@needs_analyze
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("network", [False, True], ids=["this-machine", "network"])
def test_the_service_is_exposed_no_more_than_it_must(tmp_path: Path, board: str, network: bool) -> None:
    parts = [board_drop_in(devices_of(board, BOARDS[board])), *([network_drop_in()] if network else [])]
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=15", str(with_drop_ins(tmp_path, *parts))],
        capture_output=True,
        text=True,
        check=False,
    )
    level = re.search(r"exposure level for touchmove.service: ([\d.]+)", done.stdout)
    assert level is not None, done.stderr
    assert done.returncode == 0, done.stdout[-2000:]
    assert float(level[1]) <= 1.5


@needs_analyze
def test_systemd_understands_every_line_of_the_unit(tmp_path: Path) -> None:
    path = with_drop_ins(tmp_path, board_drop_in(tuple(Device)), network_drop_in())
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=yes", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    words = [line for line in done.stderr.splitlines() if "touchmove" in line]
    assert (done.returncode, words) == (0, [])


def test_what_the_unit_promises_stands_in_it() -> None:
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    for line in (
        "Type=notify",
        "DynamicUser=yes",
        "StateDirectory=touchmove",
        "WatchdogSec=10",
        "Restart=on-failure",
        "DevicePolicy=closed",
        "IPAddressDeny=any",
        "UMask=0077",
    ):
        assert line in lines
    assert not any(line.startswith(("After=network", "Wants=network", "Requires=")) for line in lines)


@pytest.mark.parametrize(
    ("board", "devices"),
    [
        ("virtual", set()),
        ("serial:/dev/touchmove-board", {Device.USB_SERIAL, Device.ACM_SERIAL}),
        ("reed-matrix-gpio", {Device.GPIO, Device.I2C}),
        ("reed-mcp23017", {Device.GPIO, Device.I2C, Device.SPI}),
        ("reed-74hc165", {Device.GPIO, Device.SPI}),
        ("a-board-of-my-own", set(Device)),
    ],
)
def test_a_board_gets_the_devices_it_needs(board: str, devices: set[Device]) -> None:
    assert set(devices_of(board, BOARDS.get(board))) == devices


def test_a_display_brings_its_bus_and_its_library() -> None:
    profile = "sensors: {kind: gpio-matrix}\ndisplays: [{kind: hd44780}, {kind: ssd1306}]  # not ws2812\n"
    assert display_extras(profile) == ("hd44780", "oled")
    assert set(devices_of("mine.yaml", profile)) == {Device.GPIO, Device.I2C}
    assert display_extras("# hd44780\n") == display_extras(None) == ()


MATCH = r'(?:SUBSYSTEMS?|KERNEL|ATTRS\{\w+\}|ENV\{\w+\}|TAG)=="[^"]*"'
ASSIGNMENT = r'(?:GROUP="[^"]*"|MODE="[^"]*"|(?:SYMLINK|TAG)\+="[^"]*")'
RULE = re.compile(f"(?:{MATCH}|{ASSIGNMENT})(?:, |$)")


def test_rules_are_matches_and_assignments_and_nothing_else() -> None:
    """udevadm can verify rules only from systemd 254 on; older ones apply what they test."""
    rules = [
        line
        for line in (ROOT / "systemd" / "70-touchmove.rules").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert rules
    for rule in rules:
        rest = rule
        while rest:
            found = RULE.match(rest)
            assert found is not None, rest
            rest = rest[found.end() :]
        assert "0666" not in rule
