"""The chess clock on the page: shown, running, pressed, paused and set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.board_driver.web.browser.conftest import DaemonThread
from tests.board_driver.web.browser.test_playing import expect, play, score
from tests.board_driver.web.conftest import open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser


def clock(page: Page, colour: str) -> Locator:
    return page.locator(f'.big-clock[data-colour="{colour}"]')


def press(page: Page, colour: str) -> None:
    clock(page, colour).get_by_role("button").click()


def shows(page: Page, colour: str, text: str) -> None:
    expect(clock(page, colour).locator(".big-time")).to_have_text(re.compile(text))


@pytest.mark.parametrize("daemon", [("--time", "5+3")], indirect=True)
def test_moves_move_the_clock_on(page: Page) -> None:
    shows(page, "white", r"^5:00$")
    expect(clock(page, "white")).not_to_have_class(re.compile("running"))
    play(page, "e2e4")
    expect(clock(page, "black")).to_have_class(re.compile("running"))
    expect(clock(page, "black").locator(".clock-note")).to_have_text("▶ runs")
    shows(page, "white", r"^5:0[123]$")
    shows(page, "black", r"^4:5[0-9]$")  # nobody sends anything: the page counts by itself
    expect(clock(page, "black").get_by_role("button")).to_be_hidden()


@pytest.mark.parametrize("daemon", [("--time", "5+3", "--press")], indirect=True)
def test_clocks_are_pressed_by_button_and_by_key(page: Page) -> None:
    press(page, "black")
    expect(clock(page, "white")).to_have_class(re.compile("running"))
    play(page, "e2e4")
    expect(clock(page, "white")).to_have_class(re.compile("running"))
    page.keyboard.press("F8")
    expect(clock(page, "black")).to_have_class(re.compile("running"))
    play_on(page)
    page.keyboard.press("F9")
    expect(clock(page, "white")).to_have_class(re.compile("running"))


def play_on(page: Page) -> None:
    from tests.board_driver.web.browser.test_playing import drag  # noqa: PLC0415

    drag(page, "e7e5")
    expect(score(page)).to_have_count(2)


@pytest.mark.parametrize("daemon", [("--time", "5+3")], indirect=True)
def test_a_pause_and_the_arbiters_hand(page: Page) -> None:
    play(page, "e2e4")
    page.locator("#clock-pause").click()
    expect(clock(page, "black").locator(".clock-note")).to_have_text("❚❚ paused")
    page.locator("#clock-set").click()
    dialog = page.locator("#clock-dialog")
    dialog.locator('[name="white"]').fill("0:45")
    dialog.locator('[name="black"]').fill("12:30")
    dialog.get_by_role("button", name="Set", exact=True).click()
    shows(page, "white", r"^0:45$")
    shows(page, "black", r"^12:30$")
    expect(clock(page, "white").locator(".clock-note")).to_have_text("⚠ ")
    page.locator("#clock-set").click()
    dialog.get_by_role("button", name="Black +2 min").click()
    shows(page, "black", r"^14:30$")
    page.keyboard.press("Pause")
    expect(clock(page, "black")).to_have_class(re.compile("running"))


def test_a_new_game_gets_its_clock_on_the_page(page: Page) -> None:
    expect(page.locator(".big-clock:visible")).to_have_count(0)
    page.locator("#new").click()
    page.locator('#new-form [name="time"]').fill("hourglass 2")
    page.locator("#new-form").get_by_role("button", name="Start").click()
    shows(page, "white", r"^2:00$")
    play(page, "d2d4")
    expect(clock(page, "black")).to_have_class(re.compile("running"))
    page.locator("#new").click()
    expect(page.locator('#new-form [name="time"]')).to_have_value("hourglass 2")
    page.locator('#new-form [name="time"]').fill("five")
    page.locator("#new-form").get_by_role("button", name="Start").click()
    expect(page.locator("#refused")).to_contain_text("expected a time control such as 5+3")


@pytest.mark.parametrize("daemon", [("--time", "0.05+0")], indirect=True)
def test_a_flag_falls_and_ends_the_game(page: Page) -> None:
    play(page, "e2e4")
    expect(page.locator("#ruling")).to_contain_text("White wins", timeout=15_000)
    expect(clock(page, "black").locator(".clock-note")).to_have_text("⚑ flag fallen")
    shows(page, "black", r"^0:00\.0$")
    expect(page.locator("#clock-pause")).to_be_hidden()


@pytest.mark.parametrize("daemon", [("--time", "5+3")], indirect=True)
def test_the_big_screen_shows_the_clocks(browser: Browser, daemon: DaemonThread, page: Page) -> None:
    play(page, "e2e4")
    for watching in open_page(browser, daemon.url.rstrip("/") + "/watch"):
        expect(watching.locator(".watched-player .clock").first).to_have_text(re.compile(r"^4:5[0-9].*runs$"))
