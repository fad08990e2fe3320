"""The drivers with the real libraries, on simulated chips."""

from __future__ import annotations

import errno

import pytest

from board_driver.displays.face import Face, Timer
from board_driver.displays.hd44780 import TextDisplay
from board_driver.displays.oled import OledDisplay
from board_driver.profile.displays import Hd44780, OledHeight, Ssd1306
from tests.board_driver.displays.chips import Bus, Lcd, OledChip

PLAIN = Face(Timer("4:58", ">"), Timer("5:00"), "12.Nf3+", "Black", ("", "5+3"))
LATER = Face(Timer("4:57", ">"), Timer("5:00"), "12.Nf3+", "Black", ("", "5+3"))


@pytest.fixture
def text_bus(monkeypatch: pytest.MonkeyPatch) -> Bus:
    i2c = pytest.importorskip("RPLCD.i2c", reason="needs pip install 'touchmove[hd44780]'")
    bus = Bus(Lcd())
    monkeypatch.setattr(i2c, "SMBus", bus)
    for name in ("msleep", "usleep"):
        monkeypatch.setattr(i2c.c, name, lambda _: None)
    return bus


@pytest.fixture
def dot_bus(monkeypatch: pytest.MonkeyPatch) -> Bus:
    pytest.importorskip("luma.oled.device", reason="needs pip install 'touchmove[oled]'")
    smbus2 = pytest.importorskip("smbus2")
    bus = Bus(OledChip())
    monkeypatch.setattr(smbus2, "SMBus", bus)
    return bus


def test_rows_of_text_stand_on_the_display(text_bus: Bus) -> None:
    chip = text_bus.chips[0x27]
    display = TextDisplay(Hd44780())
    display.open()
    display.show(PLAIN)
    assert chip.rows(2) == ["W>4:58    5:00 B", "12.Nf3+    Black"]
    display.close()
    assert chip.rows(2) == [" " * 16] * 2
    assert text_bus.opened == [1]
    assert text_bus.closed == 1


def test_only_the_row_that_differs_is_written(text_bus: Bus) -> None:
    chip = text_bus.chips[0x27]
    display = TextDisplay(Hd44780())
    display.open()
    display.show(PLAIN)
    written = chip.writes
    display.show(PLAIN)
    assert chip.writes == written
    display.show(LATER)
    assert written < chip.writes <= written + 16
    assert chip.rows(1) == ["W>4:57    5:00 B"]


def test_four_rows_of_twenty(text_bus: Bus) -> None:
    chip = text_bus.chips[0x27] = Lcd(columns=20)
    display = TextDisplay(Hd44780(columns=20, rows=4))
    display.open()
    display.show(PLAIN)
    assert chip.rows(4) == ["W>4:58        5:00 B", "12.Nf3+        Black", " " * 20, "5+3".ljust(20)]


def test_letters_that_it_does_not_have_become_question_marks(text_bus: Bus) -> None:
    display = TextDisplay(Hd44780())
    display.open()
    display.show(Face(None, None, "1.e4é", "Weiß"))
    assert text_bus.chips[0x27].rows(2) == ["Wei?".ljust(16), "1.e4?".ljust(16)]


def test_a_text_display_that_is_not_there_is_told_in_words(text_bus: Bus) -> None:
    display = TextDisplay(Hd44780(address=0x3F))
    with pytest.raises(OSError, match=r"HD44780 at address 0x3f of /dev/i2c-1 does not answer.*i2cdetect -y 1"):
        display.open()
    display.close()
    display = TextDisplay(Hd44780())
    display.open()
    del text_bus.chips[0x27]
    with pytest.raises(OSError, match="does not answer"):
        display.show(PLAIN)
    display.close()
    with pytest.raises(OSError, match="is closed"):
        display.show(PLAIN)


@pytest.mark.usefixtures("text_bus")
def test_no_bus_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> Bus:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    monkeypatch.setattr(Bus, "__call__", missing)
    with pytest.raises(OSError, match=r"/dev/i2c-1 is not there.*raspi-config"):
        TextDisplay(Hd44780()).open()


def test_times_stand_large_on_the_oled_and_the_one_that_runs_in_a_light_frame(dot_bus: Bus) -> None:
    chip = dot_bus.chips[0x3C]
    display = OledDisplay(Ssd1306())
    display.open()
    assert chip.is_on
    assert chip.lit() == 0
    display.show(PLAIN)
    white, black = chip.lit(0, 64, 0, 25), chip.lit(64, 128, 0, 25)
    assert white > 2 * black > 100, "\n".join(chip.dots())
    assert chip.lit(top=26, bottom=40) > 50, "the last move and whose turn it is"
    before = chip.dots()
    display.show(LATER)
    assert chip.dots() != before
    assert chip.dots()[26:] == before[26:]
    display.close()
    assert not chip.is_on


def test_a_low_oled_shows_the_times_and_the_move(dot_bus: Bus) -> None:
    chip = dot_bus.chips[0x3C] = OledChip(height=32)
    display = OledDisplay(Ssd1306(height=OledHeight.HALF))
    display.open()
    display.show(Face(Timer("1:29:58", ">"), Timer("1:30:00"), "1.e4", "Black"))
    assert chip.lit(64, 128, 0, 20) > 50
    assert chip.lit(top=21, bottom=32) > 30
    display.show(Face(None, None, "1.e4", "Black"))
    assert chip.lit() > 30


def test_an_oled_that_is_not_there_is_told_in_words(dot_bus: Bus) -> None:
    with pytest.raises(OSError, match=r"0x3D.*i2cdetect -y 1"):
        OledDisplay(Ssd1306(address=0x3D)).open()
    display = OledDisplay(Ssd1306())
    display.open()
    del dot_bus.chips[0x3C]
    with pytest.raises(OSError, match="SSD1306 at address 0x3c of /dev/i2c-1 does not answer"):
        display.show(PLAIN)
    display.close()
