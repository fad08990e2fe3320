"""The link: one open serial port, and the codec that speaks over it, in an asyncio loop.

House rules:

1. Everything happens in the loop; the codec belongs to the link while it is open.
2. The port is opened for us alone (TIOCEXCL and a lock). What is in its buffers from before is thrown away.
3. An end of file, an error, or a codec that calls the board silent ends the link: `on_lost` is called once, with words.
   Nothing is delivered after that, or after `close`.
4. Writes never block: what the port does not take waits in `_out`.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import termios
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic_ns

import serial

from firmware_bridge.capture import Piece, Way
from firmware_bridge.codec import Codec, LineSettings
from firmware_bridge.linewatch import Complaint, LineWatch
from firmware_bridge.messages import DeviceTrouble, Message, Trouble

READ_SIZE = 4096
MOST_UNSENT = 64 * 1024
"""A port that takes nothing for so long is gone."""


def monotonic_ms() -> int:
    """The link's clock."""
    return monotonic_ns() // 1_000_000


def open_port(device: str, line: LineSettings) -> serial.Serial:
    """Open a port as the protocol wants it, for us alone. Blocks for a moment. Raises OSError (SerialException is one).

    With `dtr` None the port is left as the system opens it, which resets most Arduinos.
    """
    port = serial.Serial()
    port.port, port.baudrate, port.parity = device, line.baud, line.parity.value
    port.timeout, port.exclusive = 0, True
    if line.dtr is not None:
        port.dtr = line.dtr
    port.open()
    fcntl.ioctl(port.fileno(), termios.TIOCEXCL)
    port.reset_input_buffer()
    return port


@dataclass(slots=True)
class Callbacks:
    """Who is told what, in the loop."""

    on_message: Callable[[Message, int], None]
    """A message, and when it came by the link's clock."""
    on_lost: Callable[[str], None]
    on_piece: Callable[[Piece], None] = field(default=lambda _piece: None)
    """Every read and write: the capture's tap."""
    on_complaint: Callable[[Complaint], None] = field(default=lambda _complaint: None)
    """Why nothing valid comes, once, in words."""


class SerialLink:
    """An open port. Made in the loop, with the port opened by `open_port`."""

    def __init__(
        self,
        port: serial.Serial,
        codec: Codec,
        callbacks: Callbacks,
        tried: tuple[int, ...] = (),
        now_ms: Callable[[], int] = monotonic_ms,
    ) -> None:
        """`tried` are baud rates that were tried on this port before, for the complaint."""
        self._port = port
        self._codec = codec
        self._callbacks = callbacks
        self._now_ms = now_ms
        self._loop = asyncio.get_running_loop()
        self._fd = port.fileno()
        self._out = bytearray()
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False
        self._frames_before = codec.counters.frames
        self._watch = LineWatch(now_ms(), port.baudrate, tried)
        os.set_blocking(self._fd, False)
        self._loop.add_reader(self._fd, self._readable)
        codec.connected(now_ms())
        self.pump()

    @property
    def baud(self) -> int:
        """The rate the port was opened at."""
        return int(self._port.baudrate)

    def pump(self) -> None:
        """Have the codec do what is due, and write what it has to say. Call after telling it anything."""
        if self._is_closed:
            return
        now = self._now_ms()
        self._deliver(self._codec.advance(now), now)
        if self._is_closed:
            return
        for packet in self._codec.outgoing(now):
            self._out += packet.payload
            self._callbacks.on_piece(Piece(now, Way.OUT, packet.payload))
        self._write()
        self._complain(now)
        self._schedule()

    def close(self) -> None:
        """Stop, and let go of the port. May be called twice."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        self._loop.remove_reader(self._fd)
        self._loop.remove_writer(self._fd)
        with suppress(OSError, termios.error):
            fcntl.ioctl(self._fd, termios.TIOCNXCL)
        with suppress(OSError, termios.error):
            self._port.close()

    def _readable(self) -> None:
        try:
            payload = os.read(self._fd, READ_SIZE)
        except BlockingIOError:
            return
        except OSError as problem:
            self._lose(f"the port is gone ({problem.strerror or problem})")
            return
        if not payload:
            self._lose("the port is gone (end of file)")
            return
        now = self._now_ms()
        self._callbacks.on_piece(Piece(now, Way.IN, payload))
        messages = self._codec.feed(payload, now)
        self._watch.take(payload, self._codec.counters.frames - self._frames_before)
        self._deliver(messages, now)
        self.pump()

    def _deliver(self, messages: list[Message], now: int) -> None:
        for message in messages:
            if self._is_closed:
                return
            self._callbacks.on_message(message, now)
            if isinstance(message, DeviceTrouble) and message.kind is Trouble.SILENT:
                self._lose(message.text)

    def _write(self) -> None:
        try:
            while self._out:
                del self._out[: os.write(self._fd, self._out)]
        except BlockingIOError:
            if len(self._out) > MOST_UNSENT:
                self._lose("the port takes nothing any more")
                return
            self._loop.add_writer(self._fd, self._writable)
        except OSError as problem:
            self._lose(f"the port is gone ({problem.strerror or problem})")

    def _writable(self) -> None:
        self._loop.remove_writer(self._fd)
        self._write()

    def _complain(self, now: int) -> None:
        if (complaint := self._watch.complaint(now)) is not None:
            self._callbacks.on_complaint(complaint)

    def _schedule(self) -> None:
        if self._is_closed:
            return
        if self._timer is not None:
            self._timer.cancel()
        wake_ms = self._codec.next_wake_ms()
        if wake_ms is not None:
            delay_s = max(0.001, (wake_ms - self._now_ms()) / 1000)
            self._timer = self._loop.call_later(delay_s, self.pump)

    def _lose(self, text: str) -> None:
        if not self._is_closed:
            self.close()
            self._callbacks.on_lost(text)
