"""Any order of the lifts and places of any legal move gives that move."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from board_driver.mind import Settings
from board_driver.scan import Input, Occupancy, Scan
from rules.fen import parse_fen, write_fen
from rules.move import Move
from rules.position import Position
from rules.squares import parse_square
from rules.uci import parse_uci, write_uci
from tests.board_driver.gamelog import known_games
from tests.board_driver.recorder.hands import record, steps_of

GAMES = known_games()
SPECIAL = (
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 0 1",
    "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "2n2r1k/3P4/8/8/8/8/3p4/2R4K w - - 0 1",
    "2n2r1k/3P4/8/8/8/8/3p4/2R4K b - - 0 1",
)


def any_position(chance: random.Random) -> Position:
    """A position of a real game, or one with castling, en passant and promotions."""
    if chance.random() < 0.4:
        return parse_fen(chance.choice(SPECIAL))
    game = chance.choice(GAMES)
    position = parse_fen(game.start_fen, chess960=game.chess960)
    for text in game.moves[: chance.randrange(len(game.moves))]:
        position = position.play(parse_uci(position, text))
    return position


def any_order(position: Position, move: Move, chance: random.Random) -> list[str]:
    """The steps of a move shuffled; what leaves a square still leaves it before something comes there."""
    steps = steps_of(position, move)
    shuffled = chance.sample(steps, len(steps))
    for index, step in enumerate(shuffled):
        lift = f"-{step[1:]}"
        if step[0] == "+" and lift in shuffled[index:]:
            other = shuffled.index(lift)
            shuffled[index], shuffled[other] = lift, step
    return shuffled


def same_squares(position: Position, move: Move) -> set[str]:
    """The moves that no piece-blind board can tell from that one."""
    after = position.play(move).occupied
    touched = {step[1:] for step in steps_of(position, move)}
    return {
        write_uci(position, other)
        for other in position.legal_moves()
        if position.play(other).occupied == after and {s[1:] for s in steps_of(position, other)} == touched
    }


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 2**32))
def test_any_order_gives_the_move(seed: int) -> None:
    chance = random.Random(seed)
    position = any_position(chance)
    moves = position.legal_moves()
    if not moves:
        return
    move = chance.choice(moves)
    t_ms, occupied = 1000, position.occupied
    inputs: list[Input] = [Scan(t_ms, Occupancy(occupied))]
    for step in any_order(position, move, chance):
        t_ms += chance.randrange(60, 900)
        square = 1 << parse_square(step[1:])
        occupied = occupied | square if step[0] == "+" else occupied & ~square
        inputs.append(Scan(t_ms, Occupancy(occupied)))
    recorded = record(inputs, Settings(start_fen=write_fen(position), chess960=position.chess960))
    assert len(recorded.uci) == 1, (write_fen(position), write_uci(position, move), recorded.uci)
    assert recorded.uci[0] in same_squares(position, move)
