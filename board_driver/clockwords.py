"""What people say to a chess clock, and what it shows, as text [pure]."""

from __future__ import annotations

import re

from rules.clock.control import LIMIT_MS
from rules.squares import Colour

PAUSE_VALUES = ("white", "black", "on", "off", "interrupted")
"""What the button `pause` may be pressed with; without any it changes between pause and play."""
_COLOURS = {colour.word: colour for colour in Colour}
_TIME = re.compile(r"(white|black) ([+-]?)([0-9]{1,9})")


def time_change(value: str) -> tuple[Colour, int, bool] | None:
    """What the button `time` says: whose, milliseconds, and whether they are added to what there is.

    `white 300000` sets, `white +120000` and `black -5000` add and take. None for what says no time a clock can show.
    """
    match = _TIME.fullmatch(value)
    if match is None or int(match[3]) > LIMIT_MS or (not match[2] and int(match[3]) == 0):
        return None
    ms = int(match[3])
    return _COLOURS[match[1]], -ms if match[2] == "-" else ms, bool(match[2])


def clock_text(ms: int) -> str:
    """A time as a clock shows it: `5:00`, `1:30:00`, in seconds that have begun; the last ten with tenths, `0:09.9`."""
    if ms < 10_000:
        return f"0:{ms // 1000:02}.{ms // 100 % 10}"
    seconds = -(-ms // 1000)
    hours, minutes = seconds // 3600, seconds // 60 % 60
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
