"""Captures: every byte of a session with its time, so that it can be replayed and attached to a report.

JSON Lines. The first line is the header, `{"capture": 1, "codec": "touchmove", …}`; then one line for each read and
each write, `{"t_ms": 12, "in": "C 00 …\\n"}` or `"out"`. Bytes are written as the characters U+0000 to U+00FF of the
same numbers: text stays readable, and nothing is lost. A line with `note` tells what happened to the wire.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
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
    """What was captured: `touchmove` with its first session and settings, or `text` with its profile as YAML."""

    codec: str
    port: str = ""
    session: int = 0
    settings: Mapping[str, int] = field(default_factory=dict)
    profile: str = ""


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
        fields = {key: value for key, value in asdict(header).items() if value}
        self._write({"capture": VERSION, **fields})

    def write(self, piece: Piece) -> None:
        """One line."""
        self._write({"t_ms": piece.t_ms, piece.way.value: piece.payload.decode("latin-1")})

    def _write(self, line: dict[str, object]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


def read_capture(lines: Iterable[str]) -> tuple[Header, Iterator[Piece]]:
    """The header and the pieces. Raises CaptureError, with the line's number, on a line that is none."""
    numbered = enumerate(lines, start=1)
    number, first = next(numbered, (1, ""))
    header = _object(number, first)
    if header.get("capture") != VERSION:
        raise CaptureError(f'line {number}: expected a header with "capture": {VERSION}, got {first.strip()[:60]!r}')
    return _header(header), _pieces(numbered)


def _header(fields: dict[str, object]) -> Header:
    session, settings = fields.get("session", 0), fields.get("settings", {})
    if not isinstance(session, int) or not isinstance(settings, dict):
        raise CaptureError("line 1: expected a session as a number, and settings as an object")
    if not all(isinstance(value, int) for value in settings.values()):
        raise CaptureError("line 1: expected numbers as settings")
    words = (str(fields.get(key, "")) for key in ("codec", "port", "profile"))
    codec, port, profile = words
    return Header(codec, port, session, settings, profile)


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
    except (ValueError, RecursionError) as problem:
        raise CaptureError(f"line {number}: expected JSON, got {line.strip()[:60]!r}") from problem
    if not isinstance(value, dict):
        raise CaptureError(f"line {number}: expected an object, got {line.strip()[:60]!r}")
    return value
