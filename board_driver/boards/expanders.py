"""One to four MCP23017 port expanders on an I²C bus.

House rules:

1. A chip that does not answer is asked again at once, `TRIES` times in all. If it still does not, its cells keep their
   last reading and are unsure, scan after scan, until it does. It is told once when it falls silent and once when it is
   back, and is set up anew then, since it may have lost its power.
2. A chip that was reset without anybody noticing has lost its pull-ups and reads as it likes. So they are read back
   once a second, and before `SUSPICIOUS` or more cells of a chip that changed at once are believed.
3. If no chip has answered for `PATIENCE_S` the bus is gone, and the board is opened again.
4. In a matrix a row is pulled low by making it an output, and let go by making it an input: never driven high.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.boards.ghosting import blocks_of
from board_driver.boards.i2cbus import I2cBus, OpenI2c, open_i2c
from board_driver.boards.source import ALL_CELLS, Contacts, Trouble
from board_driver.profile.sensors import Active, Expanders, Wiring
from board_driver.scan import Sensing
from rules.squares import Bitboard

IODIR, GPPU, GPIO_A, GPIO_B, OLAT = 0x00, 0x0C, 0x12, 0x13, 0x14
"""The first of each pair of registers, port A before port B, as they lie after reset (IOCON.BANK = 0)."""
TRIES = 3
PATIENCE_S = 2.0
CHECK_S = 1.0
SUSPICIOUS = 5


class _Chip:
    """One expander: the cells it reads, from bit 0 on, and whether it answers."""

    def __init__(self, address: int, wiring: Expanders, first_cell: int, rows: int) -> None:
        self.address = address
        self.first_cell = first_cell
        self.rows = rows
        self.cells: Bitboard = ((1 << (8 * rows if rows else 16)) - 1) << first_cell
        self.last: Bitboard = 0
        self.is_silent = False
        self._pull_ups = 0xFF if wiring.pull_ups else 0x00
        self._inverted = 0xFFFF if wiring.active is Active.LOW else 0

    def set_up(self, bus: I2cBus) -> None:
        """All pins inputs; output latches low, for rows."""
        bus.write_i2c_block_data(self.address, IODIR, [0xFF, 0xFF])
        bus.write_i2c_block_data(self.address, GPPU, [self._pull_ups, self._pull_ups])
        bus.write_i2c_block_data(self.address, OLAT, [0x00, 0x00])

    def check(self, bus: I2cBus) -> None:
        """Raises OSError if the chip is not set up as it was."""
        if list(bus.read_i2c_block_data(self.address, GPPU, 2)) != [self._pull_ups] * 2:
            raise OSError("it was reset")

    def read(self, bus: I2cBus) -> Bitboard:
        """Its cells, in their places."""
        return (self._rows(bus) if self.rows else self._pins(bus)) << self.first_cell

    def _pins(self, bus: I2cBus) -> int:
        low, high = bus.read_i2c_block_data(self.address, GPIO_A, 2)
        return (low | high << 8) ^ self._inverted

    def _rows(self, bus: I2cBus) -> int:
        closed = 0
        for row in range(self.rows):
            bus.write_byte_data(self.address, IODIR, 0xFF & ~(1 << row))
            (columns,) = bus.read_i2c_block_data(self.address, GPIO_B, 1)
            closed |= (columns ^ 0xFF) << 8 * row
        bus.write_byte_data(self.address, IODIR, 0xFF)
        return closed


class ExpanderSource:
    """A `Source` of those chips. The cells are as `profile.sensors.Expanders` says."""

    senses = Sensing.OCCUPANCY

    def __init__(self, wiring: Expanders, open_bus: OpenI2c = open_i2c) -> None:
        self._wiring = wiring
        self._open_bus = open_bus
        count = len(wiring.addresses)
        rows = 8 // count if wiring.wiring is Wiring.MATRIX else 0
        per_chip = 8 * rows if rows else 16
        self._chips = [_Chip(a, wiring, per_chip * n, rows) for n, a in enumerate(wiring.addresses)]
        self._unwired = ALL_CELLS & ~sum(chip.cells for chip in self._chips)
        self._patience = max(1, round(PATIENCE_S * wiring.scan_hz))
        self._check_every = max(1, round(CHECK_S * wiring.scan_hz))
        self._bus: I2cBus | None = None
        self._scans = 0
        self._silent_scans = 0
        self._has_ghosts = wiring.wiring is Wiring.MATRIX and not wiring.diodes

    def open(self) -> None:
        self.close()
        bus = self._open_bus(self._wiring.bus)
        silent = [chip for chip in self._chips if not _answers(chip, bus)]
        if silent:
            bus.close()
            raise OSError(self._missing(silent))
        for chip in self._chips:
            chip.last, chip.is_silent = 0, False
        self._bus = bus
        self._scans = self._silent_scans = 0

    def read(self) -> Contacts:
        if self._bus is None:
            raise OSError("the I²C bus is closed")
        self._scans += 1
        closed = unsure = 0
        troubles: list[Trouble] = []
        for chip in self._chips:
            troubles += self._ask(chip, self._bus)
            closed |= chip.last
            unsure |= chip.cells if chip.is_silent else 0
        self._give_up_if_dead()
        if self._has_ghosts:
            unsure |= blocks_of(closed)
        return Contacts(closed, unsure | self._unwired, tuple(troubles))

    def close(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.close()

    def _ask(self, chip: _Chip, bus: I2cBus) -> Sequence[Trouble]:
        was_silent = chip.is_silent
        reason = ""
        for _ in range(1 if was_silent else TRIES):
            try:
                if was_silent:
                    chip.set_up(bus)
                cells = chip.read(bus)
                if self._scans % self._check_every == 0 or (cells ^ chip.last).bit_count() >= SUSPICIOUS:
                    chip.check(bus)
                chip.last = cells
            except OSError as problem:
                reason = problem.strerror or str(problem)
                continue
            chip.is_silent = False
            return (Trouble("expander", f"{self._name(chip)} answers again"),) if was_silent else ()
        chip.is_silent = True
        if was_silent:
            return ()
        text = f"{self._name(chip)} does not answer ({reason}): its squares keep their last reading; look at its wires"
        return (Trouble("expander", text),)

    def _give_up_if_dead(self) -> None:
        self._silent_scans = self._silent_scans + 1 if all(chip.is_silent for chip in self._chips) else 0
        if self._silent_scans >= self._patience:
            raise OSError(self._missing(self._chips))

    def _missing(self, chips: Sequence[_Chip]) -> str:
        names = ", ".join(f"{chip.address:#04x}" for chip in chips)
        return (
            f"no MCP23017 answers at {names} on /dev/i2c-{self._wiring.bus}: look at power, SDA, SCL and the address "
            f"pins (`i2cdetect -y {self._wiring.bus}` lists what answers)"
        )

    def _name(self, chip: _Chip) -> str:
        return f"the expander {chip.address:#04x}"


def _answers(chip: _Chip, bus: I2cBus) -> bool:
    for _ in range(TRIES):
        try:
            chip.set_up(bus)
            chip.check(bus)
        except OSError:
            continue
        return True
    return False
