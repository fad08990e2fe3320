"""The firmware's core compiled for this machine, as a `BoardEnd`. Needs a C compiler."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.codec import Packet
from firmware_bridge.messages import Content, Lamp, Lamps, OccupiedSquares

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "hardware" / "firmware" / "touchmove" / "src"
HERE = Path(__file__).resolve().parent
WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wno-sign-conversion", "-Werror")


def compile_host(target: Path, source: str, *flags: str) -> Path:
    """Compile the core with `source` of this folder. Skips the test where there is no C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a C compiler: apt-get install gcc libc6-dev")
    core = sorted(str(path) for path in (SOURCES / "core").glob("*.c"))
    command = [compiler, *WARNINGS, *flags, f"-I{SOURCES}", "-o", str(target), str(HERE / source), *core]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


class CBoard:
    """One board; the library has room for one at a time."""

    def __init__(self, library: Path, started_ms: int = 0) -> None:
        self._lib = ctypes.CDLL(str(library))
        self._lib.host_lamps.restype = ctypes.POINTER(ctypes.c_uint8)
        self._lib.host_take.restype = self._lib.host_lamp_frames.restype = ctypes.c_uint32
        self._rows = (ctypes.c_uint8 * 8).in_dll(self._lib, "host_rows")
        self._buttons = ctypes.c_uint8.in_dll(self._lib, "host_buttons")
        self._field = (ctypes.c_uint16 * 64).in_dll(self._lib, "host_field")
        self._credit = 0
        self.started_ms = started_ms
        self.restart(started_ms)

    def restart(self, now_ms: int, clock_ms: int = 0) -> None:
        """As by its reset button, the clock set to `clock_ms`."""
        self.started_ms = now_ms - clock_ms
        self._polled_ms = now_ms
        self._lib.host_start(clock_ms & 0xFFFFFFFF)

    def feed(self, payload: bytes, now_ms: int, channel: str = "") -> None:  # noqa: ARG002
        self._lib.host_feed(payload, len(payload))

    def sense(self, content: Content, now_ms: int) -> None:  # noqa: ARG002
        assert isinstance(content, OccupiedSquares)
        self._rows[:] = list(content.occupied.to_bytes(8, "little"))

    def set_field(self, readings: list[int]) -> None:
        self._field[:] = readings

    def press(self, number: int, down: bool, now_ms: int) -> None:  # noqa: ARG002
        self._buttons.value = self._buttons.value & ~(1 << number) | down << number

    def advance(self, now_ms: int) -> None:
        while self._polled_ms < now_ms:
            self._polled_ms += 1
            self._lib.host_poll((self._polled_ms - self.started_ms) & 0xFFFFFFFF)
        overrun = ctypes.c_int.in_dll(self._lib, "host_overrun").value
        assert not overrun, "the core wrote more than there was room for"

    def outgoing(self, now_ms: int) -> list[Packet]:
        """What a line of 115,200 baud carries in the millisecond since the last call."""
        self.advance(now_ms)
        self._credit += 1152
        most, self._credit = divmod(self._credit, 100)
        buffer = ctypes.create_string_buffer(most)
        count = self._lib.host_take(buffer, most)
        return [Packet(buffer.raw[:count])] if count else []

    def next_wake_ms(self) -> int | None:
        return self._polled_ms + 1

    def chain(self) -> list[tuple[int, int, int]]:
        """The colours last written, in the order of the chain."""
        levels = self._lib.host_lamps()[:192]
        return [(levels[3 * i], levels[3 * i + 1], levels[3 * i + 2]) for i in range(64)]

    @property
    def lamp_frames(self) -> int:
        return int(self._lib.host_lamp_frames())

    def lamps(self) -> Lamps:
        return {square: Lamp(*colour) for square, colour in enumerate(self.chain()) if any(colour)}
