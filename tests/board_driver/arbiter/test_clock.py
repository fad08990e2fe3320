"""The chess clock in play mode: what starts it, moves it on, stops it and lets it fall."""

from __future__ import annotations

from typing import Any

import pytest

from board_driver.arbiter import Arbiter
from board_driver.events import ClockAct, Clocked, Ended, Event, Notice
from board_driver.mind import ClockStart, PromotionRule, TouchRule
from board_driver.replay import play_out
from board_driver.scan import Button, ButtonName, Command, Input
from rules.clock import parse_time_control
from rules.fen import START_FEN
from rules.squares import Colour
from tests.board_driver.arbiter.hands import Hands, settings

W, B = Colour.WHITE, Colour.BLACK
FIVE = "5+3"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
PROMOTE = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1"
BARE = "8/8/8/8/8/5k2/4q3/K7 w - - 0 1"


class Timed:
    """The arbiter after those hands, as far as time has come with them: nothing runs on."""

    def __init__(self, tokens: str, control: str = FIVE, fen: str = START_FEN, **changes: Any) -> None:
        pressed = any(token in ("W", "B") for token in tokens.split())
        setup = settings(fen, **({"clock": pressed, "time_control": parse_time_control(control)} | changes))
        self.hands = Hands(setup).do(tokens)
        self.arbiter = Arbiter(setup)
        self.events: list[Event] = []
        for item in self.inputs():
            self.give(item)
        self.at_ms = self.hands.t_ms + 500
        self.events += self.arbiter.advance(self.at_ms)

    def inputs(self) -> list[Input]:
        """What the hands did; `_` in a button's value is a space."""
        items = self.hands.inputs
        return [
            Button(i.t_ms, i.name, i.value and i.value.replace("_", " ")) if isinstance(i, Button) else i for i in items
        ]

    def give(self, item: Input) -> None:
        """One more input."""
        self.events += self.arbiter.receive(item)

    @property
    def clock(self) -> dict[str, Any]:
        """What the summary says of the clock."""
        shown = self.arbiter.summary()["clock"]
        assert isinstance(shown, dict)
        return shown

    @property
    def times(self) -> tuple[int, int, str | None]:
        """White's and Black's time, and whose runs."""
        return self.clock["white_ms"], self.clock["black_ms"], self.clock["running"]

    def acts(self) -> list[str]:
        """What changed the clock, in order."""
        return [event.act.value for event in self.events if isinstance(event, Clocked)]

    def plies(self) -> list[int | None]:
        """What the clocks showed after each move."""
        return [ply.clock_ms for ply in self.arbiter.games()[-1].plies]


# -- starting


def test_without_presses_the_first_touch_starts_it_and_moves_move_it_on() -> None:
    timed = Timed("~10000 -e2 ~4300 +e4 ~1300 -e7 +e5")
    # lifted at 10.7 s, set down 5 s later; the reply is set down 2.7 s after that
    assert timed.times == (300_000 - 5_000 + 3_000, 300_000 - 2_700 + 3_000, "white")
    assert timed.clock["since_ms"] == 18_400
    assert timed.acts() == ["start", "move", "move"]
    assert timed.plies() == [298_000, 300_300]


def test_by_setting_the_first_move_starts_it_and_costs_nothing() -> None:
    timed = Timed("~10000 -e2 ~4300 +e4 -e7 +e5", clock_start=ClockStart.MOVE)
    assert timed.times == (303_000, 300_000 - 1_400 + 3_000, "white")


def test_by_setting_it_starts_as_soon_as_the_pieces_stand() -> None:
    timed = Timed("~10000 -e2 ~4300 +e4", clock_start=ClockStart.AT_ONCE)
    assert timed.times == (300_000 - 15_700 + 3_000, 300_000, "black")


def test_an_adjusting_hand_starts_nothing() -> None:
    timed = Timed("adjust:white -e2 +e2")
    assert timed.clock["turn"] is None


def test_blacks_press_starts_whites_clock() -> None:
    timed = Timed("~1000 B ~10000 -e2 +e4 W", "5+3", clock=True)
    assert timed.times == (300_000 - 12_100 + 3_000, 300_000, "black")
    assert timed.acts() == ["start", "press"]


def test_who_presses_before_the_start_and_has_moved_nothing_is_not_blamed() -> None:
    """D19: his time does not run."""
    timed = Timed("W B -e2 +e4 W")
    assert timed.arbiter.summary()["fouls"] == {"white": 0, "black": 0}
    assert timed.times == (300_000 - 2_100 + 3_000, 300_000, "black")
    assert Timed("-e2 +e5 W").arbiter.summary()["fouls"] == {"white": 1, "black": 0}, "an illegal move is one"


def test_where_presses_are_delivered_no_touch_starts_it() -> None:
    timed = Timed("-e2 +e4", clock=True)
    assert timed.clock["turn"] is None
    assert timed.plies() == [None]
    timed = Timed("-e2 +e4 -e7 +e5 W", clock=True)
    assert timed.times == (300_000 + 3_000, 300_000, "black"), "the press that comes late starts it"


# -- presses


def test_presses_move_it_on_and_not_moves() -> None:
    timed = Timed("B -e2 +e4 ~2000 W ~700 -e7 +e5 ~300 B")
    assert timed.times == (300_000 - 4_100 + 3_000, 300_000 - 3_100 + 3_000, "white")
    assert timed.plies() == [298_900, 299_900]


def test_a_late_press_completes_the_move_and_time_ran_until_then() -> None:
    """FIDE Laws 6.2.2: the reply is made while the mover's clock still runs."""
    timed = Timed("B -e2 +e4 -e7 +e5 W B")
    assert timed.times == (300_000 - 3_500 + 3_000, 300_000 - 700 + 3_000, "white")


def test_a_press_that_bounces_or_is_not_his_is_nothing() -> None:
    once = Timed("B -e2 +e4 W")
    assert Timed("B -e2 +e4 W ~-600 W").times == once.times
    assert Timed("B B ~5000 B -e2 +e4 W").acts() == ["start", "press"]


def test_both_pressing_together_is_one_press() -> None:
    once = Timed("B -e2 +e4 W")
    together = Timed("B -e2 +e4 W ~-690 B")
    assert together.times == once.times
    assert together.arbiter.summary()["fouls"] == {"white": 0, "black": 0}
    assert Timed("B -e2 +e4 W B").arbiter.summary()["fouls"] == {"white": 0, "black": 1}


def test_bullet_presses_belong_to_the_plies_that_are_open() -> None:
    """FAST-05: each side moves before the other has pressed."""
    timed = Timed("B -e2 +e4 -c7 W +c5 -g1 B +f3 -d7 W +d6 B")
    assert timed.arbiter.summary()["uci"] == ["e2e4", "c7c5", "g1f3", "d7d6"]
    assert timed.acts() == ["start", "press", "press", "press", "press"]
    assert timed.clock["running"] == "white"


@pytest.mark.parametrize(
    ("control", "white_ms", "black_ms"),
    [
        ("5+0", 297_900, 297_200),
        ("5+3", 300_900, 300_200),
        ("5 b1", 298_900, 298_200),
        ("5 d2", 299_900, 299_200),
        ("hourglass 5", 300_700, 299_300),
        ("1/5, 1+0", 357_900, 357_200),
        ("5+3 vs 1+0", 300_900, 57_200),
    ],
)
def test_every_kind_of_control_runs(control: str, white_ms: int, black_ms: int) -> None:
    """White presses after 2.1 seconds, Black after 2.8."""
    assert Timed("B -e2 +e4 W -e7 ~700 +e5 B", control).times == (white_ms, black_ms, "white")


# -- flags


def test_a_flag_falls_and_loses() -> None:
    timed = Timed("-e2 +e4 ~59500", "1+0")
    assert timed.arbiter.summary()["result"] is None
    assert timed.arbiter.next_wake_ms() == 1_400 + 60_000 + 200
    timed.events += timed.arbiter.advance(10**6)
    said = timed.arbiter.summary()
    assert (said["result"], said["reason"]) == ("1-0", "flag")
    assert timed.times == (59_300, 0, None)
    assert timed.clock["flag"] == "black"
    notice = next(event for event in timed.events if isinstance(event, Notice))
    assert notice.text == "black's flag has fallen: white wins (FIDE Laws 6.9)"
    assert [event.reason for event in timed.events if isinstance(event, Ended)] == ["flag"]


def test_a_press_before_the_flag_saves_the_game() -> None:
    timed = Timed("B ~58000 -e2 +e4 ~-101 W ~1000", "1+0")
    assert timed.arbiter.summary()["result"] is None
    assert timed.clock["running"] == "black"
    assert timed.clock["white_ms"] == 1
    assert Timed("B ~58000 -e2 +e4 ~-100 W ~1000", "1+0").arbiter.summary()["reason"] == "flag"


def test_a_move_made_before_the_flag_saves_the_game_where_moves_count() -> None:
    """The hand set the man down in time; that it has settled is seen after the flag."""
    timed = Timed("-e2 ~59299 +e4 ~1000", "1+0")
    assert timed.arbiter.summary()["result"] is None
    assert timed.clock["white_ms"] == 1
    assert Timed("-e2 ~59300 +e4 ~1000", "1+0").arbiter.summary()["reason"] == "flag"


@pytest.mark.parametrize("clock", [False, True])
def test_mate_on_the_board_before_the_flag_wins(clock: bool) -> None:
    """FIDE Laws 5.1.1: the game has ended, and no press is needed."""
    tokens = "B -d1 ~58599 +d8 ~5000" if clock else "-d1 ~59299 +d8 ~5000"
    timed = Timed(tokens, "1+0", MATE_IN_ONE, clock=clock)
    said = timed.arbiter.summary()
    assert (said["result"], said["reason"]) == ("1-0", "checkmate")
    assert timed.clock["flag"] is None
    assert timed.clock["running"] is None


@pytest.mark.parametrize(
    ("fen", "result", "reason"),
    [
        (BARE, "0-1", "flag"),
        ("8/8/8/8/8/5k2/4q3/K7 b - - 0 1", "1/2-1/2", "flag-cannot-mate"),
        ("6k1/8/8/8/8/8/4n3/K6R w - - 0 1", "0-1", "flag"),
        ("7k/8/8/8/8/8/4q3/K6N b - - 0 1", "1/2-1/2", "flag-cannot-mate"),
    ],
)
def test_who_cannot_be_mated_does_not_lose_by_the_flag(fen: str, result: str, reason: str) -> None:
    """FIDE Laws 6.9."""
    timed = Timed("~70000", "1+0", fen, clock_start=ClockStart.AT_ONCE)
    said = timed.arbiter.summary()
    assert (said["result"], said["reason"]) == (result, reason)
    assert timed.clock["flag"] == ("white" if " w " in fen else "black")


def test_after_the_end_neither_presses_nor_time_do_anything() -> None:
    timed = Timed("-d1 +d8 ~100000 pause:white time:white_1000", "1+0", MATE_IN_ONE)
    assert timed.arbiter.summary()["reason"] == "checkmate"
    assert timed.times == (59_300, 60_000, None)
    assert timed.arbiter.next_wake_ms() is None


# -- penalties


@pytest.mark.parametrize(
    ("ruleset", "bonus_ms"), [("fide", 120_000), ("rapid", 60_000), ("blitz", 60_000), ("club3", 0)]
)
def test_a_completed_illegal_move_gives_the_opponent_time(ruleset: str, bonus_ms: int) -> None:
    """FIDE Laws 7.5.5, A.3: two minutes, one in rapid and blitz."""
    timed = Timed("B -e2 +e5 W", ruleset=ruleset)
    assert timed.times == (300_000 - (2_100 if bonus_ms else 0), 300_000 + bonus_ms, "white")
    assert timed.acts() == (["start", "bonus"] if bonus_ms else ["start"])
    timed = Timed("B -e2 +e5 W -e5 +e4 W", ruleset=ruleset)
    assert timed.times == (300_000 - 4_200 + 3_000, 300_000 + bonus_ms, "black")


def test_the_second_one_loses_and_stops_the_clock() -> None:
    timed = Timed("B -e2 +e5 W -e5 +e2 -e2 +e5 W")
    assert timed.arbiter.summary()["reason"] == "illegal-2"
    assert timed.clock["running"] is None


@pytest.mark.parametrize(("ruleset", "bonus_ms"), [("fide", 120_000), ("rapid", 60_000)])
def test_a_wrong_claim_gives_the_opponent_time(ruleset: str, bonus_ms: int) -> None:
    """FIDE Laws 9.5.3."""
    timed = Timed("-e2 +e4 claim:black", ruleset=ruleset)
    assert timed.clock["white_ms"] == 300_000 - 700 + 3_000 + bonus_ms


# -- promotion


def test_the_clock_of_who_promotes_runs_until_the_pawn_is_exchanged() -> None:
    """PROMO-10: it must not switch when the pawn arrives."""
    timed = Timed("-e7 +e8 ~5000", fen=PROMOTE)
    assert timed.clock["running"] == "white"
    timed = Timed("-e7 +e8 ~5900 -e8 +e8", fen=PROMOTE)
    assert timed.times == (300_000 - 8_000 + 3_000, 300_000, "black")
    assert timed.acts() == ["start", "promotion"]
    assert timed.plies() == [295_000]


@pytest.mark.parametrize("letter", ["q", "r"])
def test_a_choice_by_button_moves_the_clock_on(letter: str) -> None:
    timed = Timed(f"-e7 +e8 ~5300 promote:{letter}", fen=PROMOTE)
    assert timed.times == (300_000 - 6_700 + 3_000, 300_000, "black")
    assert timed.plies() == [296_300]


def test_an_opponent_who_goes_on_ends_the_wait() -> None:
    timed = Timed("-e7 +e8 ~5300 -h7 +g7", fen=PROMOTE)
    assert timed.plies() == [300_000 - 6_700 + 3_000, 300_000 - 700 + 3_000]
    assert timed.clock["running"] == "white"


def test_a_choice_made_before_moves_the_clock_on_at_once() -> None:
    timed = Timed("-e7 promote:r +e8", fen=PROMOTE)
    assert timed.times == (300_000 - 1_400 + 3_000, 300_000, "black")


def test_a_promotion_that_is_pressed_is_a_queen_and_the_clock_goes_on() -> None:
    """PROMO-06, FIDE Laws 7.5.2."""
    timed = Timed("B -e7 +e8 W -h7 +g7 ~5000 -e8 +e8", fen=PROMOTE)
    assert timed.arbiter.summary()["uci"] == ["e7e8q", "h7g7"]
    assert timed.times == (300_000 - 2_100 + 3_000, 300_000, "black")


@pytest.mark.parametrize("choice", ["promote:r", "-e8 +e8"])
def test_where_the_piece_is_asked_for_the_move_waits_and_his_time_runs(choice: str) -> None:
    """Nothing hangs, and the time is that of the player who promotes."""
    asked = Timed("-e7 +e8 ~5000", fen=PROMOTE, promotion=PromotionRule.ASK)
    assert asked.arbiter.summary()["uci"] == []
    assert asked.clock["running"] == "white"
    chosen = Timed(f"-e7 +e8 ~5000 {choice}", fen=PROMOTE, promotion=PromotionRule.ASK)
    assert len(chosen.plies()) == 1
    assert chosen.clock["running"] == "black"
    assert chosen.clock["white_ms"] < 300_000 - 5_000 + 3_000


def test_no_hang_for_a_minute_and_the_flag_still_falls() -> None:
    """PROMO-05: nobody chooses for a long time."""
    timed = Timed("-e7 +e8 ~58000", "1+0", PROMOTE)
    assert timed.arbiter.summary()["result"] is None
    timed.events += timed.arbiter.advance(timed.at_ms + 5000)
    assert timed.arbiter.summary()["reason"] == "flag-cannot-mate"


MATES_BY_PAWN = "2k5/6P1/2K5/8/8/8/p7/8 w - - 0 1"


@pytest.mark.parametrize("clock", [False, True])
def test_a_flag_before_the_new_piece_stands_comes_before_its_mate(clock: bool) -> None:
    """PROMO-13: the order is told, and the mate not awarded silently (FIDE Laws 4.7.3, 5.1.1, 6.8)."""
    tokens = "-g7 ~57000 +g8 ~4000 -g8 +g8"
    timed = Timed(f"B {tokens}" if clock else tokens, "1+0", MATES_BY_PAWN, clock=clock)
    said = timed.arbiter.summary()
    assert (said["uci"], said["result"], said["reason"]) == (["g7g8q"], "0-1", "flag")
    told = [(event.kind, event.t_ms) for event in timed.events if isinstance(event, Notice)]
    assert [kind for kind, _ in told if "flag" in kind] == ["flag", "flag-first", "after-flag"]
    assert told[-1][1] > told[-2][1] + 1000
    assert [event.reason for event in timed.events if isinstance(event, Ended)] == ["flag"]


@pytest.mark.parametrize(
    "tokens", ["-g7 ~57000 +g8 -g8 +g8 ~9000", "-g7 ~57000 +g8 promote:q ~9000", "B -g7 ~57000 +g8 W ~9000"]
)
def test_a_mate_whose_piece_stands_in_time_wins(tokens: str) -> None:
    timed = Timed(tokens, "1+0", MATES_BY_PAWN)
    assert timed.arbiter.summary()["reason"] == "checkmate"
    assert timed.clock["flag"] is None
    assert timed.clock["running"] is None


def test_a_queen_that_nobody_chose_mates_after_a_while() -> None:
    timed = Timed("-g7 +g8 ~15000", "1+0", MATES_BY_PAWN)
    assert timed.arbiter.summary()["reason"] == "checkmate"
    assert timed.clock["running"] is None


# -- taking back


def test_a_move_taken_back_puts_both_clocks_back() -> None:
    """TB-01: White has the move again and White's clock runs; his thinking stays paid for."""
    timed = Timed("-d2 ~4300 +d4 ~10000 -d4 +d2", touch=TouchRule.FRIENDLY)
    assert timed.arbiter.summary()["uci"] == []
    assert timed.times == (300_000 - 5_000, 300_000, "white")
    assert timed.acts() == ["start", "move", "take-back"]
    again = Timed("-d2 ~4300 +d4 ~10000 -d4 +d2 ~1300 -e2 +e4", touch=TouchRule.FRIENDLY)
    assert again.times == (300_000 - 5_000 - 2_700 + 3_000, 300_000, "black")


def test_a_move_corrected_on_the_board_keeps_its_time() -> None:
    timed = Timed("-e2 +e3 ~5000 -e3 +e4", touch=TouchRule.FRIENDLY)
    assert timed.arbiter.summary()["uci"] == ["e2e4"]
    assert timed.times == (300_000 - 700 + 3_000, 300_000, "black")
    assert timed.clock["since_ms"] == 1_400


def test_two_plies_taken_back_by_button() -> None:
    timed = Timed("-e2 +e4 -e7 +e5 -g1 +f3 takeback:black", touch=TouchRule.FRIENDLY)
    assert timed.arbiter.summary()["uci"] == ["e2e4"]
    assert timed.times == (302_300, 300_000 - 1_400, "black")


def test_with_presses_the_right_clock_runs_after_a_take_back() -> None:
    timed = Timed("B -e2 +e4 W ~5000 takeback:white takeback:black", clock=True)
    assert timed.times == (300_000 - 1_400, 300_000, "white")
    timed = Timed("B -e2 +e4 W ~5000 takeback:white takeback:black -e4 +e2 -d2 +d4 W", clock=True)
    assert timed.arbiter.summary()["uci"] == ["d2d4"]
    assert timed.clock["running"] == "black"
    assert timed.clock["white_ms"] == 300_000 - 1_400 - 5 * 700 + 3_000


def test_a_capture_undone_before_the_press_costs_only_its_time() -> None:
    """CAP-08: without a second press there is one ply."""
    fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    tokens = "B -e4 -d5 +d5 -d5 +d5 +e4 -e4 -d5 +d5 W"
    timed = Timed(tokens, fen=fen, touch=TouchRule.FRIENDLY)
    assert timed.arbiter.summary()["uci"] == ["e4d5"]
    assert timed.times == (300_000 - 7_000 + 3_000, 300_000, "black")


def test_plies_walked_back_put_the_clocks_back_one_by_one() -> None:
    tokens = "-e2 +e4 -e7 +e5 -g1 +f3 ~3000 -f3 +g1 -e5 +e7"
    timed = Timed(tokens, touch=TouchRule.FRIENDLY)
    assert timed.arbiter.summary()["uci"] == ["e2e4"]
    assert timed.times == (302_300, 300_000 - 1_400, "black")
    again = Timed(f"{tokens} -c7 +c5", touch=TouchRule.FRIENDLY)
    assert again.arbiter.summary()["uci"] == ["e2e4", "c7c5"]
    assert again.times == (302_300, 300_000 - 1_400 - 1_400 + 3_000, "white")


def test_both_clocks_stand_while_the_board_is_led_back() -> None:
    """RULE-01: the record is cut back; the clocks show what they showed then, and wait until the pieces stand."""
    led = Timed("-e2 +e4 -e7 +e5 -g1 +f3 back-to:1 ~60000")
    assert led.arbiter.summary()["uci"] == ["e2e4"]
    assert led.times == (302_300, 300_000 - 1_400, None)
    back = Timed("-e2 +e4 -e7 +e5 -g1 +f3 back-to:1 ~60000 -f3 +g1 -e5 +e7 ~1000")
    assert back.times == (302_300, 300_000 - 1_400, "black")
    assert back.acts()[-3:] == ["take-back", "pause", "resume"]


# -- pause and setting


def test_a_pause_holds_both_clocks_and_the_piece_stays_in_hand() -> None:
    """BUMP-05: the clock is paused with a rook in the hand; FIDE Laws 6.11.2."""
    fen = "3r2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
    timed = Timed("-d1 ~800 pause:white ~4800 pause:off ~300 -d8 +d8", fen=fen)
    assert timed.arbiter.summary()["uci"] == ["d1d8"]
    assert timed.acts() == ["start", "pause", "resume", "move", "stop"]
    assert timed.clock["white_ms"] == 300_000 - 1_500 - 1_000 - 700 + 3_000
    assert not any(isinstance(event, Ended) and event.reason == "flag" for event in timed.events)


def test_no_flag_falls_in_a_pause() -> None:
    timed = Timed("-e2 +e4 pause:on ~3600000", "1+0")
    assert timed.arbiter.next_wake_ms() is None
    assert timed.clock["paused"]
    assert Timed("-e2 +e4 pause:on pause:on pause:off pause:off", "1+0").acts() == ["start", "move", "pause", "resume"]


def test_a_move_made_in_a_pause_counts() -> None:
    timed = Timed("-e2 pause:on +e4 ~60000 pause:off -e7 +e5")
    assert timed.times == (300_000 - 700 + 3_000, 300_000 - 1_400 + 3_000, "white")


def test_nobody_has_left_while_his_time_runs() -> None:
    """A player may think for as long as he has time; a paused game that nobody goes on with was left."""
    assert Timed("-e2 +e4 ~120000", abandon_ms=60_000).arbiter.summary()["result"] is None
    left = Timed("-e2 +e4 pause:on ~120000", abandon_ms=60_000)
    assert left.arbiter.summary()["reason"] == "abandoned"


def test_the_arbiter_sets_and_adds_time() -> None:
    timed = Timed("-e2 +e4 time:white_60000 time:black_+120000 time:black_-1000")
    assert timed.clock["white_ms"] == 60_000
    assert timed.clock["black_ms"] == 300_000 - 2_100 + 119_000
    assert timed.acts() == ["start", "move", "set", "set", "set"]
    assert "white's clock is set to 1:00" in [event.text for event in timed.events if isinstance(event, Notice)]


def test_an_interruption_ends_with_the_next_touch() -> None:
    timed = Timed("-e2 +e4 pause:interrupted ~100000")
    assert timed.times == (302_300, 299_300, None)
    timed = Timed("-e2 +e4 pause:interrupted ~100000 -e7 +e5")
    assert timed.times == (302_300, 299_300 - 700 + 3_000, "white")


def test_an_interruption_of_a_pause_is_still_a_pause() -> None:
    assert Timed("-e2 +e4 pause:on pause:interrupted -e7 +e5").clock["paused"]


def test_without_a_clock_its_buttons_say_so() -> None:
    arbiter = Arbiter(settings())
    said = list(play_out(arbiter, Hands(settings()).do("pause:on -e2 +e4").inputs))
    assert [e.text for e in said if isinstance(e, Notice)] == [
        "button pause does nothing: there is no clock in this game"
    ]
    assert "clock" not in arbiter.summary()
    assert arbiter.games()[-1].time_control is None


# -- a player without hands


AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def commanded(tokens: str, at_ms: int, **changes: Any) -> Timed:
    """Black has no hands; its e7e5 comes at `at_ms`."""
    setup: dict[str, Any] = {"handless": frozenset({B}), "fen": AFTER_E4} | changes
    timed = Timed("", **setup)
    timed.give(Command(at_ms, "e7e5"))
    hands = Hands(settings(AFTER_E4))
    hands.t_ms = timed.at_ms
    for item in hands.do(tokens).inputs[1:]:
        timed.give(item)
    timed.events += timed.arbiter.advance(hands.t_ms + 500)
    return timed


def test_the_clock_of_a_commanded_side_stops_when_its_move_is_found() -> None:
    """CLOCK-01: not when it stands on the board, and it is never set back."""
    timed = commanded("~2300 -e7 +e5", 1000)
    assert timed.arbiter.summary()["uci"] == ["e7e5"]
    assert timed.clock["black_ms"] == 300_000 - 1_000 + 3_000
    assert timed.plies() == [302_000]
    assert timed.acts() == ["start", "command", "carried-out"]


def test_carrying_a_move_out_does_not_eat_the_own_time() -> None:
    """CLOCK-03: within the grace; what comes after it counts."""
    timed = commanded("~3000 -e7 +e5", 1000)
    assert timed.times == (300_000, 302_000, "white")
    assert timed.clock["since_ms"] == 500 + 3_000 + 1_400
    late = commanded("~30000 -e7 +e5", 1000)
    assert late.clock["white_ms"] == 300_000 - (500 + 30_000 + 1_400 - 11_000)
    assert commanded("~3000 -e7 +e5", 1000, execution_grace_ms=0).clock["white_ms"] == 300_000 - 3_900


def test_a_commanded_move_taken_back_is_shown_again_and_not_paid_twice() -> None:
    timed = commanded("-e7 +e5 ~3000 -e5 +e7", 1000, touch=TouchRule.FRIENDLY)
    assert timed.arbiter.summary()["uci"] == []
    assert timed.clock["running"] == "white"
    assert timed.clock["black_ms"] == 302_000


# -- the record


def test_the_record_says_what_really_ran() -> None:
    """CLOCK-05: the control of the clock, not one that somebody wrote down."""
    game = Timed("-e2 +e4", "90+30").arbiter.games()[-1]
    assert game.time_control == parse_time_control("90+30")
    assert Timed("", "90+30").arbiter.games()[-1].time_control is None


def test_a_new_game_has_a_new_clock() -> None:
    tokens = "-e2 +e4 resign:black ~500 -e4 +e2 ~3000"
    timed = Timed(tokens)
    assert len(timed.arbiter.games()) == 2
    assert timed.times == (300_000, 300_000, None)
    assert timed.clock["turn"] is None


def test_buttons_of_the_clock_by_name() -> None:
    assert ButtonName("pause") is ButtonName.PAUSE
    assert ButtonName("time") is ButtonName.TIME
    assert ClockAct("flag") is ClockAct.FLAG
