"""The questions a board of sensors asks: which legal moves explain what is occupied now?

A move is known by the squares whose occupancy it changes. In ordinary chess one square gone is a capture (from that
square; of whom, occupancy cannot say), one gone and one new a plain move or a promotion, two gone and one new a
capture en passant, two and two castling. So one ply back asks for the legality of a single man. In Chess960 castling
may also change two squares, like a plain move, or none.

Occupancies are sets of occupied squares. Answers come in no order to rely on.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.destinations import plain_moves
from rules.generate import castlings, en_passant
from rules.move import DOUBLE, Move
from rules.position import Position
from rules.squares import Bitboard


def occupancy_change(position: Position, move: Move) -> Bitboard:
    """The squares that are occupied before the legal move and empty after, or the other way about."""
    return move.origin_bit if position.them[5] & move.landing_bit else move.change


def by_change(position: Position) -> dict[Bitboard, list[Move]]:
    """All legal moves by the squares whose occupancy they change. Kept with the position: do not change it."""
    try:
        return position._changes
    except AttributeError:
        theirs = position.them[5]
        changes: dict[Bitboard, list[Move]] = {}
        for move in position.legal_moves():
            change = move.origin_bit if theirs & move.landing_bit else move.change
            changes.setdefault(change, []).append(move)
        position._changes = changes
        return changes


def leading_to(position: Position, occupied: Bitboard) -> list[Move]:
    """The legal moves after which exactly these squares are occupied."""
    own, theirs = position.us[5], position.them[5]
    change = own ^ theirs ^ occupied
    size = change.bit_count()
    moves: Sequence[Move] = ()
    if size == 1:
        if change & own:  # a capture, of any of theirs
            moves = plain_moves(position, change.bit_length() - 1, theirs, position.guard())
    elif size == 2:
        gone = change & own
        if gone and not change & theirs:
            moves = plain_moves(position, gone.bit_length() - 1, change ^ gone, position.guard())
    elif size == 3 and position.ep:
        moves = [move for move in en_passant(position) if move.change == change]
    if change in position.side.castling_changes:
        return [*moves, *[move for move in castlings(position) if move.change == change]]
    return [*moves]


def leading_to_in_two(position: Position, occupied: Bitboard) -> list[tuple[Move, Move]]:
    """The pairs of legal moves, one of each side, after which exactly these squares are occupied."""
    before = position.occupied
    theirs_gone = position.them[5] & ~occupied
    plain = position.side.plain
    pairs = []
    for move in _first_moves(position, occupied):
        rest = before ^ occupied ^ occupancy_change(position, move)
        # A plain reply empties one square of theirs and fills at most one. More can change in answer to a double step
        # (by a capture en passant) or by castling.
        if plain:
            if not rest & theirs_gone:
                continue
            size = rest.bit_count()
            if size > 2 and not ((size == 3 and move.kind == DOUBLE) or (size == 4 and position.side.rooks)):
                continue
        elif rest.bit_count() > 4:
            continue
        pairs += [(move, reply) for reply in leading_to(position.play(move), occupied)]
    return pairs


def _first_moves(position: Position, occupied: Bitboard) -> list[Move]:
    """Legal moves among which is every first move of a pair that leads to this occupancy."""
    own_gone = position.us[5] & ~occupied
    if not position.side.plain or not own_gone or own_gone & (own_gone - 1):
        # Their man landed where ours began, or ours was castling.
        return position.legal_moves()
    # Our move began on the one square that is empty now, whatever came after: also in castling, as a man of theirs that
    # can land on our king's square gave check, and then there was no castling.
    return position.moves_from(own_gone.bit_length() - 1)


def touching(position: Position, squares: Bitboard) -> list[Move]:
    """The legal moves that lift a man from, or set one down on, any of these squares."""
    return [move for move in position.legal_moves() if (move.delta | move.change) & squares]
