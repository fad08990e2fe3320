"""The page in a real browser: doubts, names, games, the big screen, pairing, and being usable by everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.board_driver.web.browser.conftest import DaemonThread
from tests.board_driver.web.browser.test_playing import drag, expect, middle, play, ruling, score, square, stands
from tests.board_driver.web.conftest import open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

TWO_VICTIMS = "k7/8/8/8/3p1p2/4Q3/8/7K w - - 0 1"
HOSTILE = '<img src=x onerror="document.title=1">"&\''


def with_games(browser: Browser, tmp_path: Path, *options: str) -> Iterator[Page]:
    """A page of a daemon that keeps its games in `tmp_path`."""
    daemon = DaemonThread("--games", str(tmp_path), *options)
    yield from open_page(browser, daemon.url)
    daemon.stop()


def tell_names(page: Page, white: str, black: str) -> None:
    page.locator("#header").click()
    dialog = page.locator("#header-dialog")
    dialog.get_by_label("White", exact=True).fill(white)
    dialog.get_by_label("Black", exact=True).fill(black)
    dialog.get_by_role("button", name="Save").click()


def test_a_doubtful_ply_under_bad_sensors_is_settled_by_a_click(browser: Browser, tmp_path: Path) -> None:
    tabs = with_games(browser, tmp_path, "--mode", "record", "--fen", TWO_VICTIMS)
    page = next(tabs)
    page.get_by_label("Bad sensors").check()
    drag(page, "e3d4")  # every other capture, the first one too, goes unseen
    expect(page.locator("button.uncertain")).to_be_visible()
    stands(page, "d4", "white queen")
    page.get_by_label("Bad sensors").uncheck()
    page.locator("button.uncertain").click()
    choice = page.locator("#doubt-choices button").last
    chosen = choice.get_attribute("data-uci")
    name = (choice.text_content() or "").split()[0]
    assert chosen
    choice.click()
    expect(score(page)).to_have_text([name])
    expect(page.locator("button.uncertain")).to_have_count(0)
    expect(page.get_by_label("settled by hand")).to_be_visible()
    assert next(tabs, None) is None
    (file,) = tmp_path.glob("*.pgn")
    assert f"1. {name}" in file.read_text()


def test_a_game_is_written_down_right_in_spite_of_bad_sensors(browser: Browser, daemon: DaemonThread) -> None:
    tabs = open_page(browser, daemon.url)
    page = next(tabs)
    page.locator("#new").click()
    page.get_by_label("Only write the game down").check()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#settings")).to_contain_text("recorder")
    page.get_by_label("Bad sensors").check()
    for number, move in enumerate(["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5"], 1):
        drag(page, move)
        expect(score(page)).to_have_count(number)
    expect(score(page)).to_have_text(["e4", "d5", "exd5", "Qxd5", "Nc3", "Qa5"])
    assert next(tabs, None) is None


def test_names_from_outside_stay_text_and_reach_the_file(browser: Browser, tmp_path: Path) -> None:
    tabs = with_games(browser, tmp_path)
    page = next(tabs)
    play(page, "e2e4", "e7e5")
    tell_names(page, HOSTILE, "Bob")
    expect(page.locator("#near-player .who")).to_have_text(HOSTILE)
    expect(page.locator("#far-player .who")).to_have_text("Bob")
    assert page.locator("#near-player img").count() == 0
    page.locator("#near-player button", has_text="Resign").click()
    page.locator("#near-player button", has_text="Really resign?").click()
    expect(ruling(page)).to_contain_text("Black wins")
    page.locator("#header").click()
    page.locator("#header-form select").select_option("1/2-1/2")
    page.locator("#header-dialog").get_by_role("button", name="Save").click()
    expect(page.locator("#header-dialog")).to_be_visible()  # both players must agree
    page.get_by_label("Both players agree").check()
    page.locator("#header-dialog").get_by_role("button", name="Save").click()
    expect(page.locator("#score")).to_contain_text("½–½")
    assert next(tabs, None) is None
    (file,) = tmp_path.glob("*.pgn")
    text = file.read_text()
    assert '[White "<img src=x onerror=\\"document.title=1\\">\\"&' in text
    assert '[Result "1/2-1/2"]' in text


def test_games_are_found_replayed_by_the_arrow_keys_and_downloaded(browser: Browser, tmp_path: Path) -> None:
    hostile = HOSTILE.replace('"', '\\"')
    (tmp_path / "old.pgn").write_text(
        f'[White "Ann"]\n[Black "{hostile}"]\n[Date "2026.05.01"]\n\n1. e4 e5 2. Nf3 1-0\n\n[White "Cid"]\n\n1. d4 *\n'
    )
    tabs = with_games(browser, tmp_path)
    page = next(tabs)
    page.locator("#games").click()
    expect(page.locator(".game-line")).to_have_count(2)
    page.get_by_label("Search").fill("ann")
    expect(page.locator(".game-line")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download PGN").click()
    assert "Nf3" in Path(download.value.path()).read_text()
    page.locator(".game-line").click()
    expect(page.locator("#replay-title")).to_have_text(f"Ann – {HOSTILE}")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    board = page.locator("#replay-board")
    expect(board.locator('[data-square="e5"]')).to_have_attribute("aria-label", re.compile("black pawn"))
    page.keyboard.press("End")
    expect(board.locator('[data-square="f3"]')).to_have_attribute("aria-label", re.compile("white knight"))
    page.keyboard.press("Home")
    expect(board.locator('[data-square="e2"]')).to_have_attribute("aria-label", re.compile("white pawn"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Report a problem").click()
    assert Path(download.value.path()).read_bytes()[:2] == b"PK"
    page.get_by_role("button", name="Sensor timeline").click()
    expect(page.locator("#timeline-picture")).to_be_visible()
    assert next(tabs, None) is None


FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


def test_a_whole_game_by_finger(touch_page: Page) -> None:
    for number, move in enumerate(FOOLS_MATE, 1):
        touch_page.touchscreen.tap(*middle(touch_page, move[:2]))
        stands(touch_page, move[:2], "(white|black) .* in your hand")
        touch_page.touchscreen.tap(*middle(touch_page, move[2:]))
        expect(score(touch_page)).to_have_count(number)
    expect(ruling(touch_page)).to_contain_text("Black wins, checkmate")


def test_a_whole_game_by_keys(page: Page) -> None:
    at = "e2"
    square(page, at).focus()
    for number, move in enumerate(FOOLS_MATE, 1):
        for name in (move[:2], move[2:]):
            press_to(page, at, name)
            page.keyboard.press("Enter")
            at = name
        expect(score(page)).to_have_count(number)
    expect(ruling(page)).to_contain_text("Black wins, checkmate")
    expect(page.locator("#ruling")).to_have_attribute("aria-live", "polite")


def press_to(page: Page, at: str, name: str) -> None:
    """Walk with the arrow keys."""
    right, up = ord(name[0]) - ord(at[0]), int(name[1]) - int(at[1])
    for _ in range(abs(right)):
        page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
    for _ in range(abs(up)):
        page.keyboard.press("ArrowUp" if up > 0 else "ArrowDown")


def test_a_draw_on_offer_is_shown_and_accepted(page: Page) -> None:
    play(page, "e2e4", "e7e5")
    page.locator("#near-player").get_by_role("button", name="Draw").click()
    expect(page.locator("#near-player")).to_contain_text("offers a draw")
    page.locator("#far-player").get_by_role("button", name="Accept draw").click()
    expect(ruling(page)).to_contain_text("Draw")


def test_lights_beat_with_the_board_but_not_where_less_motion_is_wanted(page: Page) -> None:
    frame = "requestAnimationFrame(() => requestAnimationFrame(() => done(document.getAnimations().length)))"
    beating = f"new Promise((done) => {frame})"  # what is asked for is done by the next frame
    square(page, "g1").click()
    expect(ruling(page)).to_contain_text("must move")
    square(page, "g1").click()
    expect(square(page, "g1").locator('[data-light="owed"]').first).to_be_attached()
    assert page.evaluate(beating) > 0
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(beating) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(beating) > 0
    page.locator("#view").click()
    page.locator("#view-form").get_by_label("Lights").select_option("steady")
    assert page.evaluate(beating) == 0


def test_colours_and_size_are_chosen_and_kept(page: Page) -> None:
    page.locator("#view").click()
    page.get_by_label("Colours").select_option("dark")
    page.get_by_label("Letters").select_option("huge")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 22, 20)"
    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") > 22


def test_at_twice_the_size_everything_is_still_there(page: Page) -> None:
    page.set_viewport_size({"width": 600, "height": 430})  # what a window of 1200 by 860 is at 200 %
    play(page, "e2e4")
    assert page.evaluate("document.documentElement.scrollWidth") <= 600
    for name in ("Resign", "New game", "Games", "Names, result"):
        button = page.get_by_role("button", name=name).first
        button.scroll_into_view_if_needed()
        expect(button).to_be_visible()


def test_several_boards_on_the_big_screen(page: Page, browser: Browser, daemon: DaemonThread) -> None:
    other = DaemonThread()
    play(page, "e2e4")
    address = other.url.removeprefix("http://").rstrip("/")
    screen = open_page(browser, f"{daemon.url}watch?board=here&board={address}&background=transparent")
    wall = next(screen)
    expect(wall.locator(".watched")).to_have_count(2)
    expect(wall.locator(".watched").first).to_contain_text("1. e4")
    expect(wall.locator('.watched >> [data-square="e2"]').nth(1)).to_have_attribute(
        "aria-label", re.compile("white pawn")
    )
    assert wall.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert wall.locator("button").count() == 0
    assert next(screen, None) is None
    other.stop()


def test_on_the_network_a_page_is_paired_with_the_code(browser: Browser) -> None:
    daemon = DaemonThread("--host", "0.0.0.0")
    port = daemon.url.rstrip("/").rpartition(":")[2]
    tabs = open_page(browser, f"http://127.0.0.1:{port}/")
    page = next(tabs)
    square(page, "e2").click()
    stands(page, "e2", "white pawn$")
    page.get_by_role("button", name="Pair").click()
    page.get_by_label("The code").fill(daemon.code)
    page.locator("#pair-form").get_by_role("button", name="Pair").click()
    expect(page.locator("#new")).to_be_visible()
    play(page, "e2e4")
    page.reload()
    expect(page.locator("#new")).to_be_visible()
    assert next(tabs, None) is None
    daemon.stop()
