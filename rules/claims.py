"""Article 9: draw offers and draw claims. Pure values; who keeps them is the arbiter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from rules.outcome import Claim, Outcome, Reason, Result, drawn
from rules.ruleset import RuleSet
from rules.squares import Colour

AGREED = Outcome(Result.DRAW, Reason.AGREEMENT)


class Verdict(Enum):
    """What becomes of a claim. The values are public."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    BARRED = "barred"


@dataclass(frozen=True, slots=True)
class ClaimRuling:
    """The verdict, the end of the game if it was right, and the time for the opponent if it was wrong."""

    verdict: Verdict
    outcome: Outcome | None = None
    bonus_ms: int = 0


class Answer(Enum):
    """What becomes of a press of the draw button."""

    OFFERED = "offered"
    STANDS = "stands"
    """The player's own offer still stands: an offer cannot be withdrawn, nor need it be repeated."""
    AGREED = "agreed"
    REFUSED_REPEAT = "refused-repeat"
    """Not two offers in a row (traditional rules)."""
    TOO_EARLY = "too-early"
    """No draw may be agreed before each player has made a move (FIDE Laws 5.2.3)."""


@dataclass(frozen=True, slots=True)
class Offers:
    """The draw offer that stands, and whose offer was the last one refused (FIDE Laws 9.1)."""

    standing: Colour | None = None
    last_refused: Colour | None = None

    def press(self, colour: Colour, plies: int, rules: RuleSet) -> tuple[Answer, Offers]:
        """The player offers a draw, or accepts the one that stands. `plies`: moves made by both so far."""
        if self.standing is colour:
            return Answer.STANDS, self
        if self.standing is not None:
            return (Answer.AGREED, Offers()) if plies >= 2 else (Answer.TOO_EARLY, self)
        if self.last_refused is colour and not rules.repeated_offers:
            return Answer.REFUSED_REPEAT, self
        return Answer.OFFERED, replace(self, standing=colour)

    def touched_by(self, colour: Colour) -> Offers:
        """That player touched a piece: the offer made to him is refused (FIDE Laws 9.1.2.1)."""
        if self.standing is None or self.standing is colour:
            return self
        return Offers(None, self.standing)


def rule_on_claim(
    claims: Sequence[Claim], has_the_move: bool, has_touched: bool, rules: RuleSet
) -> ClaimRuling:
    """A player claims a draw by repetition or fifty moves for the position on the board (FIDE Laws 9.2 to 9.5).

    `claims` are those that the position supports. Only the player having the move may claim, and not once he has
    touched a piece (9.4). A wrong claim gives the opponent time (9.5.3).
    """
    if not has_the_move or has_touched:
        return ClaimRuling(Verdict.BARRED)
    if claims:
        return ClaimRuling(Verdict.ACCEPTED, drawn(claims[0]))
    return ClaimRuling(Verdict.REJECTED, bonus_ms=rules.claim_bonus_ms)
