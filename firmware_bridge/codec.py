"""The seam every wire protocol fits: bytes to messages and back, pure.

One codec is one conversation, seen from the host (`Codec`) or played by a board (`BoardEnd`, for tests, demos and for
being such a board to other programs). House rules:

1. No I/O, no clock, no threads. Time is an argument, milliseconds from any zero, never going back.
2. `feed` never raises on wrong bytes, whatever they are and however they are cut. Wrong bytes are counted.
3. What is to be written waits in the codec until `outgoing` is asked, which hands out only what may be sent now: a
   board that chokes on fast writes is paced here and not in the link.
4. A `Packet` is written whole and alone (a HID report, one BLE write). On a byte stream packets may be joined.
5. `channel` names the pipe where a transport has more than one: "" on a serial line, a characteristic's name on BLE.
6. A codec says when it wants to be called (`next_wake_ms`), and then `advance` does what is due.

How the boards one can buy fit (nothing of theirs is in this package yet):

| board | stream | what the codec keeps | pacing, channels |
|---|---|---|---|
| DGT | length in the frame, resync on bit 7 | pieces by square from dumps and field updates | one command at a time |
| DGT Pegasus | DGT frames over BLE | occupancy | Nordic UART pair |
| ChessLink | fixed length by letter, odd parity in bit 7 | nothing, every status is whole | 9 x 9 lamps from `Lamps` |
| Certabo, Sentio | lines between ":" and CR LF | tags learned at the start position; occupancy for Sentio | 600 ms |
| Chessnut | HID reports or BLE, op and length | nothing | 200 ms; two notify channels |
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from firmware_bridge.messages import Content, Lamps, Message


class Parity(Enum):
    """The parity bit of a serial line."""

    NONE = "N"
    EVEN = "E"
    ODD = "O"


@dataclass(frozen=True, slots=True)
class LineSettings:
    """How a serial line must be opened for a protocol."""

    baud: int = 115_200
    parity: Parity = Parity.NONE
    dtr: bool | None = None
    """Level to set on opening; None leaves it as the system has it (an Arduino then resets)."""
    reset_wait_ms: int = 2_500
    """How long a board may stay deaf after opening, its boot loader running."""


@dataclass(frozen=True, slots=True)
class Packet:
    """Bytes to be written whole."""

    payload: bytes
    channel: str = ""


@dataclass(frozen=True, slots=True)
class Counters:
    """What passed so far. `frames` are valid ones, `garbled` those that were not."""

    bytes_in: int = 0
    frames: int = 0
    garbled: int = 0
    doubled: int = 0
    resent: int = 0


class Codec(Protocol):
    """The host's end of a wire protocol."""

    @property
    def line(self) -> LineSettings:
        """How to open a serial line for it."""

    @property
    def counters(self) -> Counters:
        """What passed so far."""

    def connected(self, now_ms: int) -> None:
        """The wire is up, for the first time or again: greet the board and have it tell all it knows."""

    def feed(self, payload: bytes, now_ms: int, channel: str = "") -> list[Message]:
        """Take bytes from the wire, cut anywhere; what they say, in order. Never raises on wrong bytes."""

    def advance(self, now_ms: int) -> list[Message]:
        """Let time come to `now_ms`; what follows from it."""

    def outgoing(self, now_ms: int) -> list[Packet]:
        """What is to be written now; it counts as written."""

    def next_wake_ms(self) -> int | None:
        """When `advance` and `outgoing` should next be called if no bytes come; None when nothing is waited for."""

    def show(self, lamps: Lamps) -> int:
        """Light exactly these squares. Returns the picture's number, for `LightsShown`. Newer replaces older."""

    def ask_board(self) -> None:
        """Have the board tell its whole placement soon."""


class BoardEnd(Protocol):
    """The board's end of a wire protocol."""

    def feed(self, payload: bytes, now_ms: int, channel: str = "") -> None:
        """Take bytes from the host, cut anywhere. Never raises on wrong bytes."""

    def sense(self, content: Content, now_ms: int) -> None:
        """The sensors now read this."""

    def press(self, number: int, down: bool, now_ms: int) -> None:
        """A button moved."""

    def advance(self, now_ms: int) -> None:
        """Let time come to `now_ms`."""

    def outgoing(self, now_ms: int) -> list[Packet]:
        """What is to be written now."""

    def next_wake_ms(self) -> int | None:
        """When to call next if nothing comes."""

    def lamps(self) -> Lamps:
        """What is lit now."""
