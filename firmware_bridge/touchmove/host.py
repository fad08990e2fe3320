"""The host's end of the touchmove protocol.

A conversation is a session: the host opens it with a number of its choosing, the board answers with its greeting and
then tells the whole board as event 0. A board that lost the session (it started anew) shows it in its greeting or its
heartbeat, and a new one is opened.

House rules: what is wanted of the board is kept in `Wishes` and sent until it is answered; events are delivered through
`Receiver` and acknowledged once for each `feed`.
"""

from __future__ import annotations

from firmware_bridge.codec import Counters, LineSettings, Packet
from firmware_bridge.messages import (
    Ability,
    BoardRead,
    ButtonMoved,
    ColouredSquares,
    DeviceTrouble,
    Identified,
    Lamps,
    Message,
    OccupiedSquares,
    Trouble,
)
from firmware_bridge.touchmove.frames import LONGEST_TO_HOST, Frame, FrameReader, encode, hex_field
from firmware_bridge.touchmove.numbered import Receiver
from firmware_bridge.touchmove.wishes import Wishes
from firmware_bridge.touchmove.words import (
    BOARD_LOST_MS,
    HEARTBEAT_MS,
    TIME_BITS,
    VERSION,
    Changed,
    Flags,
    Pressed,
    State,
    parse_event,
    parse_field,
    parse_state,
    unwrap,
)

OPEN_RESEND_MS = 250

_ABILITIES = {
    Flags.LIGHTS: Ability.LIGHTS,
    Flags.BUTTONS: Ability.BUTTONS,
    Flags.COLOUR: Ability.COLOUR,
    Flags.FIELD: Ability.FIELD,
}


class TouchmoveCodec:
    """One conversation with a board of this protocol. `session` (1 to 65535) should differ from the run before."""

    line = LineSettings()

    def __init__(self, session: int, settings: dict[str, int] | None = None) -> None:
        self._session = (session - 1) % 0xFFFF + 1
        self._reader = FrameReader(LONGEST_TO_HOST)
        self._receiver: Receiver[Changed | Pressed] = Receiver()
        self._wishes = Wishes(settings or {})
        self._is_open = False
        self._up = False
        self._hold_until_ms: int | None = None
        self._open_sent_ms: int | None = None
        self._beat_ms: int | None = None
        self._heard_ms: int | None = None
        self._is_silent = False
        self._owes_answer = False
        self._is_stranger = False
        self._squares: OccupiedSquares | ColouredSquares | None = None
        self._board_ms = 0
        self._board_counts = (0, 0)
        self._bytes_in = 0
        self._frames = 0
        self._now_ms = 0

    # What the link asks and tells.

    @property
    def counters(self) -> Counters:
        doubled, resent = self._receiver.doubled, self._wishes.outbox.resent
        return Counters(self._bytes_in, self._frames, self._reader.garbled, doubled, resent)

    @property
    def is_open(self) -> bool:
        """Whether the board answered and its events flow."""
        return self._is_open

    def connected(self, now_ms: int) -> None:
        """Open anew, unless the board turns out to hold this session still; a half line of before is dropped."""
        self._now_ms = now_ms
        garbled = self._reader.garbled
        self._reader = FrameReader(LONGEST_TO_HOST)
        self._reader.garbled = garbled
        self._up, self._is_silent, self._is_stranger = True, False, False
        # A boot loader takes what it hears for itself, so nothing is said until the board was heard.
        self._hold_until_ms = now_ms + self.line.reset_wait_ms
        self._heard_ms, self._open_sent_ms, self._beat_ms = now_ms, None, None
        self._wishes.outbox.send_again()
        if self._is_open:
            self.ask_board()

    def show(self, lamps: Lamps) -> int:
        return self._wishes.show(lamps, now=self._is_open)

    def ask_board(self) -> None:
        self._wishes.ask_state()

    def ask_field(self) -> None:
        """Have the board tell one raw reading of all Hall sensors."""
        self._wishes.ask_field()

    def set(self, key: str, value: int) -> None:
        """Put a setting in force now and after every reopening. Raises KeyError on a key that is none."""
        self._wishes.set(key, value, now=self._is_open)

    def feed(self, payload: bytes, now_ms: int, channel: str = "") -> list[Message]:  # noqa: ARG002
        self._now_ms = now_ms
        self._bytes_in += len(payload)
        out: list[Message] = []
        for frame in self._reader.feed(payload):
            self._frames += 1
            self._heard_ms, self._is_silent, self._hold_until_ms = now_ms, False, None
            out.extend(self._take(frame))
        return out

    def advance(self, now_ms: int) -> list[Message]:
        self._now_ms = now_ms
        if not self._up or self._is_silent or now_ms < self._silence_ms():
            return []
        self._is_silent = True
        seconds = BOARD_LOST_MS / 1000
        return [DeviceTrouble(Trouble.SILENT, f"nothing valid heard from the board for {seconds} s")]

    def outgoing(self, now_ms: int) -> list[Packet]:
        self._now_ms = now_ms
        if not self._up or (self._hold_until_ms is not None and now_ms < self._hold_until_ms):
            return []
        self._hold_until_ms = None
        payload = b"".join(self._due(now_ms))
        return [Packet(payload)] if payload else []

    def next_wake_ms(self) -> int | None:
        if not self._up:
            return None
        if self._hold_until_ms is not None:
            return min(self._hold_until_ms, self._silence_ms())
        times = [self._now_ms if self._beat_ms is None else self._beat_ms + HEARTBEAT_MS]
        if not self._is_silent:
            times.append(self._silence_ms())
        if not self._is_open:
            times.append(self._now_ms if self._open_sent_ms is None else self._open_sent_ms + OPEN_RESEND_MS)
        times += self._wishes.outbox.wake_times(self._now_ms)
        return max(min(times), self._now_ms)

    # Sending.

    def _silence_ms(self) -> int:
        patience = BOARD_LOST_MS if self._is_open else self.line.reset_wait_ms + BOARD_LOST_MS
        return (self._heard_ms or 0) + patience

    def _due(self, now_ms: int) -> list[bytes]:
        out = []
        if not self._is_open and (self._open_sent_ms is None or now_ms - self._open_sent_ms >= OPEN_RESEND_MS):
            # The LF ends whatever the board's receiver holds: it may have heard half a line before.
            out.append(b"\n")
            # How the matrix lies must be known before event 00 tells it. After opening all is said until answered.
            out += self._wishes.setting_frames()
            out.append(encode("O", f"{self._session:04x}"))
            self._open_sent_ms = now_ms
        if self._owes_answer:
            answer = self._receiver.acknowledgement()
            out.append(encode("A", f"{answer.awaited:02x}", f"{answer.beyond:04x}"))
            self._owes_answer = False
        out += self._wishes.outbox.due(now_ms)
        if self._beat_ms is None or now_ms - self._beat_ms >= HEARTBEAT_MS:
            out.append(encode("T", f"{self._session:04x}"))
            self._beat_ms = now_ms
        return out

    # Receiving.

    def _take(self, frame: Frame) -> list[Message]:
        match frame.letter:
            case "H":
                return self._greeted(frame.fields)
            case "S":
                state = parse_state(frame.fields)
                return self._odd(frame) if state is None else self._told_state(state)
            case "C" | "B":
                return self._numbered(frame)
            case "l" | "p" | "g" | "x":
                answered = self._wishes.answered(frame)
                return self._odd(frame) if answered is None else answered
            case "f":
                return self._field(frame)
            case _:
                return self._odd(frame)

    def _odd(self, frame: Frame) -> list[Message]:
        text = f"a frame {frame.letter!r} with {len(frame.fields)} fields, which version {VERSION} does not know"
        return [DeviceTrouble(Trouble.UNKNOWN, text)]

    def _greeted(self, fields: tuple[str, ...]) -> list[Message]:
        if len(fields) < 6:
            return self._odd(Frame("H", fields))
        version, session = hex_field(fields[0], 1), hex_field(fields[1], 4)
        flags, board_ms = hex_field(fields[4], 4), hex_field(fields[5], 8)
        if version != VERSION:
            text = f"the board speaks version {fields[0]} of the protocol, this side version {VERSION}"
            if self._is_stranger:
                return []  # said already; its greeting comes twice a second
            self._is_stranger = True
            return [DeviceTrouble(Trouble.VERSION, text)]
        if session != self._session:
            self._open_sent_ms = None
            return self._lost_session() if self._is_open else []
        if self._is_open:
            return []
        abilities = frozenset(ability for flag, ability in _ABILITIES.items() if (flags or 0) & flag)
        self._begin_session(board_ms or 0, abilities)
        return [Identified(fields[2], fields[3], abilities)]

    def _begin_session(self, board_ms: int, abilities: frozenset[Ability]) -> None:
        self._is_open = True
        doubled = self._receiver.doubled
        self._receiver = Receiver()
        self._receiver.doubled = doubled
        self._squares, self._board_ms, self._board_counts = None, board_ms, (0, 0)
        self._wishes.begin_session(with_lights=Ability.LIGHTS in abilities)

    def _lost_session(self) -> list[Message]:
        self._is_open = False
        self._wishes.outbox.clear()
        self._open_sent_ms = None
        self._session = self._session % 0xFFFF + 1
        return [DeviceTrouble(Trouble.REBOOTED, "the board started anew; its whole placement is read again")]

    def _told_state(self, state: State) -> list[Message]:
        if state.session != self._session:
            return self._lost_session() if self._is_open else []
        if not self._is_open:
            return []
        self._board_ms = max(self._board_ms, unwrap(state.board_ms, 32, self._board_ms))
        out = self._told_counts(state)
        if self._receiver.is_level(state.last) and self._squares is not None:
            self._wishes.outbox.answered("Q")
            self._squares = state.squares
            out.append(BoardRead(self._board_ms, state.squares, again=True))
        return out

    def _told_counts(self, state: State) -> list[Message]:
        before, self._board_counts = self._board_counts, (state.garbled, state.merged)
        merged = (state.merged - before[1]) & 0xFFFF
        if not merged:
            return []
        return [DeviceTrouble(Trouble.MERGED, f"the board held back changes in {merged} scans: the link was too slow")]

    def _numbered(self, frame: Frame) -> list[Message]:
        if not self._is_open:
            return []
        read = parse_event(frame)
        if read is None:
            return self._odd(frame)
        self._owes_answer = True
        return [self._delivered(ready) for ready in self._receiver.take(*read)]

    def _delivered(self, event: Changed | Pressed) -> Message:
        # An event may have waited long for its turn, so its time is looked for on both sides of the latest known.
        board_ms = unwrap(event.board_ms, TIME_BITS, self._board_ms)
        self._board_ms = max(self._board_ms, board_ms)
        match event:
            case Changed(_, squares):
                self._squares = squares
                return BoardRead(board_ms, squares)
            case Pressed(_, number, down):
                return ButtonMoved(board_ms, number, down)

    def _field(self, frame: Frame) -> list[Message]:
        read = parse_field(frame.fields)
        if read is None:
            return self._odd(frame)
        self._wishes.outbox.answered("F")
        low, strengths = read
        return [BoardRead(unwrap(low, TIME_BITS, self._board_ms), strengths)]
