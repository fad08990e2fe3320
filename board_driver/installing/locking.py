"""The lock: which files of which versions of the service's dependencies may be installed, by their hashes.

One file for what every board needs, and one for each extra. `.ci/lock` writes them; the hashes of a version are those
of all its files, whether for this machine or another, or to be compiled on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

LOCKS = Path(__file__).parent / "locks"
SERVICE = "service"
_PIN = re.compile(r"([\w.-]+)==(\S+)(?: ; ([^\\]+?))? \\")
_HASH = re.compile(r"    --hash=sha256:([0-9a-f]{64})(?: \\)?")


@dataclass(frozen=True, slots=True)
class Pin:
    """One dependency. `marker` says where it is needed, empty for everywhere."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]


def lock_files(extras: Iterable[str]) -> list[Path]:
    """The locks of a service with those extras."""
    return [LOCKS / f"{name}.txt" for name in (SERVICE, *extras)]


def locked_install(extras: Sequence[str]) -> list[str]:
    """What pip is told so that it installs what is locked, and nothing else."""
    return ["--require-hashes", *(word for path in lock_files(extras) for word in ("--requirement", str(path)))]


def read_lock(text: str) -> list[Pin]:
    """The pins of a lock. Raises ValueError for a line that is none."""
    pins: list[Pin] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        pin, found = _PIN.fullmatch(line), _HASH.fullmatch(line)
        if pin is not None:
            pins.append(Pin(pin[1], pin[2], pin[3] or "", ()))
        elif found is not None and pins:
            last = pins[-1]
            pins[-1] = Pin(last.name, last.version, last.marker, (*last.hashes, found[1]))
        else:
            raise ValueError(f"line {number}: expected a pin or a hash, got {line!r}")
    return pins
