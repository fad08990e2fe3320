"""Players in a hurry: a reply is in the hand before the piece it answers is down, and pieces go to and fro."""

from __future__ import annotations

import pytest

from board_driver.mind import Settings
from board_driver.scan import Scan
from rules.fen import START_FEN, parse_fen
from rules.uci import parse_uci
from tests.board_driver.recorder.hands import record, scanned

ROOKS = "6k1/1r3pp1/8/8/8/8/5PP1/R5K1 w - - 0 1"
KINGS = "8/6k1/8/1p6/1P6/8/6K1/8 w - - 0 1"
GAMES = [
    pytest.param(ROOKS, "a1a2 b7b6 a2a1 b6b7 " * 3 + "a1a5 b7c7", id="rooks to and fro"),
    pytest.param(KINGS, "g2f3 g7f6 f3g2 f6g7 " * 3 + "g2h3 g7h6", id="kings to and fro"),
    pytest.param(
        START_FEN, "e2e4 e7e5 g1f3 b8c6 f3g1 c6b8 g1f3 b8c6 f1b5 a7a6 b5a4 b7b5 a4b3 g8f6", id="knights home again"
    ),
]


def hurried(fen: str, line: str, *, early_ms: int, carry_ms: int, think_ms: int, scan_hz: int) -> list[Scan]:
    """The scans of those moves: White thinks, and Black lifts that early before White's piece is down."""
    position = start = parse_fen(fen)
    changes: list[tuple[int, int]] = []
    down_ms = 2000
    for ply, uci in enumerate(line.split()):
        move = parse_uci(position, uci)
        position = position.play(move)
        lift_ms = down_ms - early_ms if ply % 2 else down_ms + think_ms
        down_ms = lift_ms + carry_ms
        changes += [(lift_ms, move.origin), (down_ms, move.landing)]
    return scanned(start.occupied, changes, down_ms + 3000, scan_hz)


@pytest.mark.parametrize("scan_hz", [10, 20, 50])
@pytest.mark.parametrize("early_ms", [100, 200, 250])
@pytest.mark.parametrize(("fen", "line"), GAMES)
def test_a_reply_begun_early_is_a_ply_like_others(fen: str, line: str, early_ms: int, scan_hz: int) -> None:
    for carry_ms in (300, 400, 600):
        for think_ms in (300, 500, 900):
            scans = hurried(fen, line, early_ms=early_ms, carry_ms=carry_ms, think_ms=think_ms, scan_hz=scan_hz)
            assert record(scans, Settings(start_fen=fen)).uci == line.split(), (carry_ms, think_ms)
