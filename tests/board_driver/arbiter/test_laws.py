"""A second casebook: rows of hands and what must come of them, article by article and decision by decision.

`ill` is (why, square, class, completed), `owed` is the kind and its squares. What a row does not name is not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from rules.fen import START_FEN
from tests.board_driver.arbiter.hands import rule

CASTLE = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8"
CROSSED = "5rk1/8/8/8/8/8/8/4K2R w K - 0 1"
PAWNS = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
PASSANT = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
PROMOTE = "8/4P1k1/8/8/8/8/P7/4K3 w - - 0 1"
ROOK = "4k3/8/8/8/8/8/r7/4K3 w - - 0 1"
FREE: tuple[str, list[str]] = ("none", [])


@dataclass(frozen=True)
class Row:
    """One ruling."""

    tokens: str
    law: str
    fen: str = START_FEN
    moves: str | None = None
    owed: tuple[str, list[str]] | None = None
    ill: tuple[str, str | None, str, bool] | str | None = "unasked"
    result: str | None = None
    reason: str | None = None
    also: dict[str, Any] = field(default_factory=dict)
    changes: dict[str, Any] = field(default_factory=dict)


def touch(why: str, square: str, completed: bool = False) -> tuple[str, str, str, bool]:
    """A breach of touch-move."""
    return why, square, "touch", completed


def wrong(why: str, square: str | None, completed: bool = False) -> tuple[str, str | None, str, bool]:
    """An illegal move."""
    return why, square, "illegal", completed


CASTLING = [
    Row("-a1 +d1 -e1 +c1", "4.4.2, D6: long, rook first", CASTLE, "Rd1", FREE, touch("castle-rook-first", "c1"),
        also={"restore": {"lift": ["c1"], "place": ["e1"]}}),
    Row("-a1 -e1 +c1 +d1", "D6: both in hand, king set down first", CASTLE, "Rd1", FREE,
        touch("castle-rook-first", "c1")),
    Row("-a1 -e1 +d1", "4.4.2, 4.7: the rook stands at once", CASTLE, "Rd1", FREE, None),
    Row("-h1 +h1 -e1 +g1 -h1 +f1 W", "D6, D11: shown in full and pressed", CASTLE, "Rf1", FREE,
        touch("castle-rook-first", "g1", True), also={"fouls": {"white": 0, "black": 0}}),
    Row("-e1 -h1 +f1", "4.4.1: the rook's square is done", CASTLE, "", ("castle", ["e1", "h1"]), None,
        also={"destinations": ["g1"]}),
    Row("-e1 -h1 +e2", "4.4.1: another king's move", CASTLE, "", ("castle", ["e1", "h1"]), touch("must-castle", "e2"),
        also={"restore": {"lift": ["e2"], "place": ["e1", "h1"]}}),
    Row("-e1 +e1 -h1 +h1 -b2 +b3", "4.4.1: another piece", CASTLE, "", ("castle", ["e1", "h1"]),
        touch("must-castle", "b3")),
    Row("-e1 +g1 -g1 +e1", "4.7.2: the release still binds", CASTLE, "", ("castle", ["e1", "h1"]), None,
        also={"destinations": ["f1", "g1"]}),
    Row("-e1 -h1 +h1 -h1 +g1 +f1", "4.4.1: put back and taken again", CASTLE, "O-O", FREE, None),
    Row("-e1 +c1 -a1 +b1", "4.7.2: the rook to a wrong square", CASTLE, "", ("castle", ["e1", "a1"]),
        touch("must-castle", "b1")),
    Row("-e1 +c1 -a1 +b1 -b1 +d1", "the same, corrected", CASTLE, "O-O-O", FREE, None),
    Row("-e1 -a1 -h1 +c1 +d1 +h1", "4.4.1: the first rook touched", CASTLE, "O-O-O", FREE, None),
    Row("-b2 +b2 -e1 +g1 W", "D11, D13: king alone, another piece owed", CASTLE, "", ("move", ["b2"]),
        wrong("castle-incomplete", "g1", True), also={"fouls": {"white": 1, "black": 0}}),
    Row("-b2 +b2 -e1 +g1 -h1 +f1 W", "D13: whole castling, another piece owed", CASTLE, "", ("move", ["b2"]),
        touch("touch-move", "g1", True), also={"fouls": {"white": 0, "black": 0}}),
    Row("-e1 +b1", "3.8: three squares are no castling", CASTLE, "", ("move", ["e1"]), wrong("not-a-move", "b1")),
    Row("-e1 +g1 W -h1 +f1 W", "7.5.1: completed afterwards", CASTLE, "O-O", FREE, None,
        also={"fouls": {"white": 1, "black": 0}, "bonus_ms": {"black": 120000}}),
    Row("-e1 -h1 W", "7.5.3: both in hand", CASTLE, "", ("castle", ["e1", "h1"]), wrong("no-move", None, True)),
    Row("-e1 -h1 +g1 +f1 W", "7.5.1: illegal castling in full", CROSSED, "", ("move", ["e1"]),
        wrong("castle-through-check", "g1", True), also={"restore": {"lift": ["f1", "g1"], "place": ["e1", "h1"]}}),
    Row("-e1 -h1 +e2", "4.4.3: another king's move, the rook still in hand", CROSSED, "Ke2", FREE, None),
    Row("-e1 -h1 +f1 +e1", "4.4.3: the rook is not to move", CROSSED, "", ("move", ["e1"]), touch("touch-move", "f1")),
    Row("-e1 +g1 -h1 +f1 -g1 +h1", "4.7: castled king moved on", CASTLE, "O-O", FREE, touch("released", "h1")),
    Row("-e1 +g1 -h1 +f1 -f1 +e1", "4.7: castled rook moved on", CASTLE, "O-O", FREE, touch("released", "e1")),
    Row("-e1 +e3", "castling up the file is not castling", "4R3/8/8/8/7k/8/8/4K3 w - - 0 1", "", ("move", ["e1"]),
        wrong("not-a-move", "e3")),
]  # fmt: skip
TOUCH = [
    Row("-g1 -e2 +e4 +g1", "4.3.1: the second piece in hand", moves="", owed=("move", ["g1"]),
        ill=touch("touch-move", "e4")),
    Row("-a1 -e2 +e4", "4.5: an immobile piece in hand holds nothing up", moves="e4", owed=FREE, ill=None),
    Row("-a1 -e2 +e4 +a1 -e7 +e5", "the same, put back afterwards", moves="e4 e5", owed=FREE, ill=None),
    Row("-e2 -g1 +e4", "4.3.1: the first piece moves, the second in hand", moves="e4", owed=FREE, ill=None),
    Row("-e4 -d5 +d5 -d5 +d5", "4.3.2, D1: what has just captured is touched", PAWNS, "exd5", ("capture", ["d5"])),
    Row("-d5 +d5 -e4", "D18: in hand, the victim back before", PAWNS, "", ("capture", ["d5"]), None),
    Row("-d5 -e4 +e3", "3.7, 4.3.3", PAWNS, "", ("capture", ["d5"]), wrong("not-a-move", "e3")),
    Row("-d5 -g1 +f3", "D1, D3: capturable and lifted first", PAWNS, "", ("capture", ["d5"]),
        touch("must-capture", "f3")),
    Row("-g1 -d5 +f3", "D3: not owed, so it does not hold the move up", PAWNS, "Nf3", ("move", ["d5"]), None),
    Row("-g1 +g1 -e4 -d5 +d5", "4.3.3: a capture by a piece not owed", PAWNS, "", ("move", ["g1"]),
        touch("touch-move", "d5"), also={"restore": {"lift": [], "place": ["e4"]}}),
    Row("-f1 +c4 -e2 +e4 -c4 +f1", "put right: the move shown counts", moves="e4", owed=FREE, ill=None),
    Row("-g1 +g3 -g3", "the fault stands until put right", moves="", owed=("move", ["g1"]),
        ill=wrong("not-a-move", "g3"), also={"restore": {"lift": [], "place": ["g1"]}}),
    Row("-g1/-b1 +f3", "house rule 3 of touch: two in one scan, either", moves="Nf3", owed=FREE, ill=None),
    Row("-e2 +e3 -e3 +e2", "4.7: taken back", moves="e3", owed=FREE, ill=touch("released", "e2")),
    Row("-e2 +e3 -e3 +e4 -d7 +d5", "4.7: a reply does not cure it", moves="e3 d5", owed=FREE,
        ill=touch("released", "e4"), also={"restore": {"lift": ["e4"], "place": ["e3"]}}),
    Row("-e2 +e3 -e3 +e4 -d7 +d5 -e4 +e3 -e3 +e4", "the same, put right and then moved", moves="e3 d5 e4", owed=FREE,
        ill=None),
]  # fmt: skip
TURN = [
    Row("-e7 -e2 +e4", "D3: early hand, lifted first", moves="e4", owed=("move", ["e7"]), ill=None),
    Row("-e2 -e7 +e4 +e7", "D3: put back after the move was made", moves="e4", owed=("move", ["e7"]), ill=None),
    Row("-e2 -e7 +e7 +e4", "D3: put back before", moves="e4", owed=FREE, ill=None),
    Row("-e2 -e7 +e5", "1.3: set down before the move is made", moves="", owed=("move", ["e2"]),
        ill=("out-of-turn", "e5", "displaced", False)),
    Row("-e2 -e7 +e5 +e4", "house: it counts once the move before is made", moves="e4 e5", owed=FREE, ill=None),
    Row("-g1 +g3 -e7 +e5 W", "7.5.1: pressed over an illegal move, the reply already shown", moves="",
        owed=("move", ["g1"]), ill=wrong("not-a-move", "g3", True), also={"fouls": {"white": 1, "black": 0}}),
    Row("-e2 +e4 -d2 +d4 W", "1.3, 7.4: moved twice and pressed", moves="e4", owed=FREE,
        ill=("out-of-turn", "d4", "displaced", True), also={"fouls": {"white": 0, "black": 0}}),
    Row("-d5 +d4", "1.3: no duty for either side", PAWNS, "", FREE, ("out-of-turn", "d4", "displaced", False)),
    Row("-d5 +d4 -d4 +d5", "the same, put back", PAWNS, "", FREE, None),
    Row("-d5 +h5", "D1: no move of that pawn, so it was his hand", PAWNS, "", ("capture", ["d5"]),
        ("out-of-turn", "h5", "displaced", False)),
    Row("-g1 +f3 -e4 +e4 -a7 +a6 W", "D4: the mover straightens, then the reply", PAWNS, "Nf3 a6", FREE, None),
    Row("-g1 +f3 -e4 -d5 +e4 W B", "D4: captured before the press", PAWNS, "Nf3 dxe4", FREE, None),
    Row("-g1 +f3 -e4 W", "D4: still off at the press, so in the other hand", PAWNS, "Nf3", ("capture", ["e4"]), None),
    Row("-e2 +e4 -e7 +e7 W", "1.3: a touch before the press binds", moves="e4", owed=("move", ["e7"]), ill=None),
]  # fmt: skip
CLOCK = [
    Row("W W", "7.5.3, 7.5.5: twice without a move", moves="", owed=FREE, ill=wrong("no-move", None, True),
        result="0-1", reason="illegal-2"),
    Row("-e2 +e4 W W", "6.1: the second press is of a clock that stands", moves="e4", owed=FREE, ill=None),
    Row("-e2 +e4 W B", "7.5.3: Black presses without a move", moves="e4", owed=FREE, ill=wrong("no-move", None, True),
        also={"fouls": {"white": 0, "black": 1}, "bonus_ms": {"white": 120000}}),
    Row("-e2 +e4 -e7 +e5 B W B", "6.2.2: presses in any order", moves="e4 e5", owed=FREE, ill=None,
        also={"fouls": {"white": 0, "black": 0}}),
    Row("W -e2 +e4 W", "7.5.3: put right by the move", moves="e4", owed=FREE, ill=None,
        also={"fouls": {"white": 1, "black": 0}}),
    Row("-g1 +g3 W W", "7.5.5: one fault is not counted twice", moves="", owed=("move", ["g1"]),
        ill=wrong("not-a-move", "g3", True), also={"fouls": {"white": 1, "black": 0}}),
    Row("-g1 +g3 W -g3 +g4 W", "7.5.5: another one is", moves="", ill=wrong("not-a-move", "g4", True), result="0-1",
        reason="illegal-2"),
    Row("-e4 -d5 +d5 W", "6.2.1", PAWNS, "exd5", FREE, None),
    Row("-d5 +d5 -e4 W", "D18, 7.5.3: the piece counts as in hand", PAWNS, "", ("capture", ["d5"]),
        wrong("no-move", None, True)),
    Row("-e1 +e2 W", "A.3: one minute in rapid", ROOK, "", ("move", ["e1"]), wrong("king-into-check", "e2", True),
        also={"bonus_ms": {"black": 60000}}, changes={"ruleset": "rapid"}),
    Row("-e1 +e2 W", "B.2: one minute in blitz", ROOK, "", ("move", ["e1"]), wrong("king-into-check", "e2", True),
        also={"bonus_ms": {"black": 60000}}, changes={"ruleset": "blitz"}),
    Row("W", "traditional: only kings given away count", ROOK, "", FREE, wrong("no-move", None, True),
        also={"fouls": {"white": 0, "black": 0}}, changes={"ruleset": "traditional"}),
    Row("-e1 +e2 -e2 +e1 -e1 +d2 -d2 +e1 -e1 +f2", "traditional: three lose", ROOK, "", FREE,
        wrong("king-into-check", "f2", True), "0-1", "illegal-3", changes={"ruleset": "traditional"}),
]  # fmt: skip
PASSING = [
    Row("-f5 -e5 +e6", "4.3.3", PASSANT, "", ("capture", ["f5"]), touch("must-capture", "e6"),
        also={"restore": {"lift": ["e6"], "place": ["e5", "f5"]}}),
    Row("-e5 +f6 -f6 +e6", "4.7: the released pawn fixes the move", PASSANT, "", ("capture", ["f5"]),
        touch("must-capture", "e6")),
    Row("-e5 +f6 -f6 +e5", "4.7: put back, still owed", PASSANT, "", ("capture", ["f5"]), None,
        also={"destinations": ["f6"]}),
    Row("-e5 +f6 -d5", "the wrong pawn taken off", PASSANT, "", ("capture", ["f5"]), None, also={"remove": ["f5"]}),
    Row("-e5 +f6 -d5 +d5 -f5", "the same, put right", PASSANT, "exf6", FREE, None),
    Row("-e5 +f6 W -f5 W", "D14: counted, then finished", PASSANT, "exf6", FREE, None,
        also={"fouls": {"white": 1, "black": 0}}),
    Row("-g1 +g1 -e5 +f6", "4.3.1: another piece is owed", PASSANT, "", ("move", ["g1"]), touch("touch-move", "f6")),
    Row("-e5/-f5 +f6", "both in one scan", PASSANT, "exf6", FREE, None),
]  # fmt: skip
PROMOTING = [
    Row("-e7 +e8 W promote:n", "D7: not after the press", PROMOTE, "e8=Q", FREE, None),
    Row("-e7 +e8 -g7 promote:n", "D7: not after the opponent's touch", PROMOTE, "e8=Q", ("move", ["g7"])),
    Row("promote:n -e7 +e8", "D7: a choice made before is kept", PROMOTE, "e8=N+", FREE),
    Row("promote:n -a2 +a3 -g7 +h7 -e7 +e8", "but not for another turn", PROMOTE, "a3 Kh7 e8=Q", FREE),
    Row("-e7 +e8 -e8", "D7: undecided", PROMOTE, "e8=Q", FREE, None),
    Row("-e7 +e8 -e8 -g7 +e8", "D7: his king cannot take, so it was the exchange", PROMOTE, "e8=Q", ("move", ["g7"])),
    Row("-e7 +e8 -e8 promote:b +e8", "4.6: chosen in between", PROMOTE, "e8=B", FREE, None),
    Row("-e7 +e8 -e8 W +e8", "4.6: pressed in between", PROMOTE, "e8=Q", FREE, None),
    Row("-e7 +e8 -e8 +e7", "4.7: taken back", PROMOTE, "e8=Q", FREE, touch("released", "e7")),
    Row("+e8 -e7", "4.6.2: the new piece first", PROMOTE, "e8=Q", FREE, None),
    Row("-e7 +e8 promote:b", "5.2.2: bishop and king", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8=B", FREE, None,
        "1/2-1/2", "dead-position"),
    Row("-e7 +e8 promote:n", "D7: mate by the default, another choice", "7k/4P1pp/8/8/8/8/8/4K3 w - - 0 1", "e8=N",
        FREE, None),
    Row("promote:q -e7 +e8 promote:n", "4.4.4: a choice that ended the game stands",
        "7k/4P1pp/8/8/8/8/8/4K3 w - - 0 1", "e8=Q#", FREE, None, "1-0", "checkmate"),
]  # fmt: skip
ADJUSTING = [
    Row("-g1 +g1 adjust:white -e2 +e4", "4.2.1: too late", moves="", owed=("move", ["g1"]),
        ill=touch("touch-move", "e4")),
    Row("-g1 adjust:white +g1", "4.2.1: too late with the piece in hand", moves="", owed=("move", ["g1"])),
    Row("adjust:black -e7 +e7 -e2 +e4 -d7 +d7", "4.2.1: not by the waiting side", moves="e4", owed=("move", ["d7"])),
    Row("adjust:white -g1 +g3", "announced, but set down wrongly", moves="", owed=FREE, ill=wrong("not-a-move", "g3")),
    Row("adjust:white -a1 +a1 -g1 +f3 -e7 +e7", "it ends with the move", moves="Nf3", owed=("move", ["e7"])),
    Row("adjust:white -e4 -d5 +d5", "announced, then a capture", PAWNS, "exd5", FREE, None),
    Row("-d2/-e4/-d5/-e7 +d3", "D9: what was knocked over makes no move", PAWNS, "", FREE, None),
    Row("-d2/-e4/-d5/-e7 +d3 -d3 +d2 +e4 +d5 +e7 -g1 +f3", "D9: restored, then a move", PAWNS, "Nf3", FREE, None),
    Row("-d2/-e4/-d5 +d2 +e4 +d5", "D9: three are touches", PAWNS, "", ("capture", ["d5"]), None),
]  # fmt: skip
ENDING = [
    Row("draw:white -e2 +e4 -e7 +e5 draw:black draw:white", "9.1: refused by touching, offered, accepted",
        moves="e4 e5", result="1/2-1/2", reason="agreement"),
    Row("-e2 +e4 draw:white -e7 +e7 draw:black -e7 +e5", "9.1: a touch refuses, then a new offer", moves="e4 e5",
        owed=FREE),
    Row("draw:white draw:black", "5.2.3: not before each has moved", moves="", owed=FREE),
    Row("-e2 +e4 -e7 +e5 draw:white -d2 +d4 -d7 +d5 draw:white draw:black", "offers in a row are no bar", result=None,
        moves="e4 e5 d4 d5", changes={"ruleset": "traditional"}),
    Row("resign:white", "5.1.2", result="0-1", reason="resignation"),
    Row("resign:white", "5.1.2: a bare king cannot win", "8/8/8/3k4/8/3K4/P7/8 w - - 0 1", result="1/2-1/2",
        reason="resignation-cannot-mate"),
    Row("result:1-0", "a result entered by hand", result="1-0", reason="decided"),
    Row("claim:black", "9.2: only the player having the move", moves="", owed=FREE, also={"claim": "barred"}),
    Row("claim:white claim:white", "9.5.3: each wrong claim costs", moves="",
        also={"claim": "rejected", "bonus_ms": {"black": 240000}}),
    Row("-a1 +a1 claim:white", "9.4: an immobile piece touched", moves="", owed=FREE, also={"claim": "barred"}),
    Row("adjust:white -a1 +a1 claim:white", "9.4: an adjusted one is not touched", "4k3/8/8/8/8/8/8/R3K3 w - - 100 81",
        result="1/2-1/2", reason="fifty-claim", also={"claim": "accepted"}),
    Row("-a1 +a2", "traditional: fifty moves draw by themselves", "4k3/8/8/8/8/8/8/R3K3 w - - 99 81", "Ra2",
        result="1/2-1/2", reason="fifty", changes={"ruleset": "traditional"}),
    Row("-g1 -e2 +e2", "traditional: two knights cannot win", "8/8/8/3k4/8/1N6/4p3/4K1N1 w - - 0 1", "Nxe2",
        result="1/2-1/2", reason="dead-position", changes={"ruleset": "traditional"}),
]  # fmt: skip
C960 = "4k3/pppppppp/8/8/8/8/PPPPPPPP/{} w {} - 0 1"
FISCHER = [
    Row("-f1 -g1 +g1 +f1", "II: king and rook change places", C960.format("5KR1", "G"), "O-O", FREE, None),
    Row("-f1 +f1 -g1 +g1", "II: touched and put back, both", C960.format("5KR1", "G"), "", ("castle", ["f1", "g1"])),
    Row("-e1 +g1", "II: only the king moves", C960.format("4KR2", "F"), "O-O", FREE, None),
    Row("-h1 +f1", "II: only the rook moves, across the king", C960.format("6KR", "H"), "O-O", FREE, None),
    Row("-b1 +c1", "II: a king's step is a king's step", C960.format("RK6", "A"), "Kc1", FREE, None),
    Row("-b1 -a1 +d1 +c1", "II: the king taken off first", C960.format("RK6", "A"), "O-O-O", FREE, None),
    Row("-b1 -a1 +c1", "II: the rook in hand as well", C960.format("RK6", "A"), "", ("castle", ["b1", "a1"]), None,
        also={"destinations": ["d1"]}),
    Row("-a1 -b1 +c1 +d1", "4.4.2", C960.format("RK6", "A"), "", ("move", ["b1"]), touch("castle-rook-first", "c1")),
    Row("-b1 +g1 -c1 +f1", "II: across the board", C960.format("1KR5", "C"), "O-O", FREE, None),
]  # fmt: skip
FISCHER = [replace(row, changes={"chess960": True}) for row in FISCHER]
ROWS = [*CASTLING, *TOUCH, *TURN, *CLOCK, *PASSING, *PROMOTING, *ADJUSTING, *ENDING, *FISCHER]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.law}: {row.tokens}")
def test_ruling(row: Row) -> None:
    found = rule(row.tokens, row.fen, **row.changes)
    if row.moves is not None:
        assert found["moves"] == row.moves.split()
    if row.owed is not None:
        assert (found["obligation"]["kind"], found["obligation"]["squares"]) == row.owed
    if row.ill != "unasked":
        ill = found["illegal"]
        assert (None if ill is None else (ill["why"], ill["square"], ill["class"], ill["completed"])) == row.ill
    assert (found["result"], found["reason"]) == (row.result, row.reason)
    for key, value in row.also.items():
        assert found[key] == value, key
