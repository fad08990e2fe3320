"""Whose turn it is and who may still castle: what the rules need to know beyond the placement of the men.

There are few such states, so each is one object that carries everything that depends on it: the tables of the pawns and
kings, the wings, and the state that follows when a right is lost. Playing a move then costs one test; and neither
playing nor generating moves asks whether the game is Chess960, as that is in the tables.
"""

from __future__ import annotations

from rules.castling import WINGS, Wing
from rules.geometry import RANKS, squares_down
from rules.kings import WATCHES, ZONES
from rules.memo import Memo
from rules.pawns import LONE_PAWNS, PAWN_TABLES
from rules.squares import Bitboard, Colour


class Side:
    """A state of turn and castling rights. Interned: compare with `is`; see `side_of`.

    - `turn`: the side to move; `chess960`: how castling is written;
    - `state`: turn and rights in one number, the same in Chess960 and not;
    - `rooks`, `kings`: the rooks of both sides that may castle, and the kings they may castle with;
    - `guarded`: both: a move that touches none of these squares changes no right;
    - `wings`: how the side to move may castle; `castling_changes`: the changes of occupancy this would make;
    - `plain`: no castling of either side leaves the picture of another move (so always, with king and rooks at home);
    - `passed`: the other side to move, same rights;
    - `after`: by touched guarded squares, the other side to move, rights lost.
    """

    __slots__ = (
        "after", "castling_changes", "chess960", "guarded", "kings", "lone_pawns", "passed", "pawns", "plain", "rooks",
        "state", "their_shifts", "turn", "watches", "wings", "zones",
    )  # fmt: skip

    passed: Side

    def __init__(self, turn: Colour, kings: Bitboard, rooks: Bitboard, chess960: bool) -> None:
        self.turn = turn
        self.chess960 = chess960
        self.kings = kings
        self.rooks = rooks
        self.state = rooks | turn << 64
        self.guarded = kings | rooks
        self.after = Memo(self._after)
        self.wings = _wings(turn, kings, rooks)
        self.castling_changes = frozenset(wing[3].change for wing in self.wings)
        self.plain = all(
            wing[3].change.bit_count() == 4 for colour in Colour for wing in _wings(colour, kings, rooks)
        )
        self.pawns = PAWN_TABLES[turn].record
        self.their_shifts = PAWN_TABLES[turn.opponent].shifts
        self.lone_pawns = LONE_PAWNS[turn]
        self.watches = WATCHES[turn]
        self.zones = ZONES[turn]

    def _after(self, touched: Bitboard) -> Side:
        kings, rooks = self.kings & ~touched, self.rooks & ~touched
        for home in (RANKS[0], RANKS[7]):  # king and rook are nothing without each other
            if not (kings & home and rooks & home):
                kings, rooks = kings & ~home, rooks & ~home
        return _side(self.turn.opponent, kings, rooks, self.chess960)


def _wings(colour: Colour, kings: Bitboard, rooks: Bitboard) -> tuple[Wing, ...]:
    home = RANKS[0] if colour is Colour.WHITE else RANKS[7]
    king = (kings & home).bit_length() - 1
    return tuple([WINGS[king, rook] for rook in squares_down(rooks & home)])


_SIDES: dict[tuple[Colour, Bitboard, Bitboard, bool], Side] = {}


def side_of(turn: Colour, white_king: Bitboard, black_king: Bitboard, rooks: Bitboard, chess960: bool) -> Side:
    """The one state of that turn and those rights. A king without a rook to castle with does not matter."""
    kings = (white_king if rooks & RANKS[0] else 0) | (black_king if rooks & RANKS[7] else 0)
    return _side(turn, kings, rooks, chess960)


def _side(turn: Colour, kings: Bitboard, rooks: Bitboard, chess960: bool) -> Side:
    found = _SIDES.get((turn, kings, rooks, chess960))
    if found is None:
        found, other = Side(turn, kings, rooks, chess960), Side(turn.opponent, kings, rooks, chess960)
        found.passed, other.passed = other, found
        _SIDES[turn, kings, rooks, chess960] = found
        _SIDES[turn.opponent, kings, rooks, chess960] = other
    return found
