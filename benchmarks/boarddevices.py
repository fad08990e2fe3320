"""The rest of a computer while boards are measured: devices that answer at once, and gpiozero's classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from board_driver.boards.hallcalibration import Cell, HallCalibration
from board_driver.boards.source import Contacts
from board_driver.profile.sensors import GpioMatrix
from board_driver.scan import Sensing

ROWS, COLUMNS = (5, 6, 12, 13, 16, 17, 18, 19), (20, 21, 22, 23, 24, 25, 26, 27)
"""As the fake chip has them."""


class NoInbox:
    def now_ms(self) -> int:
        return 0


class NoLights:
    async def open(self) -> None:
        """Nothing to open."""

    async def show(self, picture: object) -> None:
        """Nothing to show."""

    async def close(self) -> None:
        """Nothing to close."""


class Answers:
    """An SPI device that gives the same bytes whatever is sent."""

    def __init__(self, values: list[int]) -> None:
        self.values = values

    def xfer2(self, _values: Sequence[int], /) -> list[int]:
        return self.values

    def writebytes2(self, _values: Sequence[int] | bytes, /) -> None:
        """Nothing to take."""

    def close(self) -> None:
        """Nothing to close."""


class Noisy(Answers):
    """A converter under the start array: by turns a little more and a little less."""

    def __init__(self) -> None:
        super().__init__([])
        self.count = 0

    def xfer2(self, values: Sequence[int], /) -> list[int]:
        self.count += 1
        channel = values[1] >> 6
        value = 2048 + (400 if channel == 0 else -400 if channel == 3 else 0) + (4 if self.count % 3 else -4)
        return [0, value >> 8, value & 0xFF]


class QuietBus:
    """An I²C bus whose chips are set up and read the start array."""

    def read_i2c_block_data(self, _address: int, register: int, _length: int, /) -> list[int]:
        return [0xFF, 0xFF] if register == 0x0C else [0x00, 0xFF]

    def write_i2c_block_data(self, _address: int, _register: int, _values: Sequence[int], /) -> None:
        """Nothing to take."""

    def write_byte_data(self, _address: int, _register: int, _value: int, /) -> None:
        """Nothing to take."""

    def close(self) -> None:
        """Nothing to close."""


class Devices:
    """A matrix as one would write it with gpiozero's device classes: what the comparison is with."""

    senses = Sensing.OCCUPANCY

    def open(self) -> None:
        from gpiozero import InputDevice, OutputDevice  # noqa: PLC0415

        self._factory = pi_four()
        self._rows = [OutputDevice(pin, active_high=False, pin_factory=self._factory) for pin in ROWS]
        self._columns = [InputDevice(pin, pull_up=True, pin_factory=self._factory) for pin in COLUMNS]

    def read(self) -> Contacts:
        closed = 0
        for number, row in enumerate(self._rows):
            row.on()
            closed |= sum(column.value << 8 * number + n for n, column in enumerate(self._columns))
            row.off()
        return Contacts(closed)

    def close(self) -> None:
        for device in [*self._rows, *self._columns]:
            device.close()
        self._factory.close()


def pi_four() -> Any:
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415

    class PiFour(LGPIOFactory):  # type: ignore[misc]
        def _get_revision(self) -> int:
            return 0xC03111

    return PiFour()


def gpiozero_lines() -> Any:
    from board_driver.boards.gpiozerolines import GpiozeroLines  # noqa: PLC0415

    class OwnLines(GpiozeroLines):
        def close(self) -> None:
            super().close()
            self._factory.close()

    return OwnLines(pi_four())


def without_diodes(wiring: GpioMatrix) -> GpioMatrix:
    import msgspec  # noqa: PLC0415

    return msgspec.structs.replace(wiring, diodes=False)


def calibration() -> HallCalibration:
    return HallCalibration((Cell(2048.0, 1.0, 400.0),) * 64, "", "")


def half() -> Answers:
    return Answers([0, 0x08, 0x00])
