"""The host's end for boards that speak lines of text.

House rules:

1. Lines end with CR, LF or both. Lines no rule reads are people's debug output: they are passed over, and only those
   that begin as ours and are not are counted as garbled.
2. The whole placement is kept here and told anew after each change; a board that tells only events is taken to begin
   with the usual start where its profile says so, and otherwise tells nothing until it has told every square once.
3. A piece set down by a board that tells pieces or colours keeps what was told of it; an event that only says
   "occupied" on such a board counts as occupied, and what stands there is unknown.
"""

from __future__ import annotations

import re
from typing import assert_never

from firmware_bridge.codec import Counters, LineSettings, Packet
from firmware_bridge.messages import (
    Ability,
    BoardRead,
    ColouredSquares,
    Content,
    Identified,
    Lamps,
    LightsShown,
    Message,
    NamedPieces,
    OccupiedSquares,
)
from firmware_bridge.serialtext.order import BLACK, EMPTY, SOMETHING, START, WHITE
from firmware_bridge.serialtext.profile import Profile, Tells
from firmware_bridge.serialtext.rules import CellsRule, Listed, ListEnd, One, Told, Verdict, Whole
from rules.pieces import PIECES
from rules.squares import SQUARE_NAMES

LONGEST_LINE = 1_000
ASK_AGAIN_MS = 1_000
_LINE_END = re.compile(rb"[\r\n]")


class TextCodec:
    """One conversation with a text board."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._rest = b""
        self._cells: list[str] | None = list(START) if profile.assume_start else None
        self._so_far: dict[int, str] = {}
        self._listed: set[int] | None = None
        self._told: Content | None = None
        self._is_known = False
        self._hold_until_ms: int | None = None
        self._queue: list[tuple[str, bytes]] = []
        self._written_ms: int | None = None
        self._asked_ms: int | None = None
        self._must_ask = False
        self._picture_number = 0
        self._shown: list[Message] = []
        self._bytes = self._frames = self._garbled = 0
        self._now_ms = 0

    @property
    def line(self) -> LineSettings:
        return self._profile.line

    @property
    def counters(self) -> Counters:
        return Counters(self._bytes, self._frames, self._garbled)

    def connected(self, now_ms: int) -> None:
        self._now_ms, self._rest, self._listed = now_ms, b"", None
        self._queue, self._written_ms, self._is_known, self._told = [], None, False, None
        self._hold_until_ms = now_ms + self.line.reset_wait_ms
        if self._profile.start:
            self._say("start", self._profile.start)
        self.ask_board()

    def show(self, lamps: Lamps) -> int:
        self._picture_number = (self._picture_number + 1) & 0xFF
        if self._profile.lights is not None:
            lit = {square: lamp for square, lamp in lamps.items() if lamp.red or lamp.green or lamp.blue}
            self._queue = [item for item in self._queue if item[0] != "lights"]
            for text in self._light_lines(lit):
                self._say("lights", text)
            # Nothing is acknowledged on such boards: written is shown.
            self._shown = [LightsShown(self._picture_number)]
        return self._picture_number

    def ask_board(self) -> None:
        self._must_ask, self._asked_ms = bool(self._profile.ask), None

    def feed(self, payload: bytes, now_ms: int, channel: str = "") -> list[Message]:  # noqa: ARG002
        self._now_ms = now_ms
        self._bytes += len(payload)
        self._hold_until_ms = None if payload else self._hold_until_ms
        *lines, rest = _LINE_END.split(self._rest + payload)
        self._rest = rest[-LONGEST_LINE:]
        out = self.advance(now_ms)
        for line in lines:
            if line and len(line) <= LONGEST_LINE:
                out += self._read(line.decode("ascii", "replace"))
        return out

    def advance(self, now_ms: int) -> list[Message]:
        self._now_ms = now_ms
        if self._cells is not None and not self._is_known and self._hold_until_ms is None:
            return self._tell()
        return []

    def outgoing(self, now_ms: int) -> list[Packet]:
        self._now_ms = now_ms
        if self._hold_until_ms is not None:
            if now_ms < self._hold_until_ms:
                return []
            self._hold_until_ms = None
        if self._must_ask and (self._asked_ms is None or now_ms - self._asked_ms >= ASK_AGAIN_MS):
            self._asked_ms = now_ms
            self._say("ask", self._profile.ask)
        pace_ms = self._profile.pace_ms
        if not self._queue or (self._written_ms is not None and now_ms - self._written_ms < pace_ms):
            return []
        self._written_ms = now_ms
        count = 1 if pace_ms else len(self._queue)
        packets, self._queue = self._queue[:count], self._queue[count:]
        return [Packet(payload) for _, payload in packets]

    def next_wake_ms(self) -> int | None:
        if self._hold_until_ms is not None:
            return self._hold_until_ms
        times = []
        if self._cells is not None and not self._is_known:
            times.append(self._now_ms)
        if self._queue:
            times.append(self._now_ms if self._written_ms is None else self._written_ms + self._profile.pace_ms)
        if self._must_ask:
            times.append(self._now_ms if self._asked_ms is None else self._asked_ms + ASK_AGAIN_MS)
        return min(times, default=None)

    # Saying.

    def _say(self, kind: str, text: str) -> None:
        self._queue.append((kind, text.encode("ascii")))

    def _light_lines(self, lit: Lamps) -> list[str]:
        lights = self._profile.lights
        if lights is None:
            return []
        if not lit and lights.dark:
            return [lights.dark]
        if lights.each:
            each = [
                lights.each.format(square=SQUARE_NAMES[s], red=lamp.red, green=lamp.green, blue=lamp.blue)
                for s, lamp in sorted(lit.items())
            ]
            return ([lights.dark] if lights.dark else []) + each
        names = lights.separator.join(SQUARE_NAMES[square] for square in sorted(lit))
        order = next((rule.order for rule in self._profile.rules if isinstance(rule, CellsRule)), None)
        squares = order.squares() if order is not None else range(64)
        return [lights.lit.format(squares=names, cells="".join("01"[square in lit] for square in squares))]

    # Reading.

    def _read(self, line: str) -> list[Message]:
        line = line.removeprefix(self._profile.ignore_prefix)
        is_malformed = False
        for rule in self._profile.rules:
            told = rule.read(line)
            if not isinstance(told, Verdict):
                self._frames += 1
                return self._take(told)
            is_malformed = is_malformed or told is Verdict.MALFORMED
        self._garbled += is_malformed
        return []

    def _take(self, told: Told) -> list[Message]:
        match told:
            case Whole(cells):
                self._cells, self._must_ask = list(cells), False
            case One(square, holds):
                self._so_far[square] = holds
                if self._cells is None and len(self._so_far) == 64:
                    self._cells = [self._so_far[s] for s in range(64)]
                if self._cells is None:
                    return []
                self._cells[square] = holds
            case Listed(square):
                if self._listed is not None:
                    self._listed.add(square)
                return []
            case ListEnd():
                listed, self._listed = self._listed, set()
                if listed is None:
                    return []  # the end of a list whose beginning was not heard
                self._cells = [SOMETHING if square in listed else EMPTY for square in range(64)]
            case _:
                assert_never(told)
        return self._tell()

    def _tell(self) -> list[Message]:
        if self._cells is None:
            return []
        out: list[Message] = []
        if not self._is_known:
            self._is_known = True
            abilities = {Ability.LIGHTS} if self._profile.lights is not None else set()
            out.append(Identified(self._profile.title, "", frozenset(abilities)))
        content = self._content(self._cells)
        out.append(BoardRead(None, content, again=content == self._told))
        self._told = content
        shown, self._shown = self._shown, []
        return out + shown

    def _content(self, cells: list[str]) -> Content:
        occupied = sum(1 << square for square, holds in enumerate(cells) if holds != EMPTY)
        if self._profile.tells is Tells.OCCUPANCY:
            return OccupiedSquares(occupied)
        if self._profile.tells is Tells.IDENTITY:
            return NamedPieces(tuple(PIECES.get(holds) for holds in cells))
        white = sum(1 << square for square, holds in enumerate(cells) if holds == WHITE or holds in "PNBRQK")
        black = sum(1 << square for square, holds in enumerate(cells) if holds == BLACK or holds in "pnbrqk")
        return ColouredSquares(white, black)
