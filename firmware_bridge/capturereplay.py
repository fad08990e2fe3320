"""What was said in a captured session, told again: the same codec, fed the same bytes at the same times [pure]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware_bridge.capture import Header, Piece, Way
from firmware_bridge.messages import Message
from firmware_bridge.protocols import make_codec, protocol_of

OPENED = b"opened "
"""How the note begins that tells of an opened port; its name follows."""


def replay(header: Header, pieces: Iterable[Piece]) -> Iterator[tuple[int, Message]]:
    """Every message with its time. Raises CaptureError on a header of a protocol that is not known.

    As on the board itself, a port that is opened again goes on with its codec, and another port gets a fresh one.
    """
    protocol = protocol_of(header)
    codec, device = make_codec(protocol), b""
    for piece in pieces:
        match piece.way:
            case Way.NOTE if piece.payload.startswith(OPENED):
                opened = piece.payload.removeprefix(OPENED)
                if device not in (b"", opened):
                    codec = make_codec(protocol)
                device = opened
                codec.connected(piece.t_ms)
            case Way.IN:
                for message in [*codec.advance(piece.t_ms), *codec.feed(piece.payload, piece.t_ms)]:
                    yield piece.t_ms, message
                codec.outgoing(piece.t_ms)
            case Way.OUT | Way.NOTE:
                pass
