"""A game begun on any board: one that can move its pieces puts them up, on another one people do."""

from __future__ import annotations

from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.mind import Settings
from rules.position import Position


def begin_game(daemon: Daemon, settings: Settings, position: Position) -> None:
    """Begin afresh with those settings, from that position, where they start."""
    board = daemon.board
    if isinstance(board, VirtualBoard):
        daemon.new_game(settings, set_up=lambda: board.set_up(position))
    else:
        daemon.new_game(settings)
