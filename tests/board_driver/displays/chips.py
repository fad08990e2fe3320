"""The chips at the end of the wires: an HD44780 behind a PCF8574, and an SSD1306, as their data sheets tell."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Sequence
from typing import Any

ROW_STARTS = {16: (0x00, 0x40, 0x10, 0x50), 20: (0x00, 0x40, 0x14, 0x54)}


class Bus:
    """What `smbus2.SMBus` is to the libraries; a chip that is not there answers nothing."""

    def __init__(self, *chips: Any) -> None:
        self.chips = {chip.address: chip for chip in chips}
        self.opened: list[int] = []
        self.closed = 0

    def __call__(self, port: int) -> Bus:
        self.opened.append(port)
        return self

    def _chip(self, address: int) -> Any:
        if address not in self.chips:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        return self.chips[address]

    def write_byte(self, address: int, value: int) -> None:
        self._chip(address).write([value])

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        self._chip(address).write([register, *data])

    def i2c_rdwr(self, *messages: Any) -> None:
        for message in messages:
            self._chip(message.addr).write(list(message))

    def close(self) -> None:
        self.closed += 1


class Lcd:
    """An HD44780 in four-bit mode: half a byte is taken when the enable line falls."""

    def __init__(self, address: int = 0x27, columns: int = 16) -> None:
        self.address = address
        self.columns = columns
        self.memory = [" "] * 0x80
        self.cursor = 0
        self.four_bits = False
        self.writes = 0
        self._enable = False
        self._high: int | None = None

    def rows(self, count: int) -> list[str]:
        starts = ROW_STARTS[self.columns][:count]
        return ["".join(self.memory[start : start + self.columns]) for start in starts]

    def write(self, values: Iterable[int]) -> None:
        for value in values:
            enable = bool(value & 0x04)
            if self._enable and not enable:
                self._take(value >> 4, bool(value & 0x01))
            self._enable = enable

    def _take(self, nibble: int, is_text: bool) -> None:
        if not self.four_bits:
            self.four_bits = nibble == 0x2
            return
        if self._high is None:
            self._high = nibble
            return
        value, self._high = self._high << 4 | nibble, None
        if is_text:
            self.memory[self.cursor] = chr(value)
            self.cursor = (self.cursor + 1) % 0x80
            self.writes += 1
        else:
            self._obey(value)

    def _obey(self, value: int) -> None:
        if value & 0x80:
            self.cursor = value & 0x7F
        elif value == 0x01:
            self.memory = [" "] * 0x80
            self.cursor = 0
        elif value in (0x02, 0x03):
            self.cursor = 0


class OledChip:
    """An SSD1306 in horizontal addressing mode."""

    def __init__(self, address: int = 0x3C, height: int = 64) -> None:
        self.address = address
        self.height = height
        self.memory = bytearray(128 * height // 8)
        self.is_on = False
        self._place = 0
        self._arguments = 0

    def dots(self) -> list[str]:
        """The lines from the top: `#` is lit."""
        return [
            "".join("#" if self.memory[y // 8 * 128 + x] >> (y % 8) & 1 else "." for x in range(128))
            for y in range(self.height)
        ]

    def lit(self, left: int = 0, right: int = 128, top: int = 0, bottom: int = 64) -> int:
        """How many dots are lit there."""
        return sum(line[left:right].count("#") for line in self.dots()[top:bottom])

    def write(self, values: Sequence[int]) -> None:
        kind, *rest = values
        if kind == 0x40:
            for value in rest:
                self.memory[self._place % len(self.memory)] = value
                self._place += 1
            return
        for value in rest:
            if self._arguments:
                self._arguments -= 1
                continue
            self._arguments = 2 if value in (0x21, 0x22) else 1 if value in (0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5) else 0
            self._arguments = 1 if value in (0xD9, 0xDA, 0xDB) else self._arguments
            if value in (0xAE, 0xAF):
                self.is_on = value == 0xAF
            if value == 0x21:
                self._place = 0
