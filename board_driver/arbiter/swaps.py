"""Captures in one quick movement: the victim goes and the capturer stands there before the empty square has settled.

All that is left of it is a flicker of the victim's square. With a man in hand that may capture there it is that
capture; without one it is a brush or a weak magnet, and nothing (FIDE Laws 4.2.2).
"""

from __future__ import annotations

from board_driver.arbiter.gamestate import GameState
from board_driver.sensing.cells import SOMETHING
from board_driver.sensing.settle import Flicker, SettledChange


def shows_capture(game: GameState, flicker: Flicker) -> bool:
    """Whether a flicker is a capture that the player having the move may make with a man in hand."""
    busy = game.outcome is not None or game.question is not None or game.leading is not None
    if busy or flicker.cell is not SOMETHING:
        return False
    hand = [home for home in game.hand() if game.view.lifted_ms[home] <= flicker.returned_ms]
    return any(
        move.landing == flicker.square and move.origin in hand and game.position.victim_square(move) == flicker.square
        for move in game.owed().moves
    )


def exchange(flicker: Flicker, now_ms: int) -> tuple[SettledChange, SettledChange]:
    """The lift of the victim and the placing of its capturer that the flicker stands for."""
    square, cell = flicker.square, flicker.cell
    return (
        SettledChange(square, cell, None, flicker.left_ms, now_ms),
        SettledChange(square, None, cell, flicker.returned_ms, now_ms),
    )
