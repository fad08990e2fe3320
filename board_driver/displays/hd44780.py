"""A text display with an HD44780 behind a PCF8574 on I²C, by RPLCD."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, cast

from board_driver.boards.devicewords import why_not
from board_driver.boards.i2cbus import ENABLE
from board_driver.displays.face import Face, rows_of
from board_driver.profile.displays import Hd44780


class CharLcd(Protocol):
    """What is used of `RPLCD.i2c.CharLCD`."""

    cursor_pos: tuple[int, int]
    bus: Any

    def write_string(self, value: str) -> None:
        """Write from the cursor on."""

    def clear(self) -> None:
        """Empty the display."""

    def close(self, clear: bool = False) -> None:
        """Let go of the bus."""


def _open(wiring: Hd44780) -> CharLcd:
    try:
        from RPLCD.i2c import CharLCD  # noqa: PLC0415  # only those who have such a display have it
    except ImportError as problem:
        raise OSError(f"RPLCD cannot be used ({problem}): pip install 'touchmove[hd44780]'") from problem
    settings: dict[str, Any] = {"charmap": "A00", "auto_linebreaks": False}
    lcd = CharLCD("PCF8574", wiring.address, port=wiring.bus, cols=wiring.columns, rows=wiring.rows, **settings)
    return cast(CharLcd, lcd)


class TextDisplay:
    """A `Display` of rows of text."""

    def __init__(self, wiring: Hd44780, open_lcd: Callable[[Hd44780], CharLcd] = _open) -> None:
        self._wiring = wiring
        self._open_lcd = open_lcd
        self._lcd: CharLcd | None = None
        self._shown: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"the HD44780 at address {self._wiring.address:#04x} of /dev/i2c-{self._wiring.bus}"

    def open(self) -> None:
        self.close()
        try:
            self._lcd = self._open_lcd(self._wiring)
            self._lcd.clear()
        except OSError as problem:
            self._lcd = None
            raise OSError(self._words(problem)) from problem
        self._shown = ()

    def show(self, face: Face) -> None:
        if self._lcd is None:
            raise OSError(f"{self.name} is closed")
        rows = rows_of(face, self._wiring.columns, self._wiring.rows)
        for number, text in enumerate(rows):
            if self._shown[number : number + 1] != (text,):
                try:
                    self._lcd.cursor_pos = (number, 0)
                    self._lcd.write_string(_known(text))
                except OSError as problem:
                    raise OSError(self._words(problem)) from problem
        self._shown = rows

    def close(self) -> None:
        lcd, self._lcd = self._lcd, None
        if lcd is not None:
            with suppress(OSError):
                lcd.close(clear=True)
            with suppress(OSError):
                lcd.bus.close()  # RPLCD leaves it open

    def _words(self, problem: OSError) -> str:
        if problem.errno is None:
            return str(problem)
        place = f"/dev/i2c-{self._wiring.bus}"
        why = why_not(place, problem, ENABLE, "/dev/i2c-*")
        return f"{self.name} does not answer: {why} (i2cdetect -y {self._wiring.bus} shows what is there)"


def _known(text: str) -> str:
    """Only letters that every HD44780 has."""
    return "".join(letter if " " <= letter < "\x7f" else "?" for letter in text)
