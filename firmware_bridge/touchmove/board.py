"""The board's end of the touchmove protocol: what the reference firmware does, for tests and demos without one.

It takes settled squares; scanning and debouncing belong to the firmware.
"""

from __future__ import annotations

from collections import deque

from firmware_bridge.codec import Packet
from firmware_bridge.messages import ColouredSquares, Content, FieldStrengths, Lamp, Lamps, OccupiedSquares
from firmware_bridge.touchmove.frames import LONGEST_TO_BOARD, Frame, FrameReader, encode, hex_field
from firmware_bridge.touchmove.numbered import Acknowledgement, Sender
from firmware_bridge.touchmove.settings import SETTINGS
from firmware_bridge.touchmove.words import (
    FIELD_ZERO,
    HEARTBEAT_MS,
    HOST_LOST_MS,
    TIME_BITS,
    VERSION,
    Changed,
    Flags,
    Pressed,
    squares_text,
)

HOST_LOST_LAMPS: Lamps = dict.fromkeys((0, 7, 56, 63), Lamp(48, 24, 0, 0x00FF))
"""The four corners, amber, blinking slowly."""


class TouchmoveBoard:
    """A board of this protocol. Its clock is `now_ms` of the calls, from `started_ms` on."""

    def __init__(self, model: str = "python", flags: Flags = Flags.LIGHTS | Flags.BUTTONS, started_ms: int = 0) -> None:
        self._model = model
        self._flags = flags
        self._started_ms = started_ms
        self._now_ms = started_ms
        self._reader = FrameReader(LONGEST_TO_BOARD)
        self._session = 0
        self._sender: Sender[Changed | Pressed] = Sender()
        self._squares: OccupiedSquares | ColouredSquares = OccupiedSquares(0)
        self._reported: OccupiedSquares | ColouredSquares | None = None
        self._presses: deque[Pressed] = deque()
        self._field: FieldStrengths | None = None
        self._values = {setting.key: setting.start for setting in SETTINGS.values()}
        self._palette = [Lamp(0, 0, 0)] * 16
        self._digits = [0] * 64
        self._answers: list[bytes] = [b"\n", self._greeting()]
        self._beat_ms = started_ms
        self._heard_ms: int | None = None
        self._merged = 0

    @property
    def values(self) -> dict[str, int]:
        """The settings in force."""
        return dict(self._values)

    @property
    def resent(self) -> int:
        """Events sent more than once in this session."""
        return self._sender.resent

    @property
    def merged(self) -> int:
        """How often a change had to wait for room and may have been merged with the next."""
        return self._merged

    @property
    def is_settled(self) -> bool:
        """Whether the host has acknowledged all there is to tell."""
        return self._sender.next_wake_ms(0) is None and not self._presses and self._reported == self._squares

    def feed(self, payload: bytes, now_ms: int, channel: str = "") -> None:  # noqa: ARG002
        self._now_ms = now_ms
        for frame in self._reader.feed(payload):
            self._heard_ms = now_ms
            self._take(frame)

    def sense(self, content: Content, now_ms: int) -> None:
        self._now_ms = now_ms
        match content:
            case OccupiedSquares() | ColouredSquares():
                self._squares = content
                self._report()
            case FieldStrengths():
                self._field = content
            case _:
                raise ValueError(f"expected squares, colours or field strengths, got {type(content).__name__}")

    def press(self, number: int, down: bool, now_ms: int) -> None:
        self._now_ms = now_ms
        self._presses.append(Pressed(self._clock(), number, down))
        self._report()

    def advance(self, now_ms: int) -> None:
        self._now_ms = now_ms

    def outgoing(self, now_ms: int) -> list[Packet]:
        self._now_ms = now_ms
        self._report()
        out, self._answers = self._answers, []
        out.extend(self._event_frame(number, event) for number, event in self._sender.due(now_ms))
        if now_ms - self._beat_ms >= HEARTBEAT_MS:
            self._beat_ms = now_ms
            out.append(self._state() if self._session else self._greeting())
        payload = b"".join(out)
        return [Packet(payload)] if payload else []

    def next_wake_ms(self) -> int | None:
        times = [self._now_ms if self._answers else self._beat_ms + HEARTBEAT_MS]
        resend = self._sender.next_wake_ms(self._now_ms)
        return min(times) if resend is None else min(*times, resend)

    def lamps(self) -> Lamps:
        if self._heard_ms is None or self._now_ms - self._heard_ms >= HOST_LOST_MS:
            return HOST_LOST_LAMPS
        return {square: self._palette[digit] for square, digit in enumerate(self._digits) if digit}

    # The rest is inside.

    def _clock(self) -> int:
        return self._now_ms - self._started_ms

    def _greeting(self) -> bytes:
        clock = f"{self._clock() & 0xFFFFFFFF:08x}"
        return encode("H", f"{VERSION:x}", f"{self._session:04x}", self._model, "1", f"{self._flags:04x}", clock)

    def _state(self) -> bytes:
        reported = self._reported or self._squares
        counts = f"{self._reader.garbled & 0xFFFF:04x}", f"{self._merged & 0xFFFF:04x}"
        head = f"{self._session:04x}", f"{self._sender.last:02x}", f"{self._clock() & 0xFFFFFFFF:08x}"
        return encode("S", *head, squares_text(reported), *counts)

    def _event_frame(self, number: int, event: Changed | Pressed) -> bytes:
        head = f"{number:02x}", f"{event.board_ms & ((1 << TIME_BITS) - 1):06x}"
        match event:
            case Changed(_, squares):
                return encode("C", *head, squares_text(squares))
            case Pressed(_, number, down):
                return encode("B", *head, f"{number:02x}", f"{down:d}")

    def _report(self) -> None:
        """Number what is new, where there is room; what finds none waits, and squares keep only their outcome."""
        if not self._session:
            return
        while self._presses and self._sender.has_room:
            self._sender.put(self._presses.popleft())
        if self._squares != self._reported:
            if self._sender.has_room:
                self._sender.put(Changed(self._clock(), self._squares))
                self._reported = self._squares
            else:
                self._merged += 1

    def _take(self, frame: Frame) -> None:
        match frame.letter, frame.fields:
            case "O", (text,):
                self._open(hex_field(text, 4))
            case "A", (awaited_text, beyond_text):
                awaited, beyond = hex_field(awaited_text, 2), hex_field(beyond_text, 4)
                if awaited is not None and beyond is not None:
                    self._sender.acknowledge(Acknowledgement(awaited, beyond))
            case "T", (text,):
                if hex_field(text, 4) != self._session:
                    self._answers.append(self._state() if self._session else self._greeting())
            case "Q", ():
                self._answers.append(self._state() if self._session else self._greeting())
            case "L", (number, digits):
                self._light(number, digits)
            case "P", (index, colour, slots):
                self._paint(index, colour, slots)
            case "G", (key, asked):
                self._configure(key, asked)
            case "F", () if self._field is not None:
                readings = "".join(f"{min(max(s + FIELD_ZERO, 0), 0xFFF):03x}" for s in self._field.strengths)
                self._answers.append(encode("f", f"{self._clock() & 0xFFFFFF:06x}", readings))
            case letter, _:
                self._answers.append(encode("x", letter))

    def _open(self, session: int | None) -> None:
        if not session:
            return
        if session != self._session:
            self._session = session
            self._sender = Sender()
            self._reported = None
            self._merged = 0
            self._presses.clear()
        self._answers.append(self._greeting())
        self._report()

    def _light(self, number: str, digits: str) -> None:
        if len(digits) == 64 and hex_field(digits, 64) is not None and hex_field(number, 2) is not None:
            self._digits = [int(digit, 16) for digit in digits]
            self._answers.append(encode("l", number))

    def _paint(self, index: str, colour: str, slots: str) -> None:
        entry, rgb, pattern = hex_field(index, 1), hex_field(colour, 6), hex_field(slots, 4)
        if entry is not None and rgb is not None and pattern is not None:
            self._palette[entry] = Lamp(rgb >> 16, rgb >> 8 & 255, rgb & 255, pattern)
            self._answers.append(encode("p", index, colour, slots))

    def _configure(self, key: str, asked: str) -> None:
        value = hex_field(asked, 4)
        if value is None:
            return
        if key in SETTINGS:
            self._values[key] = SETTINGS[key].clamp(value)
            self._answers.append(encode("g", key, asked, f"{self._values[key]:04x}"))
        else:
            self._answers.append(encode("g", key, asked, "-"))
