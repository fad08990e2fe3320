"""Whose hand, and what it means: turns lifts into touches of the player having the move (Article 4).

House rules:

1. A lift belongs to the player having the move; sensors see no hands (D1).
2. Between the other side's move and his press, a lift of one of his men is laid to him, since his clock runs (D4).
   It becomes a touch of the player having the move only if that player lifts one of his own while it is still off.
3. The piece that a pawn was promoted to may be exchanged on its square (4.6). Lifted alone it is undecided; it becomes
   a touch if the player having the move next lifts a man that can capture it (D7).
4. Four or more men of both colours lifted in one scan, or within half a second, were knocked over (4.2.2): no touch
   (D9). Nor is what is lifted beside them until they stand again.
5. After an announced adjustment nothing is a touch (4.2.1).
"""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.turn import Turn
from rules.squares import Bitboard, Square, set_of, squares_of

KNOCK_MEN = 4
KNOCK_MS = 500
"""Men swept away by an arm leave their squares in so short a time; nobody takes up four of both colours so fast."""


def note_lifts(
    turn: Turn, view: BoardView, squares: Sequence[Square], promoted: Square | None, window: bool
) -> list[Square]:
    """Note the lifts of one scan; what comes back are those that are touches, in order.

    `promoted`: where a piece stands that a pawn has just become and that may still be exchanged. `window`: the side
    that has just moved has not pressed its clock yet.
    """
    men = [s for s in squares if turn.position.occupied >> s & 1]
    if turn.adjusting or not men or _knocked(turn, view):
        return []
    own = [s for s in men if turn.own >> s & 1]
    touched = _decide(turn, view, own, promoted) if own else []
    for square in own:
        turn.touch(view.stamp, square)
        turn.touched_at_all = True
    for square in men:
        if square in own:
            continue
        if square == promoted or window:
            turn.undecided.append((view.stamp, square))
            continue
        turn.touch(view.stamp, square)
        turn.touched_at_all |= bool(_capturers(turn, square))
        touched.append(square)
    return touched + own


def note_places(turn: Turn, squares: Sequence[Square]) -> None:
    """What was undecided and is put back was no touch; what was knocked over is up again."""
    placed = set_of(squares)
    turn.knocked &= ~placed
    turn.undecided = [(stamp, s) for stamp, s in turn.undecided if not placed >> s & 1]


def close_window(turn: Turn, view: BoardView, promoted: Square | None) -> list[Square]:
    """The other side has pressed: what is still off the board is in the hand of the player having the move."""
    taken = [(stamp, s) for stamp, s in turn.undecided if s != promoted]
    turn.undecided = [(stamp, s) for stamp, s in turn.undecided if s == promoted]
    return _bind(turn, [(stamp, s) for stamp, s in taken if not view.occupied >> s & 1])


def carry_over(turn: Turn, view: BoardView, standing_elsewhere: Bitboard) -> None:
    """Men still in their owner's hand when he gets the move count as touched by him (D3)."""
    lacking = view.missing(turn.position.occupied) & turn.own & ~standing_elsewhere & ~turn.knocked
    held = sorted((view.lifted[s], s) for s in range(64) if lacking >> s & 1)
    for stamp, square in held:
        turn.touch(stamp, Square(square))
        turn.touched_at_all = True


def _knocked(turn: Turn, view: BoardView) -> bool:
    """Whether what was lifted was knocked over, with others just now or beside those that still lie about."""
    off = [s for s in squares_of(turn.position.occupied & ~view.occupied) if view.lifted[s] >= 0]
    lifted = set_of(s for s in off if (view.began_ms or 0) - view.lifted_ms[s] <= KNOCK_MS)
    many = lifted.bit_count() >= KNOCK_MEN and lifted & turn.own and lifted & turn.enemy
    if not many and not turn.knocked & ~view.occupied:
        return False
    turn.knocked |= lifted
    turn.forget(lifted)
    return True


def _decide(turn: Turn, view: BoardView, own: Sequence[Square], promoted: Square | None) -> list[Square]:
    """Own men were lifted: which of the undecided lifts before are now touches."""
    taken: list[tuple[int, Square]] = []
    left: list[tuple[int, Square]] = []
    for stamp, square in turn.undecided:
        off = not view.occupied >> square & 1
        if square == promoted:
            decided = off and bool(_capturers(turn, square) & set(own))
        else:
            decided = off
        (taken if decided else left).append((stamp, square))
    turn.undecided = left
    return _bind(turn, taken)


def _bind(turn: Turn, taken: Sequence[tuple[int, Square]]) -> list[Square]:
    for stamp, square in taken:
        turn.touch(stamp, square)
        turn.touched_at_all |= bool(_capturers(turn, square))
    return [square for _, square in taken]


def _capturers(turn: Turn, square: int) -> set[int]:
    position = turn.position
    return {m.origin for m in position.legal_moves() if position.victim_square(m) == square}
