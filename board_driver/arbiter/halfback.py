"""Moves half walked back: a man of theirs is home, and what else they changed is not yet as it was [pure]."""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.turn import Turn
from rules.move import Move
from rules.squares import Bitboard, set_of


def still_to_undo(turn: Turn, before: Turn, moves: Sequence[Move], view: BoardView) -> tuple[Bitboard, Bitboard] | None:
    """Squares to clear and to fill until the board stands as before `moves`, of which a man has come home in this turn.

    `turn` is the present one, `before` that in which the first of the moves was made. None if none of their men has
    come home, or if something else is wrong, too; never (0, 0).
    """
    touched = turn.position.occupied ^ before.position.occupied | set_of(m.landing for m in moves)
    homes = set_of(s for m in moves for s in (m.origin, m.rook_origin) if s is not None)
    homes &= before.position.occupied & ~turn.position.occupied
    came = [s for s in range(64) if homes >> s & 1 and view.occupied >> s & 1 and view.placed[s] > turn.began]
    wrong = (view.occupied ^ before.position.occupied) & view.live
    if not came or not wrong or wrong & ~touched:
        return None
    return view.occupied & wrong, wrong & ~view.occupied
