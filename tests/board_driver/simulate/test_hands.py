"""Hands keep to the game: after every ply the men stand as the position says, however it was carried out."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.simulate.levels import LEVELS, CaptureWay, Level
from board_driver.simulate.men import OFF_BOARD, Man
from board_driver.simulate.plies import perform
from board_driver.simulate.table import Table
from board_driver.simulate.ways import When
from rules.fen import parse_fen
from rules.position import Position
from rules.squares import file_of, rank_of, squares_of

POSITIONS = {
    "everything": "r3k2r/P5p1/8/1pP5/4p3/3n4/1p3P2/R3K2R w KQkq b6 0 20",
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "for black": "r3k2r/p4p2/8/8/2Pp4/2N5/1p3P2/R3K2R b KQkq c3 0 20",
}
CHESS960 = "2rkr3/8/8/8/8/8/8/1RK2R2 w KQkq - 0 1"


def laid_out(position: Position, level: Level, seed: int) -> Table:
    noise = LEVELS[level]
    table = Table(Random(seed), noise.hands, noise.sensors.null, noise.sensors.spread)
    for square in squares_of(position.occupied):
        piece = position.piece_at(square)
        assert piece is not None
        table.set_up(square, piece)
    return table


def standing(man: Man) -> tuple[int, int, bool]:
    _, x, y, h = man.last
    return round(x), round(y), h == 0


@given(st.sampled_from([*POSITIONS.values()]), st.sampled_from(Level), st.integers(0, 10**6), st.data())
def test_men_end_where_the_move_takes_them(fen: str, level: Level, seed: int, data: st.DataObject) -> None:
    check_a_move(parse_fen(fen), level, seed, data)


@given(st.sampled_from(Level), st.integers(0, 10**6), st.data())
def test_men_end_where_the_move_takes_them_in_chess960(level: Level, seed: int, data: st.DataObject) -> None:
    check_a_move(parse_fen(CHESS960, chess960=True), level, seed, data)


def check_a_move(position: Position, level: Level, seed: int, data: st.DataObject) -> None:
    move = data.draw(st.sampled_from(position.legal_moves()))
    table = laid_out(position, level, seed)
    timing = perform(table, position, move, When(1000))
    after = position.play(move)
    assert set(table.men) == set(squares_of(after.occupied))
    assert 1000 <= timing.lifted_ms <= timing.settled_ms
    for square, man in table.men.items():
        assert standing(man) == (file_of(square), rank_of(square), True)
        if move.promotion is None or square != move.landing:
            assert man.piece == after.piece_at(square)
    for man in table.all_men:
        if man not in table.men.values():
            assert man.last.x == OFF_BOARD
        times = [point.t_ms for point in man.track]
        assert times == sorted(times)


@pytest.mark.parametrize("way", CaptureWay)
def test_every_way_to_take_empties_the_square_or_not_as_it_says(way: CaptureWay) -> None:
    position = parse_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    move = next(m for m in position.legal_moves() if position.victim_square(m) is not None)
    table = laid_out(position, Level.CLEAN, 1)
    victim, capturer = table.men[move.landing], table.men[move.origin]
    table.habits = replace(table.habits, captures={way: 1.0})
    perform(table, position, move, When(1000))
    leaves, arrives = victim.track[1].t_ms, capturer.last.t_ms
    gap = arrives - leaves
    match way:
        case CaptureWay.UNSEEN:
            assert gap < 50
        case CaptureWay.ONE_GRIP:
            assert 50 <= gap <= 250
        case _:
            assert gap > 100
