"""What players say instead of moving: promotion, adjusting, claims, offers, resigning, taking back, results.

House rules:

1. A takeback needs both players' buttons in strict play. In friendly play one is enough: the player who moved last
   takes his move back, the player having the move takes back the reply as well; so does who agrees on it with a player
   without hands.
2. `back-to` is the arbiter's: the game is set back to where that many plies stand, in strict play, too, and when it was
   over. The board is led to that position.
3. A choice of king or pawn, or of anything unknown, is no choice.
"""

from __future__ import annotations

from typing import assert_never

from board_driver.arbiter import making, takingback
from board_driver.arbiter.claiming import announced, claim, draw
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.judging import ask_to_restore, judge
from board_driver.arbiter.leading import set_back
from board_driver.events import Notice
from board_driver.scan import Button, ButtonName
from rules.articles import Law, cite
from rules.outcome import Outcome, Reason, Result, forfeit
from rules.pieces import PROMOTION_ROLES
from rules.squares import Colour

_ROLES = {role.letter: role for role in PROMOTION_ROLES}
_COLOURS = {colour.word: colour for colour in Colour}


def press_button(game: GameState, button: Button, t_ms: int, asked: set[Colour]) -> None:
    """Act on a button at `t_ms`. `asked`: who has asked for a takeback of the last ply; kept by the caller."""
    if button.name is ButtonName.PROMOTE:
        _promote(game, button, t_ms)
        return
    if button.name is ButtonName.BACK_TO:
        _back_to(game, button, t_ms)
        return
    if game.outcome is not None and not (button.name is ButtonName.TAKEBACK and takingback.may_reopen(game)):
        return
    if button.name is ButtonName.RESULT:
        _result(game, button, t_ms)
        return
    if button.name is ButtonName.CLAIM:
        _claim(game, button, t_ms)
        return
    colour = game.turn.mover if button.value is None else _COLOURS.get(button.value.strip().lower())
    if colour is None:
        _ignored(game, button, t_ms, "expected white or black")
        return
    match button.name:
        case ButtonName.ADJUST:
            _adjust(game, colour, button, t_ms)
        case ButtonName.DRAW:
            draw(game, colour, t_ms)
        case ButtonName.RESIGN:
            making.end(game, forfeit(game.position, colour, Reason.RESIGNATION), t_ms)
        case ButtonName.TAKEBACK:
            _takeback(game, colour, t_ms, asked)
        case ButtonName.DECLINE:
            _decline(game, colour, t_ms)
        case ButtonName.HINT:
            pass  # answered where it is known what may be lit, see `commanded.ask`
        case ButtonName.PAUSE | ButtonName.TIME:
            pass  # see `clockbuttons`
        case _:
            assert_never(button.name)


def _promote(game: GameState, button: Button, t_ms: int) -> None:
    role = _ROLES.get((button.value or "").strip().upper())
    if role is None:
        _ignored(game, button, t_ms, f"a pawn becomes queen, rook, bishop or knight ({cite(Law.PROMOTION_CHOICE)})")
        return
    making.choose(game, role, t_ms)
    if game.question is not None:
        judge(game, t_ms, t_ms, placed=False)


def _adjust(game: GameState, colour: Colour, button: Button, t_ms: int) -> None:
    if colour is game.turn.mover:
        game.turn.adjusting = True
        text = f"{colour.word} adjusts pieces: what is lifted now binds nobody ({cite(Law.ADJUSTING)})"
        game.say(Notice(t_ms, "adjust", text, colour))
        return
    if not game.clock.waits_for(colour):
        _ignored(game, button, t_ms, f"only the player having the move may adjust ({cite(Law.ADJUSTING)})")


def _claim(game: GameState, button: Button, t_ms: int) -> None:
    """A claim by a player: `white`, or with the move that he announces, `white Nf3`; a move alone is by who has it."""
    player, _, written = (button.value or game.turn.mover.word).strip().partition(" ")
    colour = _COLOURS.get(player.lower())
    if colour is None:
        colour, written = game.turn.mover, player
    move = announced(game.position, written) if written else None
    if written and (move is None or colour is not game.turn.mover):
        _ignored(game, button, t_ms, "expected a player, and perhaps the legal move he announces")
        return
    claim(game, colour, move, t_ms)


def _decline(game: GameState, colour: Colour, t_ms: int) -> None:
    """An offer is refused by word (FIDE Laws 9.1.2.1)."""
    if game.offers.standing is colour.opponent:
        game.offers = game.offers.touched_by(colour)
        text = f"declines the draw ({cite(Law.DRAW_OFFER)})"
        game.say(Notice(t_ms, "draw", text, colour, {"answer": "declined"}))


_ASKED: dict[str, object] = {"answer": "asked"}


def _takeback(game: GameState, colour: Colour, t_ms: int, asked: set[Colour]) -> None:
    if not game.score.plies:
        game.say(Notice(t_ms, "takeback", "there is no move to take back", colour))
        return
    asked.add(colour)
    if game.outcome is not None:
        plies = 1
    elif game.strict:
        if len(asked) < 2:
            text = "asks to take the last move back; the opponent must ask too"
            game.say(Notice(t_ms, "takeback", text, colour, _ASKED))
            return
        plies = 2 if game.turn.mover.opponent in game.handless and game.turn.mover not in game.handless else 1
    else:
        plies = 1 if colour is not game.turn.mover else 2
    asked.clear()
    _set_back(game, min(plies, len(game.score.plies)), t_ms, direct=True)


def _back_to(game: GameState, button: Button, t_ms: int) -> None:
    """The arbiter sets the game back (FIDE Laws 7.5.1, 7.6), be it over or not: so many plies stay."""
    value = (button.value or "").strip()
    stay = int(value) if value.isascii() and value.isdigit() and len(value) < 5 else None
    if stay is None or stay > len(game.score.plies):
        _ignored(game, button, t_ms, f"expected how many of the {len(game.score.plies)} plies stay")
        return
    if stay == len(game.score.plies) and game.score.game.outcome() is not None:
        _ignored(game, button, t_ms, "the position has ended the game")
        return
    if stay < len(game.score.plies) or game.outcome is not None:
        game.announce_ms, game.outcome = None, None
        text = f"the game goes on from the position after {stay} plies" if stay else "the game begins again"
        game.say(Notice(t_ms, "back-to", text, details={"plies": stay}))
    _set_back(game, len(game.score.plies) - stay, t_ms, direct=False)


def _set_back(game: GameState, plies: int, t_ms: int, direct: bool) -> None:
    set_back(game, plies, t_ms, direct)
    if game.leading is None:
        judge(game, t_ms, t_ms, placed=True)
    else:
        ask_to_restore(game, t_ms)


def _result(game: GameState, button: Button, t_ms: int) -> None:
    try:
        result = Result((button.value or "").strip())
    except ValueError:
        _ignored(game, button, t_ms, "expected 1-0, 0-1 or 1/2-1/2")
        return
    if result is Result.UNFINISHED:
        making.end(game, Outcome(result, Reason.ABANDONED), t_ms)
        return
    making.end(game, Outcome(result, Reason.DECIDED), t_ms)


def _ignored(game: GameState, button: Button, t_ms: int, why: str) -> None:
    text = f"button {button.name.value} {button.value!r} does nothing: {why}"
    game.say(Notice(t_ms, "button-ignored", text))
