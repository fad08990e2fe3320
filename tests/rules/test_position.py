"""Positions: what they say, and that they stay as they are."""

from __future__ import annotations

import copy
import pickle

import pytest

from rules.fen import START_FEN, parse_fen, write_fen
from rules.pieces import PIECES, Role
from rules.position import Position
from rules.squares import Colour, names_of, parse_square
from rules.uci import parse_uci


def play(position: Position, *texts: str) -> Position:
    for text in texts:
        position = position.play(parse_uci(position, text))
    return position


def test_pieces_of_the_start() -> None:
    position = parse_fen(START_FEN)
    assert position.piece_at(parse_square("e1")) == PIECES["K"]
    assert position.piece_at(parse_square("d8")) == PIECES["q"]
    assert position.piece_at(parse_square("e4")) is None
    assert names_of(position.pieces(Colour.BLACK, Role.BISHOP)) == ["c8", "f8"]
    assert names_of(position.pieces(Colour.WHITE, Role.QUEEN)) == ["d1"]
    assert position.occupied == position.occupied_by(Colour.WHITE) | position.occupied_by(Colour.BLACK)


def test_a_position_does_not_change_when_played_on() -> None:
    position = parse_fen(START_FEN)
    moves = list(position.legal_moves())
    for move in moves:
        position.play(move).legal_moves()
    assert write_fen(position) == START_FEN
    assert position.legal_moves() == moves


def test_moves_played_one_after_the_other() -> None:
    start = parse_fen(START_FEN)
    first = parse_uci(start, "e2e4")
    second = parse_uci(start.play(first), "e7e5")
    assert start.played([]) is start
    assert write_fen(start.played([first, second])) == write_fen(play(start, "e2e4", "e7e5"))


def test_moves_are_the_same_objects() -> None:
    one, two = parse_fen(START_FEN), parse_fen(START_FEN)
    assert {id(move) for move in one.legal_moves()} == {id(move) for move in two.legal_moves()}
    move = one.legal_moves()[0]
    assert copy.deepcopy(move) is move
    assert pickle.loads(pickle.dumps(move)) is move


VICTIMS = [
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "d5"),
    ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "d5"),
    ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4e5", None),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", None),
    ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "b8"),
]


@pytest.mark.parametrize(("fen", "text", "square"), VICTIMS)
def test_victim_square(fen: str, text: str, square: str | None) -> None:
    position = parse_fen(fen)
    assert position.victim_square(parse_uci(position, text)) == (None if square is None else parse_square(square))


def test_destinations_are_those_of_the_side_to_move() -> None:
    position = parse_fen(START_FEN)
    assert names_of(position.destinations(parse_square("g1"))) == ["f3", "h3"]
    assert position.destinations(parse_square("g8")) == 0
    assert position.destinations(parse_square("e5")) == 0
    assert position.moves_from(parse_square("g8")) == []


def test_destinations_hold_the_landing_square_of_castling() -> None:
    position = parse_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert {"c1", "g1"} <= set(names_of(position.destinations(parse_square("e1"))))


def test_the_same_position_has_the_same_key() -> None:
    start = parse_fen(START_FEN)
    again = play(start, "g1f3", "g8f6", "f3g1", "f6g8")
    assert again.key() == start.key()
    assert hash(again.key()) == hash(start.key())
    assert play(start, "g1f3").key() != start.key()


def test_the_key_knows_whose_turn_it_is() -> None:
    text = "4k3/8/8/8/8/8/8/4K3 {} - - 0 1"
    assert parse_fen(text.format("w")).key() != parse_fen(text.format("b")).key()
    mirrored = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    assert parse_fen(mirrored).key() == parse_fen(text.format("w")).key()


def test_the_key_counts_en_passant_only_where_it_is_legal() -> None:
    """FIDE Laws 9.2.3: possible captures, not pawns that have stepped."""
    nobody = play(parse_fen(START_FEN), "e2e4")
    assert nobody.key() == parse_fen(write_fen(nobody)).key()
    pinned = "8/8/8/8/k2Pp2R/8/8/4K3 b - {} 0 1"
    assert parse_fen(pinned.format("d3")).key() == parse_fen(pinned.format("-")).key()
    free = "8/8/8/8/3Pp3/k7/8/4K3 b - {} 0 1"
    assert parse_fen(free.format("d3")).key() != parse_fen(free.format("-")).key()


def test_the_key_knows_rights_even_where_castling_is_prevented() -> None:
    text = "4k3/8/8/8/8/8/8/R1N1K3 w {} - 0 1"
    assert parse_fen(text.format("Q")).key() != parse_fen(text.format("-")).key()


@pytest.mark.parametrize(
    ("fen", "check", "mate", "stalemate"),
    [
        (START_FEN, False, False, False),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", True, True, False),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", False, False, True),
        ("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1", False, False, True),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", True, False, False),
    ],
)
def test_check_mate_stalemate(fen: str, check: bool, mate: bool, stalemate: bool) -> None:
    position = parse_fen(fen)
    assert (position.is_check(), position.is_checkmate(), position.is_stalemate()) == (check, mate, stalemate)
    assert position.has_move() is not (mate or stalemate)
