"""What the players' clock shows, as far as the inputs tell: from the clock itself, or from its presses.

A press may say what is left on the presser's clock. Where it does not and the time control is known, the clock is kept
from the presses: the first one sets the other side's time running, and what went before it is nobody's.
"""

from __future__ import annotations

from dataclasses import dataclass

from board_driver.scan import Press
from rules.clock import ChessClock, TimeControl
from rules.squares import Colour

EARLY_MS = 600
"""A press may come so long before the last piece of its move stands."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press, and what was left on the presser's clock after it."""

    t_ms: int
    colour: Colour
    left_ms: int


class ClockFace:
    """The clock of one game."""

    def __init__(self, control: TimeControl | None) -> None:
        self._clock = None if control is None else ChessClock.fresh(control)
        self._pressed: list[Pressed] = []

    def press(self, press: Press) -> None:
        """A player pressed the clock."""
        left_ms = press.left_ms
        clock = self._clock
        if clock is not None:
            if clock.turn is None:
                clock = clock.start(press.colour.opponent, press.t_ms)
            elif clock.turn is press.colour:
                clock = clock.press(press.t_ms)
            if left_ms is not None:
                clock = clock.adjust(press.colour, max(1, left_ms), press.t_ms)
            else:
                left_ms = clock.remaining_ms(press.colour, press.t_ms)
            self._clock = clock
        if left_ms is not None:
            self._pressed.append(Pressed(press.t_ms, press.colour, left_ms))

    def after(self, colour: Colour, made_ms: int, until_ms: int | None) -> int | None:
        """What that side had left after its ply made then, in ms; None if it pressed no clock before `until_ms`."""
        for pressed in self._pressed:
            late = until_ms is not None and pressed.t_ms >= until_ms
            if pressed.colour is colour and pressed.t_ms >= made_ms - EARLY_MS and not late:
                return pressed.left_ms
        return None
