"""How recorded games end. A result is never guessed: the law, the players' word, or their sign gives it.

| source | counts |
|---|---|
| a button: result, resignation, a draw offered and accepted, a claim that holds | at once, until a result is entered |
| the kings on the centre squares | once the sign has stood, until the pieces are put back |
| mate, stalemate, dead position, repetition, too many quiet moves | once the ply has stood; soon for good |

Once a result stands for good, whatever is moved about on the board is no part of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from board_driver.events import Ended, Event, Notice
from board_driver.recorder.hypothesis import Hypothesis, Step
from board_driver.recorder.prices import Times
from board_driver.recorder.score import Score
from board_driver.scan import Button, ButtonName
from rules.game import Game
from rules.outcome import DrawRules, Outcome, Reason, Result, forfeit
from rules.squares import Colour

SIGN = "kings-in-centre"
"""The reason given where the kings showed the result."""
_COLOURS = {colour.word: colour for colour in Colour}


@dataclass(frozen=True, slots=True)
class _Offer:
    """A draw offered: by whom, in which game and after how many plies."""

    by: Colour
    score: Score
    plies: int


class Endings:
    """Sets the results of scores."""

    def __init__(self, draws: DrawRules, times: Times) -> None:
        self._draws = draws
        self._times = times
        self._offer: _Offer | None = None
        self._judged: tuple[object, int, Outcome | None] | None = None
        self.wake_ms: int | None = None
        """When to look again, should nothing change."""

    def update(self, now_ms: int, score: Score, leader: Hypothesis) -> Iterator[Event]:
        """Set the result that the position or the kings give now; what has changed."""
        self.wake_ms = None
        if score.given or _begins_anew(leader.step, score.head):
            return
        result, reason = Result.UNFINISHED.value, ""
        shown = self._shown(now_ms, leader)
        outcome = self._by_law(now_ms, score)
        if shown is not None:
            result, reason = shown.value, SIGN
        elif outcome is not None:
            result, reason = outcome.result.value, outcome.reason.value
            ply = score.plies[-1]
            score.given = not ply.alternatives and self._due(now_ms, ply.step.rested_ms + self._times.over)
        if result == score.result:
            return
        score.result, score.reason = result, reason
        if reason:
            yield Ended(now_ms, result, reason)
        else:
            yield Notice(now_ms, "game-resumed", "the game goes on: what ended it was taken back")

    def _shown(self, now_ms: int, leader: Hypothesis) -> Result | None:
        if leader.result is None:
            return None
        return leader.result if self._due(now_ms, leader.since_ms + self._times.sign) else None

    def _by_law(self, now_ms: int, score: Score) -> Outcome | None:
        if not score.plies:
            return None
        ply = score.plies[-1]
        if self._judged is None or self._judged[:2] != (ply.position, len(score.plies)):
            game = Game(score.start, (written.move for written in score.plies), self._draws)
            self._judged = (ply.position, len(score.plies), game.outcome())
        outcome = self._judged[2]
        if outcome is None or not self._due(now_ms, ply.step.rested_ms + self._times.ended):
            return None
        return outcome

    def _due(self, now_ms: int, at_ms: int) -> bool:
        if at_ms <= now_ms:
            return True
        self.wake_ms = at_ms if self.wake_ms is None else min(at_ms, self.wake_ms)
        return False

    # ------------------------------------------------------------------ what people say
    def press(self, button: Button, score: Score) -> Iterator[Event]:
        """A result, a resignation, a draw offer or a claim; what comes of it."""
        if score.given and button.name is not ButtonName.RESULT:
            yield Notice(button.t_ms, "game-over", f"the game is over: {score.result} ({score.reason})")
            return
        colour = _COLOURS.get(button.value or "")
        match button.name:
            case ButtonName.RESULT:
                yield from self._enter(button, score)
            case ButtonName.RESIGN if colour is not None:
                yield from self._end(button.t_ms, score, forfeit(score.position(), colour, Reason.RESIGNATION))
            case ButtonName.DRAW if colour is not None:
                if self._offered_by(score) is colour.opponent:
                    yield from self._end(button.t_ms, score, Outcome(Result.DRAW, Reason.AGREEMENT))
                else:
                    self._offer = _Offer(colour, score, len(score.plies))
                    yield Notice(button.t_ms, "draw-offered", f"{colour.word} offers a draw", colour)
            case ButtonName.DECLINE if colour is not None:
                if self._offered_by(score) is colour.opponent:
                    self._offer = None
                    yield Notice(button.t_ms, "draw-declined", f"{colour.word} declines the draw", colour)
            case ButtonName.CLAIM:
                yield from self._claim(button, score)
            case _:
                yield _not_understood(button)

    def _offered_by(self, score: Score) -> Colour | None:
        """Who offers a draw; the other side's next move refuses it (9.1.2.1)."""
        offer = self._offer
        if offer is None or offer.score is not score:
            return None
        since = score.plies[offer.plies :]
        return None if any(ply.position.turn is offer.by for ply in since) else offer.by

    def _enter(self, button: Button, score: Score) -> Iterator[Event]:
        try:
            result = Result(button.value or "")
        except ValueError:
            yield _not_understood(button)
            return
        yield from self._end(button.t_ms, score, Outcome(result, Reason.DECIDED))

    def _claim(self, button: Button, score: Score) -> Iterator[Event]:
        game = Game(score.start, (written.move for written in score.plies), self._draws)
        claims = game.claims()
        if claims:
            yield from self._end(button.t_ms, score, Outcome(Result.DRAW, claims[0].reason))
        else:
            yield Notice(button.t_ms, "claim-rejected", "no draw can be claimed in this position")

    def _end(self, now_ms: int, score: Score, outcome: Outcome) -> Iterator[Event]:
        self._offer = None
        score.result, score.reason = outcome.result.value, outcome.reason.value
        score.given = outcome.result is not Result.UNFINISHED
        if score.given:
            yield Ended(now_ms, score.result, score.reason)
        else:
            score.reason = ""
            yield Notice(now_ms, "game-resumed", "the game goes on: the result was withdrawn")


def _begins_anew(step: Step, head: Step) -> bool:
    """Does that trail say that the game begun at `head` was left for another?"""
    return step.head is not head


def _not_understood(button: Button) -> Notice:
    return Notice(
        button.t_ms, "not-understood", f"the button {button.name.value} came with {button.value!r}, which says nothing"
    )
