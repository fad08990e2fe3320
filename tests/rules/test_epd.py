"""EPD lines."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.epd import EpdError, parse_epd
from rules.fen import START_FEN, write_fen
from rules.uci import write_uci

MATE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -"


@pytest.mark.parametrize(
    ("line", "operations"),
    [
        (MATE, {}),
        (f"{MATE} bm Rd8#;", {"bm": ("Rd8#",)}),
        (f'{MATE} bm Rd8# Rd7; id "one two";', {"bm": ("Rd8#", "Rd7"), "id": ("one two",)}),
        (f'{MATE}  id "semi;colon" ; dm 1', {"id": ("semi;colon",), "dm": ("1",)}),
        (f"{MATE} 0 1", {}),
        (f"{MATE} 3 17 bm Rd8#;", {"bm": ("Rd8#",)}),
        (f"{MATE} noop;", {"noop": ()}),
        (f'{MATE} c0 "";', {"c0": ("",)}),
        (START_FEN, {}),
    ],
)
def test_lines_are_read(line: str, operations: dict[str, tuple[str, ...]]) -> None:
    assert dict(parse_epd(line).operations) == operations


def test_the_counters_of_a_fen_are_kept() -> None:
    assert write_fen(parse_epd(f"{MATE} 3 17 bm Rd8#;").position) == f"{MATE} 3 17"
    assert write_fen(parse_epd(f"{MATE} bm Rd8#;").position) == f"{MATE} 0 1"


def test_solutions_are_moves() -> None:
    epd = parse_epd("5r1k/6pp/7N/8/8/1Q6/8/7K w - - pv Qg8+ Rxg8 Nf7#; bm Qg8+;")
    position = epd.position
    assert [write_uci(position, move) for move in epd.best_moves()] == ["b3g8"]
    assert [move.landing for move in epd.variation()] == [62, 62, 53]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "expected a position and operations"),
        ("nonsense", "expected a position and operations"),
        ("8/8/8/8/8/8/8/8 w - -", "king"),
        (f"{MATE} ???", "expected an operation"),
        (f'{MATE} bm "Rd8', "expected an operation"),
    ],
)
def test_what_is_no_epd_is_refused_in_one_line(line: str, told: str) -> None:
    with pytest.raises(EpdError, match=told) as refusal:
        parse_epd(line)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("opcode", ["bm", "pv"])
def test_a_solution_that_is_not_legal_is_refused(opcode: str) -> None:
    epd = parse_epd(f"{MATE} {opcode} Rd9;")
    with pytest.raises(EpdError):
        (epd.best_moves if opcode == "bm" else epd.variation)()


@given(st.text(max_size=60))
def test_any_operations_are_read_or_refused(text: str) -> None:
    with suppress(EpdError):
        assert parse_epd(f"{MATE} {text}").position is not None
