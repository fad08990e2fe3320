"""What each man attacks, and the moves it has: tables that fill themselves.

Nothing in the hot path scans bits. A set of men is a key to a ready tuple of records, one for each man; a set of target
squares is a key to a ready tuple of moves. Two kinds of record are all there is:

- a slider, `(mask, lines, fan, slider)`: `lines[occupied & mask]` is what it attacks, `fan[attacks & targets]` its
  moves;
- a stepper, `(steps, fan, stepper)`: `fan[steps & targets]` its moves.

`lines` and `fan` are plain dicts, the fastest there are. On a KeyError ask the record's last member, which works the
answer out and keeps it. A slider puts it together from its two lines' own tables: these are small and soon full, while
all the 107,648 joint entries would take a sixth of a second and 10 MB at import.
"""

from __future__ import annotations

from rules import move as kinds
from rules.geometry import (
    ALONG_FILE,
    ALONG_RANK,
    BISHOP_LINES,
    BOTH_WAYS,
    FALLING,
    FILES,
    KING_STEPS,
    KNIGHT_STEPS,
    LAST_RANKS,
    NOT_FILE_A,
    NOT_FILE_H,
    RANKS,
    RISING,
    ROOK_LINES,
    Step,
    squares_down,
)
from rules.memo import Memo, table
from rules.move import Moves, move_of
from rules.squares import FULL, Bitboard

Fan = dict[Bitboard, Moves]
SliderRecord = tuple[Bitboard, dict[Bitboard, Bitboard], Fan, "Slider"]
StepperRecord = tuple[Bitboard, Fan, "Stepper"]

SQUARES: Memo[Bitboard, tuple[int, ...]] = Memo(squares_down)
"""The squares of a set, from h8 down."""


class Line:
    """One line through a square, both ways."""

    __slots__ = ("above", "attacks", "below", "fan", "mask", "reach")

    def __init__(self, square: int, step: Step, kind: int) -> None:
        upwards, downwards = BOTH_WAYS[square, step]
        self.above, self.below = sum(upwards), sum(downwards)
        self.reach = self.above | self.below
        self.mask = sum(upwards[:-1]) | sum(downwards[:-1])
        self.attacks = Memo(self._attacks)
        self.fan: Memo[Bitboard, Moves] = Memo(
            lambda targets: tuple([move_of(kind, square, target) for target in squares_down(targets)])
        )

    def _attacks(self, occupied: Bitboard) -> Bitboard:
        """On either side as far as the nearest occupied square."""
        above, below = self.above, self.below
        up, down = occupied & above, occupied & below
        if up:
            above &= up ^ (up - 1)
        if down:
            below ^= below & ((1 << down.bit_length() - 1) - 1)
        return above | below


class Slider:
    """A bishop's or a rook's two lines from one square. (A queen is both.)"""

    __slots__ = ("_both", "_made", "fan", "lines", "mask", "record")

    def __init__(self, square: int, one: Step, two: Step, kind: int, mask: Bitboard) -> None:
        self.mask = mask
        self.lines: dict[Bitboard, Bitboard] = table({})
        self.fan: Fan = table({0: ()})
        self.record: SliderRecord = (mask, self.lines, self.fan, self)
        self._made = (square, one, two, kind)
        self._both: tuple[Line, Line] | None = None

    def _lines(self) -> tuple[Line, Line]:
        """Its lines, made when first needed."""
        if self._both is None:
            square, one, two, kind = self._made
            self._both = Line(square, one, kind), Line(square, two, kind)
        return self._both

    def attacks(self, occupied: Bitboard) -> Bitboard:
        """What it attacks, its own side's men included, with those squares occupied."""
        inner = occupied & self.mask
        attacked = self.lines.get(inner)
        if attacked is None:
            one, two = self._lines()
            attacked = self.lines[inner] = one.attacks[inner & one.mask] | two.attacks[inner & two.mask]
        return attacked

    def moves_to(self, reached: Bitboard) -> Moves:
        """Its moves to squares that it reaches."""
        moves = self.fan.get(reached)
        if moves is None:
            one, two = self._lines()
            moves = self.fan[reached] = one.fan[reached & one.reach] + two.fan[reached & two.reach]
        return moves

    def moves(self, occupied: Bitboard, targets: Bitboard) -> Moves:
        """Its moves to those of `targets` that it reaches."""
        return self.moves_to(self.attacks(occupied) & targets)


class Stepper:
    """A knight's or a king's steps from one square."""

    __slots__ = ("fan", "kind", "record", "square", "steps")

    def __init__(self, square: int, steps: Bitboard, kind: int) -> None:
        self.square = square
        self.steps = steps
        self.kind = kind
        self.fan: Fan = table({0: ()})
        self.record: StepperRecord = (steps, self.fan, self)

    def moves(self, targets: Bitboard) -> Moves:
        """Its moves to those of `targets` that it reaches."""
        reached = self.steps & targets
        moves = self.fan.get(reached)
        if moves is None:
            moves = tuple([move_of(self.kind, self.square, target) for target in squares_down(reached)])
            self.fan[reached] = moves
        return moves


def _bishop(square: int) -> Slider:
    return Slider(square, RISING, FALLING, kinds.DIAGONAL, BISHOP_LINES[square] & _INNER_FILES & _INNER_RANKS)


def _rook(square: int) -> Slider:
    along = RANKS[square >> 3] & _INNER_FILES | FILES[square & 7] & _INNER_RANKS
    return Slider(square, ALONG_RANK, ALONG_FILE, kinds.STRAIGHT, along & ROOK_LINES[square])


_INNER_FILES = NOT_FILE_A & NOT_FILE_H
_INNER_RANKS = FULL ^ LAST_RANKS

BISHOPS = tuple(_bishop(square) for square in range(64))
ROOKS = tuple(_rook(square) for square in range(64))
KNIGHTS = tuple(Stepper(square, KNIGHT_STEPS[square], kinds.KNIGHT) for square in range(64))
KINGS = tuple(Stepper(square, KING_STEPS[square], kinds.KING) for square in range(64))
"""By square."""

BISHOP_RECORDS: Memo[Bitboard, tuple[SliderRecord, ...]] = Memo(
    lambda men: tuple([BISHOPS[square].record for square in squares_down(men)]), 4096
)
ROOK_RECORDS: Memo[Bitboard, tuple[SliderRecord, ...]] = Memo(
    lambda men: tuple([ROOKS[square].record for square in squares_down(men)]), 4096
)
KNIGHT_RECORDS: Memo[Bitboard, tuple[StepperRecord, ...]] = Memo(
    lambda men: tuple([KNIGHTS[square].record for square in squares_down(men)]), 4096
)
"""By set of men: a record each."""


def _knights_attack(knights: Bitboard) -> Bitboard:
    attacked = 0
    for square in squares_down(knights):
        attacked |= KNIGHT_STEPS[square]
    return attacked


KNIGHTS_ATTACK: Memo[Bitboard, Bitboard] = Memo(_knights_attack, 4096)
"""By set of knights: all they attack."""
