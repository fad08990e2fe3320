"""Rule sets: what an irregularity costs, and which draws come by themselves.

The Laws leave these to the kind of event (competitive, rapid, blitz), and clubs have their own. A `RuleSet` is data;
who applies it is `rules.irregularity` and `rules.claims`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.outcome import DrawRules


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One set of rules, frozen."""

    name: str
    title: str
    """What it is, in words for a person."""
    illegal_limit: int = 2
    """So many completed illegal moves by one player lose the game (FIDE Laws 7.5.5)."""
    illegal_bonus_ms: int = 120_000
    """What the opponent gets for each one before that."""
    claim_bonus_ms: int = 120_000
    """What the opponent gets for a wrong claim (FIDE Laws 9.5.3)."""
    counts_at_release: bool = False
    """Without a clock on the table an illegal move counts when the piece is released; nothing else completes it."""
    only_kings_given: bool = False
    """Only a king moved to an attacked square counts."""
    draws: DrawRules = DrawRules.FIDE
    repeated_offers: bool = True
    """Whether a player may offer a draw again before the opponent has offered one."""


RULESETS: dict[str, RuleSet] = {
    rules.name: rules
    for rules in (
        RuleSet("fide", "FIDE competitive rules: the second completed illegal move loses, two minutes for the first"),
        RuleSet("rapid", "FIDE rapid (A.3): as competitive, penalties of one minute", 2, 60_000, 60_000),
        RuleSet("blitz", "FIDE blitz (B.2): as competitive, penalties of one minute", 2, 60_000, 60_000),
        RuleSet("club3", "the third completed illegal move loses, no time is added", 3, 0, counts_at_release=True),
        RuleSet(
            "traditional",
            "three kings given away lose, threefold and fifty moves draw by themselves, no second draw offer in a row",
            3,
            0,
            counts_at_release=True,
            only_kings_given=True,
            draws=DrawRules.TRADITIONAL,
            repeated_offers=False,
        ),
    )
}
"""All known rule sets, by name."""


def ruleset(name: str) -> RuleSet:
    """The rule set of that name. Raises ValueError that lists the known ones."""
    try:
        return RULESETS[name]
    except KeyError:
        raise ValueError(f"expected a rule set out of {', '.join(RULESETS)}, got {name!r}") from None
