"""The standard streams of a command, as they may come: closed, full, of another alphabet, or with no reader left."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from errno import EDQUOT, EFBIG, EIO, ENOSPC
from io import TextIOWrapper

NO_ROOM = frozenset({ENOSPC, EDQUOT, EFBIG, EIO})
"""What it means that a disk, a quota or a device takes no more."""


def prepare() -> None:
    """Make standard output and standard error fit to print to: neither missing nor unable to show a letter.

    A closed stream becomes the null device; a letter that a terminal does not have becomes an escape.
    """
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (lives as long as the process)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (the same)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def let_go() -> None:
    """Let what was printed and is not taken go nowhere, so that the interpreter does not complain of it at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError):  # a stream without a file behind it
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
