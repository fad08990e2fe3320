"""Sentences for events."""

from __future__ import annotations

import pytest

from board_driver.events import (
    Claimable,
    Ended,
    Event,
    Fault,
    Irregular,
    Lifted,
    Lit,
    Moved,
    Notice,
    Placed,
    RestoreAsked,
    Revised,
    Touched,
)
from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.wording.language import language
from board_driver.wording.telling import tell, told_move
from rules.fen import START_FEN, parse_fen
from rules.pieces import Piece, Role
from rules.position import Position
from rules.san import sans
from rules.squares import Colour, parse_square
from rules.uci import parse_uci

START = parse_fen(START_FEN)
GAME = GameRecord(START, (RecordedPly(parse_uci(START, "e2e3"), 1, 1),))
G1, E4, E2 = parse_square("g1"), parse_square("e4"), parse_square("e2")
KNIGHT = Piece(Colour.WHITE, Role.KNIGHT)


@pytest.mark.parametrize(
    ("san", "english", "chinese"),
    [
        ("e4", "pawn e 4", "兵到e4"),
        ("Nf3", "knight f 3", "马到f3"),
        ("exd5", "pawn e takes d 5", "兵e吃d5"),
        ("Nbd7", "knight b d 7", "马b到d7"),
        ("R1xa3+", "rook 1 takes a 3, check", "车1吃a3，将军"),
        ("Qh4#", "queen h 4, checkmate", "后到h4，将死"),
        ("O-O", "castles king's side", "短易位"),
        ("O-O-O+", "castles queen's side, check", "长易位，将军"),
        ("e8=N", "pawn e 8, becomes a knight", "兵到e8，升变为马"),
        ("fxe8=Q#", "pawn f takes e 8, becomes a queen, checkmate", "兵f吃e8，升变为后，将死"),
        ("??", "??", "??"),
    ],
)
def test_moves_are_spoken(san: str, english: str, chinese: str) -> None:
    assert told_move(san, language("en")) == english
    assert told_move(san, language("zh")) == chinese


@pytest.mark.parametrize(
    "position",
    [START, parse_fen("r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/P1PBBPP1/R3K2R w KQkq - 0 1")],
)
def test_every_legal_move_is_read(position: Position) -> None:
    for san in sans(position).values():
        told = told_move(san, language("en"))
        assert told != san
        assert "=" not in told


def touched(obligation: dict[str, object]) -> Touched:
    return Touched(1, G1, KNIGHT, obligation, (), "")


@pytest.mark.parametrize(
    ("event", "english", "chinese"),
    [
        (Moved(1, "e4", "e2e4", "", 1, False), "pawn e 4", "兵到e4"),
        (
            touched({"kind": "move", "squares": ["g1"]}),
            "white knight on g 1: it must move",
            "g1的白马已被触摸，必须走它",
        ),
        (
            touched({"kind": "move", "squares": ["b1"]}),
            "the piece on b 1 must move",
            "b1的棋子必须走",
        ),
        (
            touched({"kind": "move", "squares": ["b1", "c1"]}),
            "b 1 and c 1: one of these pieces must move",
            "b1和c1的棋子中必须走一个",
        ),
        (
            touched({"kind": "capture", "squares": ["g1"], "by": ["h3"]}),
            "white knight on g 1: it must be captured",
            "g1的白马已被触摸，必须吃掉它",
        ),
        (touched({"kind": "none", "squares": []}), None, None),
        (
            Irregular(1, "not-a-move", E4, "illegal", False, "No.", "3.7", Colour.WHITE),
            "No: that piece cannot go to e 4.",
            "不行：这个棋子不能走到e4。",
        ),
        (
            Irregular(1, "out-of-turn", E4, "displaced", False, "No.", "1.3", Colour.BLACK),
            "It is not Black's turn.",
            "还没轮到黑方走。",
        ),
        (
            Irregular(1, "self-check", E4, "illegal", True, "No.", "3.9", Colour.WHITE),
            "No: the king would be in check. That counts as an illegal move.",
            "不行：自己的王会被将军。记一次违例。",
        ),
        (Irregular(1, "brand-new", None, "illegal", False, "Something else."), "Something else.", "Something else."),
        (RestoreAsked(1, (E4,), (E2,), ""), "Take away from e 4; put back on e 2.", "请拿走e4的棋子，放回e2。"),
        (RestoreAsked(1, (E4,), (), ""), "Take away from e 4.", "请拿走e4的棋子。"),
        (RestoreAsked(1, (), (E2,), ""), "Put back on e 2.", "请把棋子放回e2。"),
        (RestoreAsked(1, (), (), ""), None, None),
        (RestoreAsked(1, (), tuple(range(8)), ""), "8 pieces are not where they belong.", "有8个棋子不在原位。"),
        (Revised(1, 1, "e2e4", None), "The last move is taken back.", "上一步已收回。"),
        (Revised(1, 1, "e2e4", "e2e3"), "Corrected: pawn e 3.", "更正：兵到e3。"),
        (Revised(1, 1, "e2e4", "e7e5"), "Corrected: pawn e 7 e 5.", "更正：兵e7到e5。"),
        (Claimable(1, ()), None, None),
        (
            Claimable(1, ("threefold",)),
            "A draw may be claimed: the position has occurred three times.",
            "可以提和：同一局面已出现三次。",
        ),
        (Ended(1, "1-0", "checkmate"), "White wins, checkmate.", "白方胜，将死。"),
        (Ended(1, "1/2-1/2", "unheard-of"), "Draw.", "和棋."),
        (Notice(1, "draw", "…", Colour.BLACK, {"answer": "offered"}), "Black offers a draw.", "黑方提议和棋。"),
        (Notice(1, "draw", "…", Colour.BLACK, {"answer": "agreed"}), None, None),
        (Notice(1, "takeback", "…", Colour.WHITE), "White asks to take the last move back.", "白方请求悔棋。"),
        (
            Notice(1, "command", "…", Colour.BLACK, {"uci": "g8f6", "san": "Nf6"}),
            "Black plays knight f 6.",
            "黑方走马到f6。",
        ),
        (Notice(1, "hint", "…", Colour.WHITE, {"san": "Qh5+"}), "Try queen h 5, check.", "可以试试后到h5，将军。"),
        (Notice(1, "unheard-of", "…", Colour.WHITE, {"side": "x"}), None, None),
        (Fault(1, "board-lost", None, "…"), "The board does not answer.", "棋盘没有回应。"),
        (Fault(1, "stuck", E4, "…"), "The sensor on e 4 misbehaves.", "e4的传感器有问题。"),
        (Fault(1, "overrun", None, "…"), None, None),
        (Lifted(1, E2), None, None),
        (Placed(1, E4), None, None),
        (Lit(1, {}), None, None),
    ],
)
def test_an_event_is_told(event: Event, english: str | None, chinese: str | None) -> None:
    assert tell(event, language("en"), GAME) == english
    assert tell(event, language("zh"), GAME) == chinese
