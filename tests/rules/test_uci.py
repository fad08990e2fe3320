"""UCI: both spellings of castling, promotions, and texts that are no move."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.fen import START_FEN, parse_fen
from rules.uci import UciError, parse_uci, write_uci

CASTLING = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
PROMOTING = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(("text", "written"), [("e1g1", "e1g1"), ("e1h1", "e1g1"), ("e1c1", "e1c1"), ("e1a1", "e1c1")])
def test_castling_is_read_in_both_spellings(text: str, written: str) -> None:
    position = parse_fen(CASTLING)
    move = parse_uci(position, text)
    assert move.is_castling
    assert write_uci(position, move) == written


@pytest.mark.parametrize(("text", "written"), [("e1g1", "e1h1"), ("e1h1", "e1h1"), ("e1c1", "e1a1")])
def test_castling_is_written_as_king_takes_rook_in_chess960(text: str, written: str) -> None:
    position = parse_fen(CASTLING, chess960=True)
    assert write_uci(position, parse_uci(position, text)) == written


def test_a_king_that_may_step_to_where_castling_takes_it_steps() -> None:
    position = parse_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1", chess960=True)
    assert not parse_uci(position, "f1g1").is_castling
    assert parse_uci(position, "f1h1").is_castling


@pytest.mark.parametrize("letter", "nbrq")
def test_promotions(letter: str) -> None:
    position = parse_fen(PROMOTING)
    move = parse_uci(position, f"a7a8{letter}")
    assert move.promotion is not None
    assert move.promotion.letter.lower() == letter
    assert write_uci(position, move) == f"a7a8{letter}"


@pytest.mark.parametrize(
    ("fen", "text", "why"),
    [
        (START_FEN, "", "a move such as"),
        (START_FEN, "e2", "a move such as"),
        (START_FEN, "e2e9", "a move such as"),
        (START_FEN, "e2e4x", "a move such as"),
        (START_FEN, "e2e4\n", "a move such as"),
        (START_FEN, "e2e5", "a legal move"),
        (START_FEN, "e7e5", "a legal move"),
        (START_FEN, "e2e4q", "a legal move"),
        (START_FEN, "0000", "a move such as"),
        (PROMOTING, "a7a8", "a legal move"),
        (PROMOTING, "a7a8k", "a move such as"),
    ],
)
def test_refused(fen: str, text: str, why: str) -> None:
    with pytest.raises(UciError) as error:
        parse_uci(parse_fen(fen), text)
    assert f"expected {why}" in str(error.value)
    assert "\n" not in str(error.value)


@given(text=st.text(max_size=6) | st.from_regex("[a-h][1-8][a-h][1-8][nbrq]?", fullmatch=True))
def test_any_text_is_a_legal_move_or_an_error(text: str) -> None:
    position = parse_fen(CASTLING)
    try:
        move = parse_uci(position, text)
    except UciError:
        return
    assert move in position.legal_moves()
