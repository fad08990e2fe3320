"""How a game ends: results, reasons, and what a single position decides by itself.

Three kinds of ending are kept apart. *Automatic* ones follow from the position and its history and need nobody to ask
(mate, stalemate, dead position, fivefold repetition, seventy-five moves). *Claimable* ones are drawn only when the
player having the move asks (threefold repetition, fifty moves). The rest are acts of the players or the clock, where
this module only answers whether the other side could still have won (`could_mate`, `forfeit`).

What depends on the moves before (repetition) is in `rules.game`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from rules.position import Position
from rules.squares import Bitboard, Colour

LIGHT_SQUARES: Bitboard = 0x55AA55AA55AA55AA
DARK_SQUARES: Bitboard = 0xAA55AA55AA55AA55


class Result(StrEnum):
    """The four results, spelled as in PGN."""

    WHITE_WINS = "1-0"
    BLACK_WINS = "0-1"
    DRAW = "1/2-1/2"
    UNFINISHED = "*"

    @classmethod
    def win_of(cls, colour: Colour) -> Result:
        """The result in which that side has won."""
        return cls.WHITE_WINS if colour is Colour.WHITE else cls.BLACK_WINS

    @property
    def winner(self) -> Colour | None:
        """Who won; None for a draw and for a game without a result."""
        match self:
            case Result.WHITE_WINS:
                return Colour.WHITE
            case Result.BLACK_WINS:
                return Colour.BLACK
            case _:
                return None


class Reason(StrEnum):
    """Why a game ended. The spellings are public: they stand in reports and logs."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    DEAD_POSITION = "dead-position"
    FIVEFOLD = "fivefold"
    SEVENTYFIVE = "seventyfive"
    THREEFOLD = "threefold"
    """By itself, which only the traditional draws know."""
    FIFTY = "fifty"
    """By itself, which only the traditional draws know."""
    THREEFOLD_CLAIM = "threefold-claim"
    FIFTY_CLAIM = "fifty-claim"
    AGREEMENT = "agreement"
    RESIGNATION = "resignation"
    RESIGNATION_NO_MATE = "resignation-cannot-mate"
    FLAG = "flag"
    FLAG_NO_MATE = "flag-cannot-mate"
    ILLEGAL_2 = "illegal-2"
    ILLEGAL_3 = "illegal-3"
    ILLEGAL_NO_MATE = "illegal-no-mate"
    DECIDED = "decided"
    """A result entered by hand: an arbiter's decision, or the players' word."""
    ABANDONED = "abandoned"


class Claim(StrEnum):
    """The draws a player may claim (FIDE Laws 9.2, 9.3)."""

    THREEFOLD = "threefold"
    FIFTY = "fifty"

    @property
    def reason(self) -> Reason:
        """Why the game has ended once the claim is upheld."""
        return Reason.THREEFOLD_CLAIM if self is Claim.THREEFOLD else Reason.FIFTY_CLAIM


class DrawRules(Enum):
    """Which draws come by themselves."""

    FIDE = auto()
    """Fivefold repetition and seventy-five moves (9.6); threefold and fifty on claim."""
    TRADITIONAL = auto()
    """Threefold repetition and fifty moves; two knights against a bare king are a draw."""

    @property
    def repetitions(self) -> int:
        """How many occurrences of a position end the game."""
        return 5 if self is DrawRules.FIDE else 3

    @property
    def quiet_plies(self) -> int:
        """How many plies without a pawn move or a capture end the game."""
        return 150 if self is DrawRules.FIDE else 100


CLAIM_REPETITIONS = 3
"""FIDE Laws 9.2.1: the third occurrence."""
CLAIM_QUIET_PLIES = 100
"""FIDE Laws 9.3.1: fifty moves by each player."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game's end."""

    result: Result
    reason: Reason


CHECKMATES = {colour: Outcome(Result.win_of(colour), Reason.CHECKMATE) for colour in Colour}
STALEMATE = Outcome(Result.DRAW, Reason.STALEMATE)
DEAD_POSITION = Outcome(Result.DRAW, Reason.DEAD_POSITION)


def drawn(claim: Claim) -> Outcome:
    """The end of a game by an upheld claim (FIDE Laws 9.5.2)."""
    return Outcome(Result.DRAW, claim.reason)


def ending(position: Position, rules: DrawRules = DrawRules.FIDE) -> Outcome | None:
    """What the position alone decides: mate, stalemate, a dead position, too many quiet moves; None while play goes on.

    Mate and stalemate come before the count of quiet moves (FIDE Laws 5.1.1, 5.2.1, 9.6.2).
    """
    if not position.has_move():
        return CHECKMATES[position.turn.opponent] if position.is_check() else STALEMATE
    if is_dead(position, rules):
        return DEAD_POSITION
    if position.halfmove_clock >= rules.quiet_plies:
        return Outcome(Result.DRAW, Reason.SEVENTYFIVE if rules is DrawRules.FIDE else Reason.FIFTY)
    return None


def is_dead(position: Position, rules: DrawRules = DrawRules.FIDE) -> bool:
    """True if neither side has the material to mate by any series of moves (FIDE Laws 5.2.2).

    These are king against king, king and knight against king, and any number of bishops all on squares of one colour.
    Other dead positions, such as locked pawns, are not found. The traditional rules add two knights against a king.
    """
    pawns, knights, diagonal, straight, _, _ = position.us
    foe_pawns, foe_knights, foe_diagonal, foe_straight, _, _ = position.them
    if pawns | foe_pawns | straight | foe_straight:
        return False
    bishops = diagonal | foe_diagonal
    if not (knights or foe_knights):
        return not _on_both_colours(bishops)
    if bishops or (knights and foe_knights):
        return False
    enough = 2 if rules is DrawRules.FIDE else 3
    return (knights | foe_knights).bit_count() < enough


def could_mate(position: Position, colour: Colour) -> bool:
    """True unless that side has no way to mate by any series of legal moves, however helpful the opponent is.

    Decides what a fallen flag, a resignation or a last illegal move are worth (FIDE Laws 6.9, 5.1.2, 7.5.5). Only the
    material is looked at, so False is certain and True may be generous (locked pawns, forced lines).

    With a lone knight the opponent must lend a man that takes a square from his own king without guarding the
    knight's: any but a queen. With bishops of one square colour it takes a man on squares of the other colour that
    can be shut out of the bishop's line: a bishop, a knight, or a pawn; next to its king a rook or queen always reaches
    the line and steps in between.
    """
    pawns, knights, bishops, straight, _, _ = position.army(colour)
    if pawns or straight:
        return True
    foe_pawns, foe_knights, foe_diagonal, foe_straight, _, _ = position.army(colour.opponent)
    foe_queens = foe_diagonal & foe_straight
    foe_rooks, foe_bishops = foe_straight ^ foe_queens, foe_diagonal ^ foe_queens
    if knights:
        lone = not bishops and not knights & (knights - 1)
        return not lone or bool(foe_pawns | foe_knights | foe_bishops | foe_rooks)
    if bishops:
        return bool(foe_pawns | foe_knights) or _on_both_colours(bishops | foe_bishops)
    return False


def forfeit(position: Position, loser: Colour, reason: Reason) -> Outcome:
    """The end of a game that `loser` gives up or forfeits: lost, or drawn if the opponent could not have mated.

    `reason` is RESIGNATION (FIDE Laws 5.1.2), FLAG (6.9), ILLEGAL_2 or ILLEGAL_3 (7.5.5). Raises ValueError for
    any other.
    """
    try:
        without_mate = _WITHOUT_MATE[reason]
    except KeyError:
        raise ValueError(f"expected a reason that loses a game, got {reason!r}") from None
    if could_mate(position, loser.opponent):
        return Outcome(Result.win_of(loser.opponent), reason)
    return Outcome(Result.DRAW, without_mate)


_WITHOUT_MATE = {
    Reason.RESIGNATION: Reason.RESIGNATION_NO_MATE,
    Reason.FLAG: Reason.FLAG_NO_MATE,
    Reason.ILLEGAL_2: Reason.ILLEGAL_NO_MATE,
    Reason.ILLEGAL_3: Reason.ILLEGAL_NO_MATE,
}


def _on_both_colours(bishops: Bitboard) -> bool:
    return bool(bishops & LIGHT_SQUARES and bishops & DARK_SQUARES)
