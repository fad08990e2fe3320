"""What people do to the chess clock beside pressing it: pause it, and set its times.

House rules:

1. `pause` without a value changes between pause and play; a player's name says who stopped the clocks (FIDE Laws
   6.11.2); `on` and `off` say which it shall be; `interrupted` is a pause that the next touch ends.
2. `time` sets what a side has (`white 300000`), or adds to it or takes from it (`black +120000`), in milliseconds.
"""

from __future__ import annotations

from board_driver.arbiter.gameclock import GameClock
from board_driver.arbiter.gamestate import GameState
from board_driver.clockwords import clock_text, time_change
from board_driver.events import ClockAct, Notice
from board_driver.scan import Button, ButtonName
from rules.articles import Law, cite
from rules.squares import Colour

_COLOURS = {colour.word: colour for colour in Colour}


def press_clock_button(game: GameState, button: Button, at_ms: int, t_ms: int) -> None:
    """Act on `pause` or `time`, pressed at `at_ms`."""
    timing = game.timing
    if timing is None or game.outcome is not None:
        why = "there is no clock in this game" if timing is None else "the game is over"
        game.say(Notice(t_ms, "button-ignored", f"button {button.name.value} does nothing: {why}"))
    elif button.name is ButtonName.PAUSE:
        _pause(game, timing, button.value, at_ms, t_ms)
    else:
        _set_time(game, timing, button.value or "", at_ms, t_ms)


def _pause(game: GameState, timing: GameClock, value: str | None, at_ms: int, t_ms: int) -> None:
    clock = timing.clock
    on = value in ("on", "interrupted", *_COLOURS) or (value is None and not clock.paused)
    timing.interrupted = value == "interrupted" and (timing.interrupted or not clock.paused)
    if on is clock.paused:
        return
    player = _COLOURS.get(value or "")
    if on:
        timing.become(clock.pause(at_ms), ClockAct.PAUSE, t_ms, player)
        who = {} if value is None else {"by": "player" if value in _COLOURS else value}
        game.say(Notice(t_ms, "pause", _paused(value), player, dict(who)))
    else:
        timing.become(clock.resume(at_ms), ClockAct.RESUME, t_ms)
        game.say(Notice(t_ms, "resume", "the clock goes on"))


def _paused(value: str | None) -> str:
    if value in _COLOURS:
        return f"stops the clock ({cite(Law.CLOCK_STOPPED)})"
    if value == "interrupted":
        return "the clock stands as it did before the interruption; it goes on with the next touch, or the pause button"
    return "the clock is paused"


def _set_time(game: GameState, timing: GameClock, value: str, at_ms: int, t_ms: int) -> None:
    change = time_change(value)
    if change is None:
        text = f"button time {value!r} does nothing: expected a player and milliseconds, such as white 300000"
        game.say(Notice(t_ms, "button-ignored", text))
        return
    colour, ms, adds = change
    clock = timing.clock.give(colour, ms, at_ms) if adds else timing.clock.adjust(colour, ms, at_ms)
    timing.become(clock, ClockAct.SET, t_ms, colour)
    left_ms = clock.remaining_ms(colour, at_ms)
    text = f"{colour.word}'s clock is set to {clock_text(left_ms)}"
    game.say(Notice(t_ms, "time-set", text, colour, {"left_ms": left_ms}))
