"""Telling systemd how the service is (`sd_notify`), and the watchdog that the loop itself feeds.

A loop that hangs feeds nothing, and systemd restarts the service; without systemd all of this does nothing.
"""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress

LONGEST_WAIT_S = 3600.0


def notify(message: str) -> bool:
    """Send `message` to the service manager, if there is one that listens; whether it was sent."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.sendto(message.encode(), "\0" + address[1:] if address.startswith("@") else address)
        return True
    return False


def watchdog_s() -> float | None:
    """How long the service may be silent; None where nobody watches this process."""
    microseconds, process = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not microseconds.isdigit() or int(microseconds) == 0 or process not in ("", str(os.getpid())):
        return None
    return int(microseconds) / 1e6


class Heartbeat:
    """READY, WATCHDOG and STOPPING of one run."""

    def ready(self, status: str) -> None:
        """All is up."""
        notify(f"READY=1\nSTATUS={status}")

    def stopping(self) -> None:
        """The end begins."""
        notify("STOPPING=1")

    async def run(self) -> None:
        """Feed the watchdog from this loop, three times in its time, until cancelled."""
        limit_s = watchdog_s()
        while True:
            if limit_s is not None:
                notify("WATCHDOG=1")
            await asyncio.sleep(LONGEST_WAIT_S if limit_s is None else limit_s / 3)
