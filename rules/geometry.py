"""The empty board: steps, lines and what lies between two squares.

All tables here are complete at import and indexed by plain ints, a1 = 0. Squares of a set are plain bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.squares import Bitboard

BIT: tuple[Bitboard, ...] = tuple(1 << square for square in range(64))
"""The set of one square."""

NOT_FILE_A: Bitboard = 0xFEFEFEFEFEFEFEFE
NOT_FILE_H: Bitboard = 0x7F7F7F7F7F7F7F7F
FILES: tuple[Bitboard, ...] = tuple(0x0101010101010101 << file for file in range(8))
RANKS: tuple[Bitboard, ...] = tuple(0xFF << 8 * rank for rank in range(8))
LAST_RANKS: Bitboard = RANKS[0] | RANKS[7]
"""Where pawns of either side promote."""

Step = tuple[int, int]
"""Files to the right and ranks up."""

ALONG_RANK: Step = (1, 0)
ALONG_FILE: Step = (0, 1)
RISING: Step = (1, 1)
FALLING: Step = (-1, 1)
AXES: tuple[Step, ...] = (ALONG_RANK, ALONG_FILE, RISING, FALLING)

_KNIGHT: tuple[Step, ...] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_KING: tuple[Step, ...] = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


def squares_down(bitboard: Bitboard) -> tuple[int, ...]:
    """The squares of a set, from h8 down (the cheaper order)."""
    squares = []
    while bitboard:
        square = bitboard.bit_length() - 1
        squares.append(square)
        bitboard ^= BIT[square]
    return tuple(squares)


def _ray(square: int, step: Step) -> tuple[Bitboard, ...]:
    file, rank = (square & 7) + step[0], (square >> 3) + step[1]
    met = []
    while 0 <= file < 8 and 0 <= rank < 8:
        met.append(BIT[file + 8 * rank])
        file += step[0]
        rank += step[1]
    return tuple(met)


BOTH_WAYS: dict[tuple[int, Step], tuple[Sequence[Bitboard], Sequence[Bitboard]]] = {
    (square, step): (_ray(square, step), _ray(square, (-step[0], -step[1]))) for square in range(64) for step in AXES
}
"""By square and axis: the squares met when going to the edge, each as a set of one; first to higher squares, then to
lower ones."""


def _reached(square: int, steps: Iterable[Step]) -> Bitboard:
    reached = 0
    for file_step, rank_step in steps:
        file, rank = (square & 7) + file_step, (square >> 3) + rank_step
        if 0 <= file < 8 and 0 <= rank < 8:
            reached |= BIT[file + 8 * rank]
    return reached


KNIGHT_STEPS: tuple[Bitboard, ...] = tuple(_reached(square, _KNIGHT) for square in range(64))
KING_STEPS: tuple[Bitboard, ...] = tuple(_reached(square, _KING) for square in range(64))
PAWN_ATTACKS: tuple[Sequence[Bitboard], Sequence[Bitboard]] = (
    tuple(_reached(square, ((-1, 1), (1, 1))) for square in range(64)),
    tuple(_reached(square, ((-1, -1), (1, -1))) for square in range(64)),
)
"""By colour and square: what a pawn there attacks. The other colour's entry says whence pawns attack the square."""


def _lines() -> tuple[tuple[Sequence[Bitboard], ...], tuple[Sequence[Bitboard], ...]]:
    between = [[0] * 64 for _ in range(64)]
    line = [[0] * 64 for _ in range(64)]
    for square in range(64):
        for step in AXES:
            rays = BOTH_WAYS[square, step]
            whole = BIT[square] | sum(rays[0]) | sum(rays[1])
            for one_way in rays:
                passed = 0
                for target in one_way:
                    other = target.bit_length() - 1
                    between[square][other] = passed
                    line[square][other] = whole
                    passed |= target
    return tuple(map(tuple, between)), tuple(map(tuple, line))


BETWEEN, LINE = _lines()
"""By two squares: those strictly between them; the whole line through both, edge to edge. Empty if on no line."""

ROOK_LINES: tuple[Bitboard, ...] = tuple(
    (RANKS[square >> 3] | FILES[square & 7]) ^ BIT[square] for square in range(64)
)
BISHOP_LINES: tuple[Bitboard, ...] = tuple(
    sum(sum(one_way) for step in (RISING, FALLING) for one_way in BOTH_WAYS[square, step]) for square in range(64)
)
"""By square: what a rook or a bishop there attacks on an empty board."""

BESIDE: tuple[Bitboard, ...] = tuple(KING_STEPS[square] & RANKS[square >> 3] for square in range(64))
"""By square: its neighbours on the rank."""
