"""Polyglot books: keys against python-chess, and files made here."""

from __future__ import annotations

from pathlib import Path
from random import Random

import chess
import chess.polyglot
import pytest

from board_driver.inputerror import InputError
from board_driver.players.book import ENTRY, Book, key_of
from rules.fen import START_FEN, parse_fen
from rules.position import Position
from rules.uci import parse_uci, write_uci

CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("moves", "key"),
    [
        ("", 0x463B96181691FC9C),
        ("e2e4", 0x823C9B50FD114196),
        ("e2e4 d7d5", 0x0756B94461C50FB0),
        ("e2e4 d7d5 e4e5", 0x662FAFB965DB29D4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22A48B5A8E47FF78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652A607CA3F242C1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00FDD303C946BDD9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3C8123EA7B067637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5C3F9B829B279560),
    ],
)
def test_the_keys_that_the_format_gives_as_examples(moves: str, key: int) -> None:
    position = parse_fen(START_FEN)
    for uci in moves.split():
        position = position.play(parse_uci(position, uci))
    assert key_of(position) == key


def test_keys_are_those_of_python_chess_along_random_games() -> None:
    for seed in range(40):
        chance = Random(seed)
        position, board = parse_fen(START_FEN), chess.Board()
        for _ in range(80):
            moves = position.legal_moves()
            if not moves:
                break
            move = chance.choice(sorted(moves, key=lambda m: write_uci(position, m)))
            board.push_uci(write_uci(position, move))
            position = position.play(move)
            assert key_of(position) == chess.polyglot.zobrist_hash(board)


def test_keys_of_chess960_castling() -> None:
    fen = "1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1"
    assert key_of(parse_fen(fen, chess960=True)) == chess.polyglot.zobrist_hash(chess.Board(fen, chess960=True))


def raw(uci: str) -> int:
    origin, end = chess.parse_square(uci[:2]), chess.parse_square(uci[2:4])
    return " nbrq".index(uci[4:] or " ") << 12 | origin << 6 | end


def write_book(path: Path, entries: list[tuple[Position, str, int]]) -> Path:
    rows = sorted((key_of(position), -weight, raw(uci), weight) for position, uci, weight in entries)
    path.write_bytes(b"".join(ENTRY.pack(key, move, weight, 0) for key, _, move, weight in rows))
    return path


def test_moves_are_found_and_chosen_by_weight(tmp_path: Path) -> None:
    start, castles = parse_fen(START_FEN), parse_fen(CASTLES)
    path = write_book(
        tmp_path / "b.bin",
        [(start, "e2e4", 3), (start, "d2d4", 1), (start, "a2a3", 0), (start, "e2e5", 9), (castles, "e1h1", 1)],
    )
    book = Book.open(path)
    assert [(write_uci(start, m), w) for m, w in book.moves(start)] == [("e2e4", 3), ("d2d4", 1), ("a2a3", 0)]
    assert [write_uci(castles, m) for m, _ in book.moves(castles)] == ["e1g1"], "castling is king takes rook"
    chosen = [write_uci(start, move) for seed in range(400) if (move := book.choose(start, Random(seed)))]
    assert set(chosen) == {"e2e4", "d2d4"}
    assert 260 < chosen.count("e2e4") < 340
    assert book.choose(start, Random(5)) is book.choose(start, Random(5))
    assert book.choose(start.play(parse_uci(start, "g1f3")), Random(1)) is None
    with chess.polyglot.open_reader(path) as reader:
        assert {entry.move.uci() for entry in reader.find_all(chess.Board())} == {"e2e4", "d2d4"}
    book.close()


def test_promotions_are_read(tmp_path: Path) -> None:
    position = parse_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    book = Book.open(write_book(tmp_path / "b.bin", [(position, f"a7a8{p}", i) for i, p in enumerate("nbrq", 1)]))
    assert [write_uci(position, m) for m, _ in book.moves(position)] == ["a7a8q", "a7a8r", "a7a8b", "a7a8n"]


@pytest.mark.parametrize(
    "content", [b"", b"x" * 15, b"x" * 33, b"\xff" * 16 + b"\x00" * 16, b"[Event \"a\"]\n1. e4 e5 *\n" * 9]
)
def test_what_is_no_book_is_told(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "b.bin"
    path.write_bytes(content)
    with pytest.raises(InputError, match="Polyglot book"):
        Book.open(path)
    with pytest.raises(InputError, match="No such file"):
        Book.open(tmp_path / "none.bin")
