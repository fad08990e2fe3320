"""Articles 3, 4 and 7: what is wrong with what was done, and what it costs.

`Why` is the closed list of reasons; each belongs to a `Kind`: an illegal move in the sense of 7.5, a breach of touch-
move (Article 4), or displaced pieces (7.4). Only the first is ever counted (7.5.5), and only when it is completed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from rules.articles import Law
from rules.fen import write_fen
from rules.outcome import Outcome, Reason, forfeit
from rules.pieces import Role
from rules.position import Position
from rules.pseudo import is_attacked, is_pseudo_legal
from rules.ruleset import RuleSet
from rules.squares import Bitboard, Colour, squares_of
from rules.touch import Obligation, Owed


class Kind(Enum):
    """What sort of irregularity it is."""

    ILLEGAL = "illegal"
    TOUCH = "touch"
    DISPLACED = "displaced"


class Why(Enum):
    """What is wrong. The values are public."""

    NOT_A_MOVE = "not-a-move"
    SELF_CHECK = "self-check"
    KING_INTO_CHECK = "king-into-check"
    CASTLE_RIGHTS = "castle-rights"
    CASTLE_BLOCKED = "castle-blocked"
    CASTLE_OUT_OF_CHECK = "castle-out-of-check"
    CASTLE_THROUGH_CHECK = "castle-through-check"
    CASTLE_INTO_CHECK = "castle-into-check"
    EP_EXPIRED = "ep-expired"
    EP_NOT_REMOVED = "ep-not-removed"
    CASTLE_INCOMPLETE = "castle-incomplete"
    NO_MOVE = "no-move"
    CASTLE_ROOK_FIRST = "castle-rook-first"
    MUST_CASTLE = "must-castle"
    MUST_CAPTURE = "must-capture"
    TOUCH_MOVE = "touch-move"
    RELEASED = "released"
    OUT_OF_TURN = "out-of-turn"
    NOT_COMMANDED = "not-commanded"

    @property
    def kind(self) -> Kind:
        """The class it belongs to."""
        if self in (Why.OUT_OF_TURN, Why.NOT_COMMANDED):
            return Kind.DISPLACED
        return Kind.TOUCH if self in _TOUCH else Kind.ILLEGAL

    def law(self, role: Role | None = None) -> Law:
        """The rule that is broken; a move of no kind breaks the rule of how that piece moves."""
        return _MOVES[Role.KING if role is None else role] if self is Why.NOT_A_MOVE else _LAWS[self]


_TOUCH = frozenset((Why.CASTLE_ROOK_FIRST, Why.MUST_CASTLE, Why.MUST_CAPTURE, Why.TOUCH_MOVE, Why.RELEASED))
_LAWS: Mapping[Why, Law] = {
    Why.SELF_CHECK: Law.NO_SELF_CHECK,
    Why.KING_INTO_CHECK: Law.NO_SELF_CHECK,
    Why.CASTLE_RIGHTS: Law.CASTLING_RIGHT_LOST,
    Why.CASTLE_BLOCKED: Law.CASTLING_PREVENTED,
    Why.CASTLE_OUT_OF_CHECK: Law.CASTLING_PREVENTED,
    Why.CASTLE_THROUGH_CHECK: Law.CASTLING_PREVENTED,
    Why.CASTLE_INTO_CHECK: Law.CASTLING_PREVENTED,
    Why.EP_EXPIRED: Law.EN_PASSANT,
    Why.EP_NOT_REMOVED: Law.CAPTURE_MADE,
    Why.CASTLE_INCOMPLETE: Law.CASTLING_MADE,
    Why.NO_MOVE: Law.PRESS_WITHOUT_MOVE,
    Why.CASTLE_ROOK_FIRST: Law.ROOK_THEN_KING,
    Why.MUST_CASTLE: Law.KING_THEN_ROOK,
    Why.MUST_CAPTURE: Law.TOUCH_BOTH,
    Why.TOUCH_MOVE: Law.TOUCH_OWN,
    Why.RELEASED: Law.RELEASED,
    Why.OUT_OF_TURN: Law.HAS_THE_MOVE,
    Why.NOT_COMMANDED: Law.DISPLACED,
}
_MOVES: Mapping[Role, Law] = {
    Role.PAWN: Law.PAWN_MOVES,
    Role.KNIGHT: Law.KNIGHT_MOVES,
    Role.BISHOP: Law.BISHOP_MOVES,
    Role.ROOK: Law.ROOK_MOVES,
    Role.QUEEN: Law.QUEEN_MOVES,
    Role.KING: Law.KING_MOVES,
}
KINGS_GIVEN = frozenset((Why.KING_INTO_CHECK, Why.CASTLE_INTO_CHECK))
"""A king moved to an attacked square: all that the traditional rules count."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a completed illegal move costs: time for the opponent, or the game."""

    bonus_ms: int = 0
    outcome: Outcome | None = None


def breach(owed: Obligation) -> Why:
    """What it is called to make a legal move that this obligation does not allow (FIDE Laws 4.3, 4.4)."""
    match owed.kind:
        case Owed.CASTLE:
            return Why.MUST_CASTLE
        case Owed.CAPTURE:
            return Why.MUST_CAPTURE
        case _:
            return Why.TOUCH_MOVE


def fault_of_move(position: Position, origin: int, square: int, passed: int | None) -> Why:
    """Why the player having the move may not bring the piece on `origin` to `square`, which is not legal (Article 3).

    `passed` is the square that a pawn passed by its double step on the move before, if it did.
    """
    piece = position.piece_at(origin)
    assert piece is not None
    if piece.role is Role.KING:
        return _fault_of_king(position, origin, square)
    if is_pseudo_legal(position, origin, square):
        return Why.SELF_CHECK
    if piece.role is Role.PAWN and _looks_en_passant(position, origin, square):
        return Why.SELF_CHECK if square == passed else Why.EP_EXPIRED
    return Why.NOT_A_MOVE


def castling_side(position: Position, origin: int, square: int) -> int | None:
    """+1 or -1 (towards the h- or the a-file) if the king going there means castling, legal or not; else None.

    The king leaves its first square for the c- or the g-file, further than one step.
    """
    rank = 56 * position.turn
    if origin >> 3 != rank >> 3 or square >> 3 != rank >> 3 or square & 7 not in (2, 6):
        return None
    if abs(origin - square) < 2 or not (position.chess960 or origin & 7 == 4):
        return None
    if position.chess960:
        return 1 if square & 7 == 6 else -1
    return 1 if square > origin else -1


def castling_landings(position: Position, rook: int) -> tuple[int, int]:
    """Where king and rook land when the player having the move castles with that rook."""
    king = position.pieces(position.turn, Role.KING).bit_length() - 1
    rank = king & 56
    return (rank | 6, rank | 5) if rook > king else (rank | 2, rank | 3)


def _fault_of_king(position: Position, origin: int, square: int) -> Why:
    side = castling_side(position, origin, square)
    if side is not None:
        return fault_of_castling(position, side)
    steps = max(abs((origin & 7) - (square & 7)), abs((origin >> 3) - (square >> 3)))
    own = position.occupied_by(position.turn)
    return Why.KING_INTO_CHECK if steps == 1 and not own >> square & 1 else Why.NOT_A_MOVE


def fault_of_castling(position: Position, side: int) -> Why:
    """Why castling to that side (+1 the h-file, -1 the a-file), which is not legal, is not (FIDE Laws 3.8.2).

    The first condition that fails, in the order right, path, check.
    """
    king = position.pieces(position.turn, Role.KING).bit_length() - 1
    rook = castling_rook(position, king, side)
    if rook is None:
        return Why.CASTLE_RIGHTS
    landing, rook_landing = castling_landings(position, rook)
    path = _span(king, landing) | _span(rook, rook_landing) | _between(king, rook)
    if path & position.occupied & ~(1 << king | 1 << rook):
        return Why.CASTLE_BLOCKED
    opponent = position.turn.opponent
    if position.is_check():
        return Why.CASTLE_OUT_OF_CHECK
    rest = position.occupied & ~(1 << king | 1 << rook)
    crossed = [s for s in range(64) if _between(king, landing) >> s & 1]
    if any(is_attacked(position, s, opponent, rest) for s in crossed):
        return Why.CASTLE_THROUGH_CHECK
    return Why.CASTLE_INTO_CHECK


def castling_rook(position: Position, king: int, side: int) -> int | None:
    """The rook that the king still has the right to castle with on that side, be it prevented now or not; or None."""
    for letter in write_fen(position).split()[2]:
        if letter != "-" and letter.isupper() is (position.turn is Colour.WHITE):
            rook = _rook_of_right(position, king, letter.lower())
            if (rook > king) is (side > 0):
                return rook
    return None


def _rook_of_right(position: Position, king: int, letter: str) -> int:
    """The rook's square by a FEN castling letter: k or q for the outermost rook on that side, else its file."""
    if letter not in "kq":
        return king & 56 | "abcdefgh".index(letter)
    rooks = [s for s in squares_of(position.pieces(position.turn, Role.ROOK)) if s >> 3 == king >> 3]
    return max(rooks) if letter == "k" else min(rooks)


def _looks_en_passant(position: Position, origin: int, square: int) -> bool:
    """A pawn on its fifth rank steps diagonally to an empty square, past an enemy pawn that stands beside it."""
    turn = position.turn
    fifth, up = (4, 8) if turn is Colour.WHITE else (3, -8)
    if origin >> 3 != fifth or square - origin not in (up - 1, up + 1) or abs((origin & 7) - (square & 7)) != 1:
        return False
    beside = origin & 56 | square & 7
    return bool(position.pieces(turn.opponent, Role.PAWN) >> beside & 1) and not position.occupied >> square & 1


def _span(start: int, end: int) -> Bitboard:
    """Both squares and those between, on one rank."""
    low, high = min(start, end), max(start, end)
    return (1 << (high + 1)) - (1 << low)


def _between(start: int, end: int) -> Bitboard:
    return _span(start, end) & ~(1 << start | 1 << end)


def counts(why: Why, rules: RuleSet) -> bool:
    """Whether a completed irregularity of that sort is counted against the player (FIDE Laws 7.5.5)."""
    return why in KINGS_GIVEN if rules.only_kings_given else why.kind is Kind.ILLEGAL


def penalty(position: Position, offender: Colour, count: int, rules: RuleSet) -> Penalty:
    """What the `count`-th completed illegal move of `offender` costs (FIDE Laws 7.5.5).

    At the limit the game is lost, or drawn if the opponent cannot mate by any series of moves; before it, time.
    """
    if count < rules.illegal_limit:
        return Penalty(rules.illegal_bonus_ms)
    return Penalty(0, forfeit(position, offender, Reason.ILLEGAL_2 if rules.illegal_limit == 2 else Reason.ILLEGAL_3))
