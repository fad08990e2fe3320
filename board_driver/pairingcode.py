"""Where the code is told that a page on the network needs to control the board.

A person at a terminal sees it there. The service's terminal is the system's journal, which others may read: there the
code goes to a file for the service and root alone, and `touchmove status` shows it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FILE = "pairing-code"


def tell_code(code: str, state: Path | None, in_service: bool) -> str:
    """The words for it; in a service the code is not among them."""
    asked = "anyone on this network can look; to control the board a page needs "
    if not in_service:
        return f"{asked}the code {code}"
    if state is None or not _keep(state / FILE, code):
        return f"{asked}a code, which could not be kept: give the service a state folder"
    return f"{asked}the code that `sudo touchmove status` shows"


def kept_code(state: Path) -> str | None:
    """The code of the daemon that runs on that folder; None if it asks for none, or tells it elsewhere."""
    try:
        return (state / FILE).read_text(encoding="ascii")[:20].strip() or None
    except (OSError, ValueError):
        return None


def forget_code(state: Path) -> None:
    """A daemon that asks for no code has none."""
    with suppress(OSError):
        (state / FILE).unlink()


def _keep(path: Path, code: str) -> bool:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as stream:
            os.fchmod(stream.fileno(), 0o600)
            stream.write(f"{code}\n")
    except OSError:
        return False
    return True
