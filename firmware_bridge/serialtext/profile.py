"""Profiles: what a maker's firmware says and understands. `profilereading` reads them from YAML.

A profile in YAML::

    title: My board                     # for people
    baud: 9600
    tells: occupancy                    # or colour, identity
    ignore_prefix: "[board] "           # taken off a line before it is read
    lines:                              # tried in order
      - cells: {prefix: "OC:", order: a1 files, occupied: "1", empty: "0"}
      - masks: {prefix: ":", base: 10, order: a8 ranks, lowest_bit_first: false, active: high}
      - events: {lift: "-{square}", place: "+{square}"}
      - list: {square: "{square}", end: "-----"}
      - fen: {prefix: "FEN "}
    assume_start: true                  # a board that only tells events: begin with the usual start
    start: "hello\\n"                    # said once on connecting
    ask: "state?\\n"                     # said whenever the whole board is wanted
    lights: {lit: "LED:{squares}\\n", dark: "LED:CLEAR\\n", separator: ","}
    pace_ms: 200                        # between two writes

`lights` may use `{squares}` (names, joined), `{cells}` (64 of 0 and 1, in the order of the first `cells` line), and
`each` in place of `lit`: sent for every lit square after `dark`, with `{square}`, `{red}`, `{green}`, `{blue}`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from firmware_bridge.codec import LineSettings
from firmware_bridge.serialtext.rules import Rule


class Tells(Enum):
    """What a board knows of its pieces."""

    OCCUPANCY = "occupancy"
    COLOUR = "colour"
    IDENTITY = "identity"


class ProfileError(ValueError):
    """A profile that is none: which key, what was expected, what came."""


@dataclass(frozen=True, slots=True)
class Lights:
    """How lights are commanded; see the module's text."""

    lit: str = ""
    dark: str = ""
    each: str = ""
    separator: str = ","


@dataclass(frozen=True, slots=True)
class Profile:
    """What a text board says and understands."""

    title: str
    rules: tuple[Rule, ...]
    line: LineSettings = field(default_factory=LineSettings)
    tells: Tells = Tells.OCCUPANCY
    ignore_prefix: str = ""
    assume_start: bool = False
    start: str = ""
    ask: str = ""
    lights: Lights | None = None
    pace_ms: int = 0
