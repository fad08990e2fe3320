"""Opening books in Polyglot's format, read by key, entry by entry.

A book is a row of 16-byte entries, ordered by key, big-endian: key (64 bits), move (16), weight (16), learn (32, unused
here). A key is the exclusive or of the `RANDOM64` of every piece on its square, of every right to castle, of the file
of a pawn that may be taken en passant (only where a pawn of the other side stands beside it), and of White having the
move. A move has three bits each for the file and rank it goes to, then those it comes from, then the promotion.
Castling is written as the king taking his own rook. https://hgm.nubati.net/book_format.html

House rules:

1. A book is a file of somebody else: what is no legal move in it is skipped, and what is no book is told as such.
2. The file is read as it is needed: books may be larger than a small machine's memory.
3. Moves are chosen by weight, with a given source of chance; those of weight 0 are never played.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import BinaryIO

from board_driver.inputerror import InputError, shortened
from board_driver.players.random64 import RANDOM64
from rules.move import Move
from rules.pieces import Role
from rules.position import Position
from rules.squares import Colour, squares_of

ENTRY = struct.Struct(">QHHI")
_CASTLING, _EN_PASSANT, _TURN = 768, 772, 780
_PROMOTIONS = (None, Role.KNIGHT, Role.BISHOP, Role.ROOK, Role.QUEEN)


class BookError(Exception):
    """A book that was one, and cannot be read any more."""


def key_of(position: Position) -> int:
    """The key of a position; in Chess960 the rook nearer to the h-file castles short."""
    key = 0
    for colour in Colour:
        for role in Role:
            kind = 2 * (role - Role.PAWN) + (colour is Colour.WHITE)
            for square in squares_of(position.pieces(colour, role)):
                key ^= RANDOM64[64 * kind + square]
    for rook in squares_of(position.side.rooks):
        colour = Colour.WHITE if rook < 8 else Colour.BLACK
        long = rook < position.pieces(colour, Role.KING).bit_length() - 1
        key ^= RANDOM64[_CASTLING + 2 * colour + long]
    if position.ep:
        key ^= RANDOM64[_EN_PASSANT + (position.ep.bit_length() - 1 & 7)]
    return key ^ RANDOM64[_TURN] if position.turn is Colour.WHITE else key


class Book:
    """An open book."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._entries = size // ENTRY.size

    @classmethod
    def open(cls, path: Path) -> Book:
        """The book in that file. Raises InputError where there is none."""
        try:
            file = path.open("rb")
            size = file.seek(0, 2)
        except OSError as problem:
            raise InputError(f"expected a Polyglot book, got {shortened(str(path))}: {problem.strerror}") from problem
        book = cls(file, size)
        if size == 0 or size % ENTRY.size or not book.is_ordered():
            file.close()
            raise InputError(f"expected a Polyglot book (entries of 16 bytes, ordered), got {shortened(str(path))}")
        return book

    def close(self) -> None:
        """Close its file."""
        self._file.close()

    def is_ordered(self) -> bool:
        """Whether the entries at a few places stand in the order of their keys."""
        places = sorted({i * (self._entries - 1) // 16 for i in range(17)})
        keys = [self._entry(place)[0] for place in places]
        return keys == sorted(keys)

    def moves(self, position: Position) -> list[tuple[Move, int]]:
        """The legal moves that the book has there, with their weights, in its order. Raises BookError."""
        legal = {_raw(move): move for move in position.legal_moves()}
        return [(legal[raw], weight) for raw, weight in self._found(key_of(position)) if raw in legal]

    def choose(self, position: Position, chance: Random) -> Move | None:
        """One of them, by weight; None where the book is at its end. Raises BookError."""
        moves = [(move, weight) for move, weight in self.moves(position) if weight > 0]
        if not moves:
            return None
        return chance.choices([move for move, _ in moves], [weight for _, weight in moves])[0]

    def _found(self, key: int) -> Iterator[tuple[int, int]]:
        low, high = 0, self._entries
        while low < high:
            middle = (low + high) // 2
            if self._entry(middle)[0] < key:
                low = middle + 1
            else:
                high = middle
        while low < self._entries:
            found, raw, weight, _ = self._entry(low)
            if found != key:
                return
            yield raw, weight
            low += 1

    def _entry(self, place: int) -> tuple[int, int, int, int]:
        """Raises BookError where the file is no longer what it was."""
        try:
            self._file.seek(ENTRY.size * place)
            key, raw, weight, learn = ENTRY.unpack(self._file.read(ENTRY.size))
        except (OSError, struct.error) as problem:
            raise BookError(f"the book cannot be read any more: {problem}") from problem
        return key, raw, weight, learn


def _raw(move: Move) -> int:
    """A move as the format writes it; of castling the destination is the rook's square, as it is with us."""
    promotion = 0 if move.promotion is None else _PROMOTIONS.index(move.promotion)
    return promotion << 12 | move.origin << 6 | move.destination
