"""The life of a game: setting up, taking back, beginning anew, ending; and positions nobody can explain."""

from __future__ import annotations

import pytest

from board_driver.events import Revised
from board_driver.mind import Settings
from board_driver.recorder.turns import Turn
from board_driver.scan import Button, ButtonName, Colours, Field, Identity, Input, Occupancy, Press, Scan, Sensing
from rules.clock import parse_time_control
from rules.fen import START_FEN, parse_fen
from rules.squares import Colour, squares_of
from tests.board_driver.recorder.hands import moves, play, record, row

KNIGHTS = moves("g1f3 g8f6 f3g1 f6g8")
ITALIAN = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 d8e7 e1g1 g8f6"
OPEN_GAME = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
SET_UP_AGAIN = "-e4 +e2 -e5 +e7 -f3 +g1 -c6 +b8"


# ---------------------------------------------------------------------- taking back
def test_a_ply_taken_back_leaves_the_score() -> None:
    recorded = play("-e2 +e4 ~2000 -e4 +e2 ~2000 -d2 +d4")
    assert recorded.uci == recorded.told() == ["d2d4"]


def test_several_plies_taken_back() -> None:
    recorded = play(moves("e2e4 e7e5 g1f3 b8c6") + " ~1500 -c6 +b8 -f3 +g1 -e5 +e7 ~1500 -c7 +c5")
    assert recorded.uci == recorded.told() == ["e2e4", "c7c5"]
    assert recorded.games == [["e2e4", "c7c5"]]


def test_a_capture_taken_back() -> None:
    recorded = play(moves("e2e4 d7d5 e4d5") + " ~1500 -d5 +e4 +d5 ~1500 -e4 +e5")
    assert recorded.uci == ["e2e4", "d7d5", "e4e5"]


def test_a_second_thought_remakes_the_ply() -> None:
    recorded = play("-f1 ~0 -e2 +e4 ~500 +f1 -e7 +e5 -f1 +e2 ~1500 -e2 +b5")
    assert recorded.uci[-1] == "f1b5"


# ---------------------------------------------------------------------- setting up anew
def test_setting_up_in_the_middle_begins_a_new_game() -> None:
    recorded = play(moves("e2e4 e7e5 g1f3 b8c6") + f" ~4000 {SET_UP_AGAIN} ~4000 " + moves("d2d4 d7d5"))
    assert recorded.games == [["e2e4", "e7e5", "g1f3", "b8c6"], ["d2d4", "d7d5"]]
    assert recorded.told() == ["d2d4", "d7d5"]
    assert recorded.result == "*"


def test_knights_out_and_home_are_no_new_game() -> None:
    recorded = play(KNIGHTS + " ~5000 " + moves("e2e4 e7e5"))
    assert recorded.games == [["g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5"]]


def test_one_ply_taken_back_to_the_start_is_no_new_game() -> None:
    assert play("-e2 +e4 ~3000 -e4 +e2 ~5000 -d2 +d4").games == [["d2d4"]]


def test_pieces_swept_off_are_no_moves() -> None:
    line = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"
    squares = "a1 b1 c1 d1 e1 h1 a2 b2 c2 d2 f2 g2 h2 e4 f3 c4 c5 c6 e5 a8 c8"
    sweep = f"-{squares.replace(' ', ' -')}"
    recorded = play(moves(line) + f" ~3000 {sweep}", step_ms=350)
    assert recorded.uci == line.split()
    assert recorded.result == "*"
    assert recorded.noticed("unexplained")


def test_pieces_put_on_the_board_one_after_the_other() -> None:
    start = parse_fen(START_FEN).occupied
    inputs: list[Input] = [Scan(0, Occupancy(0))]
    occupied, t_ms = 0, 0
    for square in squares_of(start):
        t_ms += 300
        occupied |= 1 << square
        inputs.append(Scan(t_ms, Occupancy(occupied)))
    inputs += row(moves("e2e4 e7e5"), start, start_ms=t_ms + 3000)
    assert record(inputs, Settings()).games == [["e2e4", "e7e5"]]


# ---------------------------------------------------------------------- ends
@pytest.mark.parametrize(
    ("tokens", "result"),
    [
        ("-e1 -e8 +e4 +d5", "1-0"),
        ("-e1 -e8 +d5 +e4", "1-0"),
        ("-e8 +d4 -e1 +e5", "0-1"),
        ("-e1 -e8 +d4 +e4", "1/2-1/2"),
        ("-e1 +e5 -e8 +d5", "1/2-1/2"),
    ],
)
def test_kings_in_the_centre_show_the_result(tokens: str, result: str) -> None:
    fen = "4k3/pp3ppp/8/8/8/8/PP3PPP/4K3 w - - 0 1"
    recorded = play(f"{moves('a2a4 a7a5', fen)} ~2000 {tokens} ~4000", fen)
    assert recorded.uci == recorded.told() == ["a2a4", "a7a5"]
    assert recorded.result == result
    assert recorded.ended() == [result]


def test_kings_back_from_the_centre_play_on() -> None:
    fen = "4k3/pp3ppp/8/8/8/8/PP3PPP/4K3 w - - 0 1"
    recorded = play("-e1 -e8 +e4 +d5 ~4000 -e4 -d5 +e1 +e8 ~3000 -a2 +a4", fen)
    assert recorded.uci == ["a2a4"]
    assert recorded.result == "*"


@pytest.mark.parametrize("step_ms", [150, 250, 350, 500])
def test_a_king_that_walks_through_the_centre_shows_no_result(step_ms: int) -> None:
    # For a moment the white king is in the hand while the black one and a pawn stand on centre squares.
    fen = "8/2p3p1/8/4k3/4P3/6K1/P5P1/8 b - - 0 1"
    line = "e5d4 g3f3 d4c4 a2a3 c4b3 f3e3 b3a3 e3d4 a3b4 e4e5"
    walk = "-e5 +d4 -g3 ~250 +f3 -d4 +c4 -a2 +a3 -c4 +b3 -f3 +e3 -b3 +a3 -e3 +d4 -a3 +b4 -e4 +e5"
    recorded = play(walk, fen, step_ms=step_ms)
    assert recorded.uci == line.split()
    assert recorded.ended() == []
    assert not [event for event in recorded.events if isinstance(event, Revised)]


def test_mate_ends_the_game() -> None:
    recorded = play(moves("f2f3 e7e5 g2g4 d8h4"))
    assert (recorded.uci[-1], recorded.ended(), recorded.result) == ("d8h4", ["0-1"], "0-1")


def test_a_mate_taken_back_ends_nothing() -> None:
    recorded = play(moves("f2f3 e7e5 g2g4 d8h4") + " ~2000 -h4 +d8 ~2000 -a7 +a6")
    assert (recorded.uci[-1], recorded.result) == ("a7a6", "*")


def test_a_result_is_never_guessed() -> None:
    assert play(moves(ITALIAN)).result == "*"


@pytest.mark.parametrize(
    ("button", "result"),
    [
        ("result:1/2-1/2", "1/2-1/2"),
        ("resign:white", "0-1"),
        ("draw:white draw:black", "1/2-1/2"),
        ("draw:white draw:white", "*"),
        ("result:seven", "*"),
        ("claim:white", "*"),
    ],
)
def test_what_people_say_by_button(button: str, result: str) -> None:
    recorded = play(moves("e2e4 e7e5") + f" {button}")
    assert (recorded.uci, recorded.result) == (["e2e4", "e7e5"], result)


def test_a_claim_that_holds() -> None:
    assert play(f"{KNIGHTS} ~300 {KNIGHTS} claim:white").result == "1/2-1/2"


# ---------------------------------------------------------------------- promotions
PROMOTION = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1"


def test_a_promotion_nothing_settles_is_marked() -> None:
    recorded = play("-e7 +e8", PROMOTION)
    assert recorded.uci == ["e7e8q"]
    assert recorded.recorder.summary()["uncertain"] == [1]
    (ply,) = recorded.recorder.games()[-1].plies
    assert set(ply.alternatives) == {"e7e8r", "e7e8b", "e7e8n"}


def test_a_promotion_settled_by_the_piece_that_moves() -> None:
    recorded = play("-e7 +e8 ~500 -h7 +g7 ~500 -e8 +g6 ~500 -g7 +h8", "8/4P2k/8/8/8/8/8/4K3 w - - 0 1")
    assert recorded.uci[0] in {"e7e8q", "e7e8b"}
    knight = play("-e7 +e8 ~500 -h7 +h6 ~500 -e8 +f6 ~500 -h6 +g5", PROMOTION)
    assert knight.uci[0] == "e7e8n"
    assert knight.recorder.summary()["uncertain"] == []


@pytest.mark.parametrize("fen", [PROMOTION, "3r4/4P3/7p/8/8/8/k6K/8 w - - 0 1"], ids=["alone", "or by taking"])
@pytest.mark.parametrize("tokens", ["promote:r -e7 +e8", "-e7 promote:r +e8", "-e7 +e8 promote:r"])
def test_a_promotion_chosen_by_button(tokens: str, fen: str) -> None:
    recorded = play(tokens, fen)
    assert recorded.uci == ["e7e8r"]
    assert recorded.recorder.summary()["uncertain"] == []


def test_a_choice_before_the_first_scan_counts() -> None:
    early = [Button(500, ButtonName.PROMOTE, "r"), *row("-e7 +e8", parse_fen(PROMOTION).occupied)]
    assert record(early, Settings(start_fen=PROMOTION)).uci == ["e7e8r"]


def test_a_choice_is_for_one_promotion() -> None:
    fen = "8/P3P3/7p/8/8/8/1k5K/8 w - - 0 1"
    recorded = play("promote:r -e7 +e8 ~500 -h6 +h5 ~500 -a7 +a8 ~500 -h5 +h4", fen)
    assert recorded.uci == ["e7e8r", "h6h5", "a7a8q", "h5h4"]


# ---------------------------------------------------------------------- what is not legal, and what nobody can explain
def test_an_illegal_move_that_stood_begins_a_fragment() -> None:
    recorded = play(moves("e2e4 e7e5") + " -a1 +a5 ~9000 -b8 +c6 ~6000 -g1 +f3 ~6000 -g8 +f6 ~6000")
    assert recorded.games == [["e2e4", "e7e5"], ["b8c6", "g1f3", "g8f6"]]
    assert recorded.noticed("illegal-move")
    first, second = recorded.recorder.games()
    assert first.result == second.result == "*"
    assert "Ra1-a5" in second.comment


def test_an_illegal_move_put_right_is_nothing() -> None:
    recorded = play(moves("e2e4 e7e5") + " -a1 +a5 ~4000 -a5 +a1 ~1000 -g1 +f3")
    assert recorded.games == [["e2e4", "e7e5", "g1f3"]]


def test_a_board_in_disorder_is_reported_and_the_game_goes_on_after_it() -> None:
    mess = "-a1/-b1/-c1/-d1/-e1/+a5/+b5/+h5 ~5000 +a1/+b1/+c1/+d1/+e1/-a5/-b5/-h5"
    recorded = play(moves("e2e4 e7e5") + f" ~1000 {mess} ~3000 " + moves("g1f3 b8c6"))
    assert recorded.noticed("unexplained")
    assert recorded.noticed("explained")
    assert recorded.uci == ["e2e4", "e7e5", "g1f3", "b8c6"]


@pytest.mark.parametrize(
    "knocked",
    [
        pytest.param("-a2/-b2/-c2/-a7/-b7/-c7 ~2000 +b7 ~900 +c7 ~900 +c2 ~350 +b2", id="two pawns"),
        pytest.param("-a2/-h7/-b7/-b8 ~2000 +b7 ~900 +b8", id="a pawn of each side"),
    ],
)
def test_men_knocked_down_and_two_of_them_felt_no_more(knocked: str) -> None:
    gambit = "f2f4 e5f4 g1f3 g7g5 h2h4 g5g4 f3e5 g8f6"
    recorded = play(f"{moves('e2e4 e7e5')} ~1500 {knocked} ~3000 {moves(gambit, OPEN_GAME)}", step_ms=350)
    assert recorded.games == [["e2e4", "e7e5", *gambit.split()]]


def test_a_man_knocked_down_with_others_and_felt_no_more() -> None:
    knocked = "-a2/-b7/-f7 ~950 +b7 ~1680 -g8 ~84 +g8 ~1223 +f7 ~39 -f7 ~38 +f7"
    gambit = "-f2 ~326 +f4 ~900 -f4 ~100 -e5 ~384 +f4 ~900 -g1 ~400 +f3 ~1500 -g7 ~350 +g5"
    recorded = play(f"-e2 ~400 +e4 ~900 -e7 ~400 +e5 ~321 {knocked} ~2204 {gambit} ~3000", step_ms=0)
    assert recorded.games == [["e2e4", "e7e5", "f2f4", "e5f4", "g1f3", "g7g5"]]


def test_plies_played_while_the_board_was_offline() -> None:
    before = parse_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3").occupied
    after = parse_fen("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4").occupied
    inputs = row(moves("e2e4 e7e5 g1f3 b8c6"), parse_fen(START_FEN).occupied)
    assert isinstance(inputs[-1], Scan)
    assert inputs[-1].reading == Occupancy(before)
    inputs += row("-d2 +d3", after, start_ms=inputs[-1].t_ms + 20000)
    assert record(inputs, Settings()).uci == ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "d2d3"]


# ---------------------------------------------------------------------- boards that lie otherwise
@pytest.mark.parametrize("turn", list(Turn))
def test_a_board_turned_or_mirrored(turn: Turn) -> None:
    sensors = {turn.square(sensor): sensor for sensor in range(64)}
    inputs: list[Input] = []
    for item in row(moves(ITALIAN) + " ~3000", parse_fen(START_FEN).occupied, step_ms=900):
        assert isinstance(item, Scan)
        assert isinstance(item.reading, Occupancy)
        occupied = sum(1 << sensors[square] for square in squares_of(item.reading.occupied))
        inputs.append(Scan(item.t_ms, Occupancy(occupied)))
    recorded = record(inputs, Settings())
    assert recorded.uci == ITALIAN.split()
    assert recorded.told() == recorded.uci
    assert recorded.noticed("board-turned") == (turn is not Turn.AS_IS)


# ---------------------------------------------------------------------- better sensors
def test_a_swap_that_occupancy_cannot_see_is_seen_by_colour() -> None:
    fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    before, after = parse_fen(fen), parse_fen("rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2")
    readings = [Colours(p.occupied_by(Colour.WHITE), p.occupied_by(Colour.BLACK)) for p in (before, after)]
    inputs = [Scan(0, readings[0]), Scan(1000, readings[1])]
    assert record(inputs, Settings(sensing=Sensing.COLOUR, start_fen=fen)).uci == ["e4d5"]


def test_identity_tells_what_a_pawn_became() -> None:
    before, after = parse_fen(PROMOTION), parse_fen("4N3/7k/8/8/8/8/8/4K3 b - - 0 1")
    inputs = [Scan(t, Identity(tuple(p.piece_at(s) for s in range(64)))) for t, p in ((0, before), (900, after))]
    recorded = record(inputs, Settings(sensing=Sensing.IDENTITY, start_fen=PROMOTION))
    assert recorded.uci == ["e7e8n"]
    assert recorded.recorder.summary()["uncertain"] == []


def test_one_reversed_magnet_leaves_occupancy() -> None:
    start = parse_fen(START_FEN)

    def field(occupied: int) -> Field:
        white = start.occupied_by(Colour.WHITE)
        signs = [(100 if white >> s & 1 or s == 28 else -100) * (-1 if s in {12, 28} else 1) for s in range(64)]
        return Field(tuple(float(sign if occupied >> s & 1 else 0) for s, sign in enumerate(signs)))

    inputs: list[Input] = []
    for item in row(moves("e2e4 e7e5 g1f3"), start.occupied):
        assert isinstance(item, Scan)
        assert isinstance(item.reading, Occupancy)
        inputs.append(Scan(item.t_ms, field(item.reading.occupied)))
    assert record(inputs, Settings(sensing=Sensing.FIELD)).uci == ["e2e4", "e7e5", "g1f3"]


# ---------------------------------------------------------------------- clocks
def presses(*left_ms: int | None) -> list[Input]:
    """Three plies, two seconds apart, each with its press 700 ms after the piece stands."""
    inputs = row("-e2 +e4 ~600 -e7 +e5 ~600 -g1 +f3", parse_fen(START_FEN).occupied)
    colours = (Colour.WHITE, Colour.BLACK, Colour.WHITE)
    stands = [inputs[index].t_ms for index in (2, 4, 6)]
    inputs += [Press(t + 500, colour, left) for t, colour, left in zip(stands, colours, left_ms, strict=True)]
    return sorted(inputs, key=lambda item: item.t_ms)


def test_a_clock_that_tells_its_time_is_written_down() -> None:
    (game,) = record(presses(300_000, 299_000, None), Settings()).recorder.games()
    assert [ply.clock_ms for ply in game.plies] == [300_000, 299_000, None]


def test_a_clock_is_kept_from_its_presses() -> None:
    settings = Settings(clock=True, time_control=parse_time_control("5+3"))
    (game,) = record(presses(None, None, None), settings).recorder.games()
    assert [ply.clock_ms for ply in game.plies] == [300_000, 301_000, 301_000]


def test_without_a_clock_none_is_written_down() -> None:
    (game,) = record(presses(None, None, None), Settings()).recorder.games()
    assert [ply.clock_ms for ply in game.plies] == [None, None, None]
    assert [ply.elapsed_ms for ply in game.plies] == [2400, 2000, 2000]


@pytest.mark.parametrize("said", [Press(0, Colour.WHITE), *(Button(0, name, "white") for name in ButtonName)])
def test_what_is_said_before_the_first_scan_says_nothing(said: Press | Button) -> None:
    inputs = [said, *row(moves("e2e4 e7e5"), parse_fen(START_FEN).occupied)]
    assert record(inputs, Settings()).uci == ["e2e4", "e7e5"] or said == Button(0, ButtonName.RESIGN, "white")
    assert record([said], Settings()).games == [[]]
