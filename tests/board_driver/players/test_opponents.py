"""Games against engines on the virtual board: a scripted one, and Stockfish with a number of nodes."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from board_driver.events import Ended, Irregular, Moved
from board_driver.mind import PromotionRule, TouchRule
from board_driver.players.company import Company
from board_driver.scan import ButtonName, Command
from rules.clock import parse_time_control
from rules.fen import START_FEN, parse_fen
from rules.pieces import PIECES
from rules.squares import Colour
from rules.uci import write_uci
from tests.board_driver.players.tables import RATE, PlayersAtTable, play
from tests.board_driver.players.test_book import write_book
from tests.board_driver.players.test_engine import BAD, scripted, starts, stockfish

OPENING = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7"
TOUCH_RULES = pytest.mark.parametrize("touch", [TouchRule.STRICT, TouchRule.FRIENDLY])


def engine(tmp_path: Path, way: str = "well", moves: str = OPENING, cp: str = "31") -> str:
    return str(scripted(tmp_path, way, moves, cp))


async def follow(at: PlayersAtTable, moves: str) -> None:
    """Play these moves, White's by decision and Black's by command."""
    for ply, uci in enumerate(moves.split()):
        if ply % 2:
            assert await at.commanded() == uci
        await at.carry_out(uci)


@TOUCH_RULES
def test_a_game_by_turns(touch: TouchRule, tmp_path: Path) -> None:
    at = play(lambda at: follow(at, OPENING), black=engine(tmp_path), touch=touch)
    assert at.ucis == OPENING.split()
    assert not [event for event in at.told if isinstance(event, Irregular)]
    assert at.faults() == []
    assert starts(tmp_path) == 1


def test_its_name_goes_into_the_score_unless_somebody_has_said_otherwise(tmp_path: Path) -> None:
    async def script(at: PlayersAtTable) -> None:
        await at.until(lambda: at.corrections.present.tags.get("Black"), "the name")
        assert at.corrections.present.tags["Black"] == "Scripted 1.0 (1400)"
        at.corrections.tell({"Black": "The machine"})
        await at.carry_out("e2e4")
        await at.carry_out(await at.commanded())
        assert at.corrections.present.tags["Black"] == "The machine"

    play(script, black=engine(tmp_path) + ":elo=1400")


def test_two_engines_and_the_boards_own_hands(tmp_path: Path) -> None:
    async def script(at: PlayersAtTable) -> None:
        await at.until(lambda: len(at.ucis) == len(OPENING.split()), "all moves")

    at = play(script, white=engine(tmp_path), black=engine(tmp_path), moves_itself=True)
    assert at.ucis == OPENING.split()


def test_the_boards_own_hands_move_a_pawn_on_that_has_become_a_piece(tmp_path: Path) -> None:
    async def script(at: PlayersAtTable) -> None:
        await at.until(lambda: len(at.ucis) == 5, "all moves")

    moves = engine(tmp_path, moves="e7e8r h7h6 e8e3 h6h5 e3e1")
    at = play(script, moves, moves, fen="8/4P2k/8/8/8/8/8/1K6 w - - 0 1", moves_itself=True)
    assert at.ucis == ["e7e8r", "h7h6", "e8e3", "h6h5", "e3e1"]


def test_a_move_taken_back_cancels_the_search_and_the_next_move_is_accepted(tmp_path: Path) -> None:
    """TB-01, on the board: the engine is thinking (and answers only when it is stopped)."""

    async def script(at: PlayersAtTable) -> None:
        await at.carry_out("e2e4")
        opponent = at.company.seats.opponents[Colour.BLACK]
        await at.until(lambda: opponent.is_thinking, "thinking")
        await asyncio.sleep(0.2)
        await at.lift_and_put(("e4", "e2"))
        await at.until(lambda: not at.ucis, "the ply to go")
        assert not opponent.is_thinking
        assert at.found.get("command") is None
        await at.carry_out("d2d4")
        await at.until(lambda: opponent.is_thinking, "thinking again")

    at = play(script, black=engine(tmp_path, "only-when-stopped"))
    assert at.ucis == ["d2d4"]
    assert at.faults() == []


@TOUCH_RULES
@pytest.mark.parametrize("carried_out", [True, False])
def test_a_takeback_by_button_takes_both_plies(touch: TouchRule, carried_out: bool, tmp_path: Path) -> None:
    async def script(at: PlayersAtTable) -> None:
        await follow(at, "e2e4 e7e5 g1f3")
        assert await at.commanded() == "b8c6"
        if carried_out:
            await at.carry_out("b8c6")
        at.daemon.press_button(ButtonName.TAKEBACK, "white")
        await at.until(lambda: at.ucis == ["e2e4", "e7e5"], "both plies to be taken back")
        assert at.found.get("command") is None
        if carried_out:
            await at.lift_and_put(("c6", "b8"))
        await at.lift_and_put(("f3", "g1"))
        await at.carry_out("f1c4")
        await at.commanded()

    at = play(script, black=engine(tmp_path), touch=touch)
    assert at.ucis == ["e2e4", "e7e5", "f1c4"]


@pytest.mark.parametrize("engine_is_white", [True, False])
def test_the_pieces_set_up_anew_begin_another_game_with_the_same_opponent(
    engine_is_white: bool, tmp_path: Path
) -> None:
    async def script(at: PlayersAtTable) -> None:
        await follow_either(at, "e2e4 e7e5")
        at.daemon.press_button(ButtonName.RESIGN, "black" if engine_is_white else "white")
        await at.until(lambda: at.found["result"], "the end")
        await at.lift_and_put(("e4", "e2"), ("e5", "e7"))
        await at.until(lambda: len(at.daemon.mind.games()) == 2, "a new game")
        await follow_either(at, "e2e4 e7e5")

    async def follow_either(at: PlayersAtTable, moves: str) -> None:
        for ply, uci in enumerate(moves.split()):
            if (ply % 2 == 0) is engine_is_white:
                assert await at.commanded() == uci
            await at.carry_out(uci)

    program = engine(tmp_path)
    at = play(script, white=program if engine_is_white else "hand", black="hand" if engine_is_white else program)
    assert [len(game.plies) for game in at.daemon.mind.games()] == [2, 2]
    assert at.corrections.present.tags["White" if engine_is_white else "Black"] == "Scripted 1.0"


def test_an_opponent_told_so_takes_nothing_back(tmp_path: Path) -> None:
    async def script(at: PlayersAtTable) -> None:
        await follow(at, "e2e4")
        at.daemon.press_button(ButtonName.TAKEBACK, "white")
        await at.until(lambda: at.said("takeback"), "an answer")
        await at.commanded()

    at = play(script, black=engine(tmp_path) + ":takeback=no", touch=TouchRule.STRICT)
    assert at.ucis == ["e2e4"]


@pytest.mark.parametrize("way", ["dies-at-start", "dies-in-search", "killed", "illegal", "none", "half-line"])
def test_the_game_goes_on_with_an_engine_that_fails_now_and_then(way: str, tmp_path: Path) -> None:
    at = play(lambda at: follow(at, "e2e4 e7e5 g1f3 b8c6"), black=engine(tmp_path, f"{way}:2"))
    assert at.ucis == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert starts(tmp_path) >= 3
    assert any(BAD[way] in text and "the game goes on" in text for text in at.faults())


def test_an_engine_that_is_given_up_leaves_the_game_as_it_is(tmp_path: Path) -> None:
    async def script(at: PlayersAtTable) -> None:
        await at.carry_out("e2e4")
        await at.until(lambda: any("the game is kept" in text for text in at.faults()), "to be given up")
        assert at.company.seats.opponents[Colour.BLACK].gave_up
        assert at.ucis == ["e2e4"]
        at.daemon.press_button(ButtonName.RESIGN, "white")
        await at.until(lambda: at.found["result"] == "0-1", "the result")

    at = play(script, black=engine(tmp_path, "illegal"))
    assert any("begin a new game" in text for text in at.faults())


def test_an_opponent_that_is_gone_is_told_and_the_side_may_still_be_commanded(tmp_path: Path) -> None:
    """As when a game is resumed after its engine was removed."""

    async def script(at: PlayersAtTable) -> None:
        settings = replace(at.daemon.settings, players=("hand", str(tmp_path / "gone")))
        at.daemon.new_game(settings)
        await at.until(at.faults, "to be told")
        await at.carry_out("e2e4")
        at.daemon.inbox.put(Command(at.daemon.clock.now_ms(), "e7e5"))
        await at.carry_out(await at.commanded())

    at = play(script, black=engine(tmp_path))
    assert "black's player is not to be had" in at.faults()[0]
    assert at.ucis == ["e2e4", "e7e5"]


@pytest.mark.parametrize(("cp", "plies", "agreed"), [("0", 40, True), ("31", 40, False), ("-9", 2, False)])
def test_draw_offers_are_answered_by_what_it_thinks(cp: str, plies: int, agreed: bool, tmp_path: Path) -> None:
    shuffle = "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8 "
    # Never the same position three times, as far as that matters here: pawns go in between.
    moves = " ".join(f"{file}2{file}3 {file}7{file}6 {shuffle}" for file in "abdegh").split()[:plies + 2]

    async def script(at: PlayersAtTable) -> None:
        await at.until(lambda: len(at.ucis) >= plies, f"{plies} plies")
        at.company.hand.switch(False)  # type: ignore[union-attr]
        at.daemon.press_button(ButtonName.DRAW, "white")
        await at.until(lambda: at.found["result"] or len(at.said("draw")) > 1, "an answer")

    moves_of_white = engine(tmp_path, moves=" ".join(moves))
    at = play(script, white=moves_of_white, black=engine(tmp_path, moves=" ".join(moves), cp=cp), moves_itself=True)
    answers = [notice.details["answer"] for notice in at.said("draw")]
    assert answers[:2] == (["offered", "agreed"] if agreed else ["offered", "declined"])
    assert (at.found["result"] == "1/2-1/2") is agreed


def test_a_book_is_played_from_before_the_engine_is_asked(tmp_path: Path) -> None:
    after_e4 = parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    book = write_book(tmp_path / "b.bin", [(after_e4, "c7c5", 5), (after_e4, "g8f6", 1)])

    async def script(at: PlayersAtTable) -> None:
        await at.carry_out("e2e4")
        uci = await at.commanded()
        assert uci in ("c7c5", "g8f6")
        await at.carry_out(uci)

    play(script, black=f"{engine(tmp_path)}:book={book},seed=4")


def test_a_book_that_cannot_be_read_any_more_is_done_without(tmp_path: Path) -> None:
    start = parse_fen(START_FEN)
    book = write_book(tmp_path / "b.bin", [(start, "d2d4", 1)] * 9)

    async def script(at: PlayersAtTable) -> None:
        assert await at.commanded() == "d2d4"
        at.daemon.new_game(at.daemon.settings)
        book.write_bytes(b"")
        at.daemon.new_game(at.daemon.settings)
        await at.until(lambda: at.found.get("command") == "e2e4", "the engine's own move")

    at = play(script, white=f"{engine(tmp_path)}:book={book}")
    assert any("goes on without" in text for text in at.faults())


def test_what_is_our_own_mistake_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("board_driver.players.opponent.limits_for", broken)

    async def script(_at: PlayersAtTable) -> None:
        await asyncio.sleep(0.2)

    with pytest.raises(ZeroDivisionError):
        play(script, white=engine(tmp_path))


def test_a_hint_is_given_by_an_engine() -> None:
    stockfish()

    async def script(at: PlayersAtTable) -> None:
        at.daemon.press_button(ButtonName.HINT, "white")
        await at.until(lambda: at.found.get("hint"), "a hint")
        assert sorted(m.value for m in at.daemon.picture.values()) == ["hint", "hint"]

    play(script, fen="6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")


@pytest.mark.parametrize(
    ("told", "control", "asked"),
    [
        ("", None, "go movetime 1000"),
        ("", "5+3", r"go wtime 30\d{4} btime (2\d{5}|300000) winc 3000 binc 3000"),
        (":nodes=5,movetime=70", "5+3", "go nodes 5 movetime 70"),
    ],
)
def test_how_long_it_thinks(told: str, control: str | None, asked: str, tmp_path: Path) -> None:
    """As it was told; else by the chess clock; without one a second."""
    time_control = None if control is None else parse_time_control(control)
    at = play(lambda at: follow(at, "e2e4 e7e5"), black=engine(tmp_path) + told, time_control=time_control)
    assert at.ucis == ["e2e4", "e7e5"]
    assert re.fullmatch(asked, (tmp_path / "starts.go").read_text().splitlines()[0])


def test_its_clock_stops_when_its_move_comes_and_carrying_it_out_costs_nobody_time(tmp_path: Path) -> None:
    """CLOCK-01 and CLOCK-03: the reply is found at once and carried out late, within the grace."""

    async def script(at: PlayersAtTable) -> None:
        await at.carry_out("e2e4")
        await at.commanded()
        before = at.found["clock"]
        await asyncio.sleep(6 / RATE)
        await at.carry_out("e7e5")
        after = at.found["clock"]
        assert after["black_ms"] == before["black_ms"]
        assert before["white_ms"] - after["white_ms"] < 6000, "only from where the pawn stood"

    play(script, black=engine(tmp_path), time_control=parse_time_control("5+3"))


@TOUCH_RULES
def test_a_commanded_promotion_is_not_asked_about(touch: TouchRule, tmp_path: Path) -> None:
    async def script(at: PlayersAtTable) -> None:
        await at.carry_out(await at.commanded())

    fen = "7k/r3P3/8/8/8/8/8/1K6 w - - 0 1"
    at = play(script, white=engine(tmp_path, moves="e7e8r"), fen=fen, touch=touch, promotion=PromotionRule.ASK)
    assert at.ucis == ["e7e8r"]
    assert "asking" not in at.found


def test_hints_are_left_to_whoever_else_gives_them() -> None:
    """In training the task knows the move."""

    async def script(at: PlayersAtTable) -> None:
        assert Company.of(at.daemon, gives_hints=False).tutor is None
        assert at.company.tutor is not None

    play(script)


# -- Stockfish


@TOUCH_RULES
def test_a_whole_game_of_a_person_against_stockfish(touch: TouchRule) -> None:
    """White plays what comes into his mind, carefully, and carries out all that Stockfish plays until he is mated."""
    stockfish()
    chance = Random(5)

    async def script(at: PlayersAtTable) -> None:
        while not at.found["result"]:
            if at.position.turn is Colour.BLACK:
                await at.carry_out(await at.commanded())
            else:
                ucis = sorted(write_uci(at.position, move) for move in at.position.legal_moves())
                await at.carry_out(chance.choice(ucis))

    at = play(script, black="stockfish:nodes=3000", touch=touch, rate=100.0)
    assert (at.found["result"], at.found["reason"]) == ("0-1", "checkmate")
    assert not [event for event in at.told if isinstance(event, Irregular)]
    assert at.faults() == []


def test_a_whole_game_of_stockfish_against_itself_moved_by_the_boards_hands() -> None:
    stockfish()

    async def script(at: PlayersAtTable) -> None:
        await at.until(lambda: at.found["result"], "the end", 200)

    at = play(script, "stockfish:nodes=60", "stockfish:nodes=3000", moves_itself=True, rate=200.0)
    assert not [event for event in at.told if isinstance(event, Irregular)]
    assert at.faults() == []
    assert len([event for event in at.told if isinstance(event, Ended)]) == 1
    assert len([event for event in at.told if isinstance(event, Moved)]) == len(at.ucis)


def test_chess960_with_castling_across_the_rook() -> None:
    stockfish()
    fen = "nrbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBRN w KQkq - 0 1"

    async def script(at: PlayersAtTable) -> None:
        await at.until(lambda: len(at.ucis) >= 30 or at.found["result"], "thirty plies", 100)

    text = "stockfish:nodes=500"
    at = play(script, text, text, fen=fen, chess960=True, moves_itself=True, rate=200.0)
    assert not [event for event in at.told if isinstance(event, Irregular)]
    assert at.faults() == []


def test_castling_across_the_rook_by_the_boards_hands(tmp_path: Path) -> None:
    async def script(at: PlayersAtTable) -> None:
        await at.until(lambda: at.ucis, "castling")

    fen = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1"
    at = play(script, white=engine(tmp_path, moves="f1g1"), fen=fen, chess960=True, moves_itself=True)
    assert at.ucis == ["f1g1"]
    assert at.position.piece_at(5) == PIECES["R"]


@pytest.mark.parametrize(
    ("fen", "uci"),
    [
        ("5rk1/5ppp/8/8/8/8/q4PPP/4K2R w K - 0 1", "e1g1"),
        ("7k/5Q2/8/8/2pP4/2P5/8/6K1 b - d3 0 1", "c4d3"),
        ("7k/r3P3/8/8/8/8/8/1K6 w - - 0 1", "e7e8q"),
    ],
)
def test_the_special_moves_of_stockfish_are_carried_out(fen: str, uci: str) -> None:
    """Castling, en passant and a promotion, where there is nothing better."""
    stockfish()
    white = fen.split()[1] == "w"

    async def script(at: PlayersAtTable) -> None:
        await at.until(lambda: at.ucis, "the move")

    text = "stockfish:nodes=200000"
    at = play(script, text if white else "hand", "hand" if white else text, fen=fen, moves_itself=True)
    assert at.ucis[0] == uci
    assert at.faults() == []


@pytest.mark.parametrize(
    ("fen", "uci"),
    [
        ("7k/r3P3/8/8/8/8/8/1K6 w - - 0 1", "e7e8n"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1"),
        ("rn2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8r"),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6"),
    ],
)
@TOUCH_RULES
def test_special_moves_carried_out_by_a_person(fen: str, uci: str, touch: TouchRule, tmp_path: Path) -> None:
    async def script(at: PlayersAtTable) -> None:
        await at.carry_out(await at.commanded())

    at = play(script, white=engine(tmp_path, moves=uci), fen=fen, touch=touch)
    assert at.ucis == [uci]
    assert not [event for event in at.told if isinstance(event, Irregular)]
