"""Whatever hands do, the arbiter neither fails nor locks up; and any lawful order of steps gives the move."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings, strategies
from hypothesis.strategies import DataObject

from board_driver.arbiter import Arbiter
from board_driver.mind import LightsSetting, TouchRule
from board_driver.replay import play_out
from board_driver.scan import Button, ButtonName, Input, Occupancy, Press, Scan
from rules.fen import START_FEN, parse_fen, write_fen
from rules.move import Move
from rules.position import Position
from rules.squares import Colour, squares_of
from rules.uci import write_uci
from tests.board_driver.arbiter.hands import STEP_MS
from tests.board_driver.arbiter.hands import settings as play

FENS = (
    START_FEN,
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3",
    "3r2k1/4P3/8/8/8/8/1p4PP/R3K3 w Q - 0 1",
    "4r1k1/8/8/8/8/5n2/8/R3K3 w Q - 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
)
CHESS960 = (
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/5KR1 w G - 0 1",
    "1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w HBhb - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/R3KR2 w FA - 0 1",
)


class Chaos:
    """Random hands: they know nothing of chess, and at the end they put everything back where the game has it."""

    def __init__(self, fen: str, touch: TouchRule, clock: bool) -> None:
        self.chess960 = fen in CHESS960
        setup = play(fen, touch=touch, clock=clock, chess960=self.chess960, ruleset="club3", lights=LightsSetting.ALL)
        self.arbiter = Arbiter(setup)
        self.occupied = parse_fen(fen, chess960=self.chess960).occupied
        self.men = self.occupied.bit_count()
        self.t_ms = 0
        self.send(Scan(0, Occupancy(self.occupied)))

    def send(self, *items: Input) -> None:
        for item in items:
            self.arbiter.receive(item)

    def wait(self, ms: int) -> None:
        self.t_ms += ms
        self.arbiter.advance(self.t_ms)

    def show(self, occupied: int, ms: int = STEP_MS) -> None:
        self.wait(ms)
        self.occupied = occupied
        self.send(Scan(self.t_ms, Occupancy(occupied)))

    def step(self, data: DataObject) -> None:
        """Toggle a square or two, press, push a button, or wait; quickly or slowly."""
        self.wait(data.draw(strategies.sampled_from([5, 60, 199, 200, 250, STEP_MS]), label="wait"))
        kind = data.draw(strategies.integers(0, 11), label="kind")
        if kind < 8:
            for square in data.draw(
                strategies.lists(strategies.integers(0, 63), min_size=1, max_size=5), label="squares"
            ):
                if kind < 5 and not self.occupied >> square & 1 and self.occupied.bit_count() >= 32:
                    continue
                self.occupied ^= 1 << square
            self.send(Scan(self.t_ms, Occupancy(self.occupied)))
        elif kind < 10:
            self.send(Press(self.t_ms, data.draw(strategies.sampled_from(Colour), label="player")))
        else:
            name = data.draw(strategies.sampled_from([b for b in ButtonName if b not in ENDING]), label="button")
            value = data.draw(strategies.sampled_from(["white", "black", "n", "q", "k", None, "?"]), label="value")
            self.send(Button(self.t_ms, name, value))

    def handle(self, data: DataObject) -> None:
        """Lift a man, or set one down that is in the air, often where a move leads."""
        self.wait(data.draw(strategies.sampled_from([100, 250, STEP_MS]), label="wait"))
        position = parse_fen(str(self.arbiter.summary()["fen"]), chess960=self.chess960)
        moves = position.legal_moves()
        aims = [s for m in moves for s in (m.origin, m.landing, m.rook_landing or 0, m.rook_origin or 0)]
        square = data.draw(strategies.sampled_from(aims or [0]) | strategies.integers(0, 63), label="square")
        if self.occupied >> square & 1 or self.occupied.bit_count() < self.men:
            self.occupied ^= 1 << square
            self.send(Scan(self.t_ms, Occupancy(self.occupied)))
        if data.draw(strategies.integers(0, 9), label="press") == 0:
            self.send(Press(self.t_ms, Colour(position.turn)))


ENDING = (ButtonName.RESIGN, ButtonName.RESULT, ButtonName.DRAW, ButtonName.CLAIM)


def hands_of(position: Position, move: Move) -> tuple[list[int], list[int]]:
    """The squares that a move lifts from, and those that it sets down on."""
    lifts, places = [int(move.origin)], [int(move.landing)]
    victim = position.victim_square(move)
    if victim is not None:
        lifts.append(int(victim))
    if move.rook_origin is not None and move.rook_landing is not None:
        lifts.append(int(move.rook_origin))
        places.append(int(move.rook_landing))
    return lifts, places


@given(strategies.sampled_from(FENS), strategies.sampled_from(TouchRule), strategies.booleans(), strategies.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_never_fails_and_never_locks_up(fen: str, touch: TouchRule, clock: bool, data: DataObject) -> None:
    chaos = Chaos(fen, touch, clock)
    for _ in range(data.draw(strategies.integers(1, 14), label="steps")):
        chaos.step(data)
        chaos.arbiter.summary()
        chaos.arbiter.picture()
    play_on(chaos)


@given(
    strategies.sampled_from(FENS + CHESS960),
    strategies.sampled_from(TouchRule),
    strategies.booleans(),
    strategies.data(),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_busy_hands_never_lock_it_up(fen: str, touch: TouchRule, clock: bool, data: DataObject) -> None:
    chaos = Chaos(fen, touch, clock)
    for _ in range(data.draw(strategies.integers(1, 24), label="steps")):
        chaos.handle(data)
        chaos.arbiter.summary()
        chaos.arbiter.picture()
    play_on(chaos)


def play_on(chaos: Chaos) -> None:
    """Once the pieces stand as the game has them, a move that is allowed is made and taken."""
    chaos.wait(3000)
    if chaos.arbiter.summary()["result"] is not None:
        return
    position = settle_down(chaos)
    if chaos.arbiter.summary()["result"] is not None:
        return
    found = chaos.arbiter.summary()
    owed = found["obligation"]
    assert found["fen"] == write_fen(position)
    assert isinstance(owed, dict)
    play_owed_move(chaos, position)


def settle_down(chaos: Chaos) -> Position:
    """Put the pieces as the game has them, piece by piece, until nothing changes any more; the position then."""
    for _ in range(6):
        position = parse_fen(str(chaos.arbiter.summary()["fen"]), chess960=chaos.chess960)
        wrong = squares_of(chaos.occupied ^ position.occupied)
        if not wrong:
            return position
        for square in wrong:
            chaos.show(chaos.occupied ^ 1 << square)
        chaos.wait(2500)
        if chaos.arbiter.summary()["result"] is not None:
            return position
    raise AssertionError("the board was put right again and again, and the game went elsewhere each time")


def play_owed_move(chaos: Chaos, position: Position) -> None:
    """Make a legal move that is allowed: it must be taken."""
    game = chaos.arbiter._game
    before = len(game.score.sans)
    shapes = [m for m in game.owed().moves if not (m.is_castling and m.landing in (m.origin, m.rook_origin))]
    if not shapes:
        return
    move = shapes[0]
    lifts, places = hands_of(position, move)
    if move.is_castling:
        lifts, places = [int(move.origin), int(move.rook_origin or 0)], [int(move.landing), int(move.rook_landing or 0)]
    for square in lifts:
        chaos.show(chaos.occupied & ~(1 << square))
    for square in places:
        chaos.show(chaos.occupied | 1 << square)
    chaos.wait(2000)
    found = chaos.arbiter.summary()
    moves = found["moves"]
    assert isinstance(moves, list)
    assert len(moves) == before + 1, (write_uci(position, move), found)


def orders(lifts: list[int], places: list[int]) -> list[list[tuple[str, int]]]:
    """All orders of these steps in which no square is set down on before it is empty, nor before a man is in hand."""
    steps = [("-", s) for s in lifts] + [("+", s) for s in places]
    found = []
    for order in permutations(steps):
        done: set[tuple[str, int]] = set()
        fine = True
        for kind, square in order:
            if kind == "+" and square in lifts and ("-", square) not in done:
                fine = False
            if kind == "+" and sum(k == "-" for k, _ in done) <= sum(k == "+" for k, _ in done):
                fine = False
            done.add((kind, square))
        if fine:
            found.append(list(order))
    return found


def lawful(move: Move, order: list[tuple[str, int]]) -> bool:
    """Whether the Laws allow the move in that order.

    A capturer is not set down before he is lifted. Castling: the king is touched first, and the rook's new square is
    not filled before the rook is lifted, since that would be a king's step.
    """
    at = {step: index for index, step in enumerate(order)}
    if move.rook_origin is None or move.rook_landing is None:
        return at["+", int(move.landing)] > at["-", int(move.origin)]
    rook_up = at["-", int(move.rook_origin)]
    return at["-", int(move.origin)] < rook_up < at["+", int(move.rook_landing)]


@pytest.mark.parametrize("fen", FENS)
def test_any_lawful_order_of_steps_makes_the_move(fen: str) -> None:
    """Every legal move of every position, in every order of lifts and places that the Laws allow."""
    position = parse_fen(fen)
    for move in position.legal_moves():
        if move.promotion is not None and move.promotion.letter != "Q":
            continue
        for order in orders(*hands_of(position, move)):
            if lawful(move, order):
                assert made(fen, order) == [write_uci(position, move)], (write_uci(position, move), order)


def made(fen: str, order: list[tuple[str, int]]) -> list[str]:
    """The moves that the arbiter makes of these steps."""
    occupied = parse_fen(fen).occupied
    inputs: list[Input] = [Scan(0, Occupancy(occupied))]
    for index, (kind, square) in enumerate(order):
        occupied = occupied & ~(1 << square) if kind == "-" else occupied | 1 << square
        inputs.append(Scan((index + 1) * STEP_MS, Occupancy(occupied)))
    arbiter = Arbiter(play(fen))
    list(play_out(arbiter, inputs))
    moves = arbiter.summary()["uci"]
    assert isinstance(moves, list)
    return moves
