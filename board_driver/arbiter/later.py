"""What time alone decides in a game: gestures that have come to rest, questions repeated, games left alone.

A game in which nothing has happened for the time that its settings name is kept without a result. Whoever comes back
and takes up a man goes on with it.
"""

from __future__ import annotations

from board_driver.arbiter import making, promoting, takingback
from board_driver.arbiter.claiming import claim_by_gesture, offer_by_gesture
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.taps import Said
from board_driver.events import Notice
from rules.outcome import Outcome, Reason, Result

ABANDONED = Outcome(Result.UNFINISHED, Reason.ABANDONED)


def due_ms(game: GameState) -> int | None:
    """When `fire` has something to do; None if never."""
    dues = [promoting.due_ms(game), game.taps.due_ms(), _abandoned_ms(game), game.reopen_ms]
    return min((due for due in dues if due is not None), default=None)


def fire(game: GameState, now_ms: int) -> None:
    """Do what is due by now."""
    if (due := promoting.due_ms(game)) is not None and due <= now_ms:
        promoting.repeat(game, now_ms)
    if game.reopen_ms is not None and game.reopen_ms <= now_ms:
        takingback.reopen(game, now_ms)
    if (due := game.taps.due_ms()) is not None and due <= now_ms:
        _say(game, game.taps.take(), now_ms)
    if (due := _abandoned_ms(game)) is not None and due <= now_ms:
        game.left_alone = True
        making.end(game, ABANDONED, now_ms)


def come_back(game: GameState, t_ms: int) -> None:
    """Somebody does something at the board: a game that was left alone goes on."""
    game.touched_ms = t_ms
    if game.left_alone:
        game.left_alone = False
        game.outcome = None
        game.say(Notice(t_ms, "resumed", "the game that was left alone goes on"))


def _abandoned_ms(game: GameState) -> int | None:
    if not game.abandon_ms or game.outcome is not None or not game.score.plies:
        return None
    if game.timing is not None and game.timing.clock.running is not None:
        return None  # he may think as long as his time runs; at its end the flag falls
    return game.touched_ms + game.abandon_ms


def _say(game: GameState, said: Said | None, t_ms: int) -> None:
    if said is None or game.outcome is not None or game.leading is not None or game.astray():
        return
    if said is Said.OFFER:
        offer_by_gesture(game, t_ms)
    else:
        claim_by_gesture(game, t_ms)
