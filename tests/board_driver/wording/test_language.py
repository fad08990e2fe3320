"""Translation files: whole, and filled in alike."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from board_driver.wording import ENGLISH, LANGUAGES
from board_driver.wording.language import language, phrases_of
from rules.irregularity import Why
from rules.outcome import Claim, Reason, Result
from rules.pieces import Piece, Role
from rules.squares import Colour

TRANSLATIONS = [code for code in LANGUAGES if code != ENGLISH]
CASTLING = {"illegal.castle-rights"}


def slots(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name is not None}


@pytest.mark.parametrize("code", TRANSLATIONS)
def test_a_translation_has_the_phrases_of_english_and_fills_them_in_alike(code: str) -> None:
    english, other = phrases_of(ENGLISH), phrases_of(code)
    assert set(other) == set(english)
    assert {key: slots(phrase) for key, phrase in other.items()} == {k: slots(p) for k, p in english.items()}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_reason_claim_result_and_irregularity_has_a_phrase(code: str) -> None:
    tongue = language(code)
    keys = [f"illegal.{why.value}" for why in Why] + [f"reason.{reason}" for reason in Reason]
    keys += [f"claimable.{claim}" for claim in Claim] + [f"result.{result}" for result in Result]
    assert [key for key in keys if not tongue.has(key)] == []


def test_chinese_is_chinese() -> None:
    kept, named = {"voice", "square"}, re.compile(r"{\w+}|[a-h][1-8]")
    latin = {k: p for k, p in phrases_of("zh").items() if k not in kept and re.search("[a-zA-Z]", named.sub("", p))}
    assert latin == {}


def test_pieces_and_lists_are_named() -> None:
    assert language("en").piece(Piece(Colour.BLACK, Role.KNIGHT)) == "black knight"
    assert language("zh").piece(Piece(Colour.BLACK, Role.KNIGHT)) == "黑马"
    assert language("en").squares([0, 1, 2]) == "a 1, b 1 and c 1"
    assert language("zh").squares([0, 9]) == "a1和b2"
    assert language("en").squares([]) == ""
