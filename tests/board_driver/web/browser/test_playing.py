"""The page in a real browser: games by mouse, finger and keys, and what happens when something goes wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.board_driver.web.browser.conftest import DaemonThread
from tests.board_driver.web.conftest import RunningDaemon, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
PROMOTING = "7k/P7/8/8/8/8/8/7K w - - 0 1"


def expect(locator: Locator):  # type: ignore[no-untyped-def]  # playwright's own overloads
    from playwright.sync_api import expect as wait_for  # noqa: PLC0415

    return wait_for(locator, "")


def square(page: Page, name: str) -> Locator:
    return page.locator(f'#board [data-square="{name}"]')


def middle(page: Page, name: str) -> tuple[float, float]:
    box = square(page, name).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, *moves: str) -> None:
    """Carry pieces with the mouse, each as in `e2e4`, waiting until the arbiter has seen the move."""
    for move in moves:
        page.mouse.move(*middle(page, move[:2]))
        page.mouse.down()
        page.mouse.move(*middle(page, move[2:]), steps=3)
        page.mouse.up()


def play(page: Page, *moves: str) -> None:
    """`drag`, but each only after the move before is in the score."""
    for number, move in enumerate(moves, 1):
        drag(page, move)
        expect(score(page)).to_have_count(number)


def score(page: Page) -> Locator:
    return page.locator("#score .move:not(:empty)")


def ruling(page: Page) -> Locator:
    return page.locator("#ruling")


def stands(page: Page, name: str, piece: str) -> None:
    """Wait until that piece, or nothing (`empty`), stands on the square."""
    expect(square(page, name)).to_have_attribute("aria-label", re.compile(f"^{name}, {piece}"))


def lit(page: Page, name: str, meaning: str) -> None:
    expect(square(page, name).locator(f'[data-light="{meaning}"]').first).to_be_attached()


def test_a_short_game_by_mouse_to_mate(page: Page) -> None:
    play(page, "e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6")
    expect(page.locator("#near-player")).to_have_class(re.compile("to-move"))
    drag(page, "h5f7")
    expect(ruling(page)).to_contain_text("White wins, checkmate")
    expect(score(page)).to_have_text(["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"])
    stands(page, "f7", "white queen")
    expect(page.locator('#tray [data-tray="p"]')).to_have_count(1)


def test_what_is_touched_is_lit_and_named(page: Page) -> None:
    square(page, "g1").click()
    stands(page, "g1", "white knight in your hand")
    expect(ruling(page)).to_contain_text("white knight on g1 must move")
    lit(page, "f3", "destination")
    lit(page, "h3", "destination")
    expect(page.locator("#legend")).to_contain_text("may go here")
    square(page, "f3").click()
    expect(score(page)).to_have_text(["Nf3"])


def test_a_move_by_keys(page: Page) -> None:
    square(page, "e2").focus()
    page.keyboard.press("Enter")
    stands(page, "e2", "white pawn in your hand")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    expect(score(page)).to_have_text(["e4"])
    for key in ["ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp"]:
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    stands(page, "f7", "black pawn in your hand")
    page.keyboard.press("Escape")
    stands(page, "f7", "black pawn$")
    expect(page.locator(":focus")).to_have_attribute("data-square", "f7")


def test_the_keyboard_reaches_every_control(page: Page) -> None:
    who = "(({id, dataset, textContent}) => id || dataset.square || textContent)(document.activeElement)"
    seen = set()
    page.locator("#flip").focus()
    for _ in range(30):
        seen.add(page.evaluate(who))
        page.keyboard.press("Tab")
    assert {"flip", "new", "e2", "score", "Adjust", "Resign"} <= seen


def test_a_move_by_finger(touch_page: Page) -> None:
    touch_page.touchscreen.tap(*middle(touch_page, "e2"))
    stands(touch_page, "e2", "white pawn in your hand")
    touch_page.touchscreen.tap(*middle(touch_page, "e4"))
    expect(score(touch_page)).to_have_text(["e4"])
    swipe(touch_page, "e7", "e5")
    expect(score(touch_page)).to_have_text(["e4", "e5"])


def swipe(page: Page, origin: str, destination: str) -> None:
    """Drag with one finger."""
    session = page.context.new_cdp_session(page)
    (x, y), (to_x, to_y) = middle(page, origin), middle(page, destination)
    steps = [("touchStart", x, y), ("touchMove", (x + to_x) / 2, (y + to_y) / 2), ("touchMove", to_x, to_y)]
    for kind, at_x, at_y in steps:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at_x, "y": at_y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_two_fingers_carry_two_pieces(touch_page: Page) -> None:
    session = touch_page.context.new_cdp_session(touch_page)

    def touch(kind: str, *names: str) -> None:
        points = [dict(zip("xy", middle(touch_page, name), strict=True), id=i) for i, name in enumerate(names)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", "e2")
    touch("touchStart", "e2", "e7")
    touch("touchMove", "e4", "e5")
    touch("touchEnd")
    stands(touch_page, "e4", "white pawn")
    stands(touch_page, "e5", "black pawn")


def test_a_touch_move_breach_is_shown_and_put_right(page: Page) -> None:
    square(page, "g1").click()
    expect(ruling(page)).to_contain_text("must move")
    square(page, "g1").click()
    stands(page, "g1", "white knight$")
    lit(page, "g1", "owed")
    drag(page, "b1c3")
    expect(ruling(page)).to_contain_text("Another piece was touched first")
    expect(page.locator("#remedy")).to_contain_text("White knight from c3 back to b1")
    lit(page, "c3", "illegal")
    lit(page, "b1", "put-here")
    drag(page, "c3b1")
    expect(page.locator("#remedy")).to_be_hidden()
    drag(page, "g1f3")
    expect(score(page)).to_have_text(["Nf3"])


@pytest.mark.parametrize("daemon", [("--fen", CASTLING)], indirect=True)
def test_castling_begun_with_the_rook_is_a_rook_move_in_strict_play(page: Page) -> None:
    drag(page, "h1f1")
    expect(score(page)).to_have_text(["Rf1"])
    drag(page, "e1g1")
    expect(ruling(page)).to_contain_text("king first")
    expect(page.locator("#remedy")).to_contain_text("White king from g1 back to e1")


@pytest.mark.parametrize("daemon", [("--fen", CASTLING)], indirect=True)
def test_castling_with_the_king_first(page: Page) -> None:
    drag(page, "e1g1", "h1f1")
    expect(score(page)).to_have_text(["O-O"])


@pytest.mark.parametrize("daemon", [("--fen", "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1")], indirect=True)
def test_an_illegal_move_is_named_and_guided_back(page: Page) -> None:
    drag(page, "a1a4")
    expect(ruling(page)).to_contain_text("leave the king in check")
    expect(page.locator("#remedy")).to_contain_text("back to a1")
    lit(page, "a4", "illegal")
    expect(page.locator("#ruling")).to_have_attribute("role", "status")
    drag(page, "a4a1")
    expect(page.locator("#remedy")).to_be_hidden()
    drag(page, "e1e2")
    expect(score(page)).to_have_text(["Kxe2"])


@pytest.mark.parametrize("daemon", [("--fen", PROMOTING)], indirect=True)
def test_a_promotion_by_button(page: Page) -> None:
    drag(page, "a7a8")
    expect(score(page)).to_have_text(["a8=Q+"])
    stands(page, "a8", "white queen")
    page.get_by_role("button", name="knight").click()
    expect(score(page)).to_have_text(["a8=N"])
    stands(page, "a8", "white knight")


@pytest.mark.parametrize("daemon", [("--fen", "7k/P5pp/8/8/8/8/8/4K3 w - - 0 1")], indirect=True)
def test_a_queen_that_mates_by_default_may_still_be_another_piece(page: Page) -> None:
    drag(page, "a7a8")
    expect(ruling(page)).to_contain_text("checkmate")
    page.get_by_role("button", name="knight").click()
    expect(score(page)).to_have_text(["a8=N"])
    expect(ruling(page)).not_to_contain_text("checkmate")
    page.get_by_role("button", name="rook").click()
    expect(ruling(page)).to_contain_text("checkmate")
    expect(page.locator("#promotion")).to_be_hidden()


@pytest.mark.parametrize("daemon", [("--fen", PROMOTING)], indirect=True)
def test_a_promotion_chosen_before_the_pawn_arrives(page: Page) -> None:
    square(page, "a7").click()
    page.get_by_role("button", name="rook").click()
    square(page, "a8").click()
    expect(score(page)).to_have_text(["a8=R+"])
    stands(page, "a8", "white rook")


@pytest.mark.parametrize("daemon", [("--fen", PROMOTING)], indirect=True)
def test_a_spare_queen_waits_beside_the_board(page: Page) -> None:
    queen = page.locator('#tray [data-tray="Q"]')
    queen.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#in-hand")).to_contain_text("In hand")
    square(page, "c3").click()
    stands(page, "c3", "white queen")


@pytest.mark.parametrize("daemon", [("--mode", "record")], indirect=True)
def test_record_mode_writes_down_what_is_played(page: Page) -> None:
    drag(page, "e2e4")
    expect(score(page)).to_have_text(["e4"])
    play_on = ["d7d5", "e4d5", "d8d5"]
    for number, move in enumerate(play_on, 2):
        drag(page, move)
        expect(score(page)).to_have_count(number)
    expect(score(page)).to_have_text(["e4", "d5", "exd5", "Qxd5"])
    expect(page.locator("#near-player button")).to_have_count(0)
    page.get_by_role("button", name="1–0").click()
    expect(page.locator("#score")).to_contain_text("1–0")


def test_a_move_taken_back_by_both_is_put_back_by_hand(page: Page) -> None:
    play(page, "e2e4")
    for side in ("#near-player", "#far-player"):
        page.locator(f"{side} button", has_text="Take back").click()
    expect(score(page)).to_have_count(0)
    expect(page.locator("#remedy")).to_contain_text("White pawn from e4 back to e2")
    drag(page, "e4e2")
    expect(page.locator("#remedy")).to_be_hidden()
    play(page, "d2d4")


def test_resigning_asks_once_more(page: Page) -> None:
    resign = page.locator("#near-player button", has_text="Resign")
    resign.click()
    armed = page.locator("#near-player button", has_text="Really resign?")
    expect(armed).to_be_visible()
    page.locator("h1").click()
    expect(armed).to_have_count(0)
    resign.click()
    armed.click()
    expect(ruling(page)).to_contain_text("Black wins, resignation")


def test_a_new_game_by_the_dialog(page: Page) -> None:
    play(page, "e2e4")
    page.locator("#new").click()
    page.get_by_label("Only write the game down").check()
    page.get_by_label("Rule set").select_option("blitz")
    page.get_by_label("Start from").fill(PROMOTING)
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#settings")).to_contain_text("recorder · blitz")
    stands(page, "a7", "white pawn")
    expect(score(page)).to_have_count(0)


def test_a_new_game_after_another_is_ruled_on_like_the_first(page: Page) -> None:
    play(page, "e2e4", "e7e5")
    square(page, "g1").click()
    expect(ruling(page)).to_contain_text("must move")
    page.locator("#new").click()
    page.get_by_role("button", name="Start").click()
    expect(score(page)).to_have_count(0)
    stands(page, "g1", "white knight$")
    expect(ruling(page)).to_have_text("White to move.")
    play(page, "d2d4", "d7d5")


def test_keeping_the_old_game_keeps_it(page: Page) -> None:
    play(page, "e2e4")
    page.locator("#new").click()
    page.get_by_role("button", name="Keep playing").click()
    drag(page, "e7e5")
    expect(score(page)).to_have_text(["e4", "e5"])


def test_text_from_outside_stays_text(page: Page) -> None:
    page.locator("#new").click()
    page.get_by_label("Start from").fill("<img src=x onerror=alert(1)><b>8/8</b>")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#refused")).to_contain_text("cannot be set up")
    assert page.locator("#refused *").count() == 0


def test_a_lost_connection_is_shown_and_comes_back_right(browser: Browser) -> None:
    daemon = RunningDaemon()
    page = next(tab := open_page(browser, daemon.url))
    play(page, "e2e4")
    daemon.kill()
    expect(page.locator("#connection")).to_contain_text("lost")
    square(page, "d7").click()
    expect(page.locator("#refused")).to_contain_text("No connection")
    stands(page, "d7", "black pawn$")
    daemon.start()
    expect(page.locator("#connection")).to_have_text("connected", timeout=15_000)
    stands(page, "e2", "white pawn$")
    expect(score(page)).to_have_count(0)
    play(page, "d2d4")
    assert next(tab, None) is None
    daemon.stop()


def test_two_tabs_agree(page: Page, browser: Browser, daemon: DaemonThread) -> None:
    other = next(tab := open_page(browser, daemon.url))
    play(page, "e2e4")
    stands(other, "e4", "white pawn")
    drag(other, "e7e5")
    expect(score(page)).to_have_text(["e4", "e5"])
    assert next(tab, None) is None


def test_flipped_the_board_is_seen_from_the_other_side(page: Page) -> None:
    page.locator("#flip").click()
    assert middle(page, "a1")[1] < middle(page, "a8")[1]
    assert middle(page, "a1")[0] > middle(page, "h1")[0]
    expect(page.locator("#near-player")).to_contain_text("Black")
    play(page, "e2e4")


@pytest.mark.parametrize("width", [320, 360, 768, 1200, 3840])
def test_nothing_sticks_out_of_the_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    square(page, "g1").click()
    lit(page, "f3", "destination")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_games_are_on_disk_when_the_daemon_is_stopped(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    daemon = RunningDaemon("--pgn", str(path))
    tabs = open_page(browser, daemon.url)
    play(next(tabs), "e2e4", "c7c5")
    assert next(tabs, None) is None
    daemon.stop()
    assert "1. e4" in path.read_text()
    assert "c5" in path.read_text()
