"""The fake GPIO chip of `gpioshim.c`: compiling it, running a Python under it, and the state both share."""

from __future__ import annotations

import mmap
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
STATE_BYTES = 32
VARIABLE = "GPIOSHIM_STATE"


def what_is_missing() -> str | None:
    """Why the fake chip cannot be had here; None if it can."""
    if not sys.platform.startswith("linux"):
        return "the fake GPIO chip stands for Linux's"
    if shutil.which("gcc") is None:
        return "gcc is missing: apt-get install gcc libc6-dev"
    if find_spec("lgpio") is None:
        return "lgpio is missing: pip install 'touchmove[gpio]'"
    return None


def compile_shim(folder: Path) -> Path:
    """The library to preload."""
    target = folder / "gpioshim.so"
    command = [
        "gcc",
        "-O2",
        "-Wall",
        "-Werror",
        "-shared",
        "-fPIC",
        "-o",
        str(target),
        str(HERE / "gpioshim.c"),
        "-ldl",
    ]
    subprocess.run(command, check=True)
    return target


def run_under(shim: Path, arguments: list[str], **settings: str) -> subprocess.CompletedProcess[str]:
    """This Python with those arguments and the chip; `settings` are the shim's, such as `chips`."""
    state = shim.parent / "reeds"
    state.write_bytes(bytes(STATE_BYTES))
    environment: Mapping[str, str] = {
        **os.environ,
        "LD_PRELOAD": str(shim),
        VARIABLE: str(state),
        "PYTHONPATH": str(HERE.parents[1]),
        **{f"GPIOSHIM_{name.upper()}": value for name, value in settings.items()},
    }
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=HERE.parents[1],
    )


class ShimState:
    """The reeds, from inside the process that runs under the chip."""

    def __init__(self) -> None:
        with open(os.environ[VARIABLE], "r+b") as file:
            self._map = mmap.mmap(file.fileno(), STATE_BYTES)
        self._map[:] = bytes(STATE_BYTES)

    def set_cells(self, cells: int) -> None:
        self._map[0:8] = cells.to_bytes(8, "little")

    def take_out_diodes(self) -> None:
        self._map[8] |= 1

    def unplug(self, is_gone: bool = True) -> None:
        self._map[8] = self._map[8] & ~2 | 2 * is_gone

    def hold(self, *lines: int) -> None:
        """Press the push buttons on those lines, and no others."""
        self._map[10:14] = sum(1 << line for line in lines).to_bytes(4, sys.byteorder)

    def set_rise_us(self, microseconds: int) -> None:
        self._map[24:28] = microseconds.to_bytes(4, sys.byteorder)

    @property
    def had_contention(self) -> bool:
        return bool(self._map[9])

    @property
    def requests(self) -> int:
        return int.from_bytes(self._map[16:24], sys.byteorder)
