"""Promotions, claims and games left alone: what the command line and a profile may say of them."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from board_driver.boards.build import settings_of
from board_driver.boards.virtual import VirtualBoard
from board_driver.commands.run import add_play_options
from board_driver.inputerror import InputError
from board_driver.mind import ClaimsTold, Mode, PromotionRule, Settings
from board_driver.playchoice import with_play
from board_driver.profile.reading import sound_profile
from rules.fen import START_FEN, parse_fen

ROOT = Path(__file__).resolve().parents[2]


def chosen(*words: str) -> Settings:
    parser = argparse.ArgumentParser()
    add_play_options(parser.add_argument_group("game"))
    return with_play(Settings(mode=Mode.PLAY), parser.parse_args(words))


def test_without_a_word_all_stays_as_it_is() -> None:
    assert chosen() == Settings(mode=Mode.PLAY)


def test_each_may_be_chosen() -> None:
    found = chosen("--promotion", "ask", "--claims", "silent", "--abandon", "30")
    assert (found.promotion, found.claims, found.abandon_ms) == (PromotionRule.ASK, ClaimsTold.SILENT, 1_800_000)


@pytest.mark.parametrize(
    "words", [("--promotion", "king"), ("--claims", "loud"), ("--abandon", "-1"), ("--abandon", "soon")]
)
def test_what_is_no_choice_is_told(words: tuple[str, str]) -> None:
    with pytest.raises(InputError, match=words[0]):
        chosen(*words)


def test_a_profile_may_say_so_too(tmp_path: Path) -> None:
    text = (ROOT / "hardware/boards/reed-matrix-gpio.yaml").read_text("utf-8")
    path = tmp_path / "board.yaml"
    path.write_text(text.replace("game:\n", "game:\n  promotion: ask\n  claims: silent\n  abandon_min: 45\n"), "utf-8")
    found = settings_of(sound_profile(path), VirtualBoard(parse_fen(START_FEN)), START_FEN, chess960=False)
    assert (found.promotion, found.claims, found.abandon_ms) == (PromotionRule.ASK, ClaimsTold.SILENT, 2_700_000)
