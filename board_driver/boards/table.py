"""The pieces of a virtual board as bodies: what stands where, what each hand holds, what lies in the tray.

No law of chess is in here. Any piece may be put anywhere, as on a real board; only what no hand could do is refused:

1. A square holds one piece, and so does a hand.
2. A piece is somewhere: no lift, put or setting aside makes one or loses one. Only `exchange` may fetch one from the
   box, where a second spare queen comes from.
3. Putting a piece on a square where a piece of the other colour stands is refused here (`Refusal`): the square must be
   cleared first, because that is what a hand does when it takes. `VirtualBoard` does the two steps one after the other.
   Where a piece of the same colour stands the piece stays in the hand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from rules.pieces import Piece, Role
from rules.position import Position
from rules.squares import Bitboard, Colour, Square, square_name

SPARES = (Piece(Colour.WHITE, Role.QUEEN), Piece(Colour.BLACK, Role.QUEEN))
"""What lies beside the board at the start: a second queen for each side."""


class Hand(IntEnum):
    """Two pieces may be in the air at once."""

    FIRST = 0
    SECOND = 1


@dataclass(frozen=True, slots=True)
class Held:
    """A piece in a hand, and where it was taken from; None is the tray."""

    piece: Piece
    origin: Square | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a hand could not do that, in words for the person whose hand it was."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """The board, two hands and the tray. Every change gives a new table."""

    squares: tuple[Piece | None, ...]
    hands: tuple[Held | None, Held | None] = (None, None)
    tray: tuple[Piece, ...] = SPARES

    @classmethod
    def set_up(cls, position: Position) -> Table:
        """The pieces as in `position`, hands empty, the spare queens in the tray."""
        return cls(tuple(position.piece_at(square) for square in range(64)))

    @property
    def occupied(self) -> Bitboard:
        """The squares where a piece stands."""
        return sum(1 << square for square, piece in enumerate(self.squares) if piece is not None)

    def colour_set(self, colour: Colour) -> Bitboard:
        """The squares where a piece of that colour stands."""
        return sum(1 << square for square, piece in enumerate(self.squares) if piece and piece.colour is colour)

    def free_hand(self) -> Hand | None:
        """A hand that holds nothing; the first if both do."""
        return next((hand for hand in Hand if self.hands[hand] is None), None)

    def lift(self, hand: Hand, square: Square) -> Table | Refusal:
        """Take up what stands on `square`."""
        piece = self.squares[square]
        if self.hands[hand] is not None:
            return Refusal("That hand already holds a piece.")
        if piece is None:
            return Refusal(f"Nothing stands on {square_name(square)}.")
        return self._with(square, None)._holding(hand, Held(piece, square))

    def lift_from_tray(self, hand: Hand, piece: Piece) -> Table | Refusal:
        """Take up such a piece from the tray."""
        if self.hands[hand] is not None:
            return Refusal("That hand already holds a piece.")
        if piece not in self.tray:
            return Refusal(f"There is no {piece} in the tray.")
        return replace(self, tray=_without(self.tray, piece))._holding(hand, Held(piece, None))

    def put(self, hand: Hand, square: Square) -> Table | Refusal:
        """Set down on an empty square what the hand holds."""
        held = self.hands[hand]
        if held is None:
            return Refusal("That hand is empty.")
        standing = self.squares[square]
        if standing is not None:
            return Refusal(f"A {standing} stands on {square_name(square)}: take it off first.")
        return self._with(square, held.piece)._holding(hand, None)

    def set_aside(self, hand: Hand) -> Table | Refusal:
        """Lay into the tray what the hand holds."""
        held = self.hands[hand]
        if held is None:
            return Refusal("That hand is empty.")
        return replace(self, tray=(*self.tray, held.piece))._holding(hand, None)

    def put_back(self, hand: Hand) -> Table | Refusal:
        """Set down what the hand holds where it came from."""
        held = self.hands[hand]
        if held is None:
            return Refusal("That hand is empty.")
        return self.set_aside(hand) if held.origin is None else self.put(hand, held.origin)

    def take_off(self, square: Square) -> Table | Refusal:
        """Lay what stands on `square` straight into the tray, as one does with a captured piece."""
        piece = self.squares[square]
        if piece is None:
            return Refusal(f"Nothing stands on {square_name(square)}.")
        return replace(self._with(square, None), tray=(*self.tray, piece))

    def exchange(self, square: Square, piece: Piece) -> Table | Refusal:
        """Put `piece`, from the tray or else from the box, in the place of what stands on `square` (a promotion)."""
        standing = self.squares[square]
        if standing is None:
            return Refusal(f"Nothing stands on {square_name(square)}.")
        tray = _without(self.tray, piece) if piece in self.tray else self.tray
        return replace(self._with(square, piece), tray=(*tray, standing))

    def _with(self, square: Square, piece: Piece | None) -> Table:
        return replace(self, squares=(*self.squares[:square], piece, *self.squares[square + 1 :]))

    def _holding(self, hand: Hand, held: Held | None) -> Table:
        first, second = self.hands
        return replace(self, hands=(held, second) if hand is Hand.FIRST else (first, held))


def _without(tray: tuple[Piece, ...], piece: Piece) -> tuple[Piece, ...]:
    index = tray.index(piece)
    return (*tray[:index], *tray[index + 1 :])
