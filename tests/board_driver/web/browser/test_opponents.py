"""A game against an engine, from the dialog to the lights, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.board_driver.players.test_engine import scripted, stockfish
from tests.board_driver.web.browser.conftest import DaemonThread
from tests.board_driver.web.browser.test_playing import drag, expect, lit, ruling, score, square
from tests.board_driver.web.conftest import RunningDaemon, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def test_stockfish_is_called_in_and_its_moves_are_carried_out(page: Page) -> None:
    stockfish()
    page.click("#new")
    page.select_option("[name=opponent]", "stockfish")
    page.select_option("[name=strength]", "elo=1500")
    page.click("#new-dialog button[value=start]")
    expect(page.locator("#far-player .who")).to_have_text(re.compile(r"Stockfish .*\(1500\)"))
    expect(page.locator("#far-player .player-buttons button")).to_have_count(0)
    drag(page, "e2e4")
    expect(ruling(page)).to_contain_text("Black plays")
    origin = page.locator('#board [data-square]:has([data-light="command-from"])').get_attribute("data-square")
    goal = page.locator('#board [data-square]:has([data-light="command-to"])').get_attribute("data-square")
    assert origin is not None
    assert goal is not None
    drag(page, origin + goal)
    expect(score(page)).to_have_count(2)
    expect(page.locator('#board [data-light="command-from"]')).to_have_count(0)


def test_the_wrong_move_is_told_and_the_right_one_stays_lit(browser: Browser, tmp_path: Path) -> None:
    daemon = DaemonThread("--black", str(scripted(tmp_path, "well", "e2e4 e7e5")), "--touch", "friendly")
    try:
        for page in open_page(browser, daemon.url):
            drag(page, "e2e4")
            lit(page, "e7", "command-from")
            drag(page, "d7d5")
            expect(ruling(page)).to_contain_text("not black's move")
            lit(page, "d5", "illegal")
            lit(page, "e7", "command-from")
            drag(page, "d5d7", "e7e5")
            expect(score(page)).to_have_text(["e4", "e5"])
    finally:
        daemon.stop()


def test_the_board_moves_the_opponents_pieces_itself_when_asked_to(browser: Browser, tmp_path: Path) -> None:
    daemon = DaemonThread("--white", str(scripted(tmp_path, "well", "g1f3 e7e5")))
    try:
        for page in open_page(browser, daemon.url):
            lit(page, "g1", "command-from")
            page.check("#itself")
            expect(score(page)).to_have_text(["Nf3"])
            expect(square(page, "f3")).to_have_attribute("aria-label", re.compile("white knight"))
    finally:
        daemon.stop()


def test_a_hint_is_shown(page: Page) -> None:
    stockfish()
    page.click("#near-player button:text('Hint')")
    expect(page.locator('#board [data-light="hint"].under')).to_have_count(2)


def test_an_analysis_stands_beside_the_score_when_it_is_wanted(page: Page) -> None:
    stockfish()
    expect(page.locator("#judgement")).to_be_empty()
    page.check("#analysis")
    expect(page.locator("#judgement")).to_have_text(re.compile(r"[+−]\d\.\d\d · \S+"))
    page.uncheck("#analysis")
    expect(page.locator("#judgement")).to_be_empty()


def test_after_a_crash_there_is_the_same_opponent_with_the_same_lights(browser: Browser, tmp_path: Path) -> None:
    program = str(scripted(tmp_path, "well", "e2e4 e7e5 g1f3 b8c6"))
    daemon = RunningDaemon("--state", str(tmp_path / "state"), "--black", program)
    try:
        for page in open_page(browser, daemon.url):
            drag(page, "e2e4")
            lit(page, "e7", "command-from")
            daemon.kill()
            expect(page.locator("#connection")).to_contain_text("lost")
            daemon.start()
            expect(page.locator("#connection")).to_have_text("connected", timeout=20_000)
            lit(page, "e7", "command-from")
            drag(page, "e7e5", "g1f3")
            lit(page, "b8", "command-from")
            expect(score(page)).to_have_text(["e4", "e5", "Nf3"])
    finally:
        daemon.stop()
