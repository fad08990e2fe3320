"""Turns of a player without hands: an engine, a book, a remote player. Its moves are commanded, and carried out by
whoever sits at the board.

House rules:

1. While a command is pending its move is the only one; the lights lead through it until the hand has carried it out.
   Before it has come, no move is made for that side.
2. With `follow_board` any legal move carried out for that side is its move, with a command or without.
3. The hand is not the player: in such a turn no lift is a touch, nothing is owed by Article 4, and nothing is counted
   against that side. What is set down wrongly is merely displaced, and goes back.
4. A player may take up a man of his own while he carries a command out, and set it down afterwards: that is his reply.
5. A command for another position than the one there is comes too late, and is nothing. One that comes before the pieces
   stand waits for them.
6. A promotion that is commanded is no choice of the hand's.
7. Advice is shown until the player has moved, and where only faults may be lit there is none (FIDE Laws 11.3.1).
"""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.arbiter import words
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.turn import Turn
from board_driver.events import Notice
from board_driver.mind import LightsSetting
from board_driver.scan import Command, Hint
from rules.articles import Law, cite
from rules.fen import write_fen
from rules.move import Move
from rules.san import write_san
from rules.squares import Square
from rules.uci import UciError, parse_uci, write_uci


def command(game: GameState, item: Command, t_ms: int) -> bool:
    """Let this be the move to carry out; whether it may be. The board has to be judged anew then."""
    move = _move_of(game, item)
    if move is None:
        text = f"the move {item.uci} came for {game.turn.mover.word}, and is not possible now"
        game.say(Notice(t_ms, "command-ignored", text, details={"uci": item.uci}))
        return False
    turn = game.turn
    if turn.command is move:
        return False
    turn.command, turn.owed = move, None
    turn.choice = move.promotion
    turn.forget(turn.own | turn.enemy)  # what was touched by a hand that is not the player's
    game.offers = game.offers.touched_by(turn.mover)
    said = {"uci": write_uci(turn.position, move), "san": write_san(turn.position, move)}
    game.say(Notice(t_ms, "command", words.commanded(turn.position, move), turn.mover, dict(said)))
    return True


def ask(game: GameState, setting: LightsSetting, t_ms: int) -> None:
    """The player having the move asks what to play; whoever can advise him hears of it."""
    if game.outcome is not None or game.commanded:
        return
    if setting is not LightsSetting.ALL:
        text = f"no hint: help is forbidden where only faults may be lit ({cite(Law.OUTSIDE_HELP)})"
        game.say(Notice(t_ms, "button-ignored", text))
        return
    game.say(Notice(t_ms, "hint-asked", "asks for a hint", game.turn.mover))


def advise(game: GameState, item: Hint, setting: LightsSetting, t_ms: int) -> None:
    """Show the player having the move what he is advised to play."""
    move = _move_of(game, item)
    if move is None or game.commanded or setting is not LightsSetting.ALL:
        return
    game.turn.hint = move
    said = {"uci": write_uci(game.position, move), "san": write_san(game.position, move)}
    game.say(Notice(t_ms, "hint", f"try {said['san']}", game.turn.mover, dict(said)))


def note_wrong_men(game: GameState, lifted: Sequence[Square], t_ms: int) -> None:
    """Tell of men of the commanded side that were lifted and are not to move."""
    for square in lifted:
        if is_wrong(game.turn, square) and not game.follow_board and not game.view.occupied >> square & 1:
            text = words.wrong_man(game.position, square, game.turn.command)
            game.say(Notice(t_ms, "wrong-piece", text, game.turn.mover, {"square": words.name(square)}))


def is_wrong(turn: Turn, square: int) -> bool:
    """Whether the man of that square is one of the commanded side's that its move does not need."""
    move = turn.command
    return move is not None and bool(turn.own >> square & 1) and square not in (move.origin, move.rook_origin)


def again(old: Turn) -> Turn:
    """That turn as it was before anything was touched in it; what was commanded in it still is."""
    turn = Turn(old.position, old.passed, old.began, old.away)
    if old.command is not None:
        turn.command, turn.choice = old.command, old.command.promotion
    return turn


def _move_of(game: GameState, item: Command | Hint) -> Move | None:
    if game.outcome is not None or (item.fen is not None and item.fen != write_fen(game.position)):
        return None
    try:
        return parse_uci(game.position, item.uci)
    except UciError:
        return None
