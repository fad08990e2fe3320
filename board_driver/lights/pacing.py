"""Which frame is due when [pure].

House rules:

1. A picture is written when it comes; after that only when its rhythm or its turn changes a lamp, when day becomes
   night, and `REFRESH_MS` after the last frame, so that a glitch heals. A picture that stands still costs one frame a
   second.
2. A new picture begins its rhythms anew, so that it is seen at once.
3. Every frame is complete.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.lights.adapting import Show
from board_driver.lights.lamps import Frame
from board_driver.lights.picture import DARK, Picture
from board_driver.lights.power import AnyLamps, brightness_percent, supply_of

REFRESH_MS = 1_000


class Pacing:
    """The frames of a profile's lamps. `order[n]` is the place of lamp n; times are ms from any zero."""

    def __init__(self, lights: AnyLamps, order: Sequence[int], now_ms: int) -> None:
        self._lights = lights
        self._order = tuple(order)
        self.percent: int | None = None
        """So bright by hand, whatever the profile says; None: by the profile."""
        self._supply = supply_of(lights)
        self._was_dimmed = False
        self._warning = ""
        self._show = Show(DARK, lights.place)
        self._began_ms = now_ms
        self._written_ms = now_ms
        self._frame: Frame | None = None

    def begin(self, picture: Picture, now_ms: int, minute: int) -> Frame:
        """A new picture at that minute of the day: its first frame, which is to be written at once."""
        self._show, self._began_ms = Show(picture, self._lights.place), now_ms
        return self._write(self._at(now_ms, minute), now_ms)

    def due_ms(self, now_ms: int) -> int:
        """When `step` should be called next."""
        phase_ms = now_ms - self._began_ms
        change_ms = self._show.next_change_ms(phase_ms)
        refresh_ms = self._written_ms + REFRESH_MS
        return refresh_ms if change_ms is None else min(refresh_ms, self._began_ms + change_ms)

    def step(self, now_ms: int, minute: int) -> Frame | None:
        """The frame to be written now; None if none is due."""
        frame = self._at(now_ms, minute)
        if frame == self._frame and now_ms - self._written_ms < REFRESH_MS:
            return None
        return self._write(frame, now_ms)

    def take_warning(self) -> str:
        """What a person should know of the power, when a picture was dimmed for it for the first time; else nothing."""
        warning, self._warning = self._warning, ""
        return warning

    def _write(self, frame: Frame, now_ms: int) -> Frame:
        self._frame, self._written_ms = frame, now_ms
        return frame

    def _at(self, now_ms: int, minute: int) -> Frame:
        """The frame of that time, by wires and within the budget."""
        places = self._show.colours(now_ms - self._began_ms)
        level = (self.percent or brightness_percent(self._lights, minute)) / 100
        wanted = Frame(tuple(places[place] for place in self._order), level)
        capped = self._supply.capped(wanted)
        if capped is not wanted and not self._was_dimmed:
            self._was_dimmed = True
            self._warning = self._words(self._supply.draw_ma(wanted))
        return capped

    def _words(self, wanted_ma: float) -> str:
        what = "some lamps stay dark" if self._supply.steady else "it is dimmed"
        return (
            f"A picture would draw {wanted_ma:.0f} mA from the lamps' supply, and the profile allows "
            f"{self._lights.budget_ma}: {what}"
        )
