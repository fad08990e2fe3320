"""A board's own end behind a real pty, in the test's loop: it can be unplugged and plugged in again."""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.codec import BoardEnd
from firmware_bridge.link import monotonic_ms


class PtyBoard:
    """`link` is where the port is found; it leads to another pty after each plugging."""

    def __init__(self, link: Path, board: BoardEnd) -> None:
        self.link = link
        self.board = board
        self.heard = b""
        self.is_mute = False
        self.is_deaf = False
        self._master: int | None = None
        self._timer: asyncio.TimerHandle | None = None

    def plug(self, board: BoardEnd | None = None) -> None:
        """Connect, with another board's end if one is given (as after a reset)."""
        self.board = board or self.board
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(os.ttyname(slave))
        self._slave = slave  # kept open: a master without a client reads as an error
        asyncio.get_running_loop().add_reader(self._master, self._readable)
        self._pump()

    def unplug(self) -> None:
        """Pull the cable."""
        if self._timer is not None:
            self._timer.cancel()
        if self._master is not None:
            asyncio.get_running_loop().remove_reader(self._master)
            os.close(self._master)
            os.close(self._slave)
        self._master = None
        self.link.unlink(missing_ok=True)

    def say(self, payload: bytes) -> None:
        """Bytes that no protocol asked for."""
        assert self._master is not None
        os.write(self._master, payload)

    def _readable(self) -> None:
        assert self._master is not None
        try:
            payload = os.read(self._master, 4096)
        except OSError:
            return
        self.heard += payload
        if not self.is_deaf:
            self.board.feed(payload, monotonic_ms())
        self._pump()

    def _pump(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._master is None:
            return
        self.board.advance(monotonic_ms())
        for packet in self.board.outgoing(monotonic_ms()):
            if not self.is_mute:
                os.write(self._master, packet.payload)
        self._timer = asyncio.get_running_loop().call_later(0.01, self._pump)


async def until(true: Callable[[], bool], limit_s: float = 10.0) -> None:
    """Wait in the loop for a condition; fails after `limit_s`, which is only there to end a broken test."""
    async with asyncio.timeout(limit_s):
        while not true():
            await asyncio.sleep(0.005)
