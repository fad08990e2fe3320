"""Which state folder a command means."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from board_driver.inputerror import InputError, shortened

SERVICE = Path("/var/lib/touchmove")
"""Where systemd keeps the service's state."""


def add_state_option(parser: argparse.ArgumentParser) -> None:
    """Add `--state`."""
    parser.add_argument("--state", metavar="DIR", help=f"the state folder (default: {SERVICE}, the service's)")


def state_folder(named: str | None, must_exist: bool = True) -> Path:
    """By `--state`, else systemd's word, else the service's. Raises InputError if it is not there."""
    folder = Path(named or os.environ.get("STATE_DIRECTORY", "").partition(":")[0] or SERVICE).expanduser()
    try:
        if folder.is_dir():
            next(folder.iterdir(), None)  # may we look into it?
            return folder
    except PermissionError:
        raise InputError(f"{folder}: expected to be allowed to read it; run this with sudo") from None
    if not must_exist:
        return folder
    where = "" if named else "; name the folder with --state, or install the service with sudo touchmove install"
    raise InputError(f"{shortened(str(folder), 200)}: expected a state folder, got none there{where}")
