"""Article 4 by itself: what is owed after touches in an order, without any board."""

from __future__ import annotations

import pytest

from rules.articles import Law, number
from rules.fen import START_FEN, parse_fen
from rules.irregularity import castling_landings, fault_of_castling, fault_of_move
from rules.squares import names_of, parse_square, square_name
from rules.touch import Touches, barred_castlings, castling_rooks, obligation

CASTLE = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8"
CROSSED = "5rk1/8/8/8/8/8/8/4K2R w K - 0 1"
STUCK = "3r1rk1/8/b7/8/8/8/8/4K2R w K - 0 1"
OPEN = "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3"
PASSANT = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"

# touches ("e1 h1" in order, "e1/h1" at once), FEN, what is owed, its squares, by, where it may land, the article
ROWS = [
    ("", START_FEN, "none", "", "", "", Law.TOUCH_FREE),
    ("g1", START_FEN, "move", "g1", "", "f3 h3", Law.TOUCH_OWN),
    ("a1", START_FEN, "none", "", "", "", Law.TOUCH_FREE),
    ("a1 b1 g1", START_FEN, "move", "b1", "", "a3 c3", Law.TOUCH_OWN),
    ("b1/g1", START_FEN, "move", "b1 g1", "", "a3 c3 f3 h3", Law.TOUCH_OWN),
    ("e7 e2", START_FEN, "move", "e2", "", "e3 e4", Law.TOUCH_OWN),
    ("d4", OPEN, "capture", "d4", "c6 e5", "d4", Law.TOUCH_ENEMY),
    ("e4 d4", OPEN, "capture", "d4", "c6 e5", "d4", Law.TOUCH_ENEMY),
    ("c6 d4", OPEN, "capture", "d4", "c6", "d4", Law.TOUCH_BOTH),
    ("d4 c6", OPEN, "capture", "d4", "c6", "d4", Law.TOUCH_BOTH),
    ("g8 d4", OPEN, "move", "g8", "", "e7 f6 h6", Law.TOUCH_BOTH),
    ("d4 g8", OPEN, "capture", "d4", "c6 e5", "d4", Law.TOUCH_BOTH),
    ("d4/g8", OPEN, "move", "g8", "", "e7 f6 h6", Law.TOUCH_BOTH),
    ("h8 d4", OPEN, "capture", "d4", "c6 e5", "d4", Law.TOUCH_BOTH),
    ("e4 g8", OPEN, "move", "g8", "", "e7 f6 h6", Law.TOUCH_OWN),
    ("e4 c6 d4", OPEN, "capture", "d4", "c6", "d4", Law.TOUCH_BOTH),
    ("c6 e1 d4", OPEN, "capture", "d4", "c6", "d4", Law.TOUCH_BOTH),
    ("e1/c6/d4", OPEN, "capture", "d4", "c6", "d4", Law.TOUCH_BOTH),
    ("h8 c6 d4", OPEN, "move", "c6", "", "a5 b4 b8 d4 e7", Law.TOUCH_BOTH),
    ("e1 e4 a1", OPEN, "none", "", "", "", Law.TOUCH_FREE),
    ("f5", PASSANT, "capture", "f5", "e5", "f6", Law.TOUCH_ENEMY),
    ("d5 e5", PASSANT, "move", "e5", "", "e6 f6", Law.TOUCH_OWN),
    ("e1 h1", CASTLE, "castle", "e1 h1", "", "f1 g1", Law.KING_THEN_ROOK),
    ("e1 a1 h1", CASTLE, "castle", "e1 a1", "", "c1 d1", Law.KING_THEN_ROOK),
    ("h1/e1", CASTLE, "castle", "e1 h1", "", "f1 g1", Law.KING_THEN_ROOK),
    ("h1 e1", CASTLE, "move", "h1", "", "f1 g1", Law.ROOK_THEN_KING),
    ("b2 e1 h1", CASTLE, "move", "b2", "", "b3 b4", Law.TOUCH_OWN),
    ("e1 b2 h1", CASTLE, "castle", "e1 h1", "", "f1 g1", Law.KING_THEN_ROOK),
    ("e1 h1", CROSSED, "move", "e1", "", "d1 d2 e2", Law.CASTLING_NOT_LEGAL),
    ("e1/h1", CROSSED, "move", "e1", "", "d1 d2 e2", Law.CASTLING_NOT_LEGAL),
    ("e1/h1", STUCK, "none", "", "", "", Law.TOUCH_FREE),
    ("e1 h1", STUCK, "none", "", "", "", Law.TOUCH_FREE),
    ("h1 e1", "4k3/8/8/8/4q3/8/8/4K2R w K - 0 1", "move", "e1", "", "d1 d2 f1 f2", Law.ROOK_THEN_KING),
]


def touches(text: str) -> Touches:
    """The groups of a row."""
    return tuple(tuple(parse_square(name) for name in group.split("/")) for group in text.split())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} in {row[1]}")
def test_obligation(row: tuple[str, str, str, str, str, str, Law]) -> None:
    text, fen, kind, squares, by, landings, law = row
    found = obligation(parse_fen(fen), touches(text))
    assert found.kind.value == kind
    assert [square_name(s) for s in found.squares] == squares.split()
    assert sorted(square_name(s) for s in found.by) == by.split()
    assert names_of(found.landings) == landings.split()
    assert found.law is law, number(found.law)


def test_what_is_owed_is_paid_by_legal_moves_only() -> None:
    for text, fen, *_ in ROWS:
        position = parse_fen(fen)
        assert set(obligation(position, touches(text)).moves) <= set(position.legal_moves())


def test_rook_before_king_bars_that_castling_alone() -> None:
    position = parse_fen(CASTLE)
    assert [m.rook_origin for m in barred_castlings(position, touches("h1 e1"))] == [parse_square("h1")]
    assert barred_castlings(position, touches("e1 h1")) == ()
    assert barred_castlings(position, touches("h1")) == ()
    free_king = obligation(position, touches("h1 h1"))
    assert free_king.kind.value == "move"


def test_castling_rooks_stand_in_the_corners_of_a_king_at_home() -> None:
    assert [square_name(s) for s in castling_rooks(parse_fen(CASTLE))] == ["a1", "h1"]
    assert castling_rooks(parse_fen("4k3/8/8/8/8/8/4K3/R6R w - - 0 1")) == ()
    assert castling_rooks(parse_fen("4k3/8/8/8/8/8/8/1R2K3 w - - 0 1")) == ()


FAULTS = [
    ("4k3/8/8/8/8/8/8/4K2R w - - 5 20", "e1", "g1", "castle-rights"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 5 20", "e1", "c1", "castle-rights"),
    ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1", "c1", "castle-blocked"),
    ("4r1k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1", "c1", "castle-out-of-check"),
    ("3r2k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1", "c1", "castle-through-check"),
    ("2r3k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1", "c1", "castle-into-check"),
    ("r3k3/8/8/8/8/8/8/2R1K3 b q - 0 1", "e8", "c8", "castle-into-check"),
    ("4k3/8/8/8/8/8/8/3K3R w - - 0 1", "d1", "f1", "not-a-move"),
    ("4k3/8/8/8/8/8/r7/4K3 w - - 0 1", "e1", "e2", "king-into-check"),
    ("4k3/8/8/8/8/8/r7/4K3 w - - 0 1", "e1", "e3", "not-a-move"),
    ("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2", "a2", "self-check"),
    ("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2", "a3", "not-a-move"),
    ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5", "d6", "self-check"),
    ("rnbqkbnr/ppp1p2p/6p1/3pPp2/7P/8/PPPP1PP1/RNBQKBNR w KQkq - 0 4", "e5", "f6", "ep-expired"),
    (START_FEN, "e2", "d3", "not-a-move"),
    (START_FEN, "e2", "e5", "not-a-move"),
    (START_FEN, "a1", "a3", "not-a-move"),
]


@pytest.mark.parametrize(("fen", "origin", "square", "why"), FAULTS)
def test_what_is_wrong_with_an_illegal_move(fen: str, origin: str, square: str, why: str) -> None:
    passed = parse_square(fen.split()[3]) if fen.split()[3] != "-" else None
    assert fault_of_move(parse_fen(fen), parse_square(origin), parse_square(square), passed).value == why


def test_chess960_castling_is_judged_by_where_king_and_rook_land() -> None:
    position = parse_fen("1r4k1/8/8/8/8/8/8/RK6 w A - 0 1", chess960=True)
    assert castling_landings(position, parse_square("a1")) == (parse_square("c1"), parse_square("d1"))
    assert fault_of_castling(position, -1).value == "castle-out-of-check"
