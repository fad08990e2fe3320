"""How far a game has come, in words for the person at the terminal [pure]."""

from __future__ import annotations

from board_driver.gamerecord import GameRecord
from rules.position import Position
from rules.san import write_san
from rules.squares import Colour


def how_far(game: GameRecord) -> str:
    """Such as `after 17... Rxe5, White has the move`, `before the first move` or `which ended 1-0 after 24. Qxf7#`."""
    before: Position | None = None
    position = game.start
    for ply in game.plies:
        before, position = position, position.play(ply.move)
    if before is None:
        return "before the first move" if game.result == "*" else f"which ended {game.result} before the first move"
    dots = "." if before.turn is Colour.WHITE else "..."
    last = f"after {before.fullmove_number}{dots} {write_san(before, game.plies[-1].move)}"
    if game.result != "*":
        return f"which ended {game.result} {last}"
    return f"{last}, {position.turn.word.capitalize()} has the move"
