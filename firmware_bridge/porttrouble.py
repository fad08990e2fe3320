"""Why a serial port cannot be had, in one line that says what to do."""

from __future__ import annotations

import errno
import grp
import os
import pwd
from collections.abc import Iterable, Sequence
from pathlib import Path

from firmware_bridge.ports import UARTS, Port

PROC = Path("/proc")


def explain(device: str, problem: OSError, ports: Sequence[Port] = (), proc: Path = PROC) -> str:
    """One line: what is wrong with `device`, and the remedy. `ports` are those that could be meant instead."""
    match _reason(problem):
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            return f"there is no {device}: {_instead(device, ports)}"
        case errno.EACCES | errno.EPERM:
            return _no_permission(device)
        case errno.EBUSY | errno.EAGAIN:
            return _busy(device, proc)
        case _:
            return f"{device} cannot be opened: {problem.strerror or problem}"


def _reason(problem: OSError) -> int | None:
    """pyserial hides the lock's error number in its words."""
    if problem.errno is None and "exclusively lock" in str(problem):
        return errno.EAGAIN
    return problem.errno


def _instead(device: str, ports: Sequence[Port]) -> str:
    there = [port.stable for port in ports] + [uart for uart in UARTS if uart != device and Path(uart).exists()]
    if not there:
        return "no serial port is there at all; is the board plugged in?"
    return "plug it in, or choose one of " + ", ".join(there)


def _no_permission(device: str) -> str:
    user = pwd.getpwuid(os.geteuid()).pw_name
    try:
        group = grp.getgrgid(os.stat(device).st_gid).gr_name
    except (OSError, KeyError):
        group = "dialout"
    remedy = (
        "give it to a group with a udev rule first"
        if group == "root"
        else f"sudo usermod -aG {group} {user}, then log in anew (a service: SupplementaryGroups={group})"
    )
    return f"user {user} may not open {device}, which group {group} may: {remedy}"


def _busy(device: str, proc: Path) -> str:
    holders = holders_of(device, proc)
    if holders:
        return f"{device} is in use by {' and '.join(holders)}: end that first"
    return f"{device} is in use by another program (sudo fuser -v {device} tells which): end that first"


def holders_of(device: str, proc: Path = PROC) -> list[str]:
    """The programs that hold a device open, as `name (process n)`; only those this user may look into."""
    real = os.path.realpath(device)
    own = str(os.getpid())
    return [
        f"{_name(process)} (process {process.name})"
        for process in _processes(proc)
        if process.name != own and any(target == real for target in _open_files(process))
    ]


def _processes(proc: Path) -> list[Path]:
    return sorted((p for p in proc.iterdir() if p.name.isdigit()), key=lambda p: int(p.name))


def _open_files(process: Path) -> Iterable[str]:
    try:
        files = list((process / "fd").iterdir())
    except OSError:
        return
    for file in files:
        try:
            yield os.readlink(file)
        except OSError:
            continue


def _name(process: Path) -> str:
    try:
        return (process / "comm").read_text(encoding="utf-8", errors="replace").strip() or "a program"
    except OSError:
        return "a program"
