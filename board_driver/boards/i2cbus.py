"""An I²C bus by smbus2, opened late and with words when it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from board_driver.boards.devicewords import why_not

ENABLE = "switch I²C on (sudo raspi-config nonint do_i2c 0)"


class I2cBus(Protocol):
    """What drivers use of `smbus2.SMBus`. All raise OSError when the chip does not answer."""

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int, /) -> Sequence[int]:
        """Registers from `register` on."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int], /) -> None:
        """Set registers from `register` on."""

    def write_byte_data(self, i2c_addr: int, register: int, value: int, /) -> None:
        """Set one register."""

    def close(self) -> None:
        """Let go of it."""


OpenI2c = Callable[[int], I2cBus]
"""Opens /dev/i2c-N. Raises OSError, with words."""


def open_i2c(number: int) -> I2cBus:
    """Bus /dev/i2c-`number`."""
    try:
        from smbus2 import SMBus  # noqa: PLC0415  # only those who use I²C have it
    except ImportError as problem:
        raise OSError(f"smbus2 cannot be used ({problem}): pip install 'touchmove[i2c]'") from problem
    try:
        bus: I2cBus = SMBus(number)
    except OSError as problem:
        raise OSError(why_not(f"/dev/i2c-{number}", problem, ENABLE, "/dev/i2c-*")) from problem
    return bus
