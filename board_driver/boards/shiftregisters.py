"""A chain of eight 74HC165, clocked by SPI or by the program.

A short low pulse on SH/LD takes all 64 inputs at one moment; then the bits come out one by one. If the profile says
what the serial input of the farthest chip is tied to, one byte more is read, which must be that level eight times over:
so a chain that is unplugged, or a wire that is always high or low, is found out instead of being read as a board full
or empty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from board_driver.boards.lines import Lines, OpenLines, WriteLines, numbers, open_lines
from board_driver.boards.source import ALL_CELLS, Contacts, Trouble
from board_driver.boards.spidevice import OpenSpi, SpiDevice, open_spi
from board_driver.profile.sensors import Active, BitBang, ChainEnd, ShiftRegisters
from board_driver.profile.words import Spi
from board_driver.scan import Sensing

CLOCK_HZ = 1_000_000
SPI_MODE = 2
"""The first bit stands before any clock, and the chips shift when the clock rises: idle high, sampled as it falls."""
BYTES = 8
PATIENCE = 50
"""So many scans in a row without a sound end, and the chain is given up until it is opened again."""

_ENDS = {ChainEnd.LOW: 0x00, ChainEnd.HIGH: 0xFF}
_REVERSED = tuple(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
"""The first bit that comes is the highest of a byte, but the lowest cell."""


class _Bits(Protocol):
    def read(self, count: int) -> bytes:
        """So many bytes, the first bit highest."""

    def close(self) -> None:
        """Let go."""


class ShiftRegisterSource:
    """A `Source` of that chain. Cell 0 is the first bit that comes out."""

    senses = Sensing.OCCUPANCY

    def __init__(
        self, wiring: ShiftRegisters, open_chip: OpenLines = open_lines, open_device: OpenSpi = open_spi
    ) -> None:
        self._wiring = wiring
        self._open_chip = open_chip
        self._open_device = open_device
        self._end = _ENDS.get(wiring.end)
        self._inverted = ALL_CELLS if wiring.active is Active.LOW else 0
        self._lines: Lines | None = None
        self._bits: _Bits | None = None
        self._load: WriteLines = _closed
        self._last = 0
        self._broken = 0

    def open(self) -> None:
        self.close()
        lines = self._open_chip(self._wiring.chip)
        try:
            self._load = lines.outputs(numbers([self._wiring.load]), 1)
            self._bits = self._open_bits(lines)
        except OSError:
            lines.close()
            raise
        self._lines = lines
        self._last = self._broken = 0

    def read(self) -> Contacts:
        if self._bits is None:
            raise OSError("the shift registers are closed")
        self._load(0)
        self._load(1)
        found = self._bits.read(BYTES if self._end is None else BYTES + 1)
        if self._end is not None and found[BYTES] != self._end:
            return self._unsound(found[BYTES])
        self._broken = 0
        self._last = int.from_bytes(bytes(_REVERSED[byte] for byte in found[:BYTES]), "little") ^ self._inverted
        return Contacts(self._last)

    def close(self) -> None:
        bits, lines = self._bits, self._lines
        self._bits = self._lines = None
        self._load = _closed
        if bits is not None:
            bits.close()
        if lines is not None:
            lines.close()

    def _open_bits(self, lines: Lines) -> _Bits:
        if self._wiring.pins is not None:
            return _Banged(lines, self._wiring.pins)
        return _OverSpi(self._wiring.spi, self._open_device)

    def _unsound(self, end: int) -> Contacts:
        self._broken += 1
        word = {0x00: "reads low all along", 0xFF: "reads high all along"}.get(end, "is garbled at its end")
        text = f"the chain of shift registers {word}: look at its plug, its power and the wire from QH"
        if self._broken >= PATIENCE:
            raise OSError(text)
        return Contacts(self._last, ALL_CELLS, (Trouble("chain", text),) if self._broken == 1 else ())


class _OverSpi:
    def __init__(self, spi: Spi, open_device: OpenSpi) -> None:
        self._device: SpiDevice = open_device(spi, CLOCK_HZ, SPI_MODE)

    def read(self, count: int) -> bytes:
        return bytes(self._device.xfer2([0] * count))

    def close(self) -> None:
        self._device.close()


class _Banged:
    """Two system calls and a read for each bit: about a hundred times the work of SPI, for where SPI is taken."""

    def __init__(self, lines: Lines, pins: BitBang) -> None:
        self._clock = lines.outputs(numbers([pins.clock]), 0)
        self._data: Callable[[], int] = lines.inputs(numbers([pins.data]), pull_up=True)

    def read(self, count: int) -> bytes:
        clock, data = self._clock, self._data
        bits = 0
        for _ in range(8 * count):
            bits = bits << 1 | data() & 1
            clock(1)
            clock(0)
        return bits.to_bytes(count, "big")

    def close(self) -> None:
        """The chip's lines are closed as a whole."""


def _closed(_levels: int) -> None:
    raise OSError("the shift registers are closed")
