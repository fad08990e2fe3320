"""GPIO lines by lgpio: one system call for a whole group.

House rules:

1. The chip of the pin header is found by its label, since kernels have numbered it 0 and 4 on the same Raspberry Pi 5.
2. Lines are claimed all or none. One that is busy is named, with who has it.
3. lgpio keeps a pipe in the working directory, even on import; it gets a folder of its own, since a service's working
   directory cannot be written to.
"""

from __future__ import annotations

import atexit
import glob
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from board_driver.boards.devicewords import not_allowed, seen
from board_driver.boards.lines import ReadLines, WriteLines

HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2712", "pinctrl-bcm2835", "pinctrl-bcm2837")
"""Of the chips behind the pin headers of all Raspberry Pis."""
TRIED = range(16)
"""Chip numbers that are tried even where /dev does not list them."""


@dataclass(frozen=True, slots=True)
class ChipSeen:
    """One chip of this computer."""

    number: int
    label: str
    lines: int

    def __str__(self) -> str:
        return f"gpiochip{self.number} ({self.label}, {self.lines} lines)"


@cache
def library() -> Any:
    """lgpio itself. Raises OSError, with words, if it is not installed or cannot start."""
    if "LG_WD" not in os.environ:
        folder = tempfile.mkdtemp(prefix="touchmove-lgpio-")
        os.environ["LG_WD"] = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    try:
        import lgpio  # noqa: PLC0415
    except ImportError as problem:
        raise OSError(f"lgpio cannot be used ({problem}): pip install 'touchmove[gpio]'") from problem
    return lgpio


def find_chip(number: int | None) -> ChipSeen:
    """The chip of that number; for None that of the pin header, or the only one. Raises OSError, with words."""
    chips, forbidden = _chips() if number is None else _look_at([number])
    if number is not None:
        if chips:
            return chips[0]
        raise OSError(not_allowed(forbidden[0]) if forbidden else f"gpiochip{number} is not there ({_all_seen()})")
    header = [chip for chip in chips if chip.label in HEADER_LABELS]
    if header or len(chips) == 1:
        return (header or chips)[0]
    if forbidden:
        raise OSError(not_allowed(forbidden[0]))
    if not chips:
        raise OSError("this computer has no GPIO lines: no /dev/gpiochip is there")
    told = ", ".join(map(str, chips))
    raise OSError(f"none of the GPIO chips is known to be a pin header's: write `chip:` in the profile; seen: {told}")


def _all_seen() -> str:
    return seen(str(chip) for chip in _chips()[0])


def _chips() -> tuple[list[ChipSeen], list[str]]:
    listed = {int(found[1]) for path in glob.glob("/dev/gpiochip*") if (found := re.search(r"(\d+)$", path))}
    return _look_at(sorted(listed | set(TRIED)))


def _look_at(numbers: Sequence[int]) -> tuple[list[ChipSeen], list[str]]:
    """The chips of those numbers, and the files that may not be used."""
    lgpio = library()
    chips, forbidden = [], []
    for number in numbers:
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error:
            path = f"/dev/gpiochip{number}"
            if os.path.exists(path) and not os.access(path, os.R_OK | os.W_OK):
                forbidden.append(path)
            continue
        _, lines, _, label = lgpio.gpio_get_chip_info(handle)
        lgpio.gpiochip_close(handle)
        chips.append(ChipSeen(number, label, lines))
    return chips, forbidden


class LgpioLines:
    """`Lines` of one chip."""

    def __init__(self, number: int | None = None) -> None:
        self._lgpio = library()
        self.chip = find_chip(number)
        self._handle: int | None = self._lgpio.gpiochip_open(self.chip.number)

    def inputs(self, lines: Sequence[int], *, pull_up: bool = True) -> ReadLines:
        bias = self._lgpio.SET_PULL_UP if pull_up else self._lgpio.SET_PULL_NONE
        handle, leader = self._claim(lines, lambda h, all_lines: self._lgpio.group_claim_input(h, all_lines, bias))
        return self._guarded(self._lgpio.group_read, handle, leader)

    def outputs(self, lines: Sequence[int], levels: int, *, open_drain: bool = False) -> WriteLines:
        bits = [levels >> n & 1 for n in range(len(lines))]
        drive = self._lgpio.SET_OPEN_DRAIN if open_drain else 0
        handle, leader = self._claim(
            lines, lambda h, all_lines: self._lgpio.group_claim_output(h, all_lines, bits, drive)
        )
        write, error, mask = self._lgpio.group_write, self._lgpio.error, (1 << len(lines)) - 1

        def set_levels(bits: int) -> None:
            try:
                write(handle, leader, bits, mask)
            except error as problem:
                raise OSError(f"{self.chip} does not take levels any more ({_plain(problem)})") from problem

        return set_levels

    def close(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            self._lgpio.gpiochip_close(handle)

    def _guarded(self, read: Callable[[int, int], Any], handle: int, leader: int) -> ReadLines:
        error = self._lgpio.error

        def levels() -> int:
            try:
                found: int = read(handle, leader)[1]
            except error as problem:
                raise OSError(f"{self.chip} cannot be read any more ({_plain(problem)})") from problem
            return found

        return levels

    def _claim(self, lines: Sequence[int], claim: Callable[[int, list[int]], object]) -> tuple[int, int]:
        if self._handle is None:
            raise OSError("the GPIO chip is closed")
        for line in lines:
            if not 0 <= line < self.chip.lines:
                raise OSError(f"GPIO {line} does not exist: {self.chip} counts from 0 to {self.chip.lines - 1}")
        try:
            claim(self._handle, list(lines))
        except self._lgpio.error as problem:
            raise OSError(self._why_not(self._handle, lines, _plain(problem))) from problem
        return self._handle, lines[0]

    def _why_not(self, handle: int, lines: Sequence[int], reason: str) -> str:
        for line in lines:
            _, _, flags, _, user = self._lgpio.gpio_get_line_info(handle, line)
            if flags & 1:
                whom = f"by {user}" if user else "by another program or the kernel"
                return f"GPIO {line} is in use {whom}: end that, or wire another pin"
        return f"GPIO {', '.join(map(str, lines))} cannot be claimed on {self.chip}: {reason}"


def _plain(problem: Exception) -> str:
    return str(problem).strip("'\"")
