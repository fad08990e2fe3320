"""A courtesy of the virtual board: once a promotion is made, the pawn is exchanged for the piece.

Occupancy sensors do not see it, and the player may still exchange the piece by hand (Article 4.6) or choose another.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.events import Event, Moved, Revised
from rules.pieces import Piece
from rules.squares import Colour, rank_of


def exchange_promoted(daemon: Daemon, board: VirtualBoard) -> None:
    """From now on, let what stands on the square of the last move's promotion be the piece of the game."""

    def hear(events: Sequence[Event]) -> None:
        if any(isinstance(event, Moved | Revised) for event in events):
            _exchange(daemon, board)

    daemon.listen(hear)


def _exchange(daemon: Daemon, board: VirtualBoard) -> None:
    plies = daemon.mind.games()[-1].plies
    move = plies[-1].move if plies else None
    if move is None or move.promotion is None:
        return
    colour = Colour.WHITE if rank_of(move.landing) == 7 else Colour.BLACK
    piece = Piece(colour, move.promotion)
    standing = board.table.squares[move.landing]
    if standing is not None and standing.colour is colour and standing != piece:
        board.exchange(move.landing, piece)
