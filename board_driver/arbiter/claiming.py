"""Draws that players claim, offer and agree (FIDE Laws 9).

House rules:

1. A draw claim is a draw offer too, as long as it is not upheld (9.1.2.3).
2. A claim may name the move with which the position is about to appear (9.2.1, 9.3.1). If it is wrong, that move has to
   be made (9.5.3).
3. A claim by gesture that is wrong is nothing: sensors see no intention, and nobody loses time by a brush.
4. What may be claimed is told only where the game's settings allow it (12.6). It is never claimed by itself.
"""

from __future__ import annotations

from board_driver.arbiter import making
from board_driver.arbiter.gamestate import GameState
from board_driver.events import Notice
from rules.articles import Law, cite
from rules.claims import AGREED, Answer, Verdict, rule_on_claim
from rules.move import Move
from rules.position import Position
from rules.san import SanError, parse_san
from rules.squares import Colour
from rules.uci import UciError, parse_uci, write_uci


def announced(position: Position, text: str) -> Move | None:
    """The legal move that a claim names, in SAN or UCI; None if it names none."""
    try:
        return parse_san(position, text)
    except SanError:
        pass
    try:
        return parse_uci(position, text)
    except UciError:
        return None


def claim(game: GameState, colour: Colour, move: Move | None, t_ms: int) -> None:
    """That player claims a draw: for the position there is, or for the one after `move`, which he has written down."""
    has_the_move = colour is game.turn.mover
    claims = game.score.game.claims() if has_the_move else ()
    if has_the_move and move is not None and not claims:
        claims = game.score.game.claims_by(move)
    ruling = rule_on_claim(claims, has_the_move, game.turn.touched_at_all, game.rules)
    game.claim = ruling.verdict
    game.ledger.bonus_ms[colour.opponent] += ruling.bonus_ms
    details: dict[str, object] = {"claim": ruling.verdict.value}
    if move is not None:
        details["announced"] = write_uci(game.position, move)
    game.say(Notice(t_ms, "claim", _claim_text(ruling.verdict, ruling.bonus_ms), colour, details))
    if ruling.outcome is not None:
        making.end(game, ruling.outcome, t_ms)
    elif ruling.verdict is Verdict.REJECTED:
        if move is not None:
            game.turn.announced, game.turn.owed = move, None
        draw(game, colour, t_ms)


def claim_by_gesture(game: GameState, t_ms: int) -> None:
    """The player having the move claims a draw without a button: upheld if he may, else nothing."""
    if game.claims():
        claim(game, game.turn.mover, None, t_ms)


def draw(game: GameState, colour: Colour, t_ms: int) -> None:
    """That player offers a draw, or accepts the one that was offered to him."""
    plies = len(game.score.plies) + 2 * (game.score.start.fullmove_number - 1)
    answer, game.offers = game.offers.press(colour, plies, game.rules)
    game.say(Notice(t_ms, "draw", _ANSWERS[answer], colour, {"answer": answer.value}))
    if answer is Answer.AGREED:
        making.end(game, AGREED, t_ms)


def offer_by_gesture(game: GameState, t_ms: int) -> None:
    """The player who has just moved offers a draw without a button; he can accept none so."""
    colour = game.turn.mover.opponent
    if game.score.plies and game.offers.standing is not colour.opponent:
        draw(game, colour, t_ms)


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


_ANSWERS = {
    Answer.OFFERED: f"offers a draw, which stands until it is refused by word or by touching ({cite(Law.DRAW_OFFER)})",
    Answer.STANDS: f"the offer stands already ({cite(Law.DRAW_OFFER)})",
    Answer.AGREED: f"drawn by agreement ({cite(Law.AGREEMENT)})",
    Answer.REFUSED_REPEAT: "no second offer before the opponent has made one",
    Answer.TOO_EARLY: f"no draw is agreed before each player has made a move ({cite(Law.AGREEMENT)})",
}
