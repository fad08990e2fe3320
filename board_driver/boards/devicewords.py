"""Why a device cannot be had, in words for a person: what is there, whom it belongs to, and what to do."""

from __future__ import annotations

import errno
import glob
import grp
import os
from collections.abc import Iterable


def why_not(path: str, problem: OSError, enable: str, pattern: str) -> str:
    """One line about the device file `path` that gave `problem`.

    `enable` says how to switch such devices on; `pattern` finds those that there are.
    """
    match problem.errno:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return f"{path} is not there ({seen(glob.glob(pattern))}): {enable}"
        case errno.EACCES | errno.EPERM:
            return not_allowed(path)
        case errno.EBUSY:
            return f"{path} is in use by another program: end that one"
        case _:
            return f"{path}: {problem.strerror or problem}"


def not_allowed(path: str) -> str:
    """What to do about a device file that this user may not use."""
    group = owning_group(path)
    if group is None:
        return f"no permission to use {path}"
    if group == "root":
        return f"no permission to use {path}, which belongs to root alone: install the udev rules"
    return (
        f"no permission to use {path}: add the user to group {group} (sudo usermod -aG {group} $USER) and log in again"
    )


def seen(names: Iterable[str]) -> str:
    """`seen: a, b`, or that there is none."""
    found = sorted(names)
    return f"seen: {', '.join(found)}" if found else "none is there"


def owning_group(path: str) -> str | None:
    """The group of that file, if it has a name."""
    try:
        return grp.getgrgid(os.stat(path).st_gid).gr_name
    except (OSError, KeyError):
        return None
