"""Doing it: the steps of `touchmove install` and `uninstall`.

House rules:

1. Games, journal, options and profiles of a former version stay as they are.
2. Dependencies are those of the lock (`locking`), by the hashes of their files, or come from a folder of wheels.
3. The new version is complete beside the old one before the link `current` goes over to it, in one step.
4. What does not come up healthy in a minute is taken back: the link goes back and the service with it, and the journal
   if the new version had changed its tables.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from board_driver.inputerror import InputError
from board_driver.installing.filing import point, write_beside
from board_driver.installing.journalcopy import JournalCopy
from board_driver.installing.layout import (
    GROUPS,
    HEALTHY_WITHIN_S,
    KEPT_VERSIONS,
    Device,
    Layout,
    board_drop_in,
    network_drop_in,
    options_text,
    port_in,
)
from board_driver.installing.locking import locked_install
from board_driver.profile.finding import looks_like_profile
from board_driver.store.damage import reason

Run = Callable[[Sequence[str]], str]
CALIBRATION = ".calibration.json"
"""What the calibration of a profile is called after it, beside it."""


def run_command(command: Sequence[str]) -> str:
    """Run it; what it printed. Raises InputError with its last words if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        words = (done.stderr.strip() or done.stdout.strip() or f"status {done.returncode}").splitlines()[-1]
        raise InputError(f"expected `{' '.join(map(str, command))}` to succeed, got: {words}")
    return done.stdout


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be installed."""

    source: str
    """What pip installs: a folder, a wheel, or a name with its version."""
    extras: tuple[str, ...]
    board: str | None
    """None keeps the options that there are. A profile's file is copied to where the service may read it."""
    devices: tuple[Device, ...] = ()
    network: bool = False
    wheels: Path | None = None
    """A folder with all that is needed, for a machine without a network."""
    locked: bool = True
    """Whether dependencies have to be those of the lock (without `wheels`)."""
    start: bool = True


class Installer:
    """One machine. `run` carries out commands."""

    def __init__(self, layout: Layout, say: Callable[[str], None], run: Run = run_command) -> None:
        self._layout = layout
        self._say = say
        self._run = run

    def install(self, order: Order, parts: Path) -> bool:
        """Install or upgrade; `parts` is the folder of unit and rules. False if the version before had to come back."""
        layout = self._layout
        before = Path(os.readlink(layout.current)) if layout.current.is_symlink() else None
        unit = layout.unit.read_text(encoding="utf-8") if layout.unit.exists() else None
        fresh = self._build(order)
        self._say("unit, rules, groups")
        self._write_parts(order, parts)
        point(layout.current, fresh)
        point(layout.command, layout.current / "bin/touchmove")
        if not order.start:
            return True
        for command in (
            ["systemctl", "daemon-reload"],
            ["systemctl", "enable", "--quiet", "touchmove.service"],
        ):
            self._run(command)
        self._reload_rules()
        copy = JournalCopy(layout.state, fresh)
        if before is not None:
            self._take_copy(copy)
        if self._comes_up():
            copy.drop()
            self._drop_old(fresh, before)
            return True
        self._take_back(fresh, before, unit, copy)
        return False

    def uninstall(self, purge: bool) -> None:
        """Take everything off but the games, the journal and the options; with `purge` these too."""
        layout = self._layout
        if layout.unit.exists():
            self._try(["systemctl", "disable", "--now", "--quiet", "touchmove.service"])
        for path in (layout.unit, layout.rules, layout.command):
            path.unlink(missing_ok=True)
        for folder in (layout.drop_ins, layout.opt):
            shutil.rmtree(folder, ignore_errors=True)
        self._try(["systemctl", "daemon-reload"])
        if purge:
            shutil.rmtree(layout.options.parent, ignore_errors=True)
            for folder in (layout.state, layout.state.parent / "private/touchmove"):
                if folder.is_symlink():
                    folder.unlink()
                shutil.rmtree(folder, ignore_errors=True)

    # -- within

    def _build(self, order: Order) -> Path:
        versions = self._layout.versions
        versions.mkdir(parents=True, exist_ok=True)
        number = 1 + max((int(path.name) for path in versions.iterdir() if path.name.isdigit()), default=0)
        fresh = versions / str(number)
        self._say(f"installing into {fresh}")
        try:
            self._run([sys.executable if sys.prefix == sys.base_prefix else _base_python(), "-m", "venv", str(fresh)])
            pip = [str(fresh / "bin/python"), "-m", "pip"]
            for what in _to_install(order):
                self._run([*pip, "install", "--quiet", "--disable-pip-version-check", *what])
            self._run([*pip, "check", "--disable-pip-version-check"])
            self._run([str(fresh / "bin/touchmove"), "version"])
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise
        return fresh

    def _write_parts(self, order: Order, parts: Path) -> None:
        layout = self._layout
        write_beside(layout.unit, (parts / "touchmove.service").read_text(encoding="utf-8"))
        write_beside(layout.rules, (parts / "70-touchmove.rules").read_text(encoding="utf-8"))
        if order.board is not None:
            board = self._keep_profile(order.board)
            write_beside(layout.options, options_text(board, order.network))
            write_beside(layout.drop_ins / "board.conf", board_drop_in(order.devices))
            network = layout.drop_ins / "network.conf"
            if order.network:
                write_beside(network, network_drop_in())
            else:
                network.unlink(missing_ok=True)
        for group in GROUPS:
            self._try(["groupadd", "--system", "--force", group])

    def _keep_profile(self, board: str) -> str:
        """The board's name for the service, which sees no home folders: its profile is copied beside the options."""
        path = Path(board).expanduser()
        if not looks_like_profile(board):
            return board
        kept = self._layout.options.parent
        for file in (path, path.with_name(f"{path.stem}{CALIBRATION}")):
            if file.is_file() and file.resolve().parent != kept.resolve():
                write_beside(kept / file.name, file.read_text(encoding="utf-8"))
        return str(Path("/") / (kept / path.name).relative_to(self._layout.root))

    def _reload_rules(self) -> None:
        self._try(["udevadm", "control", "--reload"])
        self._try(["udevadm", "trigger", "--subsystem-match=gpio", "--subsystem-match=tty", "--subsystem-match=spidev"])

    def _comes_up(self) -> bool:
        """Whether the service starts and says that it is well, and goes on to."""
        end = time.monotonic() + HEALTHY_WITHIN_S
        self._try(["systemctl", "reset-failed", "touchmove.service"])
        if not self._try(["systemctl", "restart", "touchmove.service"]):
            return False
        port = port_in(self._layout.options.read_text(encoding="utf-8")) if self._layout.options.exists() else 8080
        well = 0
        while time.monotonic() < end and well < 3:
            well = well + 1 if _is_well(port) else 0
            time.sleep(0.5)
        return well >= 3

    def _take_copy(self, copy: JournalCopy) -> None:
        self._try(["systemctl", "stop", "touchmove.service"])
        try:
            copy.take()
        except (OSError, sqlite3.Error) as problem:
            self._say(f"the journal could not be copied before the upgrade: {reason(problem)}")

    def _take_back(self, fresh: Path, before: Path | None, unit: str | None, copy: JournalCopy) -> None:
        if before is None or unit is None:
            self._say("it did not come up healthy: stopped again; see journalctl -u touchmove")
            self._try(["systemctl", "disable", "--now", "--quiet", "touchmove.service"])
            return
        self._say(f"it did not come up healthy: going back to {before}; see journalctl -u touchmove")
        point(self._layout.current, before)
        write_beside(self._layout.unit, unit)
        self._try(["systemctl", "stop", "touchmove.service"])
        try:
            if copy.put_back():
                self._say("the new version had changed the journal's tables: it is as it was before the upgrade")
        except OSError as problem:
            self._say(f"the journal could not be put back: {reason(problem)}")
        self._try(["systemctl", "daemon-reload"])
        self._try(["systemctl", "reset-failed", "touchmove.service"])
        self._try(["systemctl", "restart", "touchmove.service"])
        shutil.rmtree(fresh, ignore_errors=True)

    def _drop_old(self, fresh: Path, before: Path | None) -> None:
        keep = {fresh.name, before.name if before else ""}
        numbers = sorted((int(p.name) for p in self._layout.versions.iterdir() if p.name.isdigit()), reverse=True)
        for number in numbers[KEPT_VERSIONS:]:
            if str(number) not in keep:
                shutil.rmtree(self._layout.versions / str(number), ignore_errors=True)

    def _try(self, command: Sequence[str]) -> bool:
        """Run what may fail on some machines; say so if it does."""
        try:
            self._run(command)
        except (InputError, OSError) as problem:
            self._say(str(problem))
            return False
        return True


def _to_install(order: Order) -> list[list[str]]:
    """What pip is to install, one call after the other."""
    whole = f"{order.source}[{','.join(order.extras)}]" if order.extras else order.source
    if order.wheels is not None:
        return [["--no-index", "--find-links", str(order.wheels), whole]]
    if not order.locked:
        return [[whole]]
    return [locked_install(order.extras), ["--no-deps", "--no-build-isolation", order.source]]


def _base_python() -> str:
    """The Python that this virtual environment was made from: one venv must not hang on another."""
    return str(getattr(sys, "_base_executable", sys.executable))


def _is_well(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError, ValueError):
        return False
