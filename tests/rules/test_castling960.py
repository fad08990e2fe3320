"""Castling wherever king and rook stand (FIDE Laws, Guideline II)."""

from __future__ import annotations

import chess
import pytest

from rules.fen import parse_fen, write_fen
from rules.move import CASTLING, move_of
from rules.squares import Colour, parse_square, square_name
from tests.rules.peer import both

CASES = [
    # (FEN, castlings that are legal)
    pytest.param("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1 e1h1", id="as in ordinary chess"),
    pytest.param("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "b1a1 b1h1", id="the king comes a long way"),
    pytest.param("4k3/8/8/8/8/8/8/qRK4R w HB - 0 1", "c1h1", id="the rook would open the rank from behind"),
    pytest.param("4k3/8/8/8/8/8/8/1RK3Rq w GB - 0 1", "c1b1", id="the same on the other side"),
    pytest.param("4k3/8/8/8/8/8/8/nRK4R w HB - 0 1", "c1b1 c1h1", id="a knight behind the rook does not matter"),
    pytest.param("4k3/8/8/8/8/8/8/R1K1r2R w HA - 0 1", "", id="in check along the rank"),
    pytest.param("4k3/8/8/8/8/8/8/RNK4R w HA - 0 1", "c1h1", id="a man on the rook's way"),
    pytest.param("4k3/8/8/8/8/8/8/R1K3NR w HA - 0 1", "c1a1", id="a man on the king's way"),
    pytest.param("4k3/8/8/8/8/5r2/8/R1K4R w HA - 0 1", "c1a1", id="an attacked square on the king's way"),
    pytest.param("4k3/8/8/8/8/7r/8/R1K4R w HA - 0 1", "c1a1 c1h1", id="the rook may be attacked"),
    pytest.param("4k3/8/8/8/8/1r6/8/R3K3 w A - 0 1", "e1a1", id="and only the rook cross an attacked square"),
    pytest.param("4k3/8/8/8/8/6r1/8/6KR w H - 0 1", "", id="a king that would stay is in check"),
    pytest.param("2r1k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", id="a rook that stays"),
    pytest.param("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", id="an exchange of places"),
    pytest.param("3rk3/8/8/8/8/8/8/R2K4 w A - 0 1", "", id="in check on the file"),
    pytest.param("4k3/8/8/8/8/8/8/4K1RR w H - 0 1", "", id="another rook on the king's landing square"),
    pytest.param("4k3/8/8/8/8/8/8/4KR1R w H - 0 1", "", id="another rook on the rook's landing square"),
    pytest.param("8/8/8/8/8/8/8/R3K1k1 w A - 0 1", "e1a1", id="the other king on the same rank"),
    pytest.param("1K2k2r/8/8/8/8/8/8/8 b h - 0 1", "e8h8", id="the same for Black"),
    pytest.param("rkr5/8/8/8/8/8/8/4K3 b ac - 0 1", "b8c8", id="a king between close rooks"),
]


@pytest.mark.parametrize(("fen", "castlings"), CASES)
def test_castlings(fen: str, castlings: str) -> None:
    position, board = both(fen, chess960=True)
    found = sorted(str(move) for move in position.legal_moves() if move.is_castling)
    assert found == castlings.split()
    assert found == sorted(board.uci(move) for move in board.legal_moves if board.is_castling(move))


@pytest.mark.parametrize("colour", list(Colour))
@pytest.mark.parametrize("king", range(8))
@pytest.mark.parametrize("rook", range(8))
def test_every_king_and_rook_with_an_attacker_anywhere(colour: Colour, king: int, rook: int) -> None:
    """One king and one rook on every two files, and a black or white rook on every other square."""
    if king == rook:
        return
    home = 0 if colour is Colour.WHITE else 56
    mine = colour is Colour.WHITE
    for attacker in range(64):
        board = chess.Board(None, chess960=True)
        board.turn = mine
        board.set_piece_at(home + king, chess.Piece(chess.KING, mine))
        board.set_piece_at(home + rook, chess.Piece(chess.ROOK, mine))
        board.set_piece_at(56 - home + 8 * (1 if mine else -1) * 0 + (king + 3) % 8, chess.Piece(chess.KING, not mine))
        if board.piece_at(attacker):
            continue
        board.set_piece_at(attacker, chess.Piece(chess.ROOK, not mine))
        board.castling_rights = 1 << (home + rook)
        if not board.is_valid():
            continue
        position = parse_fen(board.fen(), chess960=True)
        assert sorted(map(str, position.legal_moves())) == sorted(board.uci(move) for move in board.legal_moves)
        for move in position.legal_moves():
            if move.is_castling:
                theirs = board.copy()
                theirs.push_uci(str(move))
                assert write_fen(position.play(move)) == theirs.fen()


LOSSES = [
    # (move, rights left)
    ("a1a2", "Kkq"),
    ("h1h8", "Qq"),
    ("e1e2", "kq"),
    ("e1h1", "kq"),
    ("d2d4", "KQkq"),
]


@pytest.mark.parametrize(("text", "left"), LOSSES)
def test_rights_are_lost_by_king_and_rook_and_by_capture(text: str, left: str) -> None:
    position = parse_fen("r3k2r/8/8/8/8/8/3P4/R3K2R w KQkq - 0 1")
    (move,) = [move for move in position.legal_moves() if str(move) == text]
    assert write_fen(position.play(move)).split()[2] == left


def test_rights_do_not_come_back() -> None:
    position = parse_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    before = position.key()
    for text in ("a1a2", "e8e7", "a2a1", "e7e8"):
        (move,) = [move for move in position.legal_moves() if str(move) == text]
        position = position.play(move)
    assert position.key() != before
    assert not any(move.is_castling for move in position.legal_moves())


SQUARES = [
    # (king, rook, landings of king and rook, squares whose occupancy changes)
    ("e1", "h1", "g1", "f1", "e1 f1 g1 h1"),
    ("e8", "a8", "c8", "d8", "a8 c8 d8 e8"),
    ("f1", "g1", "g1", "f1", ""),
    ("g1", "h1", "g1", "f1", "f1 h1"),
    ("e1", "f1", "g1", "f1", "e1 g1"),
    ("f1", "h1", "g1", "f1", "g1 h1"),
    ("b1", "a1", "c1", "d1", "a1 b1 c1 d1"),
]


@pytest.mark.parametrize(("king", "rook", "king_landing", "rook_landing", "changed"), SQUARES)
def test_squares(king: str, rook: str, king_landing: str, rook_landing: str, changed: str) -> None:
    move = move_of(CASTLING, parse_square(king), parse_square(rook))
    assert move.rook_origin is not None
    assert move.rook_landing is not None
    assert (square_name(move.origin), square_name(move.destination)) == (king, rook)
    assert (square_name(move.landing), square_name(move.rook_landing)) == (king_landing, rook_landing)
    assert square_name(move.rook_origin) == rook
    assert move.change == sum(1 << parse_square(name) for name in changed.split())
