"""Positions: what stands where, whose turn it is, and what may still be done.

A position never changes; `play` gives the next one and the old one stays good. Both sides are armies, and a move makes
one new army and shares the other. What is worked out about a position is kept in it, so that asking twice is free.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules import destinations as _destinations
from rules import generate as _generate
from rules.checks import Guard, find_guard
from rules.geometry import BESIDE, BIT, FILES
from rules.move import (
    CASTLING,
    DIAGONAL,
    DOUBLE,
    EN_PASSANT,
    KING,
    KNIGHT,
    PAWN,
    PROMOTION,
    STRAIGHT,
    Move,
)
from rules.pieces import Piece, Role
from rules.side import Side, side_of
from rules.squares import Bitboard, Colour, Square

Army = tuple[Bitboard, Bitboard, Bitboard, Bitboard, Bitboard, Bitboard]
"""One side's pawns, knights, diagonal movers (bishops and queens), straight movers (rooks and queens), king, all."""

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING = Role


class Position:
    """A position. Make one with `rules.fen.parse_fen` or `Position.initial`, and further ones with `play`.

    - `us`, `them`: the army of the side to move, and the other;
    - `side`: the turn and the castling rights (see `rules.side`);
    - `ep`: the square a pawn has just stepped over, if a pawn stands ready to take it there (legally or not), as a set;
    - `halfmove_clock`: plies since the last capture or pawn move; `ply`: plies since the start of move 1.
    """

    __slots__ = ("_changes", "_guard", "_moves", "ep", "halfmove_clock", "ply", "side", "them", "us")

    us: Army
    them: Army
    side: Side
    ep: Bitboard
    halfmove_clock: int
    ply: int
    _moves: list[Move] | None
    _guard: Guard | None
    _changes: dict[Bitboard, list[Move]]

    @classmethod
    def of(
        cls, us: Army, them: Army, side: Side, ep: Bitboard = 0, *, halfmove_clock: int = 0, ply: int = 0
    ) -> Position:
        """The position of these parts, taken as they are: check them first (`rules.fen` does)."""
        new = cls()
        new.us, new.them, new.side, new.ep = us, them, side, ep
        new.halfmove_clock, new.ply = halfmove_clock, ply
        new._moves = new._guard = None
        return new

    @classmethod
    def initial(cls) -> Position:
        """The position every ordinary game starts from."""
        return INITIAL

    # What stands where

    @property
    def turn(self) -> Colour:
        """The side to move."""
        return self.side.turn

    @property
    def chess960(self) -> bool:
        """Is castling written as king takes rook?"""
        return self.side.chess960

    @property
    def fullmove_number(self) -> int:
        """The number of the current move, from 1."""
        return (self.ply >> 1) + 1

    @property
    def occupied(self) -> Bitboard:
        """All squares with a man on them."""
        return self.us[5] | self.them[5]

    def army(self, colour: Colour) -> Army:
        """One side's men."""
        return self.us if colour is self.side.turn else self.them

    def occupied_by(self, colour: Colour) -> Bitboard:
        """The squares of one side's men."""
        return self.army(colour)[5]

    def pieces(self, colour: Colour, role: Role) -> Bitboard:
        """The squares of one side's men of one role."""
        pawns, knights, diagonal, straight, king, _ = self.army(colour)
        queens = diagonal & straight
        return (pawns, knights, diagonal ^ queens, straight ^ queens, queens, king)[role]

    def piece_at(self, square: int) -> Piece | None:
        """The man on a square."""
        mask = BIT[square]
        if self.us[5] & mask:
            army, colour = self.us, self.side.turn
        elif self.them[5] & mask:
            army, colour = self.them, self.side.turn.opponent
        else:
            return None
        pawns, knights, diagonal, straight, _, _ = army
        if pawns & mask:
            return Piece(colour, _PAWN)
        if knights & mask:
            return Piece(colour, _KNIGHT)
        if diagonal & mask:
            return Piece(colour, _QUEEN if straight & mask else _BISHOP)
        return Piece(colour, _ROOK if straight & mask else _KING)

    def victim_square(self, move: Move) -> Square | None:
        """Where the man that the move captures stands: the destination, or beside it en passant."""
        if move.kind == EN_PASSANT:
            return Square(move.origin & 56 | move.landing & 7)
        return move.landing if self.them[5] & move.landing_bit else None

    # What may be done

    def legal_moves(self) -> list[Move]:
        """All legal moves, in no order to rely on. The list is kept and shared: do not change it."""
        moves = self._moves
        if moves is None:
            guard = self._guard
            if guard is None:
                guard = self._guard = find_guard(self.us, self.them, self.side.watches)
            moves = self._moves = _generate.legal_moves(self, guard)
        return moves

    def moves_from(self, square: int) -> list[Move]:
        """The legal moves of the man on a square (castling is the king's)."""
        if self._moves is not None:
            return [move for move in self._moves if move.origin == square]
        return _destinations.moves_from(self, square)

    def destinations(self, square: int) -> Bitboard:
        """The squares where the man on a square may legally land, none for an empty square or the side that waits.

        The king's landing squares in castling are among them (in Chess960 that may be the square it stands on).
        """
        return _destinations.destinations(self, square, self._guard or self.guard())

    def has_move(self) -> bool:
        """Is there a legal move?"""
        return bool(self._moves) if self._moves is not None else _generate.has_move(self)

    # What is the matter

    def guard(self) -> Guard:
        """The own king's square, the men that give it check, and the own men pinned to it."""
        guard = self._guard
        if guard is None:
            guard = self._guard = find_guard(self.us, self.them, self.side.watches)
        return guard

    def is_check(self) -> bool:
        """Is the side to move in check?"""
        return (self._guard or self.guard())[1] != 0

    def is_checkmate(self) -> bool:
        """Is the side to move checkmated (FIDE Laws 5.1.1)?"""
        return self.guard()[1] != 0 and not self.legal_moves()

    def is_stalemate(self) -> bool:
        """Is the side to move stalemated (FIDE Laws 5.2.1)?"""
        return not self.guard()[1] and not self.has_move()

    def legal_ep(self) -> Bitboard:
        """The square where a pawn may legally be taken en passant, as a set."""
        return self.ep if self.ep and _generate.en_passant(self) else 0

    def key(self) -> tuple[Army, Army, Bitboard, Bitboard]:
        """Equal for positions that count as the same in a repetition (FIDE Laws 9.2.3).

        Their men, turn, rights to castle and legal captures en passant are the same.
        """
        return self.us, self.them, self.side.state, self.legal_ep() if self.ep else 0

    # One move on

    def played(self, moves: Iterable[Move]) -> Position:
        """The position after those moves, each of which must be legal after those before it (unchecked)."""
        position = self
        for move in moves:
            position = position.play(move)
        return position

    def play(self, move: Move) -> Position:
        """The position after a move that must be legal here (unchecked)."""
        new = Position()
        pawns, knights, diagonal, straight, king, own = self.us
        kind = move.kind
        delta = move.delta
        victim = move.landing_bit
        own ^= delta
        new.ep = 0
        new.halfmove_clock = self.halfmove_clock + 1
        if kind == DIAGONAL:
            diagonal ^= delta
            if straight & move.origin_bit:
                straight ^= delta
        elif kind == STRAIGHT:
            straight ^= delta
            if diagonal & move.origin_bit:
                diagonal ^= delta
        elif kind == PAWN:
            pawns ^= delta
            new.halfmove_clock = 0
        elif kind == KNIGHT:
            knights ^= delta
        elif kind == KING:
            king ^= delta
        elif kind == DOUBLE:
            pawns ^= delta
            new.halfmove_clock = 0
            if BESIDE[move.landing] & self.them[0]:
                new.ep = BIT[(move.origin + move.landing) >> 1]
        elif kind == CASTLING:
            king ^= delta
            rook = move.change ^ delta
            straight ^= rook
            own ^= rook
        elif kind == PROMOTION:
            pawns ^= move.origin_bit
            new.halfmove_clock = 0
            if move.promotion is _KNIGHT:
                knights |= move.landing_bit
            else:
                if move.promotion is not _ROOK:
                    diagonal |= move.landing_bit
                if move.promotion is not _BISHOP:
                    straight |= move.landing_bit
        else:  # en passant
            pawns ^= delta
            victim = move.change ^ delta
        new.them = (pawns, knights, diagonal, straight, king, own)
        if self.them[5] & victim:
            new.halfmove_clock = 0
            new.us = _without(self.them, victim)
        else:
            new.us = self.them
        side = self.side
        edge = move.edge
        if edge and edge & side.guarded:
            new.side = side.after[edge & side.guarded]
        else:
            new.side = side.passed
        new.ply = self.ply + 1
        new._moves = new._guard = None
        return new

    def __repr__(self) -> str:
        from rules.fen import write_fen  # noqa: PLC0415 (fen builds positions, and is needed here for people only)

        return f"<Position {write_fen(self)}>"


def _without(army: Army, victim: Bitboard) -> Army:
    """The army less one man."""
    pawns, knights, diagonal, straight, king, own = army
    if pawns & victim:
        pawns ^= victim
    elif knights & victim:
        knights ^= victim
    else:
        if diagonal & victim:
            diagonal ^= victim
        if straight & victim:
            straight ^= victim
    return pawns, knights, diagonal, straight, king, own ^ victim


def _initial() -> Position:
    def army(back: int, pawns: int) -> Army:
        knights, bishops, rooks = (back & (FILES[a] | FILES[7 - a]) for a in (1, 2, 0))
        queen, king = back & FILES[3], back & FILES[4]
        return pawns, knights, bishops | queen, rooks | queen, king, back | pawns

    white, black = army(0xFF, 0xFF << 8), army(0xFF << 56, 0xFF << 48)
    corners = 1 << 0 | 1 << 7 | 1 << 56 | 1 << 63
    return Position.of(white, black, side_of(Colour.WHITE, white[4], black[4], corners, False))


INITIAL = _initial()
