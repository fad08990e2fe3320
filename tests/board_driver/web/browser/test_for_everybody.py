"""Every view and dialog of the page: held to axe-core's rules, on a narrow screen, with large letters, own colours."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from board_driver.boards.catalogue import Choice
from board_driver.boards.virtual import VirtualBoard
from board_driver.mind import Mode, Settings
from board_driver.scan import Field
from rules.fen import parse_fen
from tests.board_driver.web.browser.conftest import DaemonThread
from tests.board_driver.web.browser.test_playing import PROMOTING, expect, play, ruling, square

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

LONG = "Maximiliane-Alexandrine von und zu Hohenstaufen-Wittelsbach, Schachgesellschaft Sankt Nikolausberg von 1872"
PGN = f'[White "{LONG}"]\n[Black "Bob"]\n[Event "{LONG}"]\n\n1. e4 {{[%emt 0:00:07] {LONG}}} e5 2. Nf3 Nc6 *\n\n'
DIALOGS: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "view": ("#view",),
    "new game": ("#new",),
    "set up": ("#new", "#open-setup"),
    "names": ("#header",),
    "correct": ("#correct",),
    "board": ("#health",),
    "clock": ("#clock-set",),
    "games": ("#games",),
    "replay": ("#games", ".game-line"),
    "correct a kept game": ("#games", ".game-line", "#replay-correct"),
    "timeline": ("#games", "#games-timeline"),
}
"""What is clicked to open each."""
READY = {
    "set up": ".setup-said li",
    "correct": "#correct-dialog option:nth-of-type(2)",
    "correct a kept game": "#correct-dialog option:nth-of-type(2)",
    "board": ".health-remarks li",
    "games": ".game-line",
    "replay": "#replay-moves button",
    "timeline": "#timeline-picture",
}
"""What is there once it is complete."""


def open_dialog(page: Page, name: str) -> None:
    for opener in DIALOGS[name]:
        page.locator(opener).first.click()
    if name in READY:
        expect(page.locator(READY[name]).first).to_be_attached()


def close_dialogs(page: Page) -> None:
    while page.locator("dialog[open]").count():
        page.keyboard.press("Escape")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[DaemonThread]:
    """A daemon that keeps games, one of them with long names."""
    (tmp_path / "old.pgn").write_text(PGN)
    daemon = DaemonThread("--games", str(tmp_path), "--time", "90+30")
    yield daemon
    daemon.stop()


def tab(browser: Browser, daemon: DaemonThread, **options: Any) -> Page:
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce", **options)
    page = context.new_page()
    page.goto(daemon.url)
    page.wait_for_selector("body[data-ready]")
    return page


# -- axe-core


def axe() -> Path:
    """Where axe-core was installed for the tests; skips where it was not."""
    path = Path(os.environ.get("AXE_CORE", "node_modules/axe-core/axe.min.js"))
    if not path.is_file():
        pytest.skip("accessibility rules need axe-core: npm install axe-core (or set AXE_CORE to its axe.min.js)")
    return path


def violations(page: Page, where: str, *without: str) -> list[tuple[str, str, list[str]]]:
    rules = json.dumps({rule: {"enabled": False} for rule in without})
    result = page.evaluate(f"axe.run(document, {{resultTypes: ['violations'], rules: {rules}}})")
    return [
        (where, violation["id"], [node["html"][:160] for node in violation["nodes"][:3]])
        for violation in result["violations"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark", "forced"])
def test_axe_finds_nothing_in_any_dialog(browser: Browser, house: DaemonThread, theme: str) -> None:
    rules = axe().read_text("utf-8")
    look = {"forced_colors": "active"} if theme == "forced" else {"color_scheme": theme}
    theirs = ["color-contrast"] if theme == "forced" else []  # who chose their own colours chose the contrast, too
    page = tab(browser, house, **look)
    play(page, "e2e4", "e7e5")
    page.evaluate(rules)
    square(page, "g1").click()
    expect(ruling(page)).to_contain_text("must move")
    found = []
    for name in DIALOGS:
        open_dialog(page, name)
        found += violations(page, name, *theirs)
        close_dialogs(page)
    page.context.close()
    assert found == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_the_way(browser: Browser, theme: str) -> None:
    """Wrong moves, offers, choices of a piece, a result, the big screen, a page that was not paired."""
    rules = axe().read_text("utf-8")
    found = []
    board = VirtualBoard(parse_fen(PROMOTING))
    daemon = DaemonThread("--host", "0.0.0.0", choice=Choice(board, Settings(mode=Mode.PLAY, start_fen=PROMOTING)))
    url = f"http://127.0.0.1:{daemon.url.rstrip('/').rpartition(':')[2]}/"
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce", color_scheme=theme)  # type: ignore[arg-type]
    page, screen = context.new_page(), context.new_page()
    for each, path in ((page, ""), (screen, "watch?board=here&board=here")):
        each.goto(url + path)
        each.wait_for_selector("body[data-ready]")
        each.evaluate(rules)
        found += violations(each, f"/{path}")
    page.get_by_role("button", name="Pair").click()
    found += violations(page, "pair")
    page.get_by_label("The code").fill(daemon.code)
    page.locator("#pair-form").get_by_role("button", name="Pair").click()
    expect(page.locator("#new")).to_be_visible()
    play(page, "a7a8")
    found += violations(page, "promotion")
    page.locator("#far-player").get_by_role("button", name="Draw").click()
    expect(page.locator("#far-player")).to_contain_text("offers a draw")
    found += violations(page, "offer")
    page.locator("#far-player").get_by_role("button", name="Resign").click()
    found += violations(page, "asked twice")
    page.locator("#far-player").get_by_role("button", name="Really resign").click()
    expect(ruling(page)).to_contain_text("White wins")
    found += violations(page, "over")
    found += violations(screen, "watch")
    context.close()
    daemon.stop()
    assert found == []


# -- room


@pytest.mark.parametrize(
    ("width", "height", "letters"), [(320, 640, "normal"), (360, 740, "huge"), (600, 430, "normal")]
)
def test_every_dialog_fits_a_small_window(
    browser: Browser, house: DaemonThread, width: int, height: int, letters: str
) -> None:
    """600 by 430 is what a window of 1200 by 860 is at 200 %."""
    page = tab(browser, house, viewport={"width": width, "height": height})
    play(page, "e2e4", "e7e5")
    page.evaluate(f"document.documentElement.dataset.size = '{letters}'")
    out = []
    for name in DIALOGS:
        open_dialog(page, name)
        sticking = page.evaluate(
            """() => [...document.querySelectorAll('dialog[open], body')].filter((box) => {
                const style = getComputedStyle(box);
                return box.scrollWidth > box.clientWidth + 1 || box.getBoundingClientRect().right > innerWidth + 1;
            }).map((box) => [box.id || box.tagName, box.scrollWidth, box.clientWidth])"""
        )
        if sticking:
            out.append((name, sticking))
        close_dialogs(page)
    page.context.close()
    assert out == []


def test_a_projector_is_filled_and_read_from_the_last_row(browser: Browser, house: DaemonThread) -> None:
    page = tab(browser, house, viewport={"width": 3840, "height": 2160})
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert board["height"] > 1600
    letters = page.evaluate("parseFloat(getComputedStyle(document.getElementById('ruling')).fontSize)")
    assert letters > 32
    page.context.close()


# -- signs that are no colours


def test_in_own_colours_the_squares_still_differ(browser: Browser, house: DaemonThread) -> None:
    page = tab(browser, house, forced_colors="active")
    colours = {
        name: page.evaluate(f"getComputedStyle(document.querySelector('#board [data-square={name}]')).backgroundColor")
        for name in ("a1", "b1")
    }
    assert colours["a1"] != colours["b1"]
    page.context.close()


def test_every_meaning_of_a_light_has_a_shape_of_its_own_and_words(page: Page) -> None:
    told = page.evaluate(
        """async () => {
            const { LIGHTS, drawLight, lightWords } = await import("/lights.js");
            const shape = (name) => drawLight(name).map((node) => node.innerHTML).join("|");
            return Object.keys(LIGHTS).map((name) => [name, shape(name), lightWords(name)]);
        }"""
    )
    looks = page.evaluate("fetch('/api/v1/state').then((answer) => answer.json()).then((state) => state.looks.rhythms)")
    assert {name for name, _, _ in told} >= set(looks)
    shapes = [shape for _, shape, _ in told]
    assert len(set(shapes)) == len(shapes)
    assert len({words for _, _, words in told}) == len(told)


def test_moves_and_rulings_are_announced(page: Page) -> None:
    play(page, "g1f3")
    expect(page.locator("#ruling .heard")).to_contain_text("knight")
    expect(page.locator("#ruling")).to_have_attribute("aria-live", "polite")
    expect(page.locator("#remedy")).to_have_attribute("role", "alert")
    assert "Black to move" in page.locator("#ruling").inner_text()


def test_a_field_board_shows_strengths_by_squares(browser: Browser) -> None:
    from board_driver.scan import Sensing  # noqa: PLC0415

    board = VirtualBoard(senses=Sensing.FIELD)
    daemon = DaemonThread(choice=Choice(board, Settings(mode=Mode.PLAY, sensing=Sensing.FIELD)))
    page = tab(browser, daemon)
    reading = board.reading()
    assert isinstance(reading, Field)
    page.locator("#health").click()
    page.locator("#health-dialog").get_by_label("Show").select_option("value")
    rows = page.locator("#health-dialog tbody tr")
    expect(rows.nth(7).locator("td").first).to_have_text(str(round(reading.strengths[0])))
    expect(rows.nth(0).locator("td").first).to_have_text(str(round(reading.strengths[56])))
    page.context.close()
    daemon.stop()
