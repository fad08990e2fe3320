"""Around the rulings: friendly play, lights, words, setting up, new games, signs, and boards that see more."""

from __future__ import annotations

from typing import Any

import pytest

from board_driver.arbiter import Arbiter
from board_driver.arbiter.setting_up import diagnosis
from board_driver.events import Ended, Event, Fault, Irregular, Moved, Notice, RestoreAsked, Revised, Touched
from board_driver.mind import LightsSetting, TouchRule
from board_driver.replay import play_out
from board_driver.scan import Button, ButtonName, Colours, Input, Occupancy, Press, Scan, Sensing
from board_driver.sensing.cells import cells_of, cells_of_occupancy
from rules.fen import START_FEN, parse_fen
from rules.squares import FULL, Colour, parse_square, set_of, square_name
from tests.board_driver.arbiter.hands import Hands, Ruled, settings

CASTLE = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8"
PAWNS = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
PASSANT = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
PROMOTE = "8/4P1k1/8/8/8/8/P7/4K3 w - - 0 1"
PROTECTED = "4k3/8/8/b7/8/8/3q4/4K3 w - - 0 1"


def kinds(events: list[Event], *wanted: type) -> list[Any]:
    """The events of those kinds, in order."""
    return [event for event in events if isinstance(event, wanted)]


def plies(tokens: str, fen: str = START_FEN, **changes: Any) -> list[str]:
    """What was written down, as it was written: `+e4` made, `e4>e3` revised, `e4>` withdrawn (as UCI)."""
    out = []
    for event in kinds(Ruled(tokens, fen, touch=TouchRule.FRIENDLY, **changes).events, Moved, Revised):
        out.append(f"+{event.uci}" if isinstance(event, Moved) else f"{event.was}>{event.now or ''}")
    return out


# -- friendly play, and touch off


@pytest.mark.parametrize(
    ("tokens", "fen", "expected"),
    [
        ("-e2 +e3 -e3 +e4", START_FEN, ["+e2e3", "e2e3>e2e4"]),
        ("-e2 +e4 -e4 +e2", START_FEN, ["+e2e4", "e2e4>"]),
        ("-e2 +e4 -e7 +e7 -e4 +e3", START_FEN, ["+e2e4", "e2e4>e2e3"]),
        ("-e2 +e4 -e7 +e5 -e5 +e7 -e4 +e2", START_FEN, ["+e2e4", "+e7e5", "e7e5>", "e2e4>"]),
        ("-e2 +e4 W -e4 +e3", START_FEN, ["+e2e4"]),
        ("-h1 +f1 -e1 +g1", CASTLE, ["+h1f1", "h1f1>e1g1"]),
        ("-h1 -e1 +g1 +f1", CASTLE, ["+e1g1"]),
        ("-e1 +f1 -f1 +g1 -h1 +f1", CASTLE, ["+e1f1", "e1f1>e1g1"]),
        ("-e1 +g1 -g1 +e1 -b2 +b3", CASTLE, ["+b2b3"]),
        ("-e4 -d5 +d5 -d5 +e4 +d5", PAWNS, ["+e4d5", "e4d5>"]),
        ("-e7 +e8 -e8 +e7", PROMOTE, ["+e7e8q", "e7e8q>"]),
        ("-e5 +f6 -f6 +e6", PASSANT, ["+e5e6"]),
        ("-d5 +d5 -g1 +f3", PAWNS, ["+g1f3"]),
    ],
)
def test_friendly_play_lets_a_ply_be_corrected(tokens: str, fen: str, expected: list[str]) -> None:
    found = plies(tokens, fen)
    assert found[-1] == expected[-1]
    assert [f for f in found if f.startswith("+")][:1] == expected[:1]


def test_friendly_takeback_on_the_board_is_no_fault() -> None:
    ruled = Ruled("-e4 -d5 +d5 -d8 -d5 +d5 -d5 +d8 +d5 -d5 +e4 +d5", PAWNS, touch=TouchRule.FRIENDLY)
    assert ruled.summary["moves"] == []
    assert kinds(ruled.events, Irregular) == []


def test_strict_play_lets_nothing_be_corrected() -> None:
    assert kinds(Ruled("-e2 +e3 -e3 +e4").events, Revised) == []
    assert not any(event.provisional for event in kinds(Ruled("-e2 +e3").events, Moved))


def test_touch_off_knows_no_duty_but_the_rules_of_moving() -> None:
    assert Ruled("-g1 +g1 -e2", touch=TouchRule.OFF).summary["obligation"] == {"kind": "none", "squares": []}
    assert Ruled("-g1 +g1 -e2 +e4", touch=TouchRule.OFF).summary["moves"] == ["e4"]
    illegal = Ruled("-e2 +e5", touch=TouchRule.OFF).summary["illegal"]
    assert illegal["why"] == "not-a-move"


@pytest.mark.parametrize(
    ("tokens", "touch", "expected"),
    [
        ("-e2 +e4 takeback:white -e4 +e2", TouchRule.FRIENDLY, []),
        ("-e2 +e4 -e7 +e5 takeback:white", TouchRule.FRIENDLY, []),
        ("-e2 +e4 -e7 +e5 takeback:black", TouchRule.FRIENDLY, ["e4"]),
        ("-e2 +e4 takeback:white", TouchRule.STRICT, ["e4"]),
        ("-e2 +e4 takeback:white takeback:black", TouchRule.STRICT, []),
    ],
)
def test_takeback_by_button(tokens: str, touch: TouchRule, expected: list[str]) -> None:
    ruled = Ruled(tokens, touch=touch)
    assert kinds(ruled.events, Moved)
    assert Ruled(tokens + " -h7", touch=touch).summary["moves"] == expected


@pytest.mark.parametrize(
    ("tokens", "touch", "lift", "place"),
    [
        ("-e2 +e4 takeback:white takeback:black", TouchRule.STRICT, ["e4"], ["e2"]),
        ("-e2 +e4 takeback:white", TouchRule.FRIENDLY, ["e4"], ["e2"]),
        ("-e2 +e4 -e7 +e5 takeback:white", TouchRule.FRIENDLY, ["e4", "e5"], ["e2", "e7"]),
    ],
)
def test_summary_and_picture_show_how_a_move_taken_back_is_put_right(
    tokens: str, touch: TouchRule, lift: list[str], place: list[str]
) -> None:
    ruled = Ruled(tokens, touch=touch)
    asked = kinds(ruled.events, RestoreAsked)[-1]
    assert ruled.summary["restore"] == {"lift": lift, "place": place}
    assert ([square_name(s) for s in asked.lift], [square_name(s) for s in asked.place]) == (lift, place)
    assert ruled.summary["illegal"] is None
    assert {square_name(s): meaning for s, meaning in ruled.lights.items()} == {
        **dict.fromkeys(lift, "take-away"),
        **dict.fromkeys(place, "put-here"),
    }
    back = Ruled(f"{tokens} {' '.join(f'-{a} +{b}' for a, b in zip(lift, place, strict=True))}", touch=touch)
    assert "restore" not in back.summary
    assert back.lights == {}


def test_rulings_name_the_man_first() -> None:
    ruled = Ruled("-b1 +a3", "rnbqk1nr/pppp1ppp/4p3/8/1bPP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3")
    assert kinds(ruled.events, Irregular)[0].text.startswith("The white knight on a3 would leave the king in check")


# -- lights


@pytest.mark.parametrize(
    ("tokens", "fen", "lit"),
    [
        ("-e2", START_FEN, {"e3": "destination", "e4": "destination"}),
        ("-e2 +e4", START_FEN, {"e2": "last-move", "e4": "last-move"}),
        ("-g1 +g3", START_FEN, {"g1": "put-here", "g3": "illegal"}),
        ("-g1 +g3 -g3", START_FEN, {"f3": "destination", "h3": "destination"}),
        ("-g1 +g1 -e2 +e4", START_FEN, {"g1": "owed", "e2": "put-here", "e4": "illegal"}),
        ("-d5", PAWNS, {"d5": "capture", "e4": "owed"}),
        ("-e1 +g1", CASTLE, {"f1": "castling-rook", "h1": "castling-rook"}),
        ("-e1 -h1", CASTLE, {"f1": "castling-rook", "g1": "castling-king"}),
        ("-e5 +f6", PASSANT, {"f5": "remove"}),
        ("-e5 +f6 -g7", PASSANT, {"f5": "remove", "g7": "cannot-move"}),
        ("-a1", START_FEN, {"a1": "cannot-move"}),
        ("-e7 +e8", PROMOTE, {"e7": "last-move", "e8": "promotion"}),
        ("+e8", PROMOTE, {"e8": "unclear"}),
        ("+e4", START_FEN, {"e4": "take-away"}),
        ("-d2/-e4/-d5/-e7", PAWNS, {"d2": "put-here", "e4": "put-here", "d5": "put-here", "e7": "put-here"}),
        ("", "rnbqk1nr/pppp1ppp/4p3/8/1bPP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3", {"e1": "check"}),
    ],
)
def test_picture(tokens: str, fen: str, lit: dict[str, str]) -> None:
    assert Ruled(tokens, fen).lights == {int(parse_square(square)): meaning for square, meaning in lit.items()}


@pytest.mark.parametrize("tokens", ["-e2", "-e2 +e4", "-a1", "-e2 +e4 -e7 +e5 -g1"])
def test_faults_only_shows_no_help(tokens: str) -> None:
    assert Ruled(tokens, lights=LightsSetting.FAULTS_ONLY).lights == {}


def test_faults_only_shows_faults_and_none_shows_nothing() -> None:
    assert Ruled("-g1 +g3", lights=LightsSetting.FAULTS_ONLY).lit("g3") == "illegal"
    assert Ruled("-g1 +g3", lights=LightsSetting.NONE).lights == {}


# -- words


def test_restoring_is_told_man_by_man() -> None:
    asked = kinds(Ruled("-g8 +g6", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2").events, RestoreAsked)
    assert [event.text for event in asked] == ["Black knight from g6 back to g8"]
    both = kinds(Ruled("-e4 -d5 +e5", PAWNS).events, RestoreAsked)
    assert both[-1].text == "White pawn from e5 back to e4; black pawn back to d5"


def test_rulings_name_their_article() -> None:
    fault = kinds(Ruled("-g1 +g1 -e2 +e4").events, Irregular)[0]
    assert fault.article == "4.3.1"
    assert fault.text == "Another piece was touched first: the white knight on g1 must move (FIDE Laws 4.3.1)"
    claimed = kinds(Ruled("claim:Nf3 -d2 +d4").events, Irregular)[0]
    assert claimed.article == "9.5.3"
    assert claimed.text == (
        "A draw was claimed for another move, which must be made: the white knight on g1 must move (FIDE Laws 9.5.3)"
    )
    touched = kinds(Ruled("-e4 -d5", PAWNS).events, Touched)[-1]
    assert touched.text == "The black pawn on d5 must be captured by the white pawn on e4 (FIDE Laws 4.3.3)"


def test_the_default_queen_is_announced_and_an_end_by_it_held_back() -> None:
    stalemate = "8/k1P5/8/K7/8/8/8/8 w - - 0 1"
    ruled = Ruled("-c7 +c8", stalemate)
    assert [event.kind for event in kinds(ruled.events, Notice)] == ["promotion"]
    assert [event.t_ms for event in kinds(ruled.events, Ended)] == [11_600]
    assert kinds(Ruled("-c7 +c8 promote:r", stalemate).events, Ended) == []
    pressed = kinds(Ruled("-c7 +c8 W", stalemate).events, Ended)
    assert [event.t_ms for event in pressed] == [2300]


# -- before the game, and the next one


def test_one_cause_is_told_in_one_sentence() -> None:
    start = parse_fen(START_FEN)

    def told(occupied: int) -> str:
        return diagnosis(start, cells_of_occupancy(occupied), FULL)

    files = set_of(s for s in range(64) if s & 7 in (0, 1, 6, 7))
    assert "turned by 90 degrees" in told(files)
    assert told(start.occupied_by(Colour.WHITE)).startswith("No black piece is seen")
    assert told(start.occupied ^ 1 << parse_square("b1")) == "White knight missing on b1"
    assert told(0).startswith("The board reads empty")
    assert (
        told(start.occupied ^ 0x3C003C) == "8 squares are not as at the start of the game: fill c1, d1, e1, f1"
        "; clear c3, d3, e3, f3"
    )
    assert told(start.occupied) == ""
    exchanged = Colours(start.occupied_by(Colour.BLACK), start.occupied_by(Colour.WHITE))
    assert "turned round" in diagnosis(start, cells_of(exchanged), FULL)
    wrong = [start.piece_at(s) for s in range(64)]
    wrong[3], wrong[4] = wrong[4], wrong[3]
    assert diagnosis(start, tuple(wrong), FULL).startswith("Wrong men: white king on d1")


def finish(arbiter: Arbiter, inputs: list[Input]) -> list[Event]:
    """Everything decided on those inputs and until no timer is left."""
    return list(play_out(arbiter, inputs))


def test_pieces_set_up_anew_after_the_end_begin_another_game() -> None:
    setup = settings()
    hands = Hands(setup).do("-f2 +f3 -e7 +e5 -g2 +g4 -d8 +h4 -h4 +d8 -g4 +g2 -e5 +e7 -f3 +f2 ~3000 -e2 +e4")
    arbiter = Arbiter(setup)
    finish(arbiter, hands.inputs)
    found: Any = arbiter.summary()
    assert found["uci"] == ["e2e4"]
    assert [game["result"] for game in found["games"]] == ["0-1", None]
    assert [len(game.plies) for game in arbiter.games()] == [4, 1]


def test_lifts_after_the_end_begin_nothing() -> None:
    ruled = Ruled("-f2 +f3 -e7 +e5 -g2 +g4 -d8 +h4 -e1 ~5000 +e1")
    assert "games" not in ruled.summary
    assert ruled.summary["reason"] == "checkmate"


def test_taking_moves_back_to_the_start_begins_no_new_game() -> None:
    ruled = Ruled("-e2 +e4 -e4 +e2 ~9000 -d2 +d4", touch=TouchRule.FRIENDLY)
    assert ruled.summary["uci"] == ["d2d4"]
    assert "games" not in ruled.summary


# -- signs with the kings


KINGS = "4k3/8/8/p7/7P/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("tokens", "result"),
    [
        ("-e1 -e8 +e4 +d5 ~3000", "1-0"),
        ("-e1 -e8 +d4 +e5 ~3000", "0-1"),
        ("-e1 -e8 +d4 +e4 ~3000", "1/2-1/2"),
        ("-e1 -e8 +e4 +d5 -d5 +e8 -e4 +e1", None),
        ("-e1 -e8 -h4 +e4 +d5 ~3000", None),
    ],
)
def test_kings_in_the_centre_show_the_result(tokens: str, result: str | None) -> None:
    assert Ruled(tokens, KINGS).summary["result"] == result


def test_a_king_set_illegally_beside_the_other_is_no_sign() -> None:
    assert Ruled("-d3 +d4 ~9000", "8/8/8/3k4/8/3K4/8/7R w - - 0 1").summary["result"] is None


# -- boards that see more


@pytest.mark.parametrize("sensing", [Sensing.COLOUR, Sensing.IDENTITY])
@pytest.mark.parametrize(
    ("tokens", "fen", "moves", "why"),
    [
        ("-e4 ^d5", PAWNS, ["exd5"], None),
        ("-e4 -d5 +d5", PAWNS, [], None),
        ("-d2 -e1 +d2", PROTECTED, [], "king-into-check"),
        ("-d2 -e1 +d2=q", PROTECTED, [], None),
        ("-e7 +e8=q", PROMOTE, [], None),
        ("-e7 +e8=q -e8 +e8=Q", PROMOTE, ["e8=Q"], None),
        ("-e4 -d5 +e4=p", PAWNS, [], "out-of-turn"),
        ("-h1 -e1 +g1=R +e1=K", CASTLE, ["Rg1"], None),
    ],
)
def test_colours_and_pieces_leave_less_open(
    sensing: Sensing, tokens: str, fen: str, moves: list[str], why: str | None
) -> None:
    found = Ruled(tokens, fen, sensing=sensing).summary
    assert found["moves"] == moves
    assert (found["illegal"] or {}).get("why") == why


@pytest.mark.parametrize(
    ("tokens", "san"),
    [("-e7 +e8=N", "e8=N+"), ("-e7 +e8 -e8 +e8=R", "e8=R"), ("-e7 +e8 ^e8=B", "e8=B"), ("-e7 +e8", "e8=Q")],
)
def test_a_board_that_knows_its_pieces_sees_the_promotion(tokens: str, san: str) -> None:
    assert Ruled(tokens, PROMOTE, sensing=Sensing.IDENTITY).summary["moves"] == [san]


def test_a_piece_of_the_wrong_colour_is_sent_away() -> None:
    asked = kinds(Ruled("-e7 +e8=q", PROMOTE, sensing=Sensing.COLOUR).events, RestoreAsked)
    assert asked[-1].text.startswith("Take the black piece on e8 away")


def test_an_upside_down_magnet_is_followed() -> None:
    start = parse_fen(START_FEN)
    setup = settings(sensing=Sensing.COLOUR)
    white, black = start.occupied_by(Colour.WHITE), start.occupied_by(Colour.BLACK)

    def seen(without: str, pawn: str | None) -> Colours:
        others = white & ~(1 << parse_square("e2")) & ~(1 << parse_square(without) if without else 0)
        return Colours(others, black | (1 << parse_square(pawn) if pawn else 0))

    arbiter = Arbiter(setup)
    inputs: list[Input] = [
        Scan(0, seen("", "e2")),
        Scan(1000, seen("", None)),
        Scan(2000, seen("", "e4")),
    ]
    events = finish(arbiter, inputs)
    assert arbiter.summary()["moves"] == ["e4"]
    assert [event.kind for event in kinds(events, Fault)] == ["magnet"]


def test_a_press_just_after_the_hand_finds_the_move() -> None:
    """The piece is released and the clock pressed at once, before the square has settled."""
    occupied = parse_fen(START_FEN).occupied
    lifted = occupied & ~(1 << parse_square("e2"))
    inputs: list[Input] = [
        Scan(0, Occupancy(occupied)),
        Scan(1000, Occupancy(lifted)),
        Scan(1400, Occupancy(lifted | 1 << parse_square("e4"))),
        Press(1430, Colour.WHITE),
        Button(1450, ButtonName.DRAW, "white"),
    ]
    arbiter = Arbiter(settings(clock=True))
    finish(arbiter, inputs)
    assert arbiter.summary()["moves"] == ["e4"]
    assert arbiter.summary()["fouls"] == {"white": 0, "black": 0}


def test_unknown_buttons_are_told_and_do_nothing() -> None:
    for token in ("promote:k", "adjust:green", "result:2-0", "draw:"):
        ruled = Ruled(token)
        assert [event.kind for event in kinds(ruled.events, Notice)] == ["button-ignored"], token
        assert ruled.summary["result"] is None


def test_a_capture_too_fast_to_see_is_asked_for() -> None:
    asked = kinds(Ruled("-e4 ~6000", PAWNS).events, Notice)
    assert [event.kind for event in asked] == ["silent-capture"]
    text = "if the white pawn from e4 has taken on d5, lift it there and set it down again"
    assert [event.text for event in asked] == [text]
    assert kinds(Ruled("-e2 ~6000").events, Notice) == []
    assert kinds(Ruled("-e4 ~6000", PAWNS, sensing=Sensing.COLOUR).events, Notice) == []


def test_a_lost_cable_is_no_move() -> None:
    """All squares read empty for long and come back: nobody has touched anything, and play goes on."""
    start = parse_fen(START_FEN).occupied
    arbiter = Arbiter(settings(clock=True))
    events = finish(arbiter, [Scan(0, Occupancy(start)), Scan(5000, Occupancy(0)), Scan(20_000, Occupancy(start))])
    assert next(event.kind for event in kinds(events, Fault)) == "bus"
    assert kinds(events, Touched) == []
    found: Any = arbiter.summary()
    assert found["obligation"] == {"kind": "none", "squares": []}
    pawn, square = 1 << parse_square("e2"), 1 << parse_square("e4")
    finish(arbiter, [Scan(30_000, Occupancy(start & ~pawn)), Scan(31_000, Occupancy(start & ~pawn | square))])
    found = arbiter.summary()
    assert found["moves"] == ["e4"]


@pytest.mark.parametrize(
    ("tokens", "end"),
    [
        ("W", "without a move; completed illegal move number 1 by white (FIDE Laws 7.5.3, 7.5.5)"),
        ("-e2 +e5 W", "completed illegal move number 1 by white (FIDE Laws 3.7, 7.5.5)"),
        ("-e2 +e5", "No move of the white pawn leads to e5 (FIDE Laws 3.7)"),
    ],
)
def test_the_laws_are_cited_once(tokens: str, end: str) -> None:
    said = kinds(Ruled(tokens, START_FEN, clock=True).events, Irregular)[-1].text
    assert said.endswith(end)
    assert said.count("FIDE Laws") == 1
