"""The rules as udev itself carries them out, in a container, on devices that umockdev invents."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from board_driver.installing.layout import GROUPS
from tests.systemd.container import Container, why_not

ROOT = Path(__file__).parents[2]
_MISSING = why_not() or ("" if shutil.which("umockdev-run") else "needs Debian's umockdev")
pytestmark = pytest.mark.skipif(bool(_MISSING), reason=_MISSING or "can be had")

USB = "/devices/pci0000:00/0000:00:14.0/usb1"


def usb_serial(port: str, vendor: str, serial: str, name: str, minor: int) -> str:
    """A microcontroller behind USB as the kernel shows it, for umockdev."""
    return f"""P: {USB}/{port}
N: bus/usb/001/00{minor + 2}
E: DEVNAME=/dev/bus/usb/001/00{minor + 2}
E: DEVTYPE=usb_device
E: SUBSYSTEM=usb
A: idVendor={vendor}
A: idProduct=0043
A: serial={serial}
A: manufacturer=Somebody
A: product=Something

P: {USB}/{port}/{port}:1.0
E: DEVTYPE=usb_interface
E: SUBSYSTEM=usb
A: bInterfaceClass=02
A: bInterfaceSubClass=02
A: bInterfaceNumber=00

P: {USB}/{port}/{port}:1.0/tty/{name}
N: {name}
E: DEVNAME=/dev/{name}
E: MAJOR=166
E: MINOR={minor}
E: SUBSYSTEM=tty

"""


def chip(subsystem: str, name: str, major: int) -> str:
    return f"""P: /devices/platform/{subsystem}/{name}
N: {name}
E: DEVNAME=/dev/{name}
E: MAJOR={major}
E: MINOR=0
E: SUBSYSTEM={subsystem}

"""


UNO = f"{USB}/1-1/1-1:1.0/tty/ttyACM0"
OTHER = f"{USB}/1-2/1-2:1.0/tty/ttyACM1"
STRANGER = f"{USB}/1-3/1-3:1.0/tty/ttyACM2"
DEVICES = (
    usb_serial("1-1", "2341", "75735323", "ttyACM0", 0)
    + usb_serial("1-2", "2e8a", "E66", "ttyACM1", 1)
    + usb_serial("1-3", "dead", "1", "ttyACM2", 2)
    + chip("gpio", "gpiochip0", 254)
    + chip("gpio", "gpiochip4", 253)
    + chip("spidev", "spidev0.0", 153)
    + chip("i2c-dev", "i2c-1", 89)
)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    folder = tmp_path_factory.mktemp("devices")
    (folder / "devices").write_text(DEVICES)
    with Container({ROOT / "systemd": "/systemd", folder: "/devices"}) as container:
        container.run("cp", "/systemd/70-touchmove.rules", "/etc/udev/rules.d/")
        for group in GROUPS:
            container.run("groupadd", "--system", "--force", group)
        yield container


def plugged_in(machine: Container, device: str) -> dict[str, str]:
    """What udev does when that device appears: its properties, and GROUP and MODE of its node."""
    words = machine.run(
        "umockdev-run", "--device", "/devices/devices", "--", "udevadm", "test", "--action=add", f"/sys{device}",
        check=False,
    )  # fmt: skip
    found = dict(re.findall(r"^([A-Z_]+)=(.*)$", words, re.MULTILINE))
    for rule in re.findall(r"70-touchmove\.rules:\d+ (.*)$", words, re.MULTILINE):
        key, _, value = rule.partition(" ")
        found[key] = value
    assert found.get("DEVPATH") == device, words[-2000:]
    return found


def group_id(machine: Container, name: str) -> str:
    return machine.run("getent", "group", name).split(":")[2]


def test_a_microcontroller_gets_names_that_stay(machine: Container) -> None:
    found = plugged_in(machine, UNO)
    assert set(found["DEVLINKS"].split()) >= {"/dev/touchmove-board", "/dev/touchmove/75735323"}
    assert (found["GROUP"], found["MODE"]) == (group_id(machine, "dialout"), "0660")
    assert machine.run("readlink", "-f", "/dev/touchmove/75735323").strip() == "/dev/ttyACM0"


def test_each_board_keeps_its_own_name(machine: Container) -> None:
    plugged_in(machine, UNO)
    assert "/dev/touchmove/E66" in plugged_in(machine, OTHER)["DEVLINKS"].split()
    assert machine.run("readlink", "-f", "/dev/touchmove/E66").strip() == "/dev/ttyACM1"
    assert machine.run("readlink", "-f", "/dev/touchmove/75735323").strip() == "/dev/ttyACM0"


def test_other_devices_on_usb_are_let_alone(machine: Container) -> None:
    found = plugged_in(machine, STRANGER)
    assert "touchmove" not in found.get("DEVLINKS", "")
    assert "MODE" not in found


@pytest.mark.parametrize(
    ("device", "group"),
    [("gpio/gpiochip0", "gpio"), ("gpio/gpiochip4", "gpio"), ("spidev/spidev0.0", "spi"), ("i2c-dev/i2c-1", "i2c")],
)
def test_chips_are_for_their_groups(machine: Container, device: str, group: str) -> None:
    found = plugged_in(machine, f"/devices/platform/{device}")
    assert (found.get("GROUP"), found.get("MODE")) == (group_id(machine, group), "0660")
