"""What each side has been penalised with: counted illegal moves, and time given."""

from __future__ import annotations

from rules.irregularity import Why, counts, penalty
from rules.outcome import Outcome
from rules.position import Position
from rules.ruleset import RuleSet
from rules.squares import Colour


class Ledger:
    """Fouls and time by side."""

    __slots__ = ("bonus_ms", "fouls", "rules")

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.fouls = {Colour.WHITE: 0, Colour.BLACK: 0}
        self.bonus_ms = {Colour.WHITE: 0, Colour.BLACK: 0}

    def completed(self, position: Position, offender: Colour, why: Why) -> Outcome | None:
        """An irregularity was completed: count it if it counts (FIDE Laws 7.5.5). The end of the game, if it is one."""
        if not counts(why, self.rules):
            return None
        self.fouls[offender] += 1
        price = penalty(position, offender, self.fouls[offender], self.rules)
        self.bonus_ms[offender.opponent] += price.bonus_ms
        return price.outcome
