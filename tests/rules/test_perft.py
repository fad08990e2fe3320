"""Counts of the move tree against published ones (Chess Programming Wiki; Chess960: those of its table, and a few
positions made for castling, counted by another library)."""

from __future__ import annotations

import pytest

from rules.fen import START_FEN, parse_fen
from rules.perft import divide, perft, perft_played
from rules.uci import write_uci

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

ORDINARY = {
    START_FEN: (20, 400, 8_902, 197_281, 4_865_609),
    KIWIPETE: (48, 2_039, 97_862, 4_085_603),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2_812, 43_238, 674_624),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9_467, 422_333),
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1": (6, 264, 9_467, 422_333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1_486, 62_379, 2_103_487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (46, 2_079, 89_890, 3_894_594),
}

CHESS960 = {
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": (21, 528, 12_189, 326_672),
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": (21, 807, 18_002, 667_366),
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9": (20, 479, 10_471, 273_318),
    "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9": (22, 593, 13_440, 382_958),
    "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9": (28, 1_120, 31_058, 1_171_749),
    "qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9": (29, 899, 26_578, 824_055),
    "8/8/8/8/8/3k4/8/qRK4R w HB - 0 1": (14, 240, 4_199),
    "qrk4r/8/8/8/8/8/8/QRK4R w HBhb - 0 1": (37, 1_084, 36_708),
    "5krR/5p1p/8/8/8/8/5P1P/5KRr w Gg - 0 1": (9, 80, 961),
    "1rk3r1/1p4p1/8/3n4/3N4/8/1P4P1/1RK3R1 b GBgb - 0 1": (22, 475, 10_847),
    "2rkr3/8/8/8/8/8/8/2RKR3 w ECec - 0 1": (20, 330, 6_753),
}

QUICK = 100_000


def cases(quick: bool) -> list[tuple[str, bool, int, int]]:
    """(FEN, Chess960?, depth, leaves): the small counts, or the large ones."""
    return [
        (fen, chess960, depth, leaves)
        for chess960, counts in ((False, ORDINARY), (True, CHESS960))
        for fen, by_depth in counts.items()
        for depth, leaves in enumerate(by_depth, 1)
        if (leaves <= QUICK) is quick
    ]


@pytest.mark.parametrize(("fen", "chess960", "depth", "leaves"), cases(quick=True))
def test_counts(fen: str, chess960: bool, depth: int, leaves: int) -> None:
    assert perft(parse_fen(fen, chess960=chess960), depth) == leaves


@pytest.mark.long
@pytest.mark.parametrize(("fen", "chess960", "depth", "leaves"), cases(quick=False))
def test_large_counts(fen: str, chess960: bool, depth: int, leaves: int) -> None:
    assert perft(parse_fen(fen, chess960=chess960), depth) == leaves


def test_start_to_depth_four() -> None:
    assert perft(parse_fen(START_FEN), 4) == 197_281


def test_every_leaf_played_is_as_many() -> None:
    position = parse_fen(KIWIPETE)
    assert [perft_played(position, depth) for depth in range(4)] == [1, 48, 2_039, 97_862]


def test_depth_none_is_one_line() -> None:
    assert perft(parse_fen(START_FEN), 0) == 1


def test_divide_adds_up() -> None:
    position = parse_fen(KIWIPETE)
    parts = divide(position, 2)
    assert sum(parts.values()) == 2_039
    assert {write_uci(position, move): count for move, count in parts.items()}["e1g1"] == 43


def test_a_king_that_may_castle_is_not_slower_to_find_in_chess960() -> None:
    """Ordinary chess is a case of Chess960: the same tree either way."""
    assert perft(parse_fen(KIWIPETE, chess960=True), 3) == 97_862
