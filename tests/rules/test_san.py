"""SAN as it is written, and as people write it. (All moves of random play are in the differential test.)"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.fen import START_FEN, parse_fen
from rules.san import SanError, move_numeral, parse_san, sans, write_san
from rules.uci import parse_uci, write_uci

WRITTEN = [
    (START_FEN, "g1f3", "Nf3"),
    (START_FEN, "e2e4", "e4"),
    ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q+"),
    ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", "axb8=N"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "c3e2", "Nce2"),
    ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
    ("4k3/R7/8/8/8/8/8/R3K3 w - - 0 1", "a1a4", "R1a4"),
    ("8/2k5/8/8/Q6Q/8/8/4K2Q w - - 0 1", "h4e4", "Qh4e4"),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#"),
    ("4k3/8/4N3/8/8/8/4R3/4K3 w - - 0 1", "e6c7", "Nc7+"),
]


@pytest.mark.parametrize(("fen", "uci", "san"), WRITTEN)
def test_written(fen: str, uci: str, san: str) -> None:
    position = parse_fen(fen)
    move = parse_uci(position, uci)
    assert write_san(position, move) == san
    assert sans(position)[move] == san
    assert parse_san(position, san) is move


ITALIAN = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
BISHOP_OR_PAWN = "4k3/8/2n5/1B6/8/8/1P6/4K3 w - - 0 1"
BOTH = "4k3/8/2n5/1P1B4/8/8/8/4K3 w - - 0 1"
PROMOTING = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"

READ = [
    (START_FEN, "Ng1-f3", "g1f3"),
    (START_FEN, "ng1-f3", "g1f3"),
    (START_FEN, "ng1f3", "g1f3"),
    (START_FEN, "Ng1f3", "g1f3"),
    (START_FEN, "nf3", "g1f3"),
    (START_FEN, "Ngf3", "g1f3"),
    (START_FEN, "N1f3", "g1f3"),
    (START_FEN, "e2-e4", "e2e4"),
    (START_FEN, "e2e4", "e2e4"),
    (START_FEN, "Pe4", "e2e4"),
    (START_FEN, " e4 ", "e2e4"),
    (START_FEN, "e4!?", "e2e4"),
    (START_FEN, "e4+", "e2e4"),
    (START_FEN, "b2b4", "b2b4"),
    (START_FEN, "b4", "b2b4"),
    (ITALIAN, "0-0", "e1g1"),
    (ITALIAN, "o-o", "e1g1"),
    (ITALIAN, "O-O!", "e1g1"),
    (ITALIAN, "Bxf7++", "c4f7"),
    (ITALIAN, "bc4xf7", "c4f7"),
    (ITALIAN, "bxf7", "c4f7"),
    (ITALIAN, "B:f7", "c4f7"),
    (ITALIAN, "bb5", "c4b5"),
    (ITALIAN, "bb3", "c4b3"),
    (ITALIAN, "b3", "b2b3"),
    (BISHOP_OR_PAWN, "bxc6", "b5c6"),
    (BISHOP_OR_PAWN, "bb5xc6", "b5c6"),
    (BISHOP_OR_PAWN, "b5xc6", "b5c6"),
    (BOTH, "bxc6", "b5c6"),
    (BOTH, "Bxc6", "d5c6"),
    (BOTH, "bd5xc6", "d5c6"),
    (BOTH, "bc6", "b5c6"),
    (PROMOTING, "a8Q", "a7a8q"),
    (PROMOTING, "a8=Q+", "a7a8q"),
    (PROMOTING, "a8(R)", "a7a8r"),
    (PROMOTING, "a8/N", "a7a8n"),
    (PROMOTING, "a8=b", "a7a8b"),
    (PROMOTING, "axb8Q", "a7b8q"),
    (PROMOTING, "a7-a8=Q", "a7a8q"),
    (PROMOTING, "a7xb8=N", "a7b8n"),
    (EN_PASSANT, "exd6 e.p.", "e5d6"),
    (EN_PASSANT, "exd6e.p.", "e5d6"),
    (EN_PASSANT, "e5xd6 ep", "e5d6"),
    (EN_PASSANT, "ed6", "e5d6"),
]


@pytest.mark.parametrize(("fen", "text", "uci"), READ)
def test_read(fen: str, text: str, uci: str) -> None:
    position = parse_fen(fen)
    assert write_uci(position, parse_san(position, text)) == uci


REFUSED = [
    (START_FEN, "", "expected a move such as"),
    (START_FEN, "e9", "expected a move such as"),
    (START_FEN, "Xf3", "expected a move such as"),
    (START_FEN, "Nf3f", "expected a move such as"),
    (START_FEN, "e5", "expected a legal move, got 'e5'"),
    (START_FEN, "Nd4", "expected a legal move"),
    (START_FEN, "O-O", "expected a legal move"),
    (START_FEN, "e4=Q", "expected a legal move"),
    (EN_PASSANT, "ed", "expected a move such as"),
    (PROMOTING, "a8", "without the piece it promotes to"),
    (PROMOTING, "a8=K", "expected a move such as"),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "Ne2", "which may start from c3 or g1"),
    ("4k3/8/8/2ppp3/8/2P1P3/8/4K3 w - - 0 1", "bxd4", "expected a legal move"),
]


@pytest.mark.parametrize(("fen", "text", "why"), REFUSED)
def test_refused(fen: str, text: str, why: str) -> None:
    with pytest.raises(SanError) as error:
        parse_san(parse_fen(fen), text)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


@given(text=st.text(alphabet="abcdefgh12345678NBRQKPnrqk0Oo-x:=()+#!? .ep", max_size=9) | st.text(max_size=12))
def test_any_text_is_a_legal_move_or_an_error(text: str) -> None:
    position = parse_fen(ITALIAN)
    try:
        move = parse_san(position, text)
    except SanError:
        return
    assert move in position.legal_moves()


@pytest.mark.parametrize(("turn", "number", "numeral"), [("w", 1, "1."), ("b", 1, "1..."), ("b", 40, "40...")])
def test_the_number_before_a_move(turn: str, number: int, numeral: str) -> None:
    assert move_numeral(parse_fen(f"4k3/8/8/8/8/8/8/4K2R {turn} K - 0 {number}")) == numeral
