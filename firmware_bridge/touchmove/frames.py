"""Frames of the touchmove wire protocol: lines of text with a checksum (PROTOCOL.md is the document).

A frame is a letter, fields, and CRC-16/CCITT-FALSE over all before it (with the space), in four lower-case hex
digits, parted by single spaces and ended by LF:

    C 1f 03f2a4 ffff00000000ffff f1e7

1. A line is a frame or it is nothing: no part of a line that fails its checksum is looked at.
2. LF is the only delimiter, so a lost or garbled byte costs its own frame, and the next one too where it was the LF.
3. Lines longer than any frame are dropped as they come; memory is bounded whatever arrives.
"""

from __future__ import annotations

import binascii
from dataclasses import dataclass

LONGEST_TO_HOST = 224
"""Characters in the longest frame a board sends (the Hall readings), LF included, with room."""
LONGEST_TO_BOARD = 80
"""The same for the host's longest (a picture)."""
_CRC_START = 0xFFFF


@dataclass(frozen=True, slots=True)
class Frame:
    """A valid frame: its letter and its fields."""

    letter: str
    fields: tuple[str, ...] = ()


def crc(text: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 1021 hex, start FFFF hex, not reflected; 29b1 hex for "123456789"."""
    return binascii.crc_hqx(text, _CRC_START)


def encode(letter: str, *fields: str) -> bytes:
    """The frame as it goes over the wire, LF included. Fields are ASCII without spaces."""
    body = " ".join((letter, *fields, "")).encode("ascii")
    return body + b"%04x\n" % crc(body)


def decode(line: bytes) -> Frame | None:
    """The frame in a line (without LF; one CR before it is allowed), or None where it is none."""
    if line.endswith(b"\r"):
        line = line[:-1]
    body, check = line[:-4], line[-4:]
    if len(body) < 2 or body[-1:] != b" " or b"%04x" % crc(body) != check:
        return None
    if not (body.isascii() and body[:1].isalpha()):
        return None
    words = body[:-1].decode("ascii").split(" ")
    if len(words[0]) != 1 or "" in words:
        return None
    return Frame(words[0], tuple(words[1:]))


class FrameReader:
    """Cuts a stream into frames."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._rest = b""
        self.garbled = 0
        """Lines that were no frame, overlong ones included. Empty lines are not counted."""

    def feed(self, payload: bytes) -> list[Frame]:
        """The frames that end in `payload`, in order. Never raises."""
        lines = (self._rest + payload).split(b"\n")
        rest = lines.pop()
        frames = []
        for line in lines:
            frame = decode(line) if len(line) < self._longest else None
            if frame is not None:
                frames.append(frame)
            elif line.strip():
                self.garbled += 1
        # An overlong rest cannot become a frame; a mark of it is kept so that its end is not read as one.
        self._rest = rest if len(rest) < self._longest else rest[: self._longest]
        return frames


def hex_field(text: str, digits: int) -> int | None:
    """The number in exactly that many lower-case hex digits, or None."""
    if len(text) != digits or not set(text) <= _HEX:
        return None
    return int(text, 16)


_HEX = frozenset("0123456789abcdef")
