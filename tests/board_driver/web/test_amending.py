"""A game in a file is put right without losing anything, and never holds an illegal move."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.web.amending import AmendError, Amendment, amended, amended_file, choices
from rules.pgn import PgnGame, read_games, write_game

TEXT = """[Event "Club"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 {[%emt 0:00:07] a start} e5 2. Nf3 Nc6 3. Bb5 a6 1-0

"""
OTHER = '[White "Cid"]\n\n1. d4 *\n\n'


def game_in(text: str) -> PgnGame:
    return next(iter(read_games(text)))


def sans(game: PgnGame) -> str:
    return " ".join(write_game(game).split("\n\n")[1].split())


def test_a_move_is_replaced_and_the_old_one_remembered() -> None:
    game = amended(game_in(TEXT), Amendment({}, ply=3, uci="b1c3"))
    assert "2. Nc3 {was Nf3} 2... Nc6 3. Bb5" in sans(game)
    assert game.line[0].elapsed_ms == 7000


def test_a_move_after_which_the_rest_is_illegal_is_refused() -> None:
    with pytest.raises(AmendError, match="After f3 a later move"):
        amended(
            game_in(TEXT.replace("2. Nf3", "2. Nf3 d6 3. Ng5 f6 4. Nc3").replace("3. Bb5 a6", "")),
            Amendment({}, 3, "f2f3"),
        )
    with pytest.raises(AmendError, match="no legal move"):
        amended(game_in(TEXT), Amendment({}, 1, "e2e5"))
    with pytest.raises(AmendError, match="no move 99"):
        amended(game_in(TEXT), Amendment({}, 99, "e2e4"))


def test_names_and_result_are_replaced_and_the_old_ones_remembered() -> None:
    game = amended(game_in(TEXT), Amendment({"White": "Anna  K.", "Site": ""}, result="1/2-1/2"))
    text = write_game(game)
    assert '[White "Anna K."]' in text
    assert '[Result "1/2-1/2"]' in text
    assert text.rstrip().endswith("1/2-1/2")
    assert "{White was Ann; Result was 1-0}" in " ".join(text.split())


def test_what_changes_nothing_leaves_the_text_as_it_is() -> None:
    game = game_in(TEXT)
    assert write_game(amended(game, Amendment({"White": "Ann"}, 1, "e2e4", "1-0"))) == write_game(game)


def test_the_other_games_of_the_file_stay() -> None:
    content = (TEXT + OTHER).encode()
    changed = list(read_games(amended_file(content, 2, Amendment({"White": "Cyd"})).decode()))
    assert write_game(changed[0]) == write_game(game_in(TEXT))
    assert changed[1].tags["White"] == "Cyd"
    with pytest.raises(AmendError, match="no longer"):
        amended_file(content, 3, Amendment({}))


def test_a_file_that_could_not_be_read_without_loss_is_left_alone() -> None:
    with pytest.raises(AmendError, match="editor"):
        amended_file((TEXT + '[White "x"]\n\n1. e4 e9 *\n').encode(), 1, Amendment({"White": "y"}))


@given(st.integers(1, 6), st.data())
def test_every_choice_that_is_said_to_fit_does_and_no_other(ply: int, data: st.DataObject) -> None:
    game = game_in(TEXT)
    choice = data.draw(st.sampled_from(choices(game.start, game.moves, ply)))
    if choice.fits:
        better = amended(game, Amendment({}, ply, choice.uci))
        again = game_in(write_game(better))
        assert again.moves == better.moves
        assert not again.problems
        assert len(again.moves) == len(game.moves)
    else:
        with pytest.raises(AmendError):
            amended(game, Amendment({}, ply, choice.uci))


def test_names_in_latin_1_stay_names_when_another_game_is_put_right() -> None:
    content = '[White "Müller"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n'.encode("latin-1")
    after = amended_file(content, 2, Amendment({}, result="1-0"))
    assert "Müller" in after.decode("utf-8")
