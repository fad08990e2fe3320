"""Captures: every byte of a session with its time, so that it can be replayed and attached to a report.

JSON Lines. The first line is the header, `{"capture": 1, "codec": "touchmove", …}`; then one line for each read and
each write, `{"t_ms": 12, "in": "C 00 …\\n"}` or `"out"`. Bytes are written as the characters U+0000 to U+00FF of the
same numbers: text stays readable, and nothing is lost. A line with `note` tells what happened to the wire.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TextIO

VERSION = 1


class Way(Enum):
    """Which way bytes went, or that a line is a note."""

    IN = "in"
    OUT = "out"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Header:
    """What was captured. `codec` is `touchmove`, or the profile of a text board."""

    codec: str
    port: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that were read or written at once, or (latin-1) the words of a note."""

    t_ms: int
    way: Way
    payload: bytes


class CaptureError(ValueError):
    """A line that is none of a capture."""


class CaptureWriter:
    """Writes a capture, every line as it comes, so that it is whole up to the end whatever happens."""

    def __init__(self, file: TextIO, header: Header) -> None:
        self._file = file
        self._write({"capture": VERSION, "codec": header.codec, "port": header.port})

    def write(self, piece: Piece) -> None:
        """One line."""
        self._write({"t_ms": piece.t_ms, piece.way.value: piece.payload.decode("latin-1")})

    def _write(self, line: dict[str, object]) -> None:
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()


def read_capture(lines: Iterable[str]) -> tuple[Header, Iterator[Piece]]:
    """The header and the pieces. Raises CaptureError, with the line's number, on a line that is none."""
    numbered = enumerate(lines, start=1)
    number, first = next(numbered, (1, ""))
    header = _object(number, first)
    if header.get("capture") != VERSION:
        raise CaptureError(f'line {number}: expected a header with "capture": {VERSION}, got {first.strip()[:60]!r}')
    return Header(str(header.get("codec", "")), str(header.get("port", ""))), _pieces(numbered)


def _pieces(numbered: Iterator[tuple[int, str]]) -> Iterator[Piece]:
    before = 0
    for number, line in numbered:
        if not line.strip():
            continue
        fields = _object(number, line)
        t_ms = fields.get("t_ms")
        ways = [way for way in Way if way.value in fields]
        if not isinstance(t_ms, int) or t_ms < before or len(ways) != 1:
            raise CaptureError(f'line {number}: expected "t_ms", not going back, and one of "in", "out", "note"')
        before = t_ms
        yield Piece(t_ms, ways[0], _bytes(number, fields[ways[0].value]))


def _bytes(number: int, text: object) -> bytes:
    try:
        if isinstance(text, str):
            return text.encode("latin-1")
    except UnicodeEncodeError:
        pass
    raise CaptureError(f"line {number}: expected bytes as characters U+0000 to U+00FF")


def _object(number: int, line: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except ValueError as problem:
        raise CaptureError(f"line {number}: expected JSON, got {line.strip()[:60]!r}") from problem
    if not isinstance(value, dict):
        raise CaptureError(f"line {number}: expected an object, got {line.strip()[:60]!r}")
    return value
