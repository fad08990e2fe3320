"""Articles as data, rule sets, penalties, offers and claims."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules import articles
from rules.articles import FIDE_2023, Edition, Law, cite
from rules.claims import Answer, Offers, Verdict, rule_on_claim
from rules.fen import parse_fen
from rules.irregularity import Kind, Why, counts, penalty
from rules.outcome import Claim, Reason, Result
from rules.pieces import Role
from rules.ruleset import RULESETS, ruleset
from rules.squares import Colour

WHITE, BLACK = Colour.WHITE, Colour.BLACK


def test_every_law_has_its_number() -> None:
    assert set(FIDE_2023.numbers) == set(Law)


def test_a_new_edition_is_an_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    later = Edition("FIDE Laws", "2027-01-01", {**FIDE_2023.numbers, Law.TOUCH_OWN: "4.9.9"})
    assert cite(Law.TOUCH_OWN) == "FIDE Laws 4.3.1"
    monkeypatch.setattr(articles, "IN_FORCE", later)
    assert cite(Law.TOUCH_OWN) == "FIDE Laws 4.9.9"


def test_every_irregularity_breaks_a_law() -> None:
    for why in Why:
        assert why.law(Role.PAWN) in Law
        assert why.kind in Kind
    assert cite(Why.NOT_A_MOVE.law(Role.PAWN)) == "FIDE Laws 3.7"
    assert cite(Why.NOT_A_MOVE.law(Role.KNIGHT)) == "FIDE Laws 3.6"


def test_an_unknown_rule_set_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="fide, rapid, blitz, club3, traditional, got 'bullet'"):
        ruleset("bullet")
    assert set(RULESETS) == {"fide", "rapid", "blitz", "club3", "traditional"}


@pytest.mark.parametrize(
    ("name", "bonuses"),
    [("fide", [120_000]), ("rapid", [60_000]), ("blitz", [60_000]), ("club3", [0, 0]), ("traditional", [0, 0])],
)
def test_penalties_until_the_game_is_lost(name: str, bonuses: list[int]) -> None:
    position = parse_fen("4k3/8/8/8/8/8/r7/4K3 w - - 0 1")
    for count, bonus in enumerate(bonuses, start=1):
        found = penalty(position, WHITE, count, ruleset(name))
        assert (found.bonus_ms, found.outcome) == (bonus, None)
    lost = penalty(position, WHITE, len(bonuses) + 1, ruleset(name))
    assert lost.outcome is not None
    assert lost.outcome.result is Result.BLACK_WINS
    assert lost.outcome.reason.value == f"illegal-{len(bonuses) + 1}"


def test_the_last_illegal_move_draws_against_a_bare_king() -> None:
    position = parse_fen("8/8/8/3k4/8/3K4/P7/8 w - - 0 1")
    found = penalty(position, WHITE, 2, ruleset("fide")).outcome
    assert found is not None
    assert (found.result, found.reason) == (Result.DRAW, Reason.ILLEGAL_NO_MATE)


def test_what_counts() -> None:
    fide, traditional = ruleset("fide"), ruleset("traditional")
    assert {why for why in Why if counts(why, fide)} == {why for why in Why if why.kind is Kind.ILLEGAL}
    assert {why for why in Why if counts(why, traditional)} == {Why.KING_INTO_CHECK, Why.CASTLE_INTO_CHECK}


def test_an_offer_stands_until_the_other_touches() -> None:
    rules = ruleset("fide")
    answer, offers = Offers().press(WHITE, 4, rules)
    assert answer is Answer.OFFERED
    assert offers.press(WHITE, 4, rules)[0] is Answer.STANDS
    assert offers.touched_by(WHITE) == offers
    assert offers.press(BLACK, 5, rules)[0] is Answer.AGREED
    refused = offers.touched_by(BLACK)
    assert refused.standing is None
    assert refused.press(WHITE, 6, rules)[0] is Answer.OFFERED


def test_traditional_rules_know_no_second_offer_in_a_row() -> None:
    rules = ruleset("traditional")
    refused = Offers().press(WHITE, 4, rules)[1].touched_by(BLACK)
    assert refused.press(WHITE, 6, rules)[0] is Answer.REFUSED_REPEAT
    answer, offered = refused.press(BLACK, 6, rules)
    assert answer is Answer.OFFERED
    assert offered.touched_by(WHITE).press(WHITE, 8, rules)[0] is Answer.OFFERED


def test_no_agreement_before_each_has_moved() -> None:
    rules = ruleset("fide")
    offered = Offers().press(WHITE, 1, rules)[1]
    assert offered.press(BLACK, 1, rules) == (Answer.TOO_EARLY, offered)


@pytest.mark.parametrize(
    ("claims", "has_the_move", "touched", "verdict"),
    [
        ((Claim.THREEFOLD,), True, False, Verdict.ACCEPTED),
        ((Claim.FIFTY,), True, True, Verdict.BARRED),
        ((Claim.FIFTY,), False, False, Verdict.BARRED),
        ((), True, False, Verdict.REJECTED),
    ],
)
def test_claims(claims: tuple[Claim, ...], has_the_move: bool, touched: bool, verdict: Verdict) -> None:
    rules = replace(ruleset("rapid"))
    found = rule_on_claim(claims, has_the_move, touched, rules)
    assert found.verdict is verdict
    assert (found.outcome is not None) is (verdict is Verdict.ACCEPTED)
    assert found.bonus_ms == (60_000 if verdict is Verdict.REJECTED else 0)
