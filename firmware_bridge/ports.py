"""Which serial ports there are, and which of them a board is likely to be on.

A port's device name (`/dev/ttyACM0`) changes with the order of plugging. `/dev/serial/by-id` names do not, so they are
what is shown, remembered and written into settings.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

BY_ID = Path("/dev/serial/by-id")
UARTS = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
"""Where a Raspberry Pi's own UART may be. Never asked unless named: a console may be on it."""

LIKELY: dict[int, str] = {
    0x2341: "Arduino",
    0x2A03: "Arduino",
    0x2E8A: "Raspberry Pi Pico",
    0x239A: "Adafruit board",
    0x303A: "Espressif board",
    0x16C0: "Teensy",
    0x1A86: "board with a CH340",
    0x0403: "board with an FTDI chip",
    0x10C4: "board with a CP210x",
}
"""Vendors of microcontroller boards and of the USB chips on them, most telling first."""
_RANK = {vendor: rank for rank, vendor in enumerate(LIKELY)}


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port. `stable` is its by-id name, or the device's own where it has none."""

    device: str
    stable: str
    vendor: int | None = None
    product: int | None = None
    serial_number: str | None = None
    description: str = ""

    @property
    def kind(self) -> str:
        """What it looks like, in words."""
        return LIKELY.get(self.vendor or 0, self.description or "serial port")


def list_ports(by_id: Path = BY_ID) -> list[Port]:
    """All USB serial ports of this machine, the likeliest board first."""
    from serial.tools.list_ports import comports  # noqa: PLC0415

    stable = stable_names(by_id)
    ports = [
        Port(p.device, stable.get(p.device, p.device), p.vid, p.pid, p.serial_number, p.description or "")
        for p in comports()
        if p.vid is not None
    ]
    return sorted(ports, key=lambda port: (_RANK.get(port.vendor or 0, len(_RANK)), port.stable))


def stable_names(by_id: Path = BY_ID) -> dict[str, str]:
    """Device name to by-id name. Empty where there is no such folder."""
    try:
        links = sorted(by_id.iterdir())
    except OSError:
        return {}
    return {str(link.resolve()): str(link) for link in links}


def candidates(wanted: str | None, before: Port | None, ports: Iterable[Port]) -> list[str]:
    """The device names to ask for a board, in order.

    `wanted` alone where one is named. Otherwise the port the board was on before, known by its by-id name or serial
    number whatever its device name is now, and then the others.
    """
    if wanted is not None:
        return [wanted]
    listed = list(ports)
    first = [port for port in listed if before is not None and _same(port, before)]
    return [port.stable for port in first + [port for port in listed if port not in first]]


def _same(port: Port, before: Port) -> bool:
    if port.stable == before.stable and port.stable != port.device:
        return True
    identity = (port.vendor, port.product, port.serial_number)
    return None not in identity and identity == (before.vendor, before.product, before.serial_number)
