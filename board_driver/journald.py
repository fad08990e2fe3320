"""The system's journal, spoken to in its own protocol: one datagram of fields for each entry.

As documented at systemd.io/JOURNAL_NATIVE_PROTOCOL: `NAME=value` and a line's end; a value of more lines is its name
alone, its length in eight bytes (little-endian), the value, and a line's end.
"""

from __future__ import annotations

import os
import re
import socket
import struct
from collections.abc import Mapping
from pathlib import Path

SOCKET = Path("/run/systemd/journal/socket")
LONGEST_VALUE = 4000
"""Characters of one value; a datagram should fit into a socket's buffer whatever came in."""

_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,63}")


def datagram(fields: Mapping[str, str]) -> bytes:
    """Those fields as one entry [pure]. Raises ValueError for a name that the journal would not take."""
    parts: list[bytes] = []
    for name, text in fields.items():
        if not _NAME.fullmatch(name):
            raise ValueError(f"expected the name of a field in capitals, got {name!r}")
        value = text[:LONGEST_VALUE].encode("utf-8", "replace")
        if b"\n" in value:
            parts.append(name.encode() + b"\n" + struct.pack("<Q", len(value)) + value + b"\n")
        else:
            parts.append(name.encode() + b"=" + value + b"\n")
    return b"".join(parts)


class JournalSocket:
    """The way there. Nothing waits: a journal that does not take an entry at once does not get it."""

    def __init__(self, address: Path = SOCKET) -> None:
        """Raises OSError if there is no such socket."""
        self._address = str(address)
        self._channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK)
        try:
            self._channel.connect(self._address)
        except OSError:
            self._channel.close()
            raise

    def send(self, fields: Mapping[str, str]) -> bool:
        """Whether the journal has it. It may have been started again since, which is tried once."""
        content = datagram(fields)
        for _ in range(2):
            try:
                self._channel.send(content)
            except OSError:
                try:
                    self._channel.connect(self._address)
                except OSError:
                    return False
            else:
                return True
        return False

    def close(self) -> None:
        """No more."""
        self._channel.close()


def leads_to_the_journal(descriptor: int, said: str) -> bool:
    """Whether that stream is the one of which systemd said, in JOURNAL_STREAM, that it leads to the journal."""
    try:
        found = os.fstat(descriptor)
    except OSError:
        return False
    return said == f"{found.st_dev}:{found.st_ino}"
