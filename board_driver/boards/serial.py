"""A board behind a serial port, whatever protocol it speaks: `firmware_bridge` gives it, this fits it to the daemon.

House rules:

1. The codec outlives the port: when a wire comes back to a board that kept its power, the session goes on and what
   was missed is told. Another port, or a board that was reset, begins anew. Either way the whole board is read.
2. Scans carry the board's own time, turned into the daemon's by `BoardClock`; they are not later for having been sent
   twice.
3. Readings that only repeat are not handed on, but for the first after opening.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from board_driver.boards.board import Abilities, Inbox, Lost
from board_driver.boards.seriallamps import lamps_of
from board_driver.boards.serialreading import reading_of
from board_driver.events import Fault
from board_driver.lights.picture import DARK, Picture
from board_driver.scan import Button, ButtonName, Press, Reading, Scan, Sensing
from firmware_bridge.boardclock import BoardClock
from firmware_bridge.capture import Piece, Way
from firmware_bridge.capturereplay import OPENED
from firmware_bridge.codec import Codec
from firmware_bridge.linewatch import Complaint
from firmware_bridge.link import Callbacks, SerialLink, monotonic_ms, open_port
from firmware_bridge.messages import (
    BoardRead,
    ButtonMoved,
    DeviceTrouble,
    Identified,
    LightsShown,
    Message,
    SettingTold,
    Trouble,
)
from firmware_bridge.ports import Port, candidates, list_ports
from firmware_bridge.porttrouble import explain
from firmware_bridge.protocols import Protocol, Touchmove, make_codec
from rules.squares import Colour

GARBLED_EVERY_MS = 10_000
"""How often at most garbled lines are reported."""
BAUD_RATES = (115_200, 9_600, 57_600, 38_400, 19_200, 230_400)
"""What is tried, one a retry, where the right rate gives only noise."""
ANSWER_SLACK_S = 4.0
"""How much longer than its reset a board may take to tell its squares, once it was heard."""


@dataclass(frozen=True, slots=True)
class Choose:
    """A button that makes a choice, for `ButtonName`'s values."""

    name: ButtonName
    value: str | None = None


@dataclass(frozen=True, slots=True)
class SerialSetup:
    """What board, where and how wired."""

    protocol: Protocol
    port: str | None = None
    """The port's name; None to look for the board on the USB ports."""
    name: str = "serial board"
    senses: Sensing = Sensing.OCCUPANCY
    buttons: Mapping[int, Colour | Choose] = field(default_factory=dict)
    """What the board's buttons mean: a player's side of the clock, or a choice. Others are ignored."""


class SerialBoard:
    """A `Board` behind a serial port."""

    def __init__(
        self,
        setup: SerialSetup,
        find_ports: Callable[[], list[Port]] = list_ports,
    ) -> None:
        has_clock = {Colour.WHITE, Colour.BLACK} <= set(setup.buttons.values())
        self.abilities = Abilities(setup.name, setup.senses, has_clock=has_clock)
        self.on_message: Callable[[Message], None] = lambda _message: None
        """Called with every message of the board: for measuring and for `capture`."""
        self.tap: Callable[[Piece], None] = lambda _piece: None
        """Called with everything read and written: where a capture is taken."""
        self._setup = setup
        self._find_ports = find_ports
        self._codec: Codec | None = None
        self._device: str | None = None
        self._before: Port | None = None
        self._link: SerialLink | None = None
        self._inbox: Inbox | None = None
        self._clock = BoardClock()
        self._seen: Reading | None = None
        self._latest_ms = 0
        self._garbled = 0
        self._garbled_told_ms: int | None = None
        self._answered: asyncio.Future[None] | None = None
        self._complaint = ""
        self._picture: Picture = DARK
        self._percent = 100
        self._tried: tuple[int, ...] = ()
        """Rates that gave only noise on this device, not tried again before all others were."""

    @property
    def setup(self) -> SerialSetup:
        """What board it is."""
        return self._setup

    @property
    def device(self) -> str | None:
        """The port the board is on, or was on last."""
        return self._device

    # -- what the daemon asks of a board

    async def open(self, inbox: Inbox) -> None:
        await self.close()
        ports = await asyncio.to_thread(self._find_ports)
        names = candidates(self._setup.port, self._before, ports)
        troubles = []
        for device in names:
            try:
                await self._open(device, inbox, ports)
            except OSError as problem:
                troubles.append(str(problem))
            else:
                self._before = next((port for port in ports if device in (port.stable, port.device)), None)
                return
        raise OSError("; ".join(troubles) or "no USB serial port is there: is the board plugged in?")

    async def show(self, picture: Picture) -> None:
        if self._link is None or self._codec is None:
            raise OSError("the board is not connected")
        self._picture = picture
        self._codec.show(lamps_of(picture, self._percent))
        self._link.pump()

    @property
    def button_names(self) -> Sequence[str]:
        """What its buttons mean, by the keys of a profile."""
        return [_name(meaning) for meaning in self._setup.buttons.values()]

    @property
    def can_dim(self) -> bool:
        """Where the protocol tells colours, they can be told darker."""
        return isinstance(self._setup.protocol, Touchmove)

    def dim(self, percent: int | None) -> None:
        """So bright from now on; None: as bright as the board makes them."""
        self._percent = percent or 100
        if self._link is not None and self._codec is not None:
            self._codec.show(lamps_of(self._picture, self._percent))
            self._link.pump()

    async def close(self) -> None:
        link, self._link, self._inbox = self._link, None, None
        if link is not None and self._codec is not None:
            self._codec.show(lamps_of(DARK))
            link.pump()
            link.close()

    # -- opening

    async def _open(self, device: str, inbox: Inbox, ports: list[Port]) -> None:
        if self._codec is None or device != self._device:
            self._codec, self._clock, self._garbled = make_codec(self._setup.protocol), BoardClock(), 0
            self._device, self._tried = device, ()
        line = self._codec.line
        untried = [rate for rate in (line.baud, *BAUD_RATES) if rate not in self._tried]
        line = replace(line, baud=untried[0] if untried else line.baud)
        try:
            port = await asyncio.to_thread(open_port, device, line)
        except OSError as problem:
            raise OSError(explain(device, problem, ports)) from problem
        self._inbox, self._seen, self._complaint = inbox, None, ""
        self._answered = asyncio.get_running_loop().create_future()
        self.tap(Piece(monotonic_ms(), Way.NOTE, OPENED + device.encode("utf-8", "replace")))
        callbacks = Callbacks(self._take, self._lose, self._tapped, self._complain)
        self._link = SerialLink(port, self._codec, callbacks, self._tried)
        try:
            async with asyncio.timeout(self._codec.line.reset_wait_ms / 1000 + ANSWER_SLACK_S):
                await self._answered
        except TimeoutError:
            self._drop()
            raise OSError(f"{device}: the board greets but does not tell its squares") from None
        except BaseException:
            self._drop()
            raise
        finally:
            self._answered = None

    def _tapped(self, piece: Piece) -> None:
        self.tap(piece)

    def _drop(self) -> None:
        if self._link is not None:
            self._link.close()
        self._link = self._inbox = None

    def _lose(self, text: str) -> None:
        text = f"{self._device}: {self._complaint or text}"
        if self._answered is not None:
            if not self._answered.done():
                self._answered.set_exception(OSError(text))
        elif self._inbox is not None:
            self._inbox.put(Lost(self._inbox.now_ms(), text))
            self._link = self._inbox = None

    def _refuse(self, text: str) -> None:
        """Such a board is of no use, now or later."""
        if self._answered is not None and not self._answered.done():
            self._answered.set_exception(OSError(f"{self._device}: {text}: put the firmware of this release on it"))

    def _complain(self, complaint: Complaint) -> None:
        self._complaint = complaint.text
        if complaint.is_noise and self._link is not None:
            self._tried = () if len(self._tried) >= len(BAUD_RATES) else (*self._tried, self._link.baud)
        if self._inbox is not None:
            text = f"{self._device}: {complaint.text}"
            self._inbox.report("board-unreadable", text)

    # -- what the board says

    def _take(self, message: Message, arrived_ms: int) -> None:
        self.on_message(message)
        inbox = self._inbox
        if inbox is None:
            return
        match message:
            case BoardRead():
                self._read(message, arrived_ms, inbox)
            case ButtonMoved(board_ms, number, down):
                if down and (meaning := self._setup.buttons.get(number)) is not None:
                    inbox.put(self._pressed(meaning, self._time(board_ms, arrived_ms, inbox)))
            case Identified():
                self._clock.forget()
            case DeviceTrouble(kind, text):
                if kind is Trouble.REBOOTED:
                    self._clock.forget()
                if kind is Trouble.VERSION:
                    self._refuse(text)
                elif kind is not Trouble.SILENT:  # the link gives up on that, and says so
                    inbox.report(f"board-{kind.value}", f"{self._device}: {text}")
            case LightsShown() | SettingTold():
                pass
            case _:
                assert_never(message)
        self._report_garbled(inbox)

    def _read(self, message: BoardRead, arrived_ms: int, inbox: Inbox) -> None:
        t_ms = self._time(message.board_ms, arrived_ms, inbox)
        reading = reading_of(message.content, self.abilities.senses)
        if reading is not None and reading != self._seen:
            self._seen = reading
            inbox.put(Scan(t_ms, reading))
        if reading is not None and self._answered is not None and not self._answered.done():
            self._answered.set_result(None)

    def _time(self, board_ms: int | None, arrived_ms: int, inbox: Inbox) -> int:
        """The daemon's time of a moment of the board's; never going back."""
        age_ms = 0 if board_ms is None else arrived_ms - self._clock.host_ms(board_ms, arrived_ms)
        self._latest_ms = max(self._latest_ms, inbox.now_ms() - age_ms)
        return self._latest_ms

    def _pressed(self, meaning: Colour | Choose, t_ms: int) -> Press | Button:
        if isinstance(meaning, Choose):
            return Button(t_ms, meaning.name, meaning.value)
        return Press(t_ms, meaning)

    def _report_garbled(self, inbox: Inbox) -> None:
        now = inbox.now_ms()
        is_time = self._garbled_told_ms is None or now - self._garbled_told_ms >= GARBLED_EVERY_MS
        if self._codec is None or not is_time or (count := self._codec.counters.garbled) == self._garbled:
            return
        lines, self._garbled, self._garbled_told_ms = count - self._garbled, count, now
        text = f"{self._device}: {lines} garbled lines; they are asked for again, but look at the cable"
        inbox.put(Fault(now, "board-garbled", None, text))


def _name(meaning: Colour | Choose) -> str:
    if isinstance(meaning, Colour):
        return f"{meaning.word}_clock"
    name, value = meaning.name.value, meaning.value
    roles = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}
    return name if value is None else f"{name}_{roles.get(value, value)}"
