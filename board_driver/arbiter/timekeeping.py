"""Keeping the chess clock of a game in play mode.

After every act of a player `follow` compares the game with what the clock knows: plies made, changed or taken back,
a command, a press, penalties, the end. So the clock cannot come apart from the game, whatever changed it.

House rules:

1. Where presses are delivered they move the clock on (FIDE Laws 6.2.1); elsewhere the made move does, as of the moment
   when the hand did it, not when that was certain.
2. It starts with the press of the player who does not have the move; without presses when the first man is touched, or
   by setting with the first move or as soon as the pieces stand. A side without hands begins as soon as they stand.
3. A flag counts as fallen once all that hands did before it has settled: a mate that came first wins (5.1.1, 6.8). Who
   cannot be mated by any series of moves does not lose by it (6.9).
4. While a promotion is not chosen the time of the player who promotes runs on, until he chooses, exchanges the pawn,
   presses, or his opponent takes a man up (4.7.3); also where the queen it is by default ends the game. A flag that
   falls in that time comes before such a mate.
5. A move taken back, by hand or by agreement, puts both clocks back to where they stood when it was made, without what
   was added for it: thinking stays paid for, and the other side gets its time back. What the arbiter gave stays given.
6. The time of a side without hands stops when its move comes. The other side's runs when it has been carried out, at
   the latest after the grace.
7. A pause holds both clocks; moves and presses in it count. After an interruption the next touch ends it. While the
   board is led to a position that the arbiter chose, both stand.
8. Penalties (7.5.5, 9.5.3) are given at once. The end of the game stops the clock.
"""

from __future__ import annotations

from dataclasses import replace

from board_driver.arbiter.flagfall import fall, is_decided, note_late_piece, tell
from board_driver.arbiter.gameclock import GameClock, TimedPly
from board_driver.arbiter.gamestate import GameState
from board_driver.events import ClockAct
from board_driver.gamerecord import RecordedPly
from board_driver.mind import ClockStart
from rules.clock import ChessClock
from rules.squares import Colour


def begin(game: GameState, t_ms: int) -> None:
    """The pieces stand: where that is enough, the time of the player having the move runs."""
    timing = game.timing
    if timing is not None and (timing.starts is ClockStart.AT_ONCE or game.turn.mover in game.handless):
        _start(timing, game.turn.mover, t_ms, t_ms)
    tell(game)


def touched(game: GameState, at_ms: int, t_ms: int) -> None:
    """A man was taken up at `at_ms`, before it is known what that means."""
    timing = game.timing
    if timing is None or game.outcome is not None:
        return
    if timing.starts_by_touch and not game.clock.in_use and not game.turn.adjusting:
        _start(timing, game.turn.mover, at_ms, t_ms)
    _go_on(timing, at_ms, t_ms)
    tell(game)


def pressed(game: GameState, colour: Colour, at_ms: int, t_ms: int) -> bool:
    """A player presses the clock, before it is judged what that completes: it may be what starts the clock.

    False if that press is nothing: his time does not run yet, and he has moved nothing (D19).
    """
    timing = game.timing
    if timing is None or game.outcome is not None or not game.clock.in_use:
        return True
    if not timing.started and colour is game.turn.mover and not game.clock.has_made(colour) and not game.astray():
        return False
    if not timing.started and game.clock.has_made(colour):
        _start(timing, colour, at_ms, t_ms)
    elif not timing.started and colour is not game.turn.mover:
        _start(timing, game.turn.mover, at_ms, t_ms)
    _go_on(timing, at_ms, t_ms)
    tell(game)
    return True


def follow(game: GameState, at_ms: int, t_ms: int) -> None:
    """Something was done at `at_ms` and is certain at `t_ms`: let the clock know what came of it."""
    timing = game.timing
    if timing is None:
        return
    _take_back(game, timing, at_ms, t_ms)
    _note_plies(game, timing, t_ms)
    _note_command(game, timing, at_ms, t_ms)
    _switch(game, timing, at_ms, t_ms)
    _give(game, timing, at_ms, t_ms)
    _hold(game, timing, at_ms, t_ms)
    if timing.clock.fallen is not None:
        fall(game, t_ms)
    note_late_piece(game, timing, t_ms)
    _stop(game, timing, at_ms, t_ms)
    tell(game)


# -- one thing after the other


def _start(timing: GameClock, colour: Colour, at_ms: int, t_ms: int) -> None:
    if not timing.started:
        timing.become(timing.clock.start(colour, at_ms), ClockAct.START, t_ms, colour)


def _go_on(timing: GameClock, at_ms: int, t_ms: int) -> None:
    if timing.interrupted:
        timing.interrupted = False
        timing.become(timing.clock.resume(at_ms), ClockAct.RESUME, t_ms)


def _take_back(game: GameState, timing: GameClock, at_ms: int, t_ms: int) -> None:
    """Plies that stand no longer (rule 5). One that was another move keeps the time at which it was made."""
    plies = game.score.plies
    before = None
    while timing.plies and not _stands(timing, plies):
        before = timing.plies.pop().before
    if before is None:
        return
    timing.paid_before = timing.awaiting = None
    if _same_move(timing.clock, before):
        return  # it was not moved on yet: the time that went by was the mover's own
    changed = len(plies) > len(timing.plies)
    clock = timing.clock.taken_back(before, before.since_ms if changed else at_ms)
    timing.become(clock, ClockAct.TAKE_BACK, t_ms)
    if game.clock.in_use and before.turn is not None:
        game.clock.running = before.turn


def _same_move(clock: ChessClock, before: ChessClock) -> bool:
    """Whether nobody has completed a move since then."""
    return (clock.turn, clock.white.moves, clock.black.moves) == (before.turn, before.white.moves, before.black.moves)


def _stands(timing: GameClock, plies: list[RecordedPly]) -> bool:
    if len(timing.plies) > len(plies):
        return False
    ply = plies[len(timing.plies) - 1]
    return timing.plies[-1].is_ply(ply.move, ply.made_ms)


def _note_plies(game: GameState, timing: GameClock, t_ms: int) -> None:
    for index in range(len(timing.plies), len(game.score.plies)):
        ply = game.score.plies[index]
        mover = game.score.turns[index].mover
        if timing.awaiting is not None:
            _complete(game, timing, ply.made_ms, t_ms, ClockAct.PROMOTION)
        if not game.clock.in_use:
            _start(timing, mover, ply.made_ms, t_ms)
        clock = timing.clock.at(ply.made_ms)
        timing.plies.append(TimedPly(ply.move, ply.made_ms, timing.paid_before or clock))
        _note_ply(game, timing, mover, ply.made_ms, t_ms)


def _note_ply(game: GameState, timing: GameClock, mover: Colour, made_ms: int, t_ms: int) -> None:
    if timing.paid_before is not None:
        timing.paid_before = None
        timing.become(timing.clock.end_grace(made_ms), ClockAct.CARRIED_OUT, t_ms, mover)
    elif not game.clock.in_use:
        is_last = len(timing.plies) == len(game.score.plies)
        square = game.promoted if game.by_default and not game.asks_promotion else None
        if is_last and square is not None and not is_decided(game):
            timing.awaiting = (mover, game.view.placed[square])
        else:
            _complete(game, timing, made_ms, t_ms, ClockAct.MOVE)
            return
    _write(game, timing, mover, made_ms)


def _note_command(game: GameState, timing: GameClock, at_ms: int, t_ms: int) -> None:
    """The move of a side without hands has come (rule 6); another command for the same turn changes nothing."""
    mover = game.turn.mover
    if game.turn.command is None or timing.paid_before is not None or game.outcome is not None:
        return
    _start(timing, mover, at_ms, t_ms)
    timing.paid_before = timing.clock.at(at_ms)
    if timing.clock.turn is mover:
        clock = timing.clock.press(at_ms, _moves_of(game, mover) + 1, timing.grace_ms)
        timing.become(clock, ClockAct.COMMAND, t_ms, mover)


def _switch(game: GameState, timing: GameClock, at_ms: int, t_ms: int) -> None:
    """A press, or a choice of promotion, may have moved the clock on."""
    if not timing.started or timing.paid_before is not None:
        return
    if timing.awaiting is not None:
        if _is_chosen(game, timing.awaiting):
            _complete(game, timing, at_ms, t_ms, ClockAct.PROMOTION)
        return
    if not game.clock.in_use:
        return
    if game.clock.running in game.handless and game.clock.running is not game.turn.mover:
        game.clock.running = game.turn.mover  # who has no hands presses nothing
    if timing.clock.turn is not game.clock.running:
        _complete(game, timing, at_ms, t_ms, ClockAct.PRESS)


def _is_chosen(game: GameState, awaiting: tuple[Colour, int]) -> bool:
    """Whether it is clear what the pawn has become: chosen, exchanged, or the opponent goes on (rule 4)."""
    if not game.by_default or game.promoted is None or is_decided(game):
        return True
    own = game.turn.own & ~game.view.occupied
    return game.view.placed[game.promoted] != awaiting[1] or bool(own & game.view.live & ~game.turn.away)


def _complete(game: GameState, timing: GameClock, at_ms: int, t_ms: int, act: ClockAct) -> None:
    """The side whose turn it is on the clock has completed its move."""
    mover = timing.clock.turn
    if mover is None:
        return
    timing.awaiting = None
    timing.become(timing.clock.press(at_ms, _moves_of(game, mover, len(timing.plies))), act, t_ms, mover)
    _write(game, timing, mover, at_ms)


def _give(game: GameState, timing: GameClock, at_ms: int, t_ms: int) -> None:
    for colour in Colour:
        ms = game.ledger.bonus_ms[colour] - timing.given_ms[colour]
        if ms:
            timing.given_ms[colour] += ms
            timing.become(timing.clock.give(colour, ms, at_ms), ClockAct.BONUS, t_ms, colour)


def _hold(game: GameState, timing: GameClock, at_ms: int, t_ms: int) -> None:
    """Nobody plays while the board is led to a position that the arbiter chose: both clocks stand."""
    led = game.leading is not None and not game.leading.direct and game.outcome is None
    if led and not timing.led and timing.started and not timing.clock.paused:
        timing.led = True
        timing.become(timing.clock.pause(at_ms), ClockAct.PAUSE, t_ms)
    elif timing.led and not led:
        timing.led = False
        timing.become(timing.clock.resume(at_ms), ClockAct.RESUME, t_ms)


def _stop(game: GameState, timing: GameClock, at_ms: int, t_ms: int) -> None:
    over = is_decided(game)
    if over is timing.over:
        return
    timing.over = over
    if over:
        timing.become(timing.clock.pause(at_ms), ClockAct.STOP, t_ms)
    else:  # another choice of promotion, and the game goes on
        timing.become(timing.clock.resume(at_ms), ClockAct.RESUME, t_ms)


def _moves_of(game: GameState, colour: Colour, plies: int | None = None) -> int:
    """How many moves that side has made in the first `plies` of the game."""
    count = len(game.score.plies) if plies is None else plies
    first = game.score.turns[0].mover if game.score.turns else game.turn.mover
    return (count + 1) // 2 if colour is first else count // 2


def _write(game: GameState, timing: GameClock, mover: Colour, at_ms: int) -> None:
    """Note at that side's last ply what its clock shows (PGN `%clk`)."""
    if not timing.started:
        return
    for index in reversed(range(len(game.score.plies))):
        if game.score.turns[index].mover is mover:
            left_ms = timing.clock.remaining_ms(mover, at_ms)
            game.score.plies[index] = replace(game.score.plies[index], clock_ms=left_ms)
            return
