"""One turn: the position, and what the player having the move has touched, released and chosen in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.inverse import occupancy_change
from rules.move import Move
from rules.pieces import Piece, Role
from rules.position import Position
from rules.squares import Bitboard, Colour, Square, squares_of
from rules.touch import Obligation, Touches


@dataclass(slots=True)
class Turn:
    """The state of a turn. A new one begins the moment a move is made (FIDE Laws 1.3)."""

    position: Position
    passed: Square | None
    """The square that a pawn passed by its double step on the move before."""
    began: int
    """The board's stamp when the turn began."""
    away: Bitboard = 0
    """Men of the position that were not on the board when the turn began."""
    touches: list[tuple[int, list[Square]]] = field(default_factory=list)
    """(stamp, squares) in order; what binds the player by Article 4."""
    undecided: list[tuple[int, Square]] = field(default_factory=list)
    """Lifts of the waiting side's men of which it is not known yet whose hand it was (D4, D7)."""
    knocked: Bitboard = 0
    """Men clearly moved by accident (FIDE Laws 4.2.2); restored without any duty."""
    fixed: Move | None = None
    """A move of which a part has been released, so that only its completion is left (FIDE Laws 4.7)."""
    choice: Role | None = None
    """What the player has chosen to promote to."""
    announced: Move | None = None
    """The move that a wrong claim has named, and that has to be made (FIDE Laws 9.5.3)."""
    command: Move | None = None
    """The move to carry out for a player who has no hands (see `commanded`)."""
    hint: Move | None = None
    """The move that this player is advised to make."""
    adjusting: bool = False
    """Adjusting was announced (FIDE Laws 4.2.1): no lift of this turn is a touch."""
    touched_at_all: bool = False
    """The player has touched a piece in the sense of 4.3, which bars a claim (FIDE Laws 9.4)."""
    asked: bool = False
    """The player was asked whether the man in hand has captured unseen (D18)."""
    owed: Obligation | None = None
    """What is owed; None when it has to be worked out anew."""
    afters: dict[Move, Bitboard] = field(default_factory=dict)
    placement: dict[int, Piece] = field(default_factory=dict)

    @property
    def mover(self) -> Colour:
        """The player having the move."""
        return Colour(self.position.turn)

    @property
    def own(self) -> Bitboard:
        """The squares of the men of the player having the move."""
        return self.position.occupied_by(self.position.turn)

    @property
    def enemy(self) -> Bitboard:
        """The squares of the waiting side's men."""
        return self.position.occupied & ~self.own

    def men(self) -> dict[int, Piece]:
        """What stands where in the position."""
        if not self.placement:
            squares = squares_of(self.position.occupied)
            self.placement = {s: man for s in squares if (man := self.position.piece_at(s)) is not None}
        return self.placement

    def touch(self, stamp: int, square: Square) -> None:
        """Note a touch; one of the same scan joins its group."""
        self.owed = None
        if self.touches and self.touches[-1][0] == stamp:
            self.touches[-1][1].append(square)
        else:
            self.touches.append((stamp, [square]))

    def forget(self, squares: Bitboard) -> None:
        """Take touches back that turn out to have been no touches of this player."""
        self.owed = None
        kept = [(stamp, [s for s in group if not squares >> s & 1]) for stamp, group in self.touches]
        self.touches = [(stamp, group) for stamp, group in kept if group]
        self.undecided = [(stamp, s) for stamp, s in self.undecided if not squares >> s & 1]
        self.touched_at_all = self.touched_at_all and bool(self.touches)

    def groups(self) -> Touches:
        """The touches as `rules.touch` reads them."""
        return tuple(tuple(sorted(group)) for _, group in self.touches)

    def after(self, move: Move) -> Bitboard:
        """What is occupied after that move."""
        bitboard = self.afters.get(move)
        if bitboard is None:
            bitboard = self.afters[move] = self.position.occupied ^ occupancy_change(self.position, move)
        return bitboard
