"""Pictures as lamps: each meaning's look, for boards behind a wire [pure]."""

from __future__ import annotations

from dataclasses import replace

from board_driver.lights.looks import LOOKS, SLOT_MS, SLOTS, Look
from board_driver.lights.picture import Picture
from firmware_bridge.messages import Lamp, Lamps

assert (SLOTS, SLOT_MS) == (16, 100), "the wire's rhythm is 16 slots of 100 ms"


def lamps_of(picture: Picture, percent: int = 100) -> Lamps:
    """How each square of the picture is lit, that bright."""
    if percent == 100:
        return {square: _LAMPS[meaning] for square, meaning in picture.items()}
    return {square: _dimmed(_LAMPS[meaning], percent) for square, meaning in picture.items()}


def _dimmed(lamp: Lamp, percent: int) -> Lamp:
    """The same colour darker; one that is on stays on."""
    red, green, blue = (-(-colour * percent // 100) for colour in (lamp.red, lamp.green, lamp.blue))
    return replace(lamp, red=red, green=green, blue=blue)


def _lamp(look: Look) -> Lamp:
    red, green, blue = look.colour
    return Lamp(red, green, blue, sum(1 << slot for slot, is_on in enumerate(look.rhythm) if is_on))


_LAMPS = {meaning: _lamp(look) for meaning, look in LOOKS.items()}
