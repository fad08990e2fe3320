"""How bright a frame may be: the share the owner wants, by day or by night, and what the supply can give [pure].

The current of a frame is computed, not measured, and on the safe side: every lamp at its fullest draws `ma_per_lamp`,
a coloured one in proportion to the sum of its three colours, and lamps with a chip of their own draw `IDLE_MA` each
even when dark. Of lamps that are lit row by row only the row with the most counts, since no two are lit at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from board_driver.lights.lamps import BLACK, Frame
from board_driver.lights.looks import Rgb
from board_driver.profile.lights import (
    Apa102,
    GpioLeds,
    Ht16k33,
    LedMatrix,
    Max7219,
    Night,
    NoLights,
    ShiftLeds,
    Ws2812,
)

AnyLamps = Ws2812 | Apa102 | Max7219 | Ht16k33 | LedMatrix | ShiftLeds | GpioLeds

IDLE_MA = 1.0
"""A WS2812 or APA102 that is dark: data sheets and measurements say 0.5 to 1 mA."""
WHITE = 3 * 255


@dataclass(frozen=True, slots=True)
class Supply:
    """How the lamps of one kind draw from it."""

    budget_ma: float
    ma_per_lamp: float
    idle_ma: float = 0.0
    in_rows: bool = False
    coloured: bool = False
    steady: bool = False
    """The lamps can be on and off only: what is too much must stay dark."""

    def draw_ma(self, frame: Frame) -> float:
        """What that frame draws."""
        return self.idle_ma * len(frame.colours) + self._lit_ma(frame.colours) * (1.0 if self.steady else frame.level)

    def capped(self, frame: Frame) -> Frame:
        """The frame, dimmed as a whole until it is within the budget; lamps of the end left dark if it cannot be."""
        if self.draw_ma(frame) <= self.budget_ma:
            return frame
        if self.steady:
            return replace(frame, colours=self._cut(frame.colours))
        room_ma = max(0.0, self.budget_ma - self.idle_ma * len(frame.colours))
        return replace(frame, level=room_ma / self._lit_ma(frame.colours) if self._lit_ma(frame.colours) else 0.0)

    def fullest_ma(self, lamps: int, level: float) -> float:
        """What that many lamps draw, all at their fullest."""
        return self.draw_ma(Frame(((255, 255, 255),) * lamps, level))

    def _lit_ma(self, colours: tuple[Rgb, ...]) -> float:
        if self.in_rows:
            rows = (colours[first : first + 8] for first in range(0, len(colours), 8))
            return max((self._sum_ma(row) for row in rows), default=0.0)
        return self._sum_ma(colours)

    def _sum_ma(self, colours: tuple[Rgb, ...]) -> float:
        if self.coloured:
            return self.ma_per_lamp * sum(map(sum, colours)) / WHITE
        return self.ma_per_lamp * sum(colour != BLACK for colour in colours)

    def _cut(self, colours: tuple[Rgb, ...]) -> tuple[Rgb, ...]:
        left = int(self.budget_ma // self.ma_per_lamp) if self.ma_per_lamp else len(colours)
        kept: list[Rgb] = []
        for colour in colours:
            kept.append(colour if left > 0 else BLACK)
            left -= colour != BLACK
        return tuple(kept)


def supply_of(lights: AnyLamps) -> Supply:
    """The supply of a profile's lamps."""
    budget, each = float(lights.budget_ma), float(lights.ma_per_lamp)
    match lights:
        case Ws2812() | Apa102():
            return Supply(budget, each, idle_ma=IDLE_MA, coloured=True)
        case Max7219() | Ht16k33() | LedMatrix():
            return Supply(budget, each, in_rows=True)
        case ShiftLeds():
            return Supply(budget, each, steady=lights.enable is None)
        case GpioLeds():
            return Supply(budget, each)
        case _:
            assert_never(lights)


def brightness_percent(lights: AnyLamps, minute: int) -> int:
    """The brightness the owner wants at that minute of the day, 0 to 1439."""
    night = lights.night
    return night.brightness_percent if night is not None and is_night(night, minute) else lights.brightness_percent


def is_night(night: Night, minute: int) -> bool:
    """Whether that minute of the day is in the night, which may go past midnight. Equal times: never."""
    begins, ends = _minute(night.begins), _minute(night.ends)
    if begins <= ends:
        return begins <= minute < ends
    return minute >= begins or minute < ends


def _minute(text: str) -> int:
    hours, minutes = text.split(":")
    return 60 * int(hours) + int(minutes)


def warning_for(lights: AnyLamps | NoLights) -> str | None:
    """One line if the lamps, all lit, would draw more than the budget; None if they would not."""
    if isinstance(lights, NoLights):
        return None
    supply, level = supply_of(lights), lights.brightness_percent / 100
    fullest_ma = supply.fullest_ma(lights.place.lamps, level)
    if fullest_ma <= supply.budget_ma:
        return None
    what = "lamps at the end stay dark" if supply.steady else "fuller pictures are dimmed"
    return (
        f"all {lights.place.lamps} lamps at {lights.brightness_percent} % would draw {fullest_ma:.0f} mA, "
        f"and budget_ma is {lights.budget_ma}: {what}"
    )
