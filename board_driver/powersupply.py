"""Whether the supply is strong enough, as a Raspberry Pi's firmware tells the kernel (hwmon `rpi_volt`).

Weak supplies are behind many boards that "forget" pieces and cards that break. Other machines do not tell.
"""

from __future__ import annotations

from pathlib import Path

HWMON = Path("/sys/class/hwmon")
TEXT = "The supply was too weak just now (under 4.63 V): use the official one, or a shorter and thicker cable"


class PowerSupply:
    """Of this machine."""

    def __init__(self, sensors: Path = HWMON) -> None:
        self._alarm = next((folder / "in0_lcrit_alarm" for folder in sensors.glob("*") if _is_it(folder)), None)
        self.is_weak = False
        """As last looked at; False where nobody tells."""

    def look(self) -> bool:
        """Look again; whether it has become weak since the last time. The alarm stays for a while after each drop."""
        before, self.is_weak = self.is_weak, self._alarm is not None and _text(self._alarm) == "1"
        return self.is_weak and not before


def _is_it(folder: Path) -> bool:
    return _text(folder / "name") == "rpi_volt"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")[:40].strip()
    except (OSError, ValueError):
        return ""
