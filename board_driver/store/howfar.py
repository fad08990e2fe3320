"""How far a game has come, in words for the person at the terminal [pure]."""

from __future__ import annotations

from board_driver.gamerecord import GameRecord
from rules.san import move_numeral, write_san


def how_far(game: GameRecord) -> str:
    """Such as `after 17... Rxe5, White has the move`, `before the first move` or `which ended 1-0 after 24. Qxf7#`."""
    before = game.before_last()
    if not game.plies:
        return "before the first move" if game.result == "*" else f"which ended {game.result} before the first move"
    last = f"after {move_numeral(before)} {write_san(before, game.plies[-1].move)}"
    if game.result != "*":
        return f"which ended {game.result} {last}"
    return f"{last}, {before.turn.opponent.word.capitalize()} has the move"
