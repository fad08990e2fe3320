"""Everything about positions of random play, against another library."""

from __future__ import annotations

from functools import reduce
from operator import or_

import chess
import pytest

from rules.checks import gives_check
from rules.fen import parse_fen, write_fen
from rules.inverse import by_change, leading_to, leading_to_in_two, occupancy_change
from rules.move import Move
from rules.pieces import Role
from rules.position import Position
from rules.san import parse_san, sans, write_san
from rules.squares import Colour
from rules.uci import parse_uci, write_uci
from tests.rules.peer import moves_by_uci, random_play

EVERY = 20
"""Two plies back is asked at every so manieth position, as the brute force is slow."""


def check_moves(position: Position, board: chess.Board) -> None:
    assert sorted(write_uci(position, move) for move in position.legal_moves()) == sorted(
        board.uci(move) for move in board.legal_moves
    )


def check_state(position: Position, board: chess.Board) -> None:
    assert position.turn == (Colour.WHITE if board.turn else Colour.BLACK)
    assert position.occupied == board.occupied
    assert position.is_check() == board.is_check()
    assert position.is_checkmate() == board.is_checkmate()
    assert position.is_stalemate() == board.is_stalemate()
    assert position.halfmove_clock == board.halfmove_clock
    assert position.fullmove_number == board.fullmove_number
    assert position.ply == board.ply()
    for role in Role:
        for colour in Colour:
            assert position.pieces(colour, role) == board.pieces_mask(role + 1, colour is Colour.WHITE)


def check_fen(position: Position, board: chess.Board) -> Position:
    text = write_fen(position)
    assert text == board.fen(en_passant="legal")
    read = parse_fen(board.fen(en_passant="fen"), chess960=board.chess960)
    assert write_fen(read) == text
    assert read.key() == position.key()
    return read


def check_notation(position: Position, board: chess.Board) -> None:
    texts = sans(position)
    by_text = {board.uci(move): board.san(move) for move in board.legal_moves}
    assert {write_uci(position, move): text for move, text in texts.items()} == by_text
    for move, text in texts.items():
        assert write_san(position, move) == text
        assert parse_san(position, text) is move
        assert parse_uci(position, write_uci(position, move)) is move
        assert gives_check(position, move) == (text[-1] in "+#")


def check_single_men(fresh: Position, position: Position) -> None:
    """`fresh` has not made its list of moves."""
    for square in range(64):
        moves = [move for move in position.legal_moves() if move.origin == square]
        assert set(fresh.moves_from(square)) == set(moves)
        assert fresh.destinations(square) == reduce(or_, [move.landing_bit for move in moves], 0)


def after(board: chess.Board, moves: dict[str, Move]) -> dict[int, set[Move]]:
    """What is occupied after each legal move, by trying them all."""
    found: dict[int, set[Move]] = {}
    for theirs in list(board.legal_moves):
        text = board.uci(theirs)
        board.push(theirs)
        found.setdefault(board.occupied, set()).add(moves[text])
        board.pop()
    return found


def check_one_ply_back(fresh: Position, position: Position, board: chess.Board) -> None:
    occupancies = after(board, moves_by_uci(position))
    for occupied, moves in occupancies.items():
        found = leading_to(fresh, occupied)
        assert len(found) == len(set(found))
        assert set(found) == moves
        assert all(position.occupied ^ occupancy_change(position, move) == occupied for move in moves)
    assert {position.occupied ^ change: set(moves) for change, moves in by_change(position).items()} == occupancies


def check_two_plies_back(fresh: Position, position: Position, board: chess.Board) -> None:
    pairs: dict[int, set[tuple[Move, Move]]] = {}
    moves = moves_by_uci(position)
    for theirs in list(board.legal_moves):
        move = moves[board.uci(theirs)]
        board.push(theirs)
        for occupied, replies in after(board, moves_by_uci(position.play(move))).items():
            pairs.setdefault(occupied, set()).update((move, reply) for reply in replies)
        board.pop()
    for occupied, expected in pairs.items():
        found = leading_to_in_two(fresh, occupied)
        assert len(found) == len(set(found))
        assert set(found) == expected


def compare(seed: int, positions: int, chess960: bool) -> None:
    for number, (position, board) in enumerate(random_play(seed, positions, chess960)):
        fresh = check_fen(position, board)
        check_moves(position, board)
        check_state(position, board)
        check_single_men(fresh, position)
        check_one_ply_back(fresh, position, board)
        check_notation(fresh, board)
        if number % EVERY == 0:
            check_two_plies_back(parse_fen(board.fen(), chess960=chess960), position, board)


@pytest.mark.parametrize("seed", range(4))
def test_random_play(seed: int) -> None:
    compare(seed, 500, chess960=False)


@pytest.mark.parametrize("seed", range(4))
def test_random_play_from_chess960_starts(seed: int) -> None:
    compare(seed, 500, chess960=True)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 110))
@pytest.mark.parametrize("chess960", [False, True])
def test_much_random_play(seed: int, chess960: bool) -> None:
    compare(seed, 5_000, chess960)
