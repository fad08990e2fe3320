"""HT16K33: 8×8 lamps of one colour on I²C, which the chip lights row by row itself.

Its commands are single bytes: oscillator on, display on, dimming. The picture is 16 bytes, one pair for each common
line; rows 8 to 15 are not used. All of it is written with every frame. A transfer that fails is tried twice more,
because one that does not arrive on a long wire is no reason to do without lights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol, cast

from board_driver.boards.i2cbus import open_i2c
from board_driver.lights.lamps import Frame, packed
from board_driver.profile.lights import Ht16k33

OSCILLATOR_ON, DISPLAY_OFF, DISPLAY_ON, DIMMING = 0x21, 0x80, 0x81, 0xE0
RAM = 0x00
DUTY_STEPS = 16
TRIES = 3


class ByteBus(Protocol):
    """What is used of `smbus2.SMBus`. Both raise OSError when the chip does not answer."""

    def write_byte(self, i2c_addr: int, value: int, /) -> None:
        """Send one byte."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int], /) -> None:
        """Set registers from `register` on."""

    def close(self) -> None:
        """Let go of it."""


OpenByteBus = Callable[[int], ByteBus]


def dimming_of(level: float) -> int:
    """The brightest of the 16 steps that is not above `level`, or the dimmest: step n is n+1 parts of 16."""
    return max(0, min(15, int(level * DUTY_STEPS) - 1))


def encode(frame: Frame) -> tuple[list[int], bytes]:
    """The commands of a whole frame, and the chip's memory. At level 0 the display is off."""
    display = DISPLAY_ON if frame.level > 0 else DISPLAY_OFF
    memory = b"".join(bytes((row, 0)) for row in packed(frame.lit()))
    return [OSCILLATOR_ON, DIMMING | dimming_of(frame.level), display], memory.ljust(16, b"\0")


def _open(number: int) -> ByteBus:
    return cast(ByteBus, open_i2c(number))


class Ht16k33Lamps:
    """`Lamps` of one such chip."""

    def __init__(self, wiring: Ht16k33, open_bus: OpenByteBus = _open) -> None:
        self._wiring = wiring
        self._open_bus = open_bus
        self._bus: ByteBus | None = None

    def open(self) -> None:
        self.close()
        self._bus = self._open_bus(self._wiring.bus)
        try:
            self._command(OSCILLATOR_ON)
        except OSError:
            self.close()
            raise

    def show(self, frame: Frame) -> None:
        commands, memory = encode(frame)
        self._command(commands[0])
        self._again(lambda bus: bus.write_i2c_block_data(self._wiring.address, RAM, list(memory)))
        for command in commands[1:]:
            self._command(command)

    def close(self) -> None:
        bus = self._bus
        if bus is None:
            return
        with suppress(OSError):
            bus.write_byte(self._wiring.address, DISPLAY_OFF)
        self._bus = None
        with suppress(OSError):
            bus.close()

    def _command(self, command: int) -> None:
        self._again(lambda bus: bus.write_byte(self._wiring.address, command))

    def _again(self, send: Callable[[ByteBus], object]) -> None:
        """Send, and if that fails twice more. Raises OSError, with words, if it fails each time."""
        if self._bus is None:
            raise OSError("the lamps are closed")
        for attempt in range(1, TRIES + 1):
            try:
                send(self._bus)
            except OSError as problem:
                if attempt == TRIES:
                    where = f"address {self._wiring.address:#04x} of /dev/i2c-{self._wiring.bus}"
                    raise OSError(
                        f"no HT16K33 answers at {where} ({problem.strerror or problem}): check its wires and its "
                        f"address jumpers (i2cdetect -y {self._wiring.bus} shows what is there)"
                    ) from problem
            else:
                return
