"""Whose turn it is and who may still castle: what the rules need to know beyond the placement of the men.

There are few such states, so each is one object that carries everything that depends on it: the tables of the pawns and
kings, the wings, and the state that follows when a right is lost. Playing a move then costs one test; and neither
playing nor generating moves asks whether the game is Chess960, as that is in the tables.
"""

from __future__ import annotations

from rules.castling import WINGS, Wing
from rules.geometry import (
    BETWEEN,
    BISHOP_LINES,
    BIT,
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_ATTACKS,
    RANKS,
    ROOK_LINES,
    squares_down,
)
from rules.memo import Memo
from rules.pawns import PAWN_TABLES
from rules.squares import Bitboard, Colour

Threats = Memo[Bitboard, tuple[tuple[Bitboard, Bitboard], ...]]
Watch = tuple[int, Bitboard, Bitboard, Bitboard, Bitboard, Threats]
"""A king's square; whence a knight, a pawn, a rook and a bishop could check it on an empty board; and by set of such
men, what lies between each and the king."""

Surroundings = tuple[Bitboard, Bitboard, Bitboard, Bitboard]
"""Where a king may step; and whence a man that steps, a rook and a bishop could attack a square it may go to."""


def _watch(colour: Colour, king: int) -> Watch:
    def threats(men: Bitboard) -> tuple[tuple[Bitboard, Bitboard], ...]:
        return tuple([(BETWEEN[king][square], BIT[square]) for square in squares_down(men)])

    return (
        king, KNIGHT_STEPS[king], PAWN_ATTACKS[colour][king], ROOK_LINES[king], BISHOP_LINES[king],
        Memo(threats, 1024),
    )  # fmt: skip


def _surroundings(colour: Colour, king: int, walks: Bitboard) -> Surroundings:
    steppers = rooks = bishops = 0
    for square in squares_down(KING_STEPS[king] | walks):
        steppers |= KNIGHT_STEPS[square] | KING_STEPS[square] | PAWN_ATTACKS[colour][square]
        rooks |= ROOK_LINES[square]
        bishops |= BISHOP_LINES[square]
    return KING_STEPS[king], steppers, rooks, bishops


def _watches(colour: Colour) -> Memo[Bitboard, Watch]:
    return Memo(lambda king: _watch(colour, king.bit_length() - 1))


def _all_surroundings(colour: Colour) -> Memo[Bitboard, Surroundings]:
    return Memo(lambda king: _surroundings(colour, king.bit_length() - 1, 0))


_WATCHES = (_watches(Colour.WHITE), _watches(Colour.BLACK))
_SURROUNDINGS = (_all_surroundings(Colour.WHITE), _all_surroundings(Colour.BLACK))


class Side:
    """A state of turn and castling rights. Interned: compare with `is`; see `side_of`.

    - `turn`: the side to move; `chess960`: how castling is written;
    - `rooks`, `kings`: the rooks of both sides that may castle, and the kings they may castle with;
    - `guarded`: both: a move that touches none of these squares changes no right;
    - `wings`: how the side to move may castle;
    - `plain`: no castling of either side leaves the picture of another move (so always, with king and rooks at home);
    - `passed`: the other side to move, same rights;
    - `after`: by touched guarded squares, the other side to move, rights lost.
    """

    __slots__ = (
        "after", "chess960", "guarded", "kings", "passed", "pawns", "plain", "rooks", "surroundings", "their_shifts",
        "turn", "watches", "wings",
    )  # fmt: skip

    passed: Side

    def __init__(self, turn: Colour, kings: Bitboard, rooks: Bitboard, chess960: bool) -> None:
        self.turn = turn
        self.chess960 = chess960
        self.kings = kings
        self.rooks = rooks
        self.guarded = kings | rooks
        self.after = Memo(self._after)
        self.wings = _wings(turn, kings, rooks)
        self.plain = all(
            wing[3].change.bit_count() == 4 for colour in Colour for wing in _wings(colour, kings, rooks)
        )
        self.pawns = PAWN_TABLES[turn].record
        self.their_shifts = PAWN_TABLES[turn.opponent].shifts
        self.watches = _WATCHES[turn]
        self.surroundings = _SURROUNDINGS[turn]
        if self.wings:
            king = self.wings[0][3].origin
            walks = 0
            for _, walk, _, _ in self.wings:
                walks |= walk
            self.surroundings = Memo(lambda _: _surroundings(turn, king, walks))

    def _after(self, touched: Bitboard) -> Side:
        rooks = self.rooks & ~touched
        for rank in (RANKS[0], RANKS[7]):
            if touched & self.kings & rank:
                rooks &= ~rank
        return side_of(self.turn.opponent, self.kings, rooks, self.chess960)


def _wings(colour: Colour, kings: Bitboard, rooks: Bitboard) -> tuple[Wing, ...]:
    home = RANKS[0] if colour is Colour.WHITE else RANKS[7]
    king = (kings & home).bit_length() - 1
    return tuple([WINGS[king, rook] for rook in squares_down(rooks & home)])


_SIDES: dict[tuple[Colour, Bitboard, Bitboard, bool], Side] = {}


def side_of(turn: Colour, kings: Bitboard, rooks: Bitboard, chess960: bool) -> Side:
    """The one state of that turn and those rights. Kings without a rook to castle with do not matter."""
    kings = sum(kings & rank for rank in (RANKS[0], RANKS[7]) if rooks & rank)
    found = _SIDES.get((turn, kings, rooks, chess960))
    if found is None:
        found, other = Side(turn, kings, rooks, chess960), Side(turn.opponent, kings, rooks, chess960)
        found.passed, other.passed = other, found
        _SIDES[turn, kings, rooks, chess960] = found
        _SIDES[turn.opponent, kings, rooks, chess960] = other
    return found
