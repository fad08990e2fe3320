"""What the fields of our frames mean: events, the state, times. Shared by both ends, so that they cannot differ."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

from firmware_bridge.messages import ColouredSquares, FieldStrengths, OccupiedSquares
from firmware_bridge.touchmove.frames import Frame, hex_field

VERSION = 1
HEARTBEAT_MS = 500
"""How often either end is heard when it has nothing to say."""
HOST_LOST_MS = 2_000
"""Silence after which a board shows the host-lost lights."""
BOARD_LOST_MS = 1_500
"""Silence after which the host calls the board silent."""
FIELD_ZERO = 0x800
"""The reading of a Hall sensor without a magnet, as it goes over the wire."""
TIME_BITS = 24


class Flags(IntFlag):
    """What a board of this protocol can do, as its greeting tells."""

    LIGHTS = 1
    BUTTONS = 2
    COLOUR = 4
    FIELD = 8


@dataclass(frozen=True, slots=True)
class Changed:
    """The squares are now these."""

    board_ms: int
    squares: OccupiedSquares | ColouredSquares


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button went down or up."""

    board_ms: int
    number: int
    down: bool


@dataclass(frozen=True, slots=True)
class State:
    """A board's heartbeat: session, number of its latest event, full time, the squares, and what it counted."""

    session: int
    last: int
    board_ms: int
    squares: OccupiedSquares | ColouredSquares
    garbled: int
    merged: int


def squares_text(squares: OccupiedSquares | ColouredSquares) -> str:
    """16 digits of occupancy, or 32: White's squares and then Black's."""
    if isinstance(squares, OccupiedSquares):
        return f"{squares.occupied:016x}"
    return f"{squares.white:016x}{squares.black:016x}"


def parse_squares(text: str) -> OccupiedSquares | ColouredSquares | None:
    """The other way; None where it is neither."""
    if len(text) == 32:
        white, black = hex_field(text[:16], 16), hex_field(text[16:], 16)
        return None if white is None or black is None else ColouredSquares(white, black)
    occupied = hex_field(text, 16)
    return None if occupied is None else OccupiedSquares(occupied)


def parse_state(fields: tuple[str, ...]) -> State | None:
    """The state in the fields of an `S` frame; None where they are none."""
    match fields:
        case (session_text, last_text, time_text, squares, garbled_text, merged_text):
            numbers = (
                hex_field(session_text, 4), hex_field(last_text, 2), hex_field(time_text, 8),
                hex_field(garbled_text, 4), hex_field(merged_text, 4),
            )  # fmt: skip
            session, last, board_ms, garbled, merged = numbers
            read = parse_squares(squares)
            if session is None or last is None or board_ms is None or garbled is None or merged is None or read is None:
                return None
            return State(session, last, board_ms, read, garbled, merged)
        case _:
            return None


def parse_event(frame: Frame) -> tuple[int, Changed | Pressed] | None:
    """Number and event in a `C` or `B` frame, the time's lowest 24 bits only; None where they are none."""
    match frame.letter, frame.fields:
        case "C", (number_text, time_text, squares_text):
            number, low, squares = hex_field(number_text, 2), hex_field(time_text, 6), parse_squares(squares_text)
            return None if number is None or low is None or squares is None else (number, Changed(low, squares))
        case "B", (number_text, time_text, button_text, down_text) if down_text in ("0", "1"):
            number, low, button = hex_field(number_text, 2), hex_field(time_text, 6), hex_field(button_text, 2)
            if number is None or low is None or button is None:
                return None
            return number, Pressed(low, button, down_text == "1")
        case _:
            return None


def parse_field(fields: tuple[str, ...]) -> tuple[int, FieldStrengths] | None:
    """Time (24 bits) and Hall readings in the fields of an `f` frame; None where they are none."""
    match fields:
        case (time_text, readings) if len(readings) == 64 * 3:
            low = hex_field(time_text, 6)
            values = [hex_field(readings[i : i + 3], 3) for i in range(0, len(readings), 3)]
            strengths = tuple(value - FIELD_ZERO for value in values if value is not None)
            return None if low is None or len(strengths) != 64 else (low, FieldStrengths(strengths))
        case _:
            return None


def unwrap(low: int, bits: int, near: int) -> int:
    """The time whose lowest `bits` bits are `low` and that lies nearest to `near`; never below 0."""
    span = 1 << bits
    time = near - ((near - low) & (span - 1))
    if near - time > span >> 1:
        time += span
    return time if time >= 0 else time + span
