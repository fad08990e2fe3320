"""What lamps make of what is written: decoders by the data sheets, which know nothing of the encoders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from board_driver.profile.words import Spi

GONE = OSError(19, "No such device")


class Wire:
    """An SPI device that keeps every transfer: from CS falling to CS rising."""

    def __init__(self) -> None:
        self.transfers: list[bytes] = []
        self.is_gone = False
        self.is_open = True
        self.hz = 0

    def opened(self, spi: Spi, default_hz: int, mode: int) -> Wire:
        if self.is_gone:
            raise GONE
        assert mode == 0
        self.hz, self.is_open = spi.speed_hz or default_hz, True
        return self

    def writebytes2(self, values: Sequence[int] | bytes, /) -> None:
        assert self.is_open
        if self.is_gone:
            raise GONE
        self.transfers.append(bytes(values))

    def xfer2(self, _values: Sequence[int], /) -> list[int]:
        raise AssertionError("lamps answer nothing")

    def close(self) -> None:
        self.is_open = False


@dataclass(frozen=True)
class Pulse:
    high_ns: float
    low_ns: float


def pulses(payload: bytes, hz: int) -> list[Pulse]:
    """The pulses of a data line that is low before and after."""
    bits = "".join(f"{byte:08b}" for byte in payload)
    runs: list[tuple[str, int]] = []
    for bit in bits:
        if runs and runs[-1][0] == bit:
            runs[-1] = (bit, runs[-1][1] + 1)
        else:
            runs.append((bit, 1))
    if runs and runs[0][0] == "0":
        runs = runs[1:]
    lengths = [length * 1e9 / hz for _, length in runs] + [0.0]
    return [Pulse(lengths[n], lengths[n + 1]) for n in range(0, len(lengths) - 1, 2)]


def bytes_of(found: list[Pulse], threshold_ns: float = 500) -> bytes:
    """What a WS2812 takes those pulses for."""
    bits = "".join("1" if pulse.high_ns > threshold_ns else "0" for pulse in found)
    assert len(bits) % 8 == 0
    return bytes(int(bits[n : n + 8], 2) for n in range(0, len(bits), 8))


def apa102_chain(payload: bytes, count: int) -> list[tuple[int, bytes]]:
    """Brightness and the three colour bytes that each lamp shows; a lamp whose clocks do not suffice shows nothing.

    Lamp n gets the stream n half clocks late, so of its 32 bits the last has passed the input 32·(n+2) + n/2 bits
    after the beginning.
    """
    assert payload[:4] == bytes(4)
    shown = []
    for n in range(count):
        word = payload[4 + 4 * n : 8 + 4 * n]
        needed = 32 * (n + 2) + n / 2
        if len(word) == 4 and word[0] >> 5 == 7 and 8 * len(payload) >= needed:
            shown.append((word[0] & 31, word[1:]))
    return shown


@dataclass
class Max7219Chip:
    """Registers as after power-up: asleep."""

    registers: dict[int, int] = field(default_factory=lambda: {0x0A: 0, 0x0B: 0, 0x0C: 0, 0x0F: 0, 0x09: 0})

    def take(self, transfers: list[bytes]) -> None:
        for register, value in transfers:
            self.registers[register] = value

    def lit(self) -> set[tuple[int, int]]:
        """Digit from 0, and segment with DP, A, B … G as 0 to 7."""
        if self.registers[0x0F] & 1:
            return {(digit, segment) for digit in range(8) for segment in range(8)}
        if not self.registers[0x0C] & 1:
            return set()
        assert self.registers[0x09] == 0
        digits = range((self.registers[0x0B] & 7) + 1)
        segment_bits = [7, 6, 5, 4, 3, 2, 1, 0]
        return {
            (digit, segment)
            for digit in digits
            for segment, bit in enumerate(segment_bits)
            if self.registers.get(digit + 1, 0) >> bit & 1
        }

    @property
    def duty(self) -> float:
        return (2 * (self.registers[0x0A] & 15) + 1) / 32


@dataclass
class Ht16k33Bus:
    """A bus with one HT16K33 on it."""

    address: int = 0x70
    memory: list[int] = field(default_factory=lambda: [0xAA] * 16)
    is_running: bool = False
    is_on: bool = False
    dimming: int = 15
    fails: int = 0
    is_open: bool = True

    def _check(self, address: int) -> None:
        if self.fails or address != self.address:
            self.fails = max(0, self.fails - 1)
            raise OSError(121, "Remote I/O error")

    def write_byte(self, i2c_addr: int, value: int, /) -> None:
        self._check(i2c_addr)
        match value >> 4:
            case 0x2:
                self.is_running = bool(value & 1)
            case 0x8:
                self.is_on = bool(value & 1)
                assert not value & 6, "no blinking by the chip"
            case 0xE:
                self.dimming = value & 15
            case _:
                raise AssertionError(f"no command: {value:#04x}")

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int], /) -> None:
        self._check(i2c_addr)
        for n, value in enumerate(data):
            self.memory[(register + n) % 16] = value

    def close(self) -> None:
        self.is_open = False

    def lit(self) -> set[tuple[int, int]]:
        """Common and row."""
        if not (self.is_running and self.is_on):
            return set()
        return {
            (common, row)
            for common in range(8)
            for row in range(16)
            if (self.memory[2 * common] | self.memory[2 * common + 1] << 8) >> row & 1
        }


def chain_595(transfer: bytes, chips: int) -> list[int]:
    """The outputs after a transfer, QA of the nearest chip first; bits are pushed through, the highest first."""
    outputs = [0] * (8 * chips)
    for byte in transfer:
        for bit in range(7, -1, -1):
            outputs = [byte >> bit & 1, *outputs[:-1]]
    return outputs
