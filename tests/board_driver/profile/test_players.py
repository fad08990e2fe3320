"""Who plays on a board, as its profile says."""

from __future__ import annotations

import pytest

from board_driver.boards.build import board_of, settings_of
from board_driver.profile.reading import read_profile
from board_driver.profile.schema import Profile
from rules.fen import START_FEN

VIRTUAL = """\
name: trial
sensors:
  kind: gpio-matrix
  rows: [5, 6, 12, 13, 16, 17, 18, 19]
  columns: [20, 21, 22, 23, 24, 25, 26, 27]
"""


def test_the_players_of_a_profile_go_into_the_settings() -> None:
    profile = read_profile(VIRTUAL + 'players: {black: "stockfish:elo=1500", follow_board: true}\nbuttons: {hint: 4}\n')
    assert isinstance(profile, Profile), profile
    settings = settings_of(profile, board_of(profile, None), START_FEN, False)
    assert settings.players == ("hand", "stockfish:elo=1500")
    assert settings.follow_board
    assert settings.handless == frozenset(), "only after they were checked to be there"


@pytest.mark.parametrize("text", ["stockfish:elo=strong", "hand:elo=3", "''"])
def test_a_player_that_cannot_be_read_is_a_complaint(text: str) -> None:
    found = read_profile(VIRTUAL + f'players: {{white: "{text}"}}\n'.replace("\"''\"", "''"))
    assert not isinstance(found, Profile)
    assert "players.white" in str(found[0])
