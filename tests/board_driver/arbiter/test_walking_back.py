"""Whole games walked back by hand: any number of plies, their parts in any order, from real games."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from board_driver.arbiter import Arbiter
from board_driver.events import Irregular
from board_driver.mind import Mode, Settings, TouchRule
from board_driver.replay import play_out
from board_driver.scan import Input, Occupancy, Scan
from rules.fen import parse_fen, write_fen
from rules.move import Move
from rules.pieces import Role
from rules.position import Position
from rules.uci import parse_uci
from tests.board_driver.gamelog import STEP_MS, KnownGame, inputs_of, known_games, steps_of

GAMES = [game for game in known_games() if len(game.moves) > 30]


def moves_of(game: KnownGame, count: int) -> tuple[list[str], list[tuple[Position, Move]]]:
    """The first `count` plies as UCI, and as moves with the positions before them; promotions are to queens only."""
    position = parse_fen(game.start_fen, chess960=game.chess960)
    texts, made = [], []
    for text in game.moves[:count]:
        move = parse_uci(position, text)
        if move.promotion not in (None, Role.QUEEN):
            break
        texts.append(text)
        made.append((position, move))
        position = position.play(move)
    return texts, made


def undoing(position: Position, move: Move, dice: random.Random) -> list[int]:
    """The squares whose filling changes as hands undo the move: men are taken up first, the rest in any order."""
    victim = position.victim_square(move)
    up = [move.landing] if move.rook_landing is None else [move.landing, move.rook_landing]
    down = [move.origin] if move.rook_origin is None else [move.origin, move.rook_origin]
    if victim is not None:
        down.append(victim)
    dice.shuffle(down)
    dice.shuffle(up)
    if move.rook_landing is None or position.chess960:
        return up + down
    # Castling goes back man by man as often as with both hands.
    pairs = [(move.landing, move.origin), (move.rook_landing, move.rook_origin)]
    dice.shuffle(pairs)
    return [s for pair in pairs for s in pair if s is not None] if dice.random() < 0.5 else up + down


def walked(game: KnownGame, plies: int, back: int, seed: int, step_ms: int = STEP_MS) -> Iterator[Input]:
    """The inputs of the game and of hands that walk `back` plies of it back."""
    texts, made = moves_of(game, plies)
    start = parse_fen(game.start_fen, chess960=game.chess960)
    inputs = list(inputs_of(start, texts, step_ms))
    yield from inputs
    last = inputs[-1]
    assert isinstance(last, Scan)
    assert isinstance(last.reading, Occupancy)
    occupied, t_ms, dice = last.reading.occupied, last.t_ms + 2000, random.Random(seed)
    for position, move in reversed(made[len(made) - back :]):
        for square in undoing(position, move, dice):
            t_ms += step_ms
            occupied ^= 1 << square
            yield Scan(t_ms, Occupancy(occupied))
        assert occupied == position.occupied
        t_ms += dice.choice([0, 0, 1500])


@pytest.mark.parametrize("touch", [TouchRule.FRIENDLY, TouchRule.OFF])
@pytest.mark.parametrize("game", GAMES[::3], ids=lambda game: game.name)
def test_plies_walked_back_are_taken_back(game: KnownGame, touch: TouchRule) -> None:
    dice = random.Random(game.name)
    plies = dice.randrange(12, min(60, len(game.moves)))
    texts, made = moves_of(game, plies)
    back = dice.randrange(1, min(9, len(texts)))
    settings = Settings(mode=Mode.PLAY, start_fen=game.start_fen, chess960=game.chess960, touch=touch)
    arbiter = Arbiter(settings)
    events = list(play_out(arbiter, walked(game, plies, back, len(game.moves))))
    assert arbiter.summary()["uci"] == texts[: len(texts) - back]
    assert arbiter.summary()["fen"] == write_fen(made[len(texts) - back][0])
    assert [event.why for event in events if isinstance(event, Irregular)] == []
    assert len(arbiter.games()) == 1


@pytest.mark.parametrize("game", GAMES[::9], ids=lambda game: game.name)
def test_in_strict_play_they_stand(game: KnownGame) -> None:
    plies = 20
    texts, made = moves_of(game, plies)
    arbiter = Arbiter(Settings(mode=Mode.PLAY, start_fen=game.start_fen, chess960=game.chess960))
    list(play_out(arbiter, walked(game, plies, 1, 7)))
    assert arbiter.summary()["uci"] == texts
    assert arbiter.summary().get("restore"), "the board is led forward again"
    assert arbiter.summary()["fen"] == write_fen(made[-1][0].play(made[-1][1]))
    assert steps_of(*made[-1])
