"""The firmware's .elf in simavr, driven in virtual time as a `BoardEnd`, or in real time behind a pty.

Building needs Debian's gcc-avr, avr-libc, simavr, libsimavr-dev and libelf-dev; tests skip, saying so, where they are
missing.
"""

from __future__ import annotations

import atexit
import functools
import json
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType

import pytest

from firmware_bridge.codec import Packet
from firmware_bridge.messages import Content, Lamp, Lamps, OccupiedSquares

HERE = Path(__file__).resolve().parent
FIRMWARE = HERE.parents[1] / "hardware" / "firmware"
NEEDED = "apt-get install --no-install-recommends gcc gcc-avr avr-libc make libsimavr-dev libelf-dev"


@functools.cache
def build_folder() -> Path:
    """Where the firmware and the simulator are built, once for a run of the tests."""
    missing = [tool for tool in ("make", "gcc", "avr-gcc") if shutil.which(tool) is None]
    if not Path("/usr/include/simavr/sim_avr.h").exists():
        missing.append("simavr's headers")
    if missing:
        pytest.skip(f"no {', '.join(missing)}: {NEEDED}")
    folder = Path(tempfile.mkdtemp(prefix="touchmove-sim-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _run(["make", "-s", "-C", str(FIRMWARE), f"BUILD={folder}"])
    sources = sorted(str(path) for path in (HERE / "simavr").glob("*.c"))
    flags = ["-O2", "-Wall", "-Wextra", "-I/usr/include/simavr", "-o", str(folder / "sim")]
    _run(["gcc", *flags, *sources, "-lsimavr", "-lelf", "-lutil"])
    return folder


def sketch() -> Path:
    """The Arduino sketch, compiled with Debian's Arduino core."""
    folder = build_folder()
    if not Path("/usr/share/arduino/hardware/arduino/avr/cores").exists():
        pytest.skip("no Arduino core: apt-get install --no-install-recommends arduino-core-avr")
    _run(["make", "-s", "-C", str(FIRMWARE), f"BUILD={folder}", "sketch"])
    return folder / "sketch-atmega328p.elf"


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


def _address(elf: Path, name: str) -> str:
    for line in _run(["avr-nm", str(elf)]).splitlines():
        words = line.split()
        if words[-1] == name:
            return words[0]
    raise AssertionError(f"{elf} has no {name}")


class SimBoard:
    """One chip. Without `pty` time passes only in `outgoing` and `step`; with it time is real and `port` is a port."""

    def __init__(self, mcu: str = "atmega328p", *, pty: bool = False, elf: Path | None = None) -> None:
        folder = build_folder()
        elf = elf or folder / f"touchmove-{mcu}.elf"
        self._folder = Path(tempfile.mkdtemp(prefix="touchmove-board-"))
        self.port = self._folder / "ttyACM0"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self._folder / "control"))
        listener.listen(1)
        command = [str(folder / "sim"), str(elf), "--mcu", mcu, "--sock", str(self._folder / "control")]
        command += ["--watch", _address(elf, "board_poll"), _address(elf, "port_idle")]
        command += ["--pty", str(self.port)] if pty else []
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        listener.settimeout(20)
        connection, _ = listener.accept()
        listener.close()
        self._control = connection.makefile("rwb", buffering=0)
        connection.close()
        self._now_ms = 0
        self.lamp_frames = 0
        """Pictures latched, as of the last step."""
        assert self._read() == "ready"

    def __enter__(self) -> SimBoard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the simulator."""
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait(10)
        self._control.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def tell(self, line: str) -> str:
        """A command to the simulator, and its answer."""
        self._control.write(line.encode() + b"\n")
        answer = self._read()
        assert answer != "unknown", line
        return answer

    def _read(self) -> str:
        line = self._control.readline()
        assert line.endswith(b"\n"), "the simulator ended"
        return line.decode().rstrip("\n")

    def stats(self) -> dict[str, float | list[float]]:
        """What the simulator counted and measured so far."""
        stats: dict[str, float | list[float]] = json.loads(self.tell("stats"))
        return stats

    def number(self, name: str) -> float:
        """One figure of `stats`."""
        value = self.stats()[name]
        assert not isinstance(value, list)
        return value

    def chain(self) -> list[tuple[int, int, int]]:
        """The lamps as latched, in the order of the chain."""
        _, _, text = self.tell("lamps").partition(" ")
        levels = bytes.fromhex(text)
        return [(levels[i], levels[i + 1], levels[i + 2]) for i in range(0, len(levels), 3)]

    def set(self, square: int, closed: bool) -> None:
        """One contact."""
        self.tell(f"set {square} {closed:d}")

    # As a BoardEnd, in virtual time.

    def feed(self, payload: bytes, now_ms: int, channel: str = "") -> None:  # noqa: ARG002
        self.tell(f"give {payload.hex()}")

    def sense(self, content: Content, now_ms: int) -> None:  # noqa: ARG002
        assert isinstance(content, OccupiedSquares)
        self.tell(f"board {content.occupied:016x}")

    def press(self, number: int, down: bool, now_ms: int) -> None:  # noqa: ARG002
        self.tell(f"button {number} {down:d}")

    def advance(self, now_ms: int) -> None:
        pass

    def outgoing(self, now_ms: int) -> list[Packet]:
        if now_ms <= self._now_ms:
            return []
        payload = self.step((now_ms - self._now_ms) * 1000)
        self._now_ms = now_ms
        return [Packet(payload)] if payload else []

    def step(self, us: int) -> bytes:
        """Let the chip run for so long; what it sent."""
        frames, _, sent = self.tell(f"step {us}").partition(" ")
        self.lamp_frames = int(frames)
        return bytes.fromhex(sent)

    def next_wake_ms(self) -> int | None:
        return self._now_ms + 1

    def lamps(self) -> Lamps:
        return {square: Lamp(*colour) for square, colour in enumerate(self.chain()) if any(colour)}


def occupied(*names: str) -> int:
    """The set of squares with those names."""
    return sum(1 << (ord(name[0]) - 97 + 8 * (int(name[1]) - 1)) for name in names)
