"""The page in a real browser: positions set up, games put right, the board's lights and health, a night's silence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from board_driver.boards.board import Abilities, Inbox
from board_driver.boards.catalogue import Choice
from board_driver.boards.hallsteps import Step
from board_driver.lights.picture import Picture
from board_driver.mind import Mode, Settings
from board_driver.scan import ButtonName, Occupancy, Scan, Sensing
from rules.squares import parse_square
from tests.board_driver.web.browser.conftest import DaemonThread
from tests.board_driver.web.browser.test_playing import drag, expect, lit, play, ruling, score, square, stands
from tests.board_driver.web.conftest import open_page
from tests.board_driver.web.test_board_api import hall_board
from tests.electricity.test_calibration import Bench

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

ENDGAME = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
START = 0xFFFF00000000FFFF
PGN = '[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0\n\n'


class WiredBoard:
    """A board with buttons and lamps whose sensors say what the test has them say."""

    abilities = Abilities("club board", Sensing.OCCUPANCY)
    can_dim = True
    button_names = ("resign", "draw_white", "new_game")

    def __init__(self, occupied: int = START) -> None:
        self.occupied = occupied
        self.percent: int | None = None
        self.inbox: Inbox | None = None

    async def open(self, inbox: Inbox) -> None:
        self.inbox = inbox
        inbox.put(Scan(inbox.now_ms(), Occupancy(self.occupied)))

    async def show(self, picture: Picture) -> None:
        """Nothing to show it on."""

    async def close(self) -> None:
        """Nothing to close."""

    def dim(self, percent: int | None) -> None:
        self.percent = percent

    def sense(self, occupied: int) -> None:
        """From any thread."""
        assert self.inbox is not None
        self.inbox.put(Scan(self.inbox.now_ms(), Occupancy(occupied)))


def of_board(browser: Browser, board: Any, settings: Settings, *options: str) -> Iterator[Page]:
    daemon = DaemonThread(*options, choice=Choice(board, settings))
    yield from open_page(browser, daemon.url)
    daemon.stop()


def _playwright_error() -> type[Exception]:
    from playwright.sync_api import Error  # noqa: PLC0415

    return Error


def until(page: Page, expression: str) -> None:
    """Wait for it, without the `eval` that the page forbids."""
    for _ in range(400):
        with suppress(_playwright_error()):  # the page is being loaded anew
            if page.evaluate(expression):
                return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {expression}")


def setup_square(page: Page, name: str) -> Any:
    return page.locator(f'#setup-board [data-square="{name}"]')


def open_setup(page: Page) -> None:
    page.locator("#new").click()
    page.get_by_role("button", name="Set up a position").click()
    expect(page.locator("#setup-dialog")).to_be_visible()


# -- setting up


def test_a_position_is_set_up_with_the_mouse(page: Page) -> None:
    open_setup(page)
    page.get_by_role("button", name="Empty board").click()
    said = page.locator("#setup-dialog .setup-said")
    expect(said).to_contain_text("White has no king")
    expect(page.get_by_role("button", name="Use this position")).to_be_disabled()
    for piece, name in (("K", "e1"), ("k", "e8"), ("P", "e2"), ("P", "d8")):
        page.locator(f'.palette [data-piece="{piece}"]').hover()
        page.mouse.down()
        box = setup_square(page, name).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
        page.mouse.up()
    expect(said).to_contain_text("A pawn cannot stand on d8")
    expect(setup_square(page, "d8").locator('[data-light="illegal"]').first).to_be_attached()
    setup_square(page, "d8").hover()
    page.mouse.down()
    page.mouse.move(3, 3, steps=3)  # off the board
    page.mouse.up()
    expect(said).to_contain_text("can be played")
    page.locator("#setup-dialog").get_by_label("Black", exact=True).check()
    expect(page.locator("#setup-fen")).to_have_value(ENDGAME)
    page.get_by_role("button", name="Use this position").click()
    page.get_by_role("button", name="Start", exact=True).click()
    stands(page, "e2", "white pawn")
    expect(ruling(page)).to_contain_text("Black to move")
    play(page, "e8e7")


def test_a_position_is_set_up_with_keys_and_a_chosen_piece(page: Page) -> None:
    open_setup(page)
    page.get_by_role("button", name="Empty board").click()
    setup_square(page, "e2").focus()
    page.keyboard.press("Shift+P")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+K")
    for _ in range(7):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("k")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("q")
    expect(setup_square(page, "d8")).to_have_attribute("aria-label", re.compile("black queen"))
    page.keyboard.press("Delete")
    expect(setup_square(page, "d8")).to_have_attribute("aria-label", "d8, empty")
    page.locator('.palette [data-piece="R"]').focus()
    page.keyboard.press("Enter")
    setup_square(page, "a1").focus()
    page.keyboard.press("Enter")
    page.get_by_label("White O-O-O").check()
    expect(page.locator("#setup-fen")).to_have_value("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1")
    expect(page.locator(".setup-said")).to_contain_text("can be played")


def test_a_position_is_set_up_by_finger(touch_page: Page) -> None:
    open_setup(touch_page)
    touch_page.get_by_role("button", name="Empty board").tap()
    for piece, name in (("K", "e1"), ("k", "e8")):
        touch_page.locator(f'.palette [data-piece="{piece}"]').tap()
        setup_square(touch_page, name).tap()
    expect(touch_page.locator("#setup-fen")).to_have_value("4k3/8/8/8/8/8/8/4K3 w - - 0 1")


def test_a_fen_is_judged_as_it_is_typed(page: Page) -> None:
    open_setup(page)
    page.locator("#setup-fen").fill("<b>8/8</b> w - -")
    expect(page.locator(".setup-said")).to_contain_text("expected")
    assert page.locator(".setup-said b").count() == 0
    page.locator("#setup-fen").fill("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1")
    expect(page.locator(".setup-said")).to_contain_text("is dropped")
    page.locator("#setup-dialog").get_by_label("Chess960").check()
    expect(page.locator(".setup-said")).to_contain_text("can be played")


def test_real_pieces_are_put_up_one_by_one(browser: Browser) -> None:
    board = WiredBoard(0)
    tabs = of_board(browser, board, Settings(mode=Mode.PLAY, start_fen=ENDGAME))
    page = next(tabs)
    remedy = page.locator("#remedy")
    expect(remedy).to_contain_text("white king on e1. 3 squares to go")
    lit(page, "e1", "put-here")
    board.sense(1 << parse_square("e1"))
    expect(remedy).to_contain_text("white pawn on e2. 2 squares to go")
    board.sense(sum(1 << parse_square(name) for name in ("e1", "e2", "e8")))
    expect(remedy).to_be_hidden()
    expect(ruling(page)).to_contain_text("Black to move")
    assert next(tabs, None) is None


# -- putting right


def test_a_move_of_the_running_game_is_put_right(page: Page) -> None:
    play(page, "g1f3", "d7d5")
    page.get_by_role("button", name="Correct a move").first.click()
    dialog = page.locator("#correct-dialog")
    dialog.get_by_label("This move").select_option("1")
    expect(dialog).to_contain_text("19 other moves would fit")
    dialog.get_by_label("was").select_option("b1c3")
    dialog.get_by_role("button", name="Put it right").click()
    expect(score(page)).to_have_text(["Nc3", "d5"])
    expect(page.get_by_label("settled by hand")).to_be_visible()


def test_the_game_is_set_back_to_before_a_move_and_the_board_is_led_there(page: Page) -> None:
    play(page, "e2e4", "d7d5")
    page.get_by_role("button", name="Correct a move").first.click()
    dialog = page.locator("#correct-dialog")
    dialog.get_by_label("This move").select_option("2")
    dialog.get_by_role("button", name="Set the game back to before it").click()
    expect(score(page)).to_have_text(["e4"])
    lit(page, "d7", "put-here")
    drag(page, "d5d7")
    expect(page.locator("#remedy")).to_be_hidden()
    drag(page, "e7e5")
    expect(score(page)).to_have_text(["e4", "e5"])


def test_a_new_game_asks_what_a_pawn_becomes_if_it_is_begun_so(page: Page) -> None:
    page.locator("#new").click()
    form = page.locator("#new-form")
    form.get_by_label("Promotion").select_option("ask")
    form.get_by_label("Start from").fill("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    form.get_by_role("button", name="Start").click()
    stands(page, "a7", "white pawn")
    drag(page, "a7a8")
    expect(page.locator("#promotion")).to_contain_text("Promote to")
    expect(score(page)).to_have_count(0)
    page.locator("#promotion").get_by_role("button", name="rook").click()
    expect(score(page)).to_have_text(["a8=R"])


def test_a_game_in_a_file_is_put_right_and_replayed_on_the_lights(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "old.pgn").write_text(PGN)
    daemon = DaemonThread("--games", str(tmp_path))
    tabs = open_page(browser, daemon.url)
    page = next(tabs)
    page.locator("#games").click()
    page.locator(".game-line").click()
    page.get_by_label("Show each move on the board's lights").check()
    page.keyboard.press("End")
    for name, meaning in (("e1", "from"), ("g1", "to"), ("h1", "from"), ("f1", "to")):
        lit(page, name, f"command-{meaning}")
    expect(page.locator("#notice")).to_contain_text("show a replay")
    page.locator("#replay").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    lit(page, "e2", "command-from")
    lit(page, "e4", "command-to")
    page.locator("#replay-correct").click()
    dialog = page.locator("#correct-dialog")
    expect(dialog.get_by_label("This move")).to_have_value("1")
    dialog.get_by_label("This move").select_option("3")
    dialog.get_by_label("was").select_option("g1h3")
    dialog.get_by_role("button", name="Put it right").click()
    expect(page.locator("#replay-moves")).to_contain_text("2. Nh3")
    assert "{was Nf3}" in (tmp_path / "old.pgn").read_text()
    page.locator("#replay-header").click()
    page.locator("#header-dialog").get_by_label("White", exact=True).fill("Anna")
    page.locator("#header-dialog").get_by_role("button", name="Save").click()
    expect(page.locator("#replay-title")).to_have_text("Anna – Bob")
    page.locator("#games-dialog").get_by_role("button", name="Close").click()
    expect(page.locator("#notice")).to_be_hidden()
    expect(square(page, "e2").locator('[data-light="command-from"]')).to_have_count(0)
    assert next(tabs, None) is None
    daemon.stop()


def test_who_plays_takes_the_lights_back(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "old.pgn").write_text(PGN)
    daemon = DaemonThread("--games", str(tmp_path))
    tabs, others = open_page(browser, daemon.url), open_page(browser, daemon.url)
    page, other = next(tabs), next(others)
    page.locator("#games").click()
    page.locator(".game-line").click()
    page.get_by_label("Show each move on the board's lights").check()
    page.locator("#replay").focus()
    page.keyboard.press("ArrowRight")
    lit(other, "e2", "command-from")
    square(other, "g1").click()
    lit(other, "f3", "destination")
    expect(page.get_by_label("Show each move on the board's lights")).not_to_be_checked()
    expect(page.locator("#games-note")).to_contain_text("Somebody plays")
    assert next(tabs, None) is None
    assert next(others, None) is None
    daemon.stop()


def test_an_earlier_game_still_shows_what_the_sensors_told(browser: Browser, tmp_path: Path) -> None:
    daemon = DaemonThread("--state", str(tmp_path))
    tabs = open_page(browser, daemon.url)
    play(next(tabs), "e2e4", "e7e5")
    assert next(tabs, None) is None
    daemon.stop()
    daemon = DaemonThread("--state", str(tmp_path))
    tabs = open_page(browser, daemon.url)
    page = next(tabs)
    expect(score(page)).to_have_text(["e4", "e5"])
    page.locator("#games").click()
    page.locator(".game-line").click()
    page.get_by_role("button", name="What the sensors told").click()
    expect(page.locator("#timeline-picture")).to_be_visible()
    until(page, "document.getElementById('timeline-picture').naturalWidth > 0")
    assert next(tabs, None) is None
    daemon.stop()


# -- the board


def test_lights_and_buttons_of_a_real_board(browser: Browser, tmp_path: Path) -> None:
    board = WiredBoard()
    tabs = of_board(browser, board, Settings(mode=Mode.PLAY), "--state", str(tmp_path))
    page = next(tabs)
    expect(page.locator("#near-player button.physical")).to_have_text(["Draw", "Resign"])
    expect(page.locator("#far-player button.physical")).to_have_text(["Resign"])
    page.locator("#view").click()
    page.get_by_label("They show").select_option("faults-only")
    expect(page.locator("#settings")).to_contain_text("lights: faults only")
    expect(page.locator("#brightness-told")).to_have_text("as the profile says")
    page.locator("#brightness").focus()
    page.keyboard.press("End")
    expect(page.locator("#brightness-told")).to_have_text("100 %")
    assert board.percent == 100
    page.get_by_role("button", name="As the board's profile says").click()
    expect(page.locator("#brightness-told")).to_have_text("as the profile says")
    page.keyboard.press("Escape")
    page.locator("#health").click()
    dialog = page.locator("#health-dialog")
    expect(dialog).to_contain_text("buttons for: resign, offer or accept a draw (White), new game")
    board.sense(START & ~(1 << parse_square("e2")))
    board.sense(START)
    cell = dialog.locator("tbody tr").nth(6).locator("td").nth(4)  # e2
    expect(cell).to_have_text("2")
    dialog.get_by_label("Show").select_option("value")
    expect(cell).to_have_text("1")
    board.sense(START & ~(1 << parse_square("e2")))
    expect(cell).to_have_text("0")
    assert next(tabs, None) is None


def test_a_hall_board_is_calibrated_by_the_page(browser: Browser, tmp_path: Path) -> None:
    bench = Bench()
    board, circuit = hall_board(tmp_path, bench)
    tabs = of_board(browser, board, Settings(mode=Mode.PLAY, sensing=Sensing.FIELD))
    page = next(tabs)
    page.locator("#health").click()
    wizard = page.get_by_role("region", name="Calibration")
    wizard.get_by_role("button", name="Calibrate").press("Enter")
    expect(page.locator("#notice")).to_contain_text("being calibrated")
    for number, step in enumerate(Step, 1):
        expect(wizard).to_contain_text(f"step {number} of 4")
        if step is Step.START:  # nothing stands there yet: that is told, and read again
            wizard.get_by_role("button", name="Read this step").press("Enter")
            expect(wizard).to_contain_text("✕ No pieces are felt at all")
        circuit.set_magnets(bench.magnets_on(step))
        wizard.get_by_role("button", name="Read").press("Enter")
    expect(wizard).to_contain_text("Done: the calibration is in")
    assert (tmp_path / "board.calibration.json").exists()
    assert next(tabs, None) is None


# -- connections


def test_all_pages_are_forgotten_by_one(browser: Browser, tmp_path: Path) -> None:
    daemon = DaemonThread("--host", "0.0.0.0", "--state", str(tmp_path))
    port = daemon.url.rstrip("/").rpartition(":")[2]
    tabs = open_page(browser, f"http://127.0.0.1:{port}/")
    page = next(tabs)
    page.get_by_role("button", name="Pair").click()
    page.get_by_label("The code").fill(daemon.code)
    page.locator("#pair-form").get_by_role("button", name="Pair").click()
    expect(page.locator("#new")).to_be_visible()
    page.locator("#view").click()
    page.get_by_role("button", name="Forget all paired pages").click()
    page.keyboard.press("Escape")
    expect(page.locator("#pair")).to_be_visible()
    expect(page.locator("#new")).to_be_hidden()
    assert next(tabs, None) is None
    daemon.stop()


def test_after_a_night_the_page_notices_that_nobody_is_there(page: Page) -> None:
    """A laptop that slept finds a connection that looks alive and is dead: no word comes, no end is told."""
    play(page, "e2e4")
    page.evaluate("""() => {
        const Real = window.WebSocket, send = Real.prototype.send, fresh = new WeakSet();
        Real.prototype.send = function (...all) { if (fresh.has(this)) send.apply(this, all); };
        window.made = 0;
        window.WebSocket = class extends Real {
            constructor(...all) { super(...all); fresh.add(this); window.made += 1; }
        };
        const now = Date.now;
        Date.now = () => now() + 8 * 3600 * 1000;
    }""")
    until(page, "window.made > 0")
    expect(page.locator("#connection")).to_have_text("connected")
    expect(score(page)).to_have_text(["e4"])
    drag(page, "e7e5")
    expect(score(page)).to_have_text(["e4", "e5"])


def test_a_page_of_another_version_loads_itself_anew(page: Page, daemon: DaemonThread, monkeypatch: Any) -> None:
    from board_driver.web import page as page_module  # noqa: PLC0415

    play(page, "e2e4")
    page.evaluate("window.isOld = true")
    page.locator("#view").click()
    monkeypatch.setattr(page_module, "program_id", lambda: "the next version")
    daemon.do(lambda living: living.press_button(ButtonName.DRAW, "white"))
    expect(page.locator("#notice")).to_contain_text("another version")
    assert page.evaluate("window.isOld") is True  # not while somebody is writing something
    page.keyboard.press("Escape")
    daemon.do(lambda living: living.press_button(ButtonName.DRAW, "white"))
    until(page, "window.isOld === undefined")
    page.wait_for_selector("body[data-ready]")
    expect(score(page)).to_have_text(["e4"])
