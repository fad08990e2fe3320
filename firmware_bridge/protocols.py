"""Which protocol a board speaks, as a value: from it a codec can be made anew, also from a capture's header."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from firmware_bridge.capture import CaptureError, Header
from firmware_bridge.codec import Codec
from firmware_bridge.serialtext.codec import TextCodec
from firmware_bridge.serialtext.profile import ProfileError
from firmware_bridge.serialtext.profilereading import parse_profile
from firmware_bridge.touchmove.host import TouchmoveCodec


@dataclass(frozen=True, slots=True)
class Touchmove:
    """Our own protocol. `session` should differ from the run before; `settings` are told to the board."""

    session: int
    settings: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Text:
    """Lines of text as a profile says; `profile` is its YAML."""

    profile: str


Protocol = Touchmove | Text


def make_codec(protocol: Protocol) -> Codec:
    """A fresh codec. Raises ProfileError on a text profile that is none."""
    match protocol:
        case Touchmove(session, settings):
            return TouchmoveCodec(session, dict(settings))
        case Text(profile):
            return TextCodec(parse_profile(profile))
        case _:
            assert_never(protocol)


def header_of(protocol: Protocol, port: str) -> Header:
    """What a capture must say first, so that it can be replayed."""
    match protocol:
        case Touchmove(session, settings):
            return Header("touchmove", port, session=session, settings=dict(settings))
        case Text(profile):
            return Header("text", port, profile=profile)
        case _:
            assert_never(protocol)


def protocol_of(header: Header) -> Protocol:
    """The protocol of a capture. Raises CaptureError where this version does not know it."""
    if header.codec == "touchmove":
        return Touchmove(header.session, header.settings)
    if header.codec != "text":
        raise CaptureError(f"line 1: expected the codec touchmove or text, got {header.codec!r}")
    try:
        parse_profile(header.profile)
    except ProfileError as problem:
        raise CaptureError(f"line 1: the profile cannot be read: {problem}") from problem
    return Text(header.profile)
