"""Bad wires in virtual time, and a dialogue of a codec with a board's own end across them."""

# ruff: noqa: ARG002

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from firmware_bridge.codec import BoardEnd, Codec, Packet
from firmware_bridge.messages import Message


class Wire(Protocol):
    """Carries writes one way."""

    def write(self, payload: bytes, now_ms: int) -> None: ...

    def read(self, now_ms: int) -> list[bytes]: ...


@dataclass
class WholeWire:
    """Each write arrives at once, as it was written."""

    _waiting: list[bytes] = field(default_factory=list)

    def write(self, payload: bytes, now_ms: int) -> None:
        self._waiting.append(payload)

    def read(self, now_ms: int) -> list[bytes]:
        out, self._waiting = self._waiting, []
        return out


class ByteWire(WholeWire):
    """Every byte arrives alone."""

    def write(self, payload: bytes, now_ms: int) -> None:
        self._waiting.extend(payload[i : i + 1] for i in range(len(payload)))


@dataclass
class LossyWire(WholeWire):
    """One write in five is lost."""

    seed: int = 1
    share: float = 0.2

    def __post_init__(self) -> None:
        self._random = Random(self.seed)

    def write(self, payload: bytes, now_ms: int) -> None:
        if self._random.random() >= self.share:
            super().write(payload, now_ms)


class LateWire:
    """Everything arrives in order but up to 120 ms late, cut and joined anyhow."""

    def __init__(self, seed: int = 1) -> None:
        self._random = Random(seed)
        self._coming: list[tuple[int, bytes]] = []
        self._latest = 0

    def write(self, payload: bytes, now_ms: int) -> None:
        self._latest = max(self._latest, now_ms + self._random.randrange(120))
        cut = self._random.randrange(len(payload) + 1)
        self._coming += [(self._latest, payload[:cut]), (self._latest + self._random.randrange(3), payload[cut:])]
        self._latest = self._coming[-1][0]

    def read(self, now_ms: int) -> list[bytes]:
        out = b"".join(payload for due, payload in self._coming if due <= now_ms)
        self._coming = [(due, payload) for due, payload in self._coming if due > now_ms]
        return [out] if out else []


class SerialWire:
    """115,200 baud: 11.52 bytes a millisecond, each garbled with probability `garbled`."""

    BYTES_PER_MS = 11.52

    def __init__(self, seed: int = 1, garbled: float = 0.0) -> None:
        self._random = Random(seed)
        self._garbled = garbled
        self._queue = bytearray()
        self._credit_ms = 0.0
        self.carried = 0
        self.longest_queue = 0

    @property
    def waiting(self) -> int:
        """Bytes that are not carried yet."""
        return len(self._queue)

    def write(self, payload: bytes, now_ms: int) -> None:
        if not self._queue:
            self._credit_ms = max(self._credit_ms, now_ms)
        self._queue += payload
        self.longest_queue = max(self.longest_queue, len(self._queue))

    def read(self, now_ms: int) -> list[bytes]:
        count = min(len(self._queue), max(0, int((now_ms - self._credit_ms) * self.BYTES_PER_MS)))
        if not count:
            return []
        self._credit_ms += count / self.BYTES_PER_MS
        out, self._queue = self._queue[:count], self._queue[count:]
        self.carried += count
        for i in range(count):
            if self._random.random() < self._garbled:
                out[i] ^= self._random.randrange(1, 256)
        return [bytes(out)]


WIRES: dict[str, Callable[[int], Wire]] = {
    "whole": lambda _seed: WholeWire(),
    "byte by byte": lambda _seed: ByteWire(),
    "20 % lost": lambda seed: LossyWire(seed=seed),
    "late": LateWire,
}


@dataclass
class Dialogue:
    """A codec and a board's end, each on its end of two wires, stepped a millisecond at a time."""

    codec: Codec
    board: BoardEnd
    to_host: Wire
    to_board: Wire
    now_ms: int = 0
    messages: list[Message] = field(default_factory=list)

    def run(self, span_ms: int) -> list[Message]:
        """Let `span_ms` pass; the messages of that time."""
        before = len(self.messages)
        for _ in range(span_ms):
            self.now_ms += 1
            for payload in self.to_board.read(self.now_ms):
                self.board.feed(payload, self.now_ms)
            self.board.advance(self.now_ms)
            self._write(self.board.outgoing(self.now_ms), self.to_host)
            for payload in self.to_host.read(self.now_ms):
                self.messages += self.codec.feed(payload, self.now_ms)
                self._write(self.codec.outgoing(self.now_ms), self.to_board)
            self.messages += self.codec.advance(self.now_ms)
            self._write(self.codec.outgoing(self.now_ms), self.to_board)
        return self.messages[before:]

    def run_until(self, done: Callable[[], bool], limit_ms: int) -> None:
        """Let time pass until `done`; fails after `limit_ms`."""
        for _ in range(limit_ms):
            if done():
                return
            self.run(1)
        raise AssertionError(f"not done after {limit_ms} ms of virtual time")

    def _write(self, packets: list[Packet], wire: Wire) -> None:
        for packet in packets:
            wire.write(packet.payload, self.now_ms)
