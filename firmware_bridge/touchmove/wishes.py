"""What the host wants of the board (picture, colours, settings, answers) and whether the board has said yes.

The wishes outlive a session: when a board starts anew, all are sent again. What has to be asked once only (the state,
the Hall readings) does not.
"""

from __future__ import annotations

from firmware_bridge.messages import DeviceTrouble, Lamps, LightsShown, Message, SettingTold, Trouble
from firmware_bridge.touchmove.frames import Frame, encode, hex_field
from firmware_bridge.touchmove.outbox import Outbox
from firmware_bridge.touchmove.palette import Palette
from firmware_bridge.touchmove.settings import SETTINGS


class Wishes:
    """Everything that is sent until it is answered."""

    def __init__(self, settings: dict[str, int]) -> None:
        self.outbox = Outbox()
        self._settings = {key: SETTINGS[key].clamp(value) for key, value in settings.items()}
        self._palette = Palette()
        self._picture: Lamps = {}
        self._picture_number = 0

    def show(self, lamps: Lamps, *, now: bool) -> int:
        """The picture that is wanted, sent `now` or when a session begins; its number."""
        self._picture = dict(lamps)
        self._picture_number = (self._picture_number + 1) & 0xFF
        if now:
            self._want_picture()
        return self._picture_number

    def set(self, key: str, value: int, *, now: bool) -> None:
        """A setting that is wanted. Raises KeyError on a key that is none."""
        self._settings[key] = SETTINGS[key].clamp(value)
        if now:
            self.outbox.want(f"G{key}", self._setting_frame(key))

    def ask_state(self) -> None:
        """The board's state, soon."""
        self.outbox.want("Q", encode("Q"))

    def ask_field(self) -> None:
        """One reading of the Hall sensors."""
        self.outbox.want("F", encode("F"))

    def setting_frames(self) -> list[bytes]:
        """All settings, for a board that is about to open a session."""
        return [self._setting_frame(key) for key in self._settings]

    def begin_session(self, *, with_lights: bool) -> None:
        """The board knows nothing yet: everything is wanted anew."""
        self.outbox.clear()
        for key in self._settings:
            self.outbox.want(f"G{key}", self._setting_frame(key))
        if with_lights:
            self._palette = Palette()
            self._want_picture()

    def answered(self, frame: Frame) -> list[Message] | None:
        """Take an `l`, `p`, `g` or `x` frame; None where it is malformed. Answers to older wishes count for nothing."""
        match frame.letter, frame.fields:
            case "l", (number,):
                is_newest = hex_field(number, 2) == self._picture_number
                return [LightsShown(self._picture_number)] if is_newest and self.outbox.answered("L") else []
            case "p", (index, *entry):
                if f"P{index}" in self.outbox and tuple(entry) == self._palette.fields(int(index, 16)):
                    self.outbox.answered(f"P{index}")
                return []
            case "g", (key, asked, value):
                is_present = hex_field(asked, 4) == self._settings.get(key)
                return [SettingTold(key, hex_field(value, 4))] if is_present and self.outbox.answered(f"G{key}") else []
            case "x", (letter,):
                text = f"the board does not know command {letter!r}"
                return [DeviceTrouble(Trouble.REFUSED, text)] if self.outbox.refused(letter) else []
            case _:
                return None

    def _setting_frame(self, key: str) -> bytes:
        return encode("G", key, f"{self._settings[key]:04x}")

    def _want_picture(self) -> None:
        painted = self._palette.paint(self._picture)
        for index in painted.renewed:
            self.outbox.want(f"P{index:x}", encode("P", f"{index:x}", *self._palette.fields(index)))
        self.outbox.want("L", encode("L", f"{self._picture_number:02x}", painted.digits))
