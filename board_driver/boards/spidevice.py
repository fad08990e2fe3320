"""An SPI device by spidev, opened late and with words when it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from board_driver.boards.devicewords import why_not
from board_driver.profile.words import Spi

ENABLE = "switch SPI on (sudo raspi-config nonint do_spi 0; for SPI 1 a dtoverlay=spi1-1cs in config.txt)"


class SpiDevice(Protocol):
    """What drivers use of `spidev.SpiDev`."""

    def xfer2(self, values: Sequence[int], /) -> Sequence[int]:
        """Send these bytes and return as many that came, chip select held."""

    def writebytes2(self, values: Sequence[int] | bytes, /) -> None:
        """Send only, any length."""

    def close(self) -> None:
        """Let go of it."""


OpenSpi = Callable[[Spi, int, int], SpiDevice]
"""Opens a device of a profile, with a default clock in Hz and an SPI mode. Raises OSError, with words."""


def open_spi(spi: Spi, default_hz: int, mode: int = 0) -> SpiDevice:
    """/dev/spidev`bus`.`device`, with the profile's clock or that given."""
    path = f"/dev/spidev{spi.bus}.{spi.device}"
    try:
        import spidev  # noqa: PLC0415  # needs compiling, so only those who use SPI have it
    except ImportError as problem:
        raise OSError(f"spidev cannot be used ({problem}): pip install 'touchmove[spi]'") from problem
    device = spidev.SpiDev()
    try:
        device.open(spi.bus, spi.device)
        device.max_speed_hz = spi.speed_hz or default_hz
        device.mode = mode
    except OSError as problem:
        device.close()
        raise OSError(why_not(path, problem, ENABLE, "/dev/spidev*")) from problem
    opened: SpiDevice = device
    return opened
