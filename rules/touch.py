"""Article 4, touch-move: what a player owes who has touched these pieces in this order.

A *touch group* is what was touched at one moment: one square, or several that no scan could tell apart. Groups come in
order of time. `obligation` turns them into an `Obligation`: what is owed, and the legal moves that pay it.

House rules where the text leaves room:

1. Own and enemy piece in one group: the own piece counts as touched first (4.3.3, last sentence).
2. King and rook in one group are not "rook and then king": castling is owed if it is legal (4.4.1, not 4.4.2), and
   another move of the king if it is not (4.4.3).
3. Two own pieces in one group: it is unclear which was first, so either may be moved.
4. Another own piece that can move, touched before king and rook, is owed (4.3.1 goes before 4.4.1).
5. Where king and then rook were touched, castling is not legal and the king has no move, the rook is not owed (4.4.3);
   pieces touched besides are.
6. An enemy piece that cannot be captured binds nobody and is no touch: it may have been its owner's hand. So 4.3.3
   means the first enemy piece that can be captured.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from rules.articles import Law
from rules.move import Move
from rules.pieces import Role
from rules.position import Position
from rules.squares import Bitboard, Colour, Square, set_of, squares_of

TouchGroup = tuple[Square, ...]
Touches = tuple[TouchGroup, ...]


class Owed(Enum):
    """The kind of an obligation."""

    NONE = "none"
    MOVE = "move"
    CAPTURE = "capture"
    CASTLE = "castle"


@dataclass(frozen=True, slots=True)
class Obligation:
    """What the player having the move owes.

    `squares`: origins that may move (MOVE), the victim (CAPTURE), king's and rook's squares (CASTLE). `by`: origins of
    the men that may capture. `moves` are the legal moves that are allowed; with NONE, all that no touch has barred.
    """

    kind: Owed
    squares: tuple[Square, ...]
    by: tuple[Square, ...]
    moves: tuple[Move, ...]
    law: Law

    @property
    def landings(self) -> Bitboard:
        """Where the owed pieces may land: for castling king and rook, 0 if nothing is owed."""
        bitboard = 0
        if self.kind is not Owed.NONE:
            for move in self.moves:
                bitboard |= 1 << move.landing
                if self.kind is Owed.CASTLE and move.rook_landing is not None:
                    bitboard |= 1 << move.rook_landing
        return bitboard


def obligation(position: Position, touches: Touches) -> Obligation:
    """What is owed after these touches by the player having the move (FIDE Laws 4.3 to 4.5)."""
    moves = _not_barred(position, touches)
    own_men = position.occupied_by(position.turn)
    touches = _binding(position, touches, moves, own_men)
    own, enemy = _first(touches, own_men, True), _first(touches, own_men, False)
    if own and enemy and (found := _first_with_first(position, moves, own, enemy)):
        return found
    exempt = _exempt_rooks(position, moves, touches)
    for group in touches:
        mine = [s for s in group if own_men >> s & 1 and s not in exempt]
        if found := _own(position, moves, mine, touches, bool(enemy)):
            return found
        for square in group:
            if not own_men >> square & 1 and (found := _enemy(position, moves, square, bool(own))):
                return found
    return Obligation(Owed.NONE, (), (), tuple(moves), Law.TOUCH_FREE)


def castling_owed(move: Move) -> Obligation:
    """What is owed once the king was released on its castling square (FIDE Laws 4.7.2)."""
    return _castle(move, Law.CASTLING_MADE)


def capture_owed(position: Position, move: Move) -> Obligation:
    """What is owed once the capturing pawn was released beside its victim (FIDE Laws 4.7, 4.7.1)."""
    victim = position.victim_square(move)
    assert victim is not None
    return Obligation(Owed.CAPTURE, (victim,), (Square(move.origin),), (move,), Law.CAPTURE_MADE)


def free(position: Position) -> Obligation:
    """Nothing touched, nothing owed."""
    return Obligation(Owed.NONE, (), (), tuple(position.legal_moves()), Law.TOUCH_FREE)


def barred_castlings(position: Position, touches: Touches) -> tuple[Move, ...]:
    """Castlings legal in themselves but lost for this turn: that rook was touched before the king (FIDE Laws 4.4.2)."""
    king = _king(position, position.turn)
    when = _touched_at(touches)
    if king not in when:
        return ()
    castlings = (m for m in position.legal_moves() if m.is_castling)
    return tuple(m for m in castlings if when.get(m.rook_origin, len(touches)) < when[king])


def _not_barred(position: Position, touches: Touches) -> list[Move]:
    moves = list(position.legal_moves())
    if sum(map(len, touches)) < 2:
        return moves
    barred = barred_castlings(position, touches)
    return [m for m in moves if m not in barred] if barred else moves


def _binding(position: Position, touches: Touches, moves: Sequence[Move], own_men: Bitboard) -> Touches:
    """The touches without enemy pieces that no move captures."""
    if not set_of(s for group in touches for s in group) & ~own_men:
        return touches
    kept = own_men | set_of(v for m in moves if (v := position.victim_square(m)) is not None)
    groups = (tuple(s for s in group if kept >> s & 1) for group in touches)
    return tuple(group for group in groups if group)


def _touched_at(touches: Touches) -> dict[int | None, int]:
    """The number of the group in which each square was first touched."""
    when: dict[int | None, int] = {}
    for index, group in enumerate(touches):
        for square in group:
            when.setdefault(square, index)
    return when


def _first(touches: Touches, own_men: Bitboard, own: bool) -> tuple[Square, ...]:
    """The own (or enemy) squares of the first group that has any."""
    for group in touches:
        found = tuple(s for s in group if bool(own_men >> s & 1) is own)
        if found:
            return found
    return ()


def _first_with_first(
    position: Position, moves: Iterable[Move], own: Sequence[Square], enemy: Sequence[Square]
) -> Obligation | None:
    """4.3.3: the first touched enemy piece is captured with the first touched own piece, if that is legal."""
    pays = [m for m in moves if m.origin in own and position.victim_square(m) in enemy]
    return _capture(position, pays, Law.TOUCH_BOTH) if pays else None


def _own(
    position: Position, moves: Sequence[Move], mine: Sequence[Square], touches: Touches, both: bool
) -> Obligation | None:
    """4.3.1 for the own pieces of one group, with 4.4.1 and 4.4.3 if the king is among them."""
    king = _king(position, position.turn)
    if king in mine:
        when = _touched_at(touches)
        castlings = [m for m in moves if m.is_castling and m.rook_origin in when]
        if castlings:
            return _castle(min(castlings, key=lambda m: when[m.rook_origin]), Law.KING_THEN_ROOK)
        if any(m.origin == king for m in moves):
            rooks = castling_rooks(position)
            mine = [s for s in mine if s not in rooks]
    pays = [m for m in moves if m.origin in mine]
    if not pays:
        return None
    squares = tuple(s for s in sorted(set(mine)) if any(m.origin == s for m in pays))
    return Obligation(Owed.MOVE, squares, (), tuple(pays), _law_of_own(position, mine, touches, both))


def _law_of_own(position: Position, mine: Sequence[Square], touches: Touches, both: bool) -> Law:
    king = _king(position, position.turn)
    when = _touched_at(touches)
    if king in when:
        rooks = [s for s in castling_rooks(position) if s in when]
        if king in mine and any(when[r] >= when[king] for r in rooks):
            return Law.CASTLING_NOT_LEGAL
        if any(when[r] < when[king] for r in rooks):
            return Law.ROOK_THEN_KING
    return Law.TOUCH_BOTH if both else Law.TOUCH_OWN


def _enemy(position: Position, moves: Iterable[Move], square: Square, both: bool) -> Obligation | None:
    """4.3.2: an enemy piece that can be captured."""
    pays = [m for m in moves if position.victim_square(m) == square]
    return _capture(position, pays, Law.TOUCH_BOTH if both else Law.TOUCH_ENEMY) if pays else None


def _capture(position: Position, pays: Sequence[Move], law: Law) -> Obligation:
    victims = sorted({v for m in pays if (v := position.victim_square(m)) is not None})
    by = sorted({Square(m.origin) for m in pays})
    return Obligation(Owed.CAPTURE, tuple(victims), tuple(by), tuple(pays), law)


def _castle(move: Move, law: Law) -> Obligation:
    assert move.rook_origin is not None
    return Obligation(Owed.CASTLE, (Square(move.origin), Square(move.rook_origin)), (), (move,), law)


def _exempt_rooks(position: Position, moves: Iterable[Move], touches: Touches) -> frozenset[Square]:
    """Rooks touched after a king that has no move at all: the player is free of them (4.4.3)."""
    king = _king(position, position.turn)
    when = _touched_at(touches)
    if king not in when or any(m.origin == king for m in moves):
        return frozenset()
    return frozenset(s for s in castling_rooks(position) if when.get(s, -1) >= when[king])


def castling_rooks(position: Position) -> tuple[Square, ...]:
    """Own rooks that a king on its first square could be meant to castle with, whether or not that is legal now."""
    king, rank = _king(position, position.turn), 56 * position.turn
    if king >> 3 != rank >> 3:
        return ()
    rooks = [s for s in squares_of(position.pieces(position.turn, Role.ROOK)) if s >> 3 == rank >> 3]
    if position.chess960:
        return tuple(rooks)
    return tuple(s for s in rooks if s & 7 in (0, 7)) if king & 7 == 4 else ()


def _king(position: Position, colour: Colour) -> Square:
    return Square(position.pieces(colour, Role.KING).bit_length() - 1)
