"""Serial boards by the name a person gives.

`serial` looks for a microcontroller with our firmware, `serial:PORT` names its port. After a question mark, also
without a port, what it is told: `serial:?mx=2,ld=8,hz=250,clock=yes` (the firmware's settings by their keys;
`clock=yes` where its buttons 0 and 1 are the players' sides of a clock). `text:PROFILE` and `text:PROFILE@PORT` are
boards that speak lines of text.
"""

from __future__ import annotations

import secrets

from board_driver.boards.serial import SerialBoard, SerialSetup
from board_driver.inputerror import InputError, shortened
from board_driver.scan import Sensing
from firmware_bridge.protocols import Text, Touchmove
from firmware_bridge.serialtext.profile import Profile, ProfileError, Tells
from firmware_bridge.serialtext.profilereading import parse_profile, profile_text
from firmware_bridge.touchmove.settings import SETTINGS
from rules.squares import Colour

_SENSING = {
    Tells.OCCUPANCY: Sensing.OCCUPANCY,
    Tells.COLOUR: Sensing.COLOUR,
    Tells.IDENTITY: Sensing.IDENTITY,
}
_CLOCK = "clock"
_SIDES = {0: Colour.WHITE, 1: Colour.BLACK}


def serial_board(kind: str, rest: str) -> SerialBoard:
    """The board of that name, `kind` being what stands before the first colon. Raises InputError."""
    if kind == "serial":
        port, _, text = rest.partition("?")
        options = _options(text)
        has_clock = options.pop(_CLOCK, 0)
        protocol = Touchmove(secrets.randbelow(0xFFFF) + 1, options)
        return SerialBoard(SerialSetup(protocol, port or None, buttons=_SIDES if has_clock else {}))
    name, _, port = rest.partition("@")
    if not name:
        raise InputError("expected a profile after text: (as in text:open-chess or text:mine.yaml@/dev/ttyACM0)")
    text, profile = _read_profile(name)
    setup = SerialSetup(Text(text), port or None, profile.title, _SENSING[profile.tells])
    return SerialBoard(setup)


def _options(text: str) -> dict[str, int]:
    """The settings in `mx=2,clock=yes`."""
    options = {}
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        if key == _CLOCK and value in ("yes", "no"):
            options[key] = int(value == "yes")
        elif key in SETTINGS and value.isascii() and value.isdigit() and _fits(key, int(value[:9])):
            options[key] = int(value)
        else:
            raise InputError(f"expected {_expected(key)} after the board's name, got {shortened(part)}")
    return options


def _fits(key: str, value: int) -> bool:
    return SETTINGS[key].clamp(value) == value


def _expected(key: str) -> str:
    if key in SETTINGS:
        setting = SETTINGS[key]
        return f"{key} from {setting.low} to {setting.high} ({setting.meaning})"
    if key == _CLOCK:
        return "clock=yes or clock=no"
    return "settings like mx=2,ld=8 (" + ", ".join([*SETTINGS, _CLOCK]) + ")"


def _read_profile(name: str) -> tuple[str, Profile]:
    try:
        text = profile_text(name)
        return text, parse_profile(text)
    except ProfileError as problem:
        raise InputError(f"the profile {shortened(name)} cannot be used: {problem}") from problem
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"the profile {shortened(name)} cannot be read: {problem}") from problem
