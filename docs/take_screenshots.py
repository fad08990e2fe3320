"""`python docs/take_screenshots.py`: the pictures in the README, taken of the real page on the virtual board.

Needs the `test` extra and Chromium (Debian's `chromium`, or the path in the variable CHROMIUM).
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from board_driver.demo.script import GAME  # noqa: E402
from tests.board_driver.web.conftest import CHROMIUM, FLAGS  # noqa: E402

PLIES = 14
TOUCHED = "g5"
NAMES = {"White": "Judit Kovács", "Black": "Max Weber", "Event": "Club evening", "Round": "3"}


@contextmanager
def page_of_a_daemon() -> Iterator[str]:
    """The address of a fresh daemon's page."""
    command = [sys.executable, "-m", "board_driver", "run", "--port", "0", "--time", "90+30"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield next(word for word in process.stdout.readline().split() if word.startswith("http"))
    finally:
        process.terminate()
        process.wait(10)


def play(page: Page, uci: str, ply: int) -> None:
    """Click a move and wait until it is in the score."""
    page.click(f'[data-square="{uci[:2]}"]')
    page.click(f'[data-square="{uci[2:4]}"]')
    expect(page.locator("#score .move:not(:empty)")).to_have_count(ply)


def tell_names(page: Page) -> None:
    """Say who plays."""
    page.click("#header")
    for name, text in NAMES.items():
        page.fill(f'#header-form [name="{name}"]', text)
    page.click('#header-form button[value="save"]')
    expect(page.locator("#near-player .who")).to_have_text(NAMES["White"])


def main() -> None:
    with page_of_a_daemon() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 800}, device_scale_factor=1.5)
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        tell_names(page)
        for ply, uci in enumerate(GAME.split()[:PLIES], 1):
            play(page, uci, ply)
        page.emulate_media(reduced_motion="reduce")
        screen = browser.new_page(viewport={"width": 1200, "height": 800}, color_scheme="dark", reduced_motion="reduce")
        screen.goto(f"{address}watch")
        screen.wait_for_selector("body[data-ready]")
        screen.screenshot(path=ROOT / "docs" / "watch.png")
        page.click(f'[data-square="{TOUCHED}"]')
        expect(page.locator('[data-light="destination"]').first).to_be_attached()
        page.mouse.move(1190, 790)
        page.screenshot(path=ROOT / "docs" / "page.png")
        page.set_viewport_size({"width": 360, "height": 780})
        page.screenshot(path=ROOT / "docs" / "page-phone.png")
        browser.close()


if __name__ == "__main__":
    main()
