"""Serial boards by the name a person gives: `serial`, `serial:PORT`, `text:PROFILE` and `text:PROFILE@PORT`."""

from __future__ import annotations

import secrets

from board_driver.boards.serial import SerialBoard, SerialSetup
from board_driver.inputerror import InputError, shortened
from board_driver.scan import Sensing
from firmware_bridge.protocols import Text, Touchmove
from firmware_bridge.serialtext.profile import Profile, ProfileError, Tells, parse_profile, profile_text

_SENSING = {
    Tells.OCCUPANCY: Sensing.OCCUPANCY,
    Tells.COLOUR: Sensing.COLOUR,
    Tells.IDENTITY: Sensing.IDENTITY,
}


def serial_board(kind: str, rest: str) -> SerialBoard:
    """The board of that name, `kind` being what stands before the first colon. Raises InputError."""
    if kind == "serial":
        session = secrets.randbelow(0xFFFF) + 1
        return SerialBoard(SerialSetup(Touchmove(session), rest or None))
    name, _, port = rest.partition("@")
    if not name:
        raise InputError("expected a profile after text: (as in text:open-chess or text:mine.yaml@/dev/ttyACM0)")
    text, profile = _read_profile(name)
    setup = SerialSetup(Text(text), port or None, profile.title, _SENSING[profile.tells])
    return SerialBoard(setup)


def _read_profile(name: str) -> tuple[str, Profile]:
    try:
        text = profile_text(name)
        return text, parse_profile(text)
    except ProfileError as problem:
        raise InputError(f"the profile {shortened(name)} cannot be used: {problem}") from problem
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"the profile {shortened(name)} cannot be read: {problem}") from problem
