"""Flags: when they have fallen, and what comes of it (FIDE Laws 6.8, 6.9)."""

from __future__ import annotations

from board_driver.arbiter import making
from board_driver.arbiter.gameclock import GameClock
from board_driver.arbiter.gamestate import GameState
from board_driver.events import ClockAct, Notice
from rules.articles import Law, cite
from rules.outcome import Reason, forfeit
from rules.squares import square_name


def fall(game: GameState, t_ms: int) -> None:
    """The flag of the player whose time runs has fallen, and that is noticed now (FIDE Laws 6.8, 6.9)."""
    timing = game.timing
    falls_ms = None if timing is None else timing.clock.flag_falls_ms()
    if timing is None or is_decided(game):
        return
    clock = timing.clock if falls_ms is None else timing.clock.at(falls_ms)
    loser = clock.fallen
    if loser is None:
        return
    outcome = forfeit(game.position, loser, Reason.FLAG)
    timing.become(clock, ClockAct.FLAG, t_ms, loser)
    tell(game)
    drawn = outcome.reason is Reason.FLAG_NO_MATE
    so = f"drawn, as {loser.opponent.word} cannot mate" if drawn else f"{loser.opponent.word} wins"
    game.say(Notice(t_ms, "flag", f"{loser.word}'s flag has fallen: {so} ({cite(Law.FLAG)})", loser))
    if game.announce_ms is not None and game.promoted is not None:
        timing.too_late = (game.promoted, game.view.placed[game.promoted])
        game.say(Notice(t_ms, "flag-first", f"the flag fell before the new piece stood ({cite(Law.PROMOTION_MADE)})"))
    game.by_default, game.announce_ms, game.promoted = False, None, None
    making.end(game, outcome, t_ms)
    timing.over = True


def is_decided(game: GameState) -> bool:
    """Whether the game is over for good, and not by a promotion that nobody has chosen or carried out yet (4.7.3)."""
    return game.outcome is not None and game.announce_ms is None


def note_late_piece(game: GameState, timing: GameClock, t_ms: int) -> None:
    """The new piece of a promotion that would have ended the game is set down after the flag: tell of the order."""
    if timing.too_late is None:
        return
    square, stamp = timing.too_late
    if game.view.placed[square] != stamp:
        timing.too_late = None
        text = f"a piece was set down on {square_name(square)} after the flag had fallen: the game had ended before"
        game.say(Notice(t_ms, "after-flag", text))


def tell(game: GameState) -> None:
    """Say what has changed the clock since the last call."""
    if game.timing is not None and game.timing.said:
        game.say(*game.timing.said)
        game.timing.said.clear()
