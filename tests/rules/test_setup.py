"""Setups: reading them, and finding everything that is wrong with them at once."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.fen import FenError, parse_fen, write_fen
from rules.pieces import PIECES, Piece, Role
from rules.setup import (
    FaultCode,
    Remedy,
    Setup,
    SetupError,
    castling_rooks,
    faults,
    mended,
    parse_placement,
    parse_setup,
    refusal,
)
from rules.squares import Colour, Square, names_of, parse_square, set_of, square_name

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CODE = FaultCode


def test_the_usual_start_is_read_field_by_field() -> None:
    setup = parse_setup(START)
    assert setup.turn is Colour.WHITE
    assert (setup.rights, setup.ep, setup.halfmove_clock, setup.fullmove_number) == ("KQkq", None, 0, 1)
    assert setup.pieces[parse_square("e1")] == Piece(Colour.WHITE, Role.KING)
    assert names_of(set_of(setup.squares(Colour.BLACK, Role.KNIGHT))) == ["b8", "g8"]
    assert len(setup.squares(Colour.WHITE)) == 16
    assert faults(setup) == ()
    assert mended(setup) == setup


def test_clocks_may_be_missing_and_move_zero_is_read_as_one() -> None:
    assert parse_setup("4k3/8/8/8/8/8/8/4K3 b - -") == parse_setup("4k3/8/8/8/8/8/8/4K3 b - - 0 1")
    assert parse_setup("4k3/8/8/8/8/8/8/4K3 b - - 7").halfmove_clock == 7
    assert parse_setup("4k3/8/8/8/8/8/8/4K3 b - - 0 0").fullmove_number == 1


@pytest.mark.parametrize(
    ("text", "field", "got"),
    [
        ("", "FEN", ""),
        ("4k3/8/8/8/8/8/8/4K3", "FEN", "4k3/8/8/8/8/8/8/4K3"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "FEN", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "pieces", "4k3/8/8/8/8/8/4K3"),
        ("4k3/8/8/8/8/8/7/4K3 w - - 0 1", "pieces, rank 2", "7"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "pieces, rank 1", "4K4"),
        ("4k3/8/x7/8/8/8/8/4K3 w - - 0 1", "pieces, rank 6", "x"),
        ("4k3/8/07/8/8/8/8/4K3 w - - 0 1", "pieces, rank 6", "0"),
        ("4k3/8/8/8/8/8/8/4K3 white - - 0 1", "side to move", "white"),
        ("4k3/8/8/8/8/8/8/4K3 w KK - 0 1", "castling", "KK"),
        ("4k3/8/8/8/8/8/8/4K3 w Kx - 0 1", "castling", "Kx"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant", "e9"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock", "-1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 ²", "move number", "²"),
    ],
)
def test_a_text_that_is_no_setup_names_the_field_and_what_came(text: str, field: str, got: str) -> None:
    with pytest.raises(SetupError) as caught:
        parse_setup(text)
    assert (caught.value.field, caught.value.got) == (field, got)
    assert str(caught.value).startswith(f"{field}: expected ")
    assert "\n" not in str(caught.value)


def test_an_endless_text_is_shown_short() -> None:
    with pytest.raises(SetupError) as caught:
        parse_setup("x" * 10_000)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("text", "code", "squares"),
    [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", CODE.NO_KING, ""),
        ("4k3/8/8/8/8/8/8/4K2K w - - 0 1", CODE.MANY_KINGS, "e1 h1"),
        ("P3k3/8/8/8/8/8/8/4K2p w - - 0 1", CODE.PAWN_ON_END_RANK, "h1 a8"),
        ("4k3/8/8/8/8/8/8/r3K3 b - - 0 1", CODE.OPPONENT_IN_CHECK, "e1 a1"),
        ("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", None, ""),
        ("4k3/8/8/8/8/8/8/rN2K3 b - - 0 1", None, ""),
        ("8/8/8/8/8/8/3kK3/8 w - - 0 1", CODE.KINGS_ADJACENT, "d2 e2"),
        ("8/8/8/8/8/8/8/k1K5 w - - 0 1", None, ""),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", CODE.TOO_MANY_PAWNS, "a2 b2 c2 d2 e2 f2 g2 h2 a3"),
        ("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", None, ""),
        ("4k3/8/8/8/8/Q7/PPPPPPPP/RNB1KBNR w - - 0 1", None, ""),
        # two light-squared bishops and eight pawns
        ("4k3/8/8/8/8/8/PPPPPPPP/3BKB2 w - - 0 1", CODE.TOO_MANY_PROMOTED, "d1 e1 f1 a2 b2 c2 d2 e2 f2 g2 h2"),
        ("4k3/8/8/8/8/8/PPPPPPP1/3BKB2 w - - 0 1", None, ""),
        # the position with the most moves: nine queens, no pawn left
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", None, ""),
        ("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", CODE.IMPOSSIBLE_CHECK, "e1 d3 f3"),
        ("4k3/8/8/8/8/8/8/r3K2r w - - 0 1", CODE.IMPOSSIBLE_CHECK, "e1 a1 h1"),
        ("4k3/4r3/8/8/7b/5n2/8/4K3 w - - 0 1", CODE.IMPOSSIBLE_CHECK, "e1 f3 h4 e7"),
        ("4k3/4r3/8/8/8/5n2/8/4K3 w - - 0 1", None, ""),
        ("4k3/4r3/8/8/7b/8/8/4K3 w - - 0 1", None, ""),
    ],
)
def test_faults_that_make_play_impossible(text: str, code: FaultCode | None, squares: str) -> None:
    found = faults(parse_setup(text))
    assert [fault.code for fault in found] == ([] if code is None else [code])
    assert [fault.squares for fault in found] == (
        [] if code is None else [tuple(parse_square(name) for name in squares.split())]
    )
    assert all(fault.remedy is Remedy.REFUSED and fault.sentence in refusal(parse_setup(text)) for fault in found)


@pytest.mark.parametrize(
    ("text", "chess960", "rights", "rooks"),
    [
        # field case: the white king stands on f1
        ("r3k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1", False, "kq", "a8 h8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", False, "KQkq", "a1 h1 a8 h8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", False, "HAha", "a1 h1 a8 h8"),
        ("r3k3/8/8/8/8/8/8/1R2KR2 w KQkq - 0 1", False, "q", "a8"),
        ("4k3/8/8/8/8/8/8/4K2r w K - 0 1", False, "-", ""),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", False, "-", ""),
        ("r3k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1", True, "KQkq", "a1 h1 a8 h8"),
        # K and Q mean the outermost rooks, a letter the rook on that file
        ("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1", True, "KQ", "a1 h1"),
        ("4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", True, "GB", "b1 g1"),
        # only one rook on either side
        ("4k3/8/8/8/8/8/8/RR2K1RR w HG - 0 1", True, "H", "h1"),
        ("4k3/8/8/8/8/8/8/4K1RR w F - 0 1", True, "-", ""),
        ("4k3/8/8/8/8/8/8/4K1RR w E - 0 1", True, "-", ""),
    ],
)
def test_castling_rights_without_king_and_rook_are_dropped(
    text: str, chess960: bool, rights: str, rooks: str
) -> None:
    setup = parse_setup(text)
    kept = mended(setup, chess960)
    assert kept.rights == rights
    assert castling_rooks(setup, chess960) == tuple(parse_square(name) for name in rooks.split())
    codes = [fault.code for fault in faults(setup, chess960)]
    assert codes == ([] if rights == setup.rights else [CODE.CASTLING_UNSUPPORTED])
    assert refusal(setup, chess960) == ""
    assert faults(kept, chess960) == ()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", True),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", True),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", True),
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", False),
        ("4k3/8/8/8/8/8/8/4K3 b - e3 0 1", False),
        ("4k3/8/8/8/4p3/8/8/4K3 b - e3 0 1", False),
        ("4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1", False),
        ("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", False),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e4 0 1", False),
        # the pawn gives the check; no check; the check from c1 was there before; the step opened it; there before
        ("8/8/8/3k4/4P3/8/8/4K3 b - e3 0 1", True),
        ("8/8/8/8/k2pP2Q/8/8/4K3 b - e3 0 1", True),
        ("8/8/8/6k1/4P3/8/8/2B1K3 b - e3 0 1", False),
        ("8/8/7k/8/3P4/8/8/2B1K3 b - d3 0 1", True),
        ("k7/8/8/8/R3P3/8/8/4K3 b - e3 0 1", False),
    ],
)
def test_an_impossible_en_passant_square_is_dropped(text: str, kept: bool) -> None:
    setup = parse_setup(text)
    assert (mended(setup).ep == setup.ep) is kept
    assert [fault.code for fault in faults(setup)] == ([] if kept else [CODE.EP_IMPOSSIBLE])
    assert refusal(setup) == ""


def test_all_faults_come_at_once() -> None:
    setup = parse_setup("P3k2k/8/8/8/8/8/8/8 w KQ e3 0 1")
    assert [fault.code for fault in faults(setup)] == [
        CODE.NO_KING,
        CODE.MANY_KINGS,
        CODE.PAWN_ON_END_RANK,
        CODE.CASTLING_UNSUPPORTED,
        CODE.EP_IMPOSSIBLE,
    ]
    assert refusal(setup) == "White has no king; Black has 2 kings (e8, h8); a pawn cannot stand on a8"


def test_a_board_of_sensors_makes_a_setup_without_a_fen() -> None:
    setup = Setup(parse_placement("4k3/8/8/8/8/8/8/4K3"))
    assert faults(setup) == ()
    assert setup.turn is Colour.WHITE


FAULT_OF_STATUS = {
    CODE.NO_KING: chess.STATUS_NO_WHITE_KING | chess.STATUS_NO_BLACK_KING,
    CODE.PAWN_ON_END_RANK: chess.STATUS_PAWNS_ON_BACKRANK,
    CODE.TOO_MANY_PIECES: chess.STATUS_TOO_MANY_WHITE_PIECES | chess.STATUS_TOO_MANY_BLACK_PIECES,
    CODE.TOO_MANY_PAWNS: chess.STATUS_TOO_MANY_WHITE_PAWNS | chess.STATUS_TOO_MANY_BLACK_PAWNS,
    CODE.CASTLING_UNSUPPORTED: chess.STATUS_BAD_CASTLING_RIGHTS,
}

crowds = st.dictionaries(
    st.integers(0, 63), st.sampled_from([*PIECES.values(), *[PIECES[c] for c in "PpRrKk"]]), max_size=40
)
setups = st.builds(
    Setup,
    crowds.map(lambda crowd: tuple(crowd.get(square) for square in range(64))),
    st.sampled_from(list(Colour)),
    st.lists(st.sampled_from("KQkq"), unique=True).map(lambda rights: "".join(sorted(rights)) or "-"),
    st.none() | st.integers(0, 63).map(Square),
)


@given(setups)
def test_faults_agree_with_another_library_where_it_looks_for_the_same(setup: Setup) -> None:
    board = chess.Board(None)
    for square, piece in enumerate(setup.pieces):
        if piece is not None:
            board.set_piece_at(square, chess.Piece.from_symbol(piece.letter))
    board.turn = setup.turn is Colour.WHITE
    corners = {"K": chess.BB_H1, "Q": chess.BB_A1, "k": chess.BB_H8, "q": chess.BB_A8, "-": 0}
    board.castling_rights = sum(corners[letter] for letter in setup.rights)
    status = board.status()
    codes = {fault.code for fault in faults(setup)}
    for code, statuses in FAULT_OF_STATUS.items():
        if code is CODE.CASTLING_UNSUPPORTED and (CODE.NO_KING in codes or CODE.MANY_KINGS in codes):
            continue
        assert (code in codes) == bool(status & statuses), code
    if not codes & {CODE.NO_KING, CODE.MANY_KINGS}:
        opposite = bool(codes & {CODE.OPPONENT_IN_CHECK, CODE.KINGS_ADJACENT})
        assert opposite == bool(status & chess.STATUS_OPPOSITE_CHECK)
        impossible = status & (chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK)
        if setup.ep is None and not opposite and impossible:
            assert CODE.IMPOSSIBLE_CHECK in codes


@given(setups, st.booleans())
def test_a_mended_setup_has_nothing_left_to_drop(setup: Setup, chess960: bool) -> None:
    kept = mended(setup, chess960)
    assert all(fault.remedy is Remedy.REFUSED for fault in faults(kept, chess960))
    assert mended(kept, chess960) == kept
    assert refusal(kept, chess960) == refusal(setup, chess960)


@given(st.text(alphabet="rnbqkpRNBQKP12345678/ w-KQkqahe36", max_size=90) | st.text(max_size=90))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    refused = ""
    try:
        assert len(parse_setup(text).pieces) == 64
    except SetupError as error:
        refused = str(error)
    assert "\n" not in refused


# ---- and what a position is made of


@st.composite
def castled_or_not(draw: st.DrawFn) -> Setup:
    """Kings and rooks on the back ranks, a few men between, and rights that may or may not fit."""
    letters = dict(draw(st.lists(st.tuples(st.integers(8, 55), st.sampled_from("NnBbPp")), max_size=3)))
    for rook, king, home in (("R", "K", 0), ("r", "k", 56)):
        letters |= {home + file: rook for file in draw(st.sets(st.sampled_from([0, 1, 5, 6, 7]), max_size=3))}
        letters[home + draw(st.sampled_from([2, 3, 4, 4, 4]))] = king
    pieces = tuple(PIECES[letters[square]] if square in letters else None for square in range(64))
    turn = draw(st.sampled_from(list(Colour)))
    rights = draw(st.sampled_from(["-", "KQkq", "KQ", "kq", "HAha", "HG", "GBgb", "KGq", "F"]))
    pawns = [square for square in range(24, 40) if letters.get(square) == ("p" if turn is Colour.WHITE else "P")]
    behind = 8 if turn is Colour.WHITE else -8
    ep = draw(st.none() | st.sampled_from([Square(pawn + behind) for pawn in pawns])) if pawns else None
    return Setup(pieces, turn, rights, ep)


def fen_of(setup: Setup) -> str:
    ranks = ("".join(p.letter if p else "1" for p in setup.pieces[8 * r : 8 * r + 8]) for r in range(7, -1, -1))
    ep = "-" if setup.ep is None else square_name(setup.ep)
    return f"{'/'.join(ranks)} {'wb'[setup.turn]} {setup.rights} {ep} {setup.halfmove_clock} {setup.fullmove_number}"


@given(setups | castled_or_not() | castled_or_not(), st.booleans())
def test_a_position_is_refused_or_mended_as_its_setup_is(setup: Setup, chess960: bool) -> None:
    text = fen_of(setup)
    assert parse_setup(text) == setup
    why = refusal(setup, chess960)
    if why:
        with pytest.raises(FenError) as caught:
            parse_fen(text, chess960)
        assert why in str(caught.value)
        return
    position = parse_fen(text, chess960)
    kept = mended(setup, chess960)
    assert position.side.rooks == set_of(castling_rooks(setup, chess960))
    assert position.ep == 0 or position.ep == 1 << (kept.ep or 0)
    assert all(position.piece_at(square) == piece for square, piece in enumerate(setup.pieces))
    assert write_fen(position) == write_fen(parse_fen(fen_of(kept), chess960))
