"""A game with a player without hands, taken up again: from the journal's inputs, and from its moves alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from board_driver.arbiter import Arbiter
from board_driver.mind import Mode, Settings
from board_driver.scan import Command
from board_driver.store.journal import Journal
from board_driver.store.resume import give, resume
from board_driver.store.retelling import retell
from board_driver.store.rows import parse_settings, settings_text
from rules.fen import START_FEN, parse_fen
from rules.squares import Colour
from rules.uci import parse_uci
from tests.board_driver.store.lives import write_chapter

SETTINGS = Settings(
    mode=Mode.PLAY, handless=frozenset({Colour.BLACK}), players=("hand", "stockfish:elo=1500"), follow_board=True
)
START = parse_fen(START_FEN)
UCIS = ("e2e4", "d7d5", "e4d5", "d8d5", "g1f3", "c8g4", "f1e2", "b8c6", "e1g1", "e8c8")


def test_settings_are_kept() -> None:
    assert parse_settings(settings_text(SETTINGS)) == SETTINGS


@pytest.mark.parametrize("tries", [0, 5])
def test_the_game_stands_and_the_command_too_where_the_inputs_are_known(tries: int, tmp_path: Path) -> None:
    settings = replace(SETTINGS, follow_board=False)
    position, moves = START, []
    for uci in UCIS:
        moves.append(parse_uci(position, uci))
        position = position.play(moves[-1])
    mind = Arbiter(settings)
    journal = Journal(tmp_path / "journal.db")
    journal.begin(settings, 0)
    told = list(retell(settings, START, moves))
    assert sum(isinstance(item, Command) for item in told) == len(UCIS) // 2
    for item in told:
        journal.keep(item, give(mind, item))
    assert mind.summary()["uci"] == list(UCIS)
    for _ in range(tries):
        journal.count_try()
    chapter = journal.last()
    assert chapter is not None
    resumed = resume(chapter, Arbiter)
    assert resumed.mind.summary()["uci"] == list(UCIS)
    assert resumed.settings.players == settings.players
    journal.close()


def test_a_pending_command_is_pending_again(tmp_path: Path) -> None:
    """The daemon died while the lights showed the way."""
    given = [*retell(SETTINGS, START, [parse_uci(START, "e2e4")]), Command(60_000, "e7e5")]
    write_chapter(tmp_path / "journal.db", given, SETTINGS)
    found = Journal(tmp_path / "journal.db").last()
    assert found is not None
    mind = resume(found, Arbiter).mind
    assert mind.summary()["uci"] == ["e2e4"]
    assert mind.summary()["command"] == "e7e5"
