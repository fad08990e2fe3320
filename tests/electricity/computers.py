"""What stands for the computer's own hardware in front of a circuit: GPIO lines, SPI devices, an I²C bus.

`CircuitLines` is the plain one. `mock_factory` is gpiozero's MockFactory whose pins are the circuit's, so that
`GpiozeroLines` and gpiozero's own classes run unmodified.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

from board_driver.boards.lines import ReadLines, WriteLines
from tests.electricity.circuits import ChainCircuit, Circuit, HallCircuit

NO_DEVICE = OSError(19, "No such device")
NACK = OSError(121, "Remote I/O error")
"""What Linux gives when no chip acknowledges."""


class CircuitLines:
    """`Lines` on a circuit."""

    def __init__(self, circuit: Circuit) -> None:
        if circuit.is_gone:
            raise NO_DEVICE
        self.circuit = circuit
        self._outputs: list[int] = []

    def inputs(self, lines: Sequence[int], *, pull_up: bool = True) -> ReadLines:
        def levels() -> int:
            self._check()
            return sum(self.circuit.level(line, pull_up) << n for n, line in enumerate(lines))

        return levels

    def outputs(self, lines: Sequence[int], levels: int, *, open_drain: bool = False) -> WriteLines:
        self._outputs += lines

        def set_levels(bits: int) -> None:
            self._check()
            for n, line in sorted(enumerate(lines), key=lambda item: not bits >> item[0] & 1):
                high = bool(bits >> n & 1)
                self.circuit.drive(line, None if high and open_drain else high)

        set_levels(levels)
        return set_levels

    def close(self) -> None:
        for line in self._outputs:
            self.circuit.drive(line, None)
        self._outputs = []

    def _check(self) -> None:
        if self.circuit.is_gone:
            raise NO_DEVICE


class CircuitPin(MockPin):  # type: ignore[misc]
    """A gpiozero pin that is a line of a circuit. It keeps no history: a long test would fill the memory."""

    circuit: Circuit | None = None

    def _get_state(self) -> bool:
        if self.circuit is None:
            return bool(self._state)
        if self.circuit.is_gone:
            raise NO_DEVICE
        return self.circuit.level(self.number, self._pull == "up")

    @property
    def number(self) -> int:
        (number,) = (name for name in self.info.names if isinstance(name, int))
        return number

    def _set_state(self, value: int) -> None:
        self._state = bool(value)
        self._tell()

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self._tell()

    def _tell(self) -> None:
        if self.circuit is not None:
            if self.circuit.is_gone:
                raise NO_DEVICE
            self.circuit.drive(self.number, bool(self._state) if self._function == "output" else None)

    def _change_state(self, value: bool) -> bool:
        changed = self._state != value
        self._state = value
        return bool(changed)


def mock_factory(circuit: Circuit) -> MockFactory:
    """A factory whose pins are the lines of that circuit."""
    pin_class: Any = type("PinOfCircuit", (CircuitPin,), {"circuit": circuit})
    return MockFactory(revision="c03111", pin_class=pin_class)


class ChainSpi:
    """An SPI bus in mode 2 with a chain of shift registers on it: sampled as the clock falls, shifted as it rises."""

    def __init__(self, circuit: ChainCircuit) -> None:
        if circuit.is_gone:
            raise NO_DEVICE
        self.circuit = circuit
        self.is_open = True

    def xfer2(self, values: Sequence[int], /) -> list[int]:
        assert self.is_open
        if self.circuit.is_gone:
            raise NO_DEVICE
        return [self._byte() for _ in values]

    def writebytes2(self, _values: Sequence[int] | bytes, /) -> None:
        raise AssertionError("nothing is ever sent to a shift register that is read")

    def close(self) -> None:
        self.is_open = False

    def _byte(self) -> int:
        byte = 0
        for _ in range(8):
            byte = byte << 1 | self.circuit.output()
            self.circuit.rise()
        return byte


class ConverterSpi:
    """An MCP3008 or MCP3208, decoded bit by bit from what is sent (data sheets, figures 5-1 and 6-1)."""

    def __init__(self, circuit: HallCircuit, chip: int) -> None:
        if circuit.is_gone:
            raise NO_DEVICE
        self.circuit, self.chip = circuit, chip

    def xfer2(self, values: Sequence[int], /) -> list[int]:
        if self.circuit.is_gone:
            raise NO_DEVICE
        count = 8 * len(values)
        if self.chip in self.circuit.silent_chips:
            return [0xFF] * len(values)
        sent = [values[n // 8] >> 7 - n % 8 & 1 for n in range(count)]
        start = sent.index(1)
        assert sent[start + 1] == 1, "single-ended"
        channel = sent[start + 2] << 2 | sent[start + 3] << 1 | sent[start + 4]
        value = self.circuit.convert(self.chip, channel)
        bits = self.circuit.bits
        answer = [1] * (start + 6) + [0] + [value >> bits - 1 - n & 1 for n in range(bits)]
        answer = (answer + [0] * count)[:count]
        return [sum(answer[8 * byte + n] << 7 - n for n in range(8)) for byte in range(len(values))]

    def writebytes2(self, _values: Sequence[int] | bytes, /) -> None:
        raise AssertionError("a converter is asked, never only told")

    def close(self) -> None:
        """Nothing is held."""


class Mcp23017:
    """One expander with its registers (BANK = 0) and what is on its pins."""

    def __init__(self) -> None:
        self.direct = 0
        """Pins with a closed contact to ground."""
        self.matrix: list[int] | None = None
        """Contacts between GPA (rows) and GPB (columns), with diodes."""
        self.fails = 0
        """So many of the next transfers are not acknowledged; -1: all."""
        self.power_up()

    def power_up(self) -> None:
        """As after reset: all pins inputs without pull-ups."""
        self.registers = bytearray(0x16)
        self.registers[0] = self.registers[1] = 0xFF
        self.pointer = 0

    def acknowledge(self) -> None:
        if self.fails:
            self.fails -= self.fails > 0
            raise NACK

    def write(self, register: int, values: Sequence[int]) -> None:
        self.pointer = register
        for value in values:
            self.registers[self.pointer] = value
            self.pointer = (self.pointer + 1) % len(self.registers)

    def read(self, register: int, count: int) -> list[int]:
        return [self._register((register + n) % len(self.registers)) for n in range(count)]

    def _register(self, number: int) -> int:
        if number not in (0x12, 0x13):
            return self.registers[number]
        port = number & 1
        directions, pulls = self.registers[port], self.registers[0x0C + port]
        pins = pulls & ~self._grounded(port)
        return pins & directions | self.registers[0x14 + port] & ~directions & 0xFF

    def _grounded(self, port: int) -> int:
        low = self.direct >> 8 * port & 0xFF
        if self.matrix is not None and port == 1:
            for row, contacts in enumerate(self.matrix):
                is_output = not self.registers[0] >> row & 1
                if is_output and not self.registers[0x14] >> row & 1:
                    low |= contacts
        return low


class Bus:
    """An I²C bus with expanders on it."""

    def __init__(self, chips: dict[int, Mcp23017]) -> None:
        self.chips = chips
        self.is_gone = False
        self.transfers = 0

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int, /) -> list[int]:
        return self._chip(i2c_addr).read(register, length)

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int], /) -> None:
        self._chip(i2c_addr).write(register, data)

    def write_byte_data(self, i2c_addr: int, register: int, value: int, /) -> None:
        self._chip(i2c_addr).write(register, [value])

    def close(self) -> None:
        """Others keep the chips."""

    def _chip(self, address: int) -> Mcp23017:
        self.transfers += 1
        if self.is_gone or address not in self.chips:
            raise NACK
        self.chips[address].acknowledge()
        return self.chips[address]
