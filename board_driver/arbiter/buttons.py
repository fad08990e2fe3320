"""What players say instead of moving: promotion, adjusting, claims, offers, resigning, taking back, results.

House rules:

1. A draw claim is a draw offer too, as long as it is not upheld (FIDE Laws 9.1.2.3).
2. A takeback needs both players' buttons in strict play. In friendly play one is enough: the player who moved last
   takes his move back, the player having the move takes back the reply as well.
3. A choice of king or pawn, or of anything unknown, is no choice.
"""

from __future__ import annotations

from typing import assert_never

from board_driver.arbiter.core import Core
from board_driver.events import Notice
from board_driver.scan import Button, ButtonName
from rules.articles import Law, cite
from rules.claims import AGREED, Answer, Verdict, rule_on_claim
from rules.outcome import Outcome, Reason, Result, forfeit
from rules.pieces import PROMOTION_ROLES
from rules.squares import Colour

_ROLES = {role.letter: role for role in PROMOTION_ROLES}
_COLOURS = {colour.word: colour for colour in Colour}


def press_button(core: Core, button: Button, t_ms: int, asked: set[Colour]) -> None:
    """Act on a button at `t_ms`. `asked`: who has asked for a takeback of the last ply; kept by the caller."""
    if button.name is ButtonName.PROMOTE:
        _promote(core, button, t_ms)
        return
    if core.outcome is not None:
        return
    if button.name is ButtonName.RESULT:
        _result(core, button, t_ms)
        return
    colour = _COLOURS.get((button.value or "").strip().lower())
    if colour is None:
        _ignored(core, button, t_ms, "expected white or black")
        return
    match button.name:
        case ButtonName.ADJUST:
            _adjust(core, colour, button, t_ms)
        case ButtonName.CLAIM:
            _claim(core, colour, t_ms)
        case ButtonName.DRAW:
            _draw(core, colour, t_ms)
        case ButtonName.RESIGN:
            core.end(forfeit(core.position, colour, Reason.RESIGNATION), t_ms)
        case ButtonName.TAKEBACK:
            _takeback(core, colour, t_ms, asked)
        case _:
            assert_never(button.name)


def _promote(core: Core, button: Button, t_ms: int) -> None:
    role = _ROLES.get((button.value or "").strip().upper())
    if role is None:
        _ignored(core, button, t_ms, f"a pawn becomes queen, rook, bishop or knight ({cite(Law.PROMOTION_CHOICE)})")
        return
    core.promote(role, t_ms)


def _adjust(core: Core, colour: Colour, button: Button, t_ms: int) -> None:
    if colour is core.turn.mover:
        core.turn.adjusting = True
        text = f"{colour.word} adjusts pieces: what is lifted now binds nobody ({cite(Law.ADJUSTING)})"
        core.say(Notice(t_ms, "adjust", text, colour))
        return
    if not core.clock.waits_for(colour):
        _ignored(core, button, t_ms, f"only the player having the move may adjust ({cite(Law.ADJUSTING)})")


def _claim(core: Core, colour: Colour, t_ms: int) -> None:
    has_the_move = colour is core.turn.mover
    claims = core.score.game.claims() if has_the_move else ()
    ruling = rule_on_claim(claims, has_the_move, core.turn.touched_at_all, core.rules)
    core.claim = ruling.verdict
    core.ledger.bonus_ms[colour.opponent] += ruling.bonus_ms
    core.say(
        Notice(t_ms, "claim", _claim_text(ruling.verdict, ruling.bonus_ms), colour, {"claim": ruling.verdict.value})
    )
    if ruling.outcome is not None:
        core.end(ruling.outcome, t_ms)
    elif ruling.verdict is Verdict.REJECTED:
        _offer(core, colour, t_ms)


def _claim_text(verdict: Verdict, bonus_ms: int) -> str:
    match verdict:
        case Verdict.ACCEPTED:
            return f"the claim is right: drawn ({cite(Law.CLAIM_RIGHT)})"
        case Verdict.BARRED:
            return (
                f"no claim now: only for the player having the move who has touched nothing ({cite(Law.CLAIM_BARRED)})"
            )
        case Verdict.REJECTED:
            time = f": the opponent gets {bonus_ms // 1000} seconds" if bonus_ms else ""
            return f"the claim is wrong{time} ({cite(Law.CLAIM_WRONG)})"


def _draw(core: Core, colour: Colour, t_ms: int) -> None:
    answer = _offer(core, colour, t_ms)
    if answer is Answer.AGREED:
        core.end(AGREED, t_ms)


def _offer(core: Core, colour: Colour, t_ms: int) -> Answer:
    plies = len(core.score.plies) + 2 * (core.score.start.fullmove_number - 1)
    answer, core.offers = core.offers.press(colour, plies, core.rules)
    core.say(Notice(t_ms, "draw", _ANSWERS[answer], colour, {"answer": answer.value}))
    return answer


_ANSWERS = {
    Answer.OFFERED: f"offers a draw, which stands until it is refused by word or by touching ({cite(Law.DRAW_OFFER)})",
    Answer.STANDS: f"the offer stands already ({cite(Law.DRAW_OFFER)})",
    Answer.AGREED: f"drawn by agreement ({cite(Law.AGREEMENT)})",
    Answer.REFUSED_REPEAT: "no second offer before the opponent has made one",
    Answer.TOO_EARLY: f"no draw is agreed before each player has made a move ({cite(Law.AGREEMENT)})",
}


def _takeback(core: Core, colour: Colour, t_ms: int, asked: set[Colour]) -> None:
    if not core.score.plies:
        core.say(Notice(t_ms, "takeback", "there is no move to take back", colour))
        return
    asked.add(colour)
    if core.strict:
        if len(asked) < 2:
            core.say(Notice(t_ms, "takeback", "asks to take the last move back; the opponent must ask too", colour))
            return
        plies = 1
    else:
        plies = 1 if colour is not core.turn.mover else 2
    asked.clear()
    for _ in range(min(plies, len(core.score.plies))):
        core.withdraw(t_ms)
    core.rejudge(t_ms)


def _result(core: Core, button: Button, t_ms: int) -> None:
    try:
        result = Result((button.value or "").strip())
    except ValueError:
        _ignored(core, button, t_ms, "expected 1-0, 0-1 or 1/2-1/2")
        return
    if result is Result.UNFINISHED:
        core.end(Outcome(result, Reason.ABANDONED), t_ms)
        return
    core.end(Outcome(result, Reason.DECIDED), t_ms)


def _ignored(core: Core, button: Button, t_ms: int, why: str) -> None:
    text = f"button {button.name.value} {button.value!r} does nothing: {why}"
    core.say(Notice(t_ms, "button-ignored", text))
