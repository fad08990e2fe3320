"""An OLED with an SSD1306 on I²C, by luma.oled: the two times large, below them the last move and whose turn it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, cast

from board_driver.displays.face import RUNS, Face, Timer, rows_of
from board_driver.profile.displays import Ssd1306

WIDTH = 128
SMALL = 11
"""The height of a row's letters, in dots; times are as large as there is room for beside one row."""
LARGEST, SMALLEST = 22, 12
COLUMNS = 22


class Oled(Protocol):
    """What is used of a `luma.core` device."""

    mode: str
    size: tuple[int, int]

    def display(self, image: Any, /) -> None:
        """Show a picture of its size."""

    def cleanup(self) -> None:
        """Turn it off and let go of the bus."""


def _open(wiring: Ssd1306) -> Oled:
    try:
        from luma.core.error import Error  # noqa: PLC0415  # only those who have such a display have it
        from luma.core.interface.serial import i2c  # noqa: PLC0415
        from luma.oled.device import ssd1306  # noqa: PLC0415
    except ImportError as problem:
        raise OSError(f"luma.oled cannot be used ({problem}): pip install 'touchmove[oled]'") from problem
    try:
        serial = i2c(port=wiring.bus, address=wiring.address)
        device = ssd1306(serial, width=WIDTH, height=wiring.height.value, rotate=2 if wiring.turned else 0)
    except Error as problem:
        raise OSError(f"{problem} (i2cdetect -y {wiring.bus} shows what is there)") from problem
    return cast(Oled, device)


class OledDisplay:
    """A `Display` of dots."""

    def __init__(self, wiring: Ssd1306, open_oled: Callable[[Ssd1306], Oled] = _open) -> None:
        self._wiring = wiring
        self._open_oled = open_oled
        self._oled: Oled | None = None
        self._shown: Face | None = None

    @property
    def name(self) -> str:
        return f"the SSD1306 at address {self._wiring.address:#04x} of /dev/i2c-{self._wiring.bus}"

    def open(self) -> None:
        self.close()
        self._oled = self._open_oled(self._wiring)
        self._shown = None

    def show(self, face: Face) -> None:
        if self._oled is None:
            raise OSError(f"{self.name} is closed")
        if face == self._shown:
            return
        try:
            self._oled.display(picture_of(face, self._wiring.height.value))
        except Exception as problem:  # luma's errors are no OSErrors, and its own kind needs it to be installed
            raise OSError(f"{self.name} does not answer: {problem}") from problem
        self._shown = face

    def close(self) -> None:
        oled, self._oled = self._oled, None
        if oled is not None:
            with suppress(Exception):  # it may be gone already
                oled.cleanup()


def picture_of(face: Face, height: int) -> Any:
    """The face as a picture of one bit a dot, 128 dots wide (`PIL.Image`)."""
    from PIL import Image, ImageDraw  # noqa: PLC0415  # comes with luma.oled

    image = Image.new("1", (WIDTH, height))
    pen = ImageDraw.Draw(image)
    rows = rows_of(face, COLUMNS, 4)
    top = 0
    if face.white is not None and face.black is not None:
        halves = ((face.white, 0), (face.black, WIDTH // 2))
        large = min(LARGEST, height - SMALL - 5)
        font = _fitting(pen, max((timer.text for timer, _ in halves), key=len), large)
        for timer, left in halves:
            _draw_time(pen, timer, left, large, font)
        top = large + 4
        rows = rows[1:]
    small = _font(SMALL)
    for row in rows:
        if row.strip() and top + SMALL <= height:
            pen.text((0, top), row.rstrip(), fill=1, font=small)
            top += SMALL + 2
    return image


def _draw_time(pen: Any, timer: Timer, left: int, large: int, font: Any) -> None:
    """A time in its half; the one that runs stands in a frame filled with light."""
    runs = timer.mark == RUNS
    if runs:
        pen.rectangle((left, 0, left + WIDTH // 2 - 2, large + 2), fill=1)
    pen.text((left + 3, 0), timer.text, fill=0 if runs else 1, font=font)
    if not runs:
        pen.text((left + WIDTH // 2 - 8, 0), timer.mark, fill=1, font=_font(SMALL))


def _fitting(pen: Any, text: str, largest: int) -> Any:
    """The largest letters in which the text fits half the width."""
    for size in range(largest, SMALLEST, -1):
        font = _font(size)
        if pen.textlength(text, font=font) <= WIDTH // 2 - 10:
            return font
    return _font(SMALLEST)


def _font(size: int) -> Any:
    from PIL import ImageFont  # noqa: PLC0415

    return ImageFont.load_default(size)
