"""A position that is set up is judged in words, and what comes out can be played."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.web.setups import judged
from rules.fen import START_FEN, parse_fen

RANK = st.text("pnbrqkPNBRQK12345678", max_size=8)
FENS = st.one_of(
    st.text(max_size=60),
    st.builds(
        lambda ranks, rest: f"{'/'.join(ranks)} {rest}",
        st.lists(RANK, max_size=9),
        st.text("wbKQkq-e36 01", max_size=12),
    ),
)


def test_the_start_position_is_as_it_is() -> None:
    found = judged(START_FEN)
    assert found["fen"] == START_FEN
    assert found["faults"] == []


@pytest.mark.parametrize(
    ("fen", "said"),
    [
        ("k7/8/8/8/8/8/8/8 w - - 0 1", "White has no king."),
        ("k6P/8/8/8/8/8/8/7K w - - 0 1", "A pawn cannot stand on h8."),
        ("kK6/8/8/8/8/8/8/8 w - - 0 1", "side by side"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Castling kq is dropped"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Black has no move to make."),
        ("nonsense", "expected six fields"),
    ],
)
def test_what_is_wrong_is_said_in_words(fen: str, said: str) -> None:
    faults = judged(fen)["faults"]
    assert isinstance(faults, list)
    assert said in " ".join(fault["text"] for fault in faults)


def test_what_is_dropped_does_not_stop_the_game() -> None:
    found = judged("4k3/8/8/8/8/8/8/R3K2R w KQkq e3 0 1")
    assert found["fen"] == "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    setup = found["setup"]
    assert isinstance(setup, dict)
    assert (setup["rights"], setup["turn"]) == ("KQ", "white")


def test_every_rank_of_rooks_may_castle_in_chess960() -> None:
    assert judged("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", chess960=True)["fen"] is not None


@given(FENS)
def test_whatever_comes_the_answer_is_a_position_or_a_reason(text: str) -> None:
    found = judged(text)
    faults = found["faults"]
    assert isinstance(faults, list)
    if found["fen"] is None:
        assert any(fault["stops"] for fault in faults)
    else:
        assert parse_fen(str(found["fen"]))
        assert chess.Board(str(found["fen"])).is_valid()
