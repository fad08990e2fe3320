"""The board's own end for boards that speak lines of text, for tests and demos."""

from __future__ import annotations

import re

from firmware_bridge.codec import Packet
from firmware_bridge.messages import ColouredSquares, Content, FieldStrengths, Lamp, Lamps, NamedPieces, OccupiedSquares
from firmware_bridge.serialtext.order import BLACK, EMPTY, SOMETHING, START, WHITE, Cells
from firmware_bridge.serialtext.profile import Profile
from firmware_bridge.serialtext.rules import EventRule
from rules.squares import SQUARE_NAMES

_ON = Lamp(255, 255, 255)


class TextBoard:
    """Tells its squares as the profile says, whole where it can. Buttons are not in these protocols."""

    def __init__(self, profile: Profile, banner: str = "") -> None:
        self._profile = profile
        start = tuple(EMPTY if holds == EMPTY else SOMETHING for holds in START)
        self._cells: Cells = start if profile.assume_start else (EMPTY,) * 64
        self._out = banner
        self._rest = ""
        self._lit: set[int] = set()
        if not profile.assume_start:
            self._tell_all()

    def feed(self, payload: bytes, now_ms: int, channel: str = "") -> None:  # noqa: ARG002
        *lines, self._rest = (self._rest + payload.decode("ascii", "replace")).split("\n")
        self._rest = self._rest[-1000:]
        for line in lines:
            if self._profile.ask and line == self._profile.ask.strip("\n"):
                self._tell_all()
            self._light(line)

    def sense(self, content: Content, now_ms: int) -> None:  # noqa: ARG002
        cells = cells_of(content)
        before, self._cells = self._cells, cells
        events = {rule.holds: rule for rule in self._profile.rules if isinstance(rule, EventRule)}
        changed = [square for square in range(64) if cells[square] != before[square]]
        if events:
            for square in changed:
                self._out += events[cells[square]].write(square) + "\n"
        elif changed:
            self._tell_all()

    def press(self, number: int, down: bool, now_ms: int) -> None:
        raise ValueError(f"expected no buttons on a text board, got button {number} {down} at {now_ms}")

    def advance(self, now_ms: int) -> None:
        pass

    def outgoing(self, now_ms: int) -> list[Packet]:  # noqa: ARG002
        out, self._out = self._out, ""
        return [Packet(out.encode("latin-1", "replace"))] if out else []

    def next_wake_ms(self) -> int | None:
        return None

    def lamps(self) -> Lamps:
        return dict.fromkeys(self._lit, _ON)

    def _tell_all(self) -> None:
        rules = [rule for rule in self._profile.rules if not isinstance(rule, EventRule)]
        if rules:
            self._out += rules[0].write(self._cells) + "\r\n"
            return
        events = {rule.holds: rule for rule in self._profile.rules if isinstance(rule, EventRule)}
        self._out += "".join(events[self._cells[square]].write(square) + "\r\n" for square in range(64))

    def _light(self, line: str) -> None:
        lights = self._profile.lights
        if lights is None:
            return
        pattern = re.escape(lights.lit.strip("\n")).replace(re.escape("{squares}"), "(.*)")
        if line == lights.dark.strip("\n"):
            self._lit = set()
        elif lights.lit and (match := re.fullmatch(pattern, line)):
            names = match[1].split(lights.separator)
            self._lit = {SQUARE_NAMES.index(name) for name in names if name in SQUARE_NAMES}


def cells_of(content: Content) -> Cells:
    """What each square holds. Raises ValueError for what text boards cannot tell."""
    match content:
        case OccupiedSquares(occupied):
            return tuple(SOMETHING if occupied >> square & 1 else EMPTY for square in range(64))
        case ColouredSquares(white, black):
            return tuple(
                WHITE if white >> square & 1 else BLACK if black >> square & 1 else EMPTY for square in range(64)
            )
        case NamedPieces(pieces):
            return tuple(EMPTY if piece is None else piece.letter for piece in pieces)
        case FieldStrengths():
            raise ValueError("expected squares, colours or pieces, got field strengths")
