"""FEN, X-FEN and Shredder-FEN in and out, and what is refused."""

from __future__ import annotations

from random import Random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.fen import START_FEN, FenError, _judged, parse_fen, write_fen, write_shredder_fen
from rules.position import Position
from rules.squares import names_of
from tests.rules.peer import random_play

SAME = [
    START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 12 34",
    "8/8/8/8/8/8/8/K1k5 w - - 99 200",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "QQQQQQQQ/8/7k/8/K7/8/8/8 b - - 0 1",
]


@pytest.mark.parametrize("fen", SAME)
def test_written_as_read(fen: str) -> None:
    assert write_fen(parse_fen(fen)) == fen


def test_the_start() -> None:
    position = parse_fen(START_FEN)
    assert position.key() == Position.initial().key()
    assert write_fen(Position.initial()) == START_FEN
    assert (position.ply, position.fullmove_number, position.halfmove_clock) == (0, 1, 0)


CHANGED = [
    pytest.param(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        id="nobody takes en passant",
    ),
    pytest.param(
        "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
        "8/8/8/8/k2Pp2R/8/8/4K3 b - - 0 1",
        id="en passant would open the rank",
    ),
    pytest.param("4k3/8/8/8/8/8/8/4K2R w KQkq - 3 4", "4k3/8/8/8/8/8/8/4K2R w K - 3 4", id="rights without men"),
    pytest.param("4k3/8/8/8/8/8/8/4K2R w K d6 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", id="no pawn there"),
    pytest.param("4k3/8/8/8/8/8/8/4K2R w H -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", id="Shredder-FEN, no clocks"),
    pytest.param("4k3/8/8/8/8/8/8/4K2R w K - 7", "4k3/8/8/8/8/8/8/4K2R w K - 7 1", id="one clock"),
    pytest.param("4k3/8/8/8/8/8/8/4K2R w K - 0 0", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", id="move nought"),
    pytest.param("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "4k3/8/8/8/8/8/8/5K1R w - - 0 1", id="ordinary kings start on e1"),
]


@pytest.mark.parametrize(("fen", "written"), CHANGED)
def test_mended(fen: str, written: str) -> None:
    assert write_fen(parse_fen(fen)) == written


CHESS960 = [
    # (read, X-FEN, Shredder-FEN, rooks that may castle)
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "KQ", "HA", "a1 h1"),
    ("4k3/8/8/8/8/8/8/1R2KRR1 w KQ - 0 1", "KQ", "GB", "b1 g1"),
    ("4k3/8/8/8/8/8/8/1R2KRR1 w F - 0 1", "F", "F", "f1"),
    ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "B", "B", "b1"),
    ("r1k3rr/8/8/8/8/8/8/4K3 b gq - 0 1", "gq", "ga", "a8 g8"),
]


@pytest.mark.parametrize(("fen", "xfen", "shredder", "rooks"), CHESS960)
def test_rights_of_chess960(fen: str, xfen: str, shredder: str, rooks: str) -> None:
    position = parse_fen(fen, chess960=True)
    assert write_fen(position).split()[2] == xfen
    assert write_shredder_fen(position).split()[2] == shredder
    assert names_of(position.side.rooks) == sorted(rooks.split())
    for text in (write_fen(position), write_shredder_fen(position)):
        assert parse_fen(text, chess960=True).key() == position.key()


def test_all_chess960_starts_in_both_dialects() -> None:
    for position, board in random_play(3, 200, chess960=True):
        assert write_shredder_fen(position) == board.fen(shredder=True, en_passant="legal")
        assert write_fen(position) == board.fen(shredder=False, en_passant="legal")


REFUSED = [
    ("", "six fields"),
    ("8/8/8/8/8/8/8/8", "six fields"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "eight ranks"),
    ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 7"),
    ("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 7"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR white KQkq - 0 1", "side to move"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1", "castling"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", "en passant"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", "halfmove clock"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 -3", "move number"),
    ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king"),
    ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "Black has 2 kings"),
    ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "pawn cannot stand on h8"),
    ("k7/8/8/8/8/8/8/R6K w - - 0 1", "Black is in check from a1 but White is to move"),
    ("8/8/8/8/8/8/8/kK6 w - - 0 1", "side by side"),
    ("4k3/8/8/8/8/PPPPP3/PPPPPP2/4K3 w - - 0 1", "11 pawns"),
    ("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1", "promoted"),
    ("4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1", "promoted"),
    ("R3k2R/8/8/8/8/8/8/4K2r b - - 0 1", "no single move gives check from a8, h8"),
]


@pytest.mark.parametrize(("fen", "why"), REFUSED)
def test_refused(fen: str, why: str) -> None:
    with pytest.raises(FenError) as error:
        parse_fen(fen)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


LOOKS_LIKE_FEN = r"([pnbrqkPNBRQK1-8]{1,8}/){7}[PNBRQK1-8]{1,8} [wb] [KQkqAHah-]{1,4} [a-h-][1-8]? \d+ \d+"


@given(text=st.text() | st.from_regex(LOOKS_LIKE_FEN))
def test_any_text_is_a_position_or_an_error(text: str) -> None:
    try:
        position = parse_fen(text)
    except FenError:
        return
    assert write_fen(parse_fen(write_fen(position))) == write_fen(position)


fields = st.tuples(
    st.sampled_from([START_FEN.split()[0], "4k3/8/8/3pP3/8/8/8/R3K2R", "k7/8/8/8/8/8/8/R6K", ""]),
    st.sampled_from(["w", "b", "W", "-"]),
    st.sampled_from(["KQkq", "-", "K", "HA", "qk", "KK", "x"]),
    st.sampled_from(["-", "d6", "e3", "d5", "z9"]),
    st.sampled_from(["0", "12", "-1", "x", "9999999999", "³"]),
    st.sampled_from(["1", "0", "12", "", "٣"]),
)


@given(fields=fields, chess960=st.booleans())
def test_any_mixture_of_fields_is_a_position_or_an_error(fields: tuple[str, ...], chess960: bool) -> None:
    text = " ".join(fields)
    try:
        position = parse_fen(text, chess960=chess960)
    except FenError:
        return
    assert parse_fen(write_fen(position), chess960=chess960).key() == position.key()


def judged(text: str, chess960: bool) -> str:
    """What the careful way of reading says: the FEN, or the error."""
    try:
        return write_fen(_judged(text, chess960))
    except FenError as error:
        return str(error)


def read(text: str, chess960: bool) -> str:
    try:
        return write_fen(parse_fen(text, chess960=chess960))
    except FenError as error:
        return str(error)


@pytest.mark.parametrize("chess960", [False, True])
def test_what_is_read_at_a_glance_is_what_the_setup_checks_say(chess960: bool) -> None:
    """Positions of random play, with men changed or added, the turn passed, and any rights and en passant square."""
    rng = Random(9)
    for position, board in random_play(9, 800, chess960):
        fields = board.fen(en_passant="fen").split()
        assert read(" ".join(fields), chess960) == write_fen(position)
        for _ in range(rng.randrange(3)):
            square = rng.randrange(64)
            changed = board.copy(stack=False)
            changed.set_piece_at(square, chess.Piece.from_symbol(rng.choice("PNBRQKpnbrqk")))
            fields[0] = changed.board_fen()
        fields[1] = rng.choice([fields[1], "w", "b"])
        fields[2] = rng.choice([fields[2], "KQkq", "Kq", "HAha", "BGbg", "-"])
        fields[3] = rng.choice([fields[3], rng.choice("abcdefgh") + rng.choice("36"), "-"])
        text = " ".join(fields)
        assert read(text, chess960) == judged(text, chess960), text


@pytest.mark.parametrize(
    "text",
    [
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/6B1/PPPP1PPP/RNBQK1NR b KQkq - 0 2",  # two dark bishops, all pawns
        "4k3/8/8/8/7b/8/8/n3K2r w - - 0 1",
    ],
)
def test_what_stands_after_an_illegal_move_is_read_where_that_is_wanted(text: str) -> None:
    assert write_fen(parse_fen(text, unreached=True)) == text


@pytest.mark.parametrize("text", ["8/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"])
def test_what_cannot_be_played_is_never_read(text: str) -> None:
    with pytest.raises(FenError):
        parse_fen(text, unreached=True)
