"""What an installation consists of: places, and the text of the files that depend on the board [pure].

```
/opt/touchmove/versions/N           one virtual environment for each installation, the newest two
/opt/touchmove/current              link to the one in use
/etc/touchmove/options              the daemon's options: which board, which port; beside it a profile of one's own
/etc/systemd/system/touchmove.service, touchmove.service.d/board.conf and network.conf
/etc/udev/rules.d/70-touchmove.rules
/usr/local/bin/touchmove            link to the command
/var/lib/touchmove                  the journal and the games (systemd makes it); never removed unless asked for
```
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

KEPT_VERSIONS = 2
HEALTHY_WITHIN_S = 60.0
DEFAULT_PORT = 8080
LOCAL_NETWORK = "link-local 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7"


class Device(Enum):
    """A kind of device that a board needs: systemd's name for it, and the group that may use it."""

    GPIO = ("char-gpiochip", "gpio")
    SPI = ("char-spidev", "spi")
    I2C = ("char-i2c", "i2c")
    USB_SERIAL = ("char-ttyUSB", "dialout")
    ACM_SERIAL = ("char-ttyACM", "dialout")

    @property
    def rule(self) -> str:
        """As `DeviceAllow` wants it."""
        return f"{self.value[0]} rw"

    @property
    def group(self) -> str:
        """Whose members may open it."""
        return self.value[1]


GROUPS = tuple(dict.fromkeys(device.group for device in Device))
_SERIAL = (Device.USB_SERIAL, Device.ACM_SERIAL)


@dataclass(frozen=True, slots=True)
class Layout:
    """The places, below `root`."""

    root: Path = Path("/")

    @property
    def opt(self) -> Path:
        return self.root / "opt/touchmove"

    @property
    def versions(self) -> Path:
        return self.opt / "versions"

    @property
    def current(self) -> Path:
        return self.opt / "current"

    @property
    def options(self) -> Path:
        return self.root / "etc/touchmove/options"

    @property
    def unit(self) -> Path:
        return self.root / "etc/systemd/system/touchmove.service"

    @property
    def drop_ins(self) -> Path:
        return self.root / "etc/systemd/system/touchmove.service.d"

    @property
    def rules(self) -> Path:
        return self.root / "etc/udev/rules.d/70-touchmove.rules"

    @property
    def command(self) -> Path:
        return self.root / "usr/local/bin/touchmove"

    @property
    def state(self) -> Path:
        return self.root / "var/lib/touchmove"


def devices_of(board: str, profile_text: str | None) -> tuple[Device, ...]:
    """What a board by that name needs; `profile_text` is its profile where it has one."""
    kind = board.partition(":")[0]
    if kind in ("virtual", "replay"):
        return ()
    if kind in ("serial", "text"):
        return _SERIAL
    if profile_text is None:
        return tuple(Device)  # a board of one's own: nobody knows
    words = "\n".join(line.partition("#")[0] for line in profile_text.splitlines())
    found = [Device.GPIO]
    if re.search(r"\bspi\b|mcp3\d{3}|apa102|ws2812|max7219", words):
        found.append(Device.SPI)
    if re.search(r"\bi2c\b|mcp23017|ht16k33|hd44780|ssd1306", words):
        found.append(Device.I2C)
    if re.search(r"\bserial\b", words):
        found += _SERIAL
    return tuple(found)


def display_extras(profile_text: str | None) -> tuple[str, ...]:
    """The extras of touchmove that drive the displays of that profile."""
    words = "\n".join(line.partition("#")[0] for line in (profile_text or "").splitlines())
    return tuple(extra for kind, extra in (("hd44780", "hd44780"), ("ssd1306", "oled")) if kind in words)


def board_drop_in(devices: tuple[Device, ...]) -> str:
    """The part of the unit that lets the daemon at its board, and at nothing else."""
    lines = ["# Written by touchmove install for the chosen board.", "[Service]"]
    lines += [f"DeviceAllow={device.rule}" for device in devices]
    groups = tuple(dict.fromkeys(device.group for device in devices))
    if groups:
        lines.append(f"SupplementaryGroups={' '.join(groups)}")
    return "\n".join(lines) + "\n"


def network_drop_in() -> str:
    """The part of the unit that lets the local network at the page; the open internet stays out."""
    return f"# Written by touchmove install --network.\n[Service]\nIPAddressAllow={LOCAL_NETWORK}\n"


def options_text(board: str, network: bool, port: int = DEFAULT_PORT) -> str:
    """`/etc/touchmove/options`."""
    host = " --host 0.0.0.0" if network else ""
    return (
        "# Options of `touchmove run` for the service; after a change: systemctl restart touchmove\n"
        f'TOUCHMOVE_OPTIONS="--board {board} --port {port}{host}"\n'
    )


def port_in(options: str) -> int:
    """The page's port by that text."""
    found = re.search(r"--port[ =](\d+)", options)
    return int(found[1]) if found else DEFAULT_PORT


def is_plain(board: str) -> bool:
    """Whether a board's name can stand in the options: systemd splits them at spaces and expands some signs."""
    return re.fullmatch(r"[\w./:@+-]+", board) is not None
