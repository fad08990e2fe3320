"""A journal that reads what is sent to its socket, as systemd-journald does."""

from __future__ import annotations

import socket
import struct
from pathlib import Path


def parse_datagram(content: bytes) -> dict[str, str]:
    """The fields of one entry, by systemd's description of the format."""
    fields: dict[str, str] = {}
    while content:
        line, _, content = content.partition(b"\n")
        name, equals, value = line.partition(b"=")
        if not equals:
            (length,) = struct.unpack_from("<Q", content)
            value, content = content[8 : 8 + length], content[8 + length :]
            assert content[:1] == b"\n"
            content = content[1:]
        fields[name.decode()] = value.decode()
    return fields


class JournalReader:
    """Listens at `path`."""

    def __init__(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self._channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._channel.bind(str(path))
        self._channel.settimeout(20)

    def next(self) -> dict[str, str]:
        """The next entry."""
        return parse_datagram(self._channel.recv(1 << 16))

    def close(self) -> None:
        self._channel.close()
