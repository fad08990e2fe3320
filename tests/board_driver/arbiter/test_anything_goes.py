"""Whatever hands and buttons do, the arbiter goes on: it raises nothing, its score is a game, it can be led home."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from board_driver.arbiter import Arbiter
from board_driver.arbiter.leading import guidance
from board_driver.lights.picture import Meaning
from board_driver.mind import PromotionRule, TouchRule
from board_driver.replay import play_out
from board_driver.scan import Button, ButtonName, Input, Occupancy, Press, Scan
from rules.fen import START_FEN, parse_fen
from rules.squares import Colour
from tests.board_driver.arbiter import hands

FENS = [
    START_FEN,
    "3n4/4P1k1/8/8/8/8/P7/4K3 w - - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8",
    "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
]
BUTTONS = [
    (ButtonName.BACK_TO, "0"), (ButtonName.BACK_TO, "1"), (ButtonName.BACK_TO, "2"), (ButtonName.TAKEBACK, "white"),
    (ButtonName.TAKEBACK, "black"), (ButtonName.PROMOTE, "n"), (ButtonName.PROMOTE, "q"), (ButtonName.CLAIM, "white"),
    (ButtonName.CLAIM, "black Nf6"), (ButtonName.DRAW, "white"), (ButtonName.DECLINE, "black"),
    (ButtonName.ADJUST, "white"), (ButtonName.RESIGN, "black"), (ButtonName.RESULT, "*"),
]  # fmt: skip
hops = st.tuples(st.just("hop"), st.integers(0, 63), st.integers(0, 63))
moves = st.tuples(st.just("move"), st.integers(0, 500), st.just(0))
acts = st.one_of(
    hops,
    st.tuples(st.just("lift"), st.integers(0, 63), st.just(0)),
    st.tuples(st.just("put"), st.integers(0, 63), st.just(0)),
    moves,
    st.tuples(st.just("button"), st.integers(0, len(BUTTONS) - 1), st.just(0)),
    st.tuples(st.just("press"), st.integers(0, 1), st.just(0)),
    st.tuples(st.just("wait"), st.integers(0, 9000), st.just(0)),
)
Act = tuple[str, int, int]


class Someone:
    """A pair of hands and its board."""

    def __init__(self, arbiter: Arbiter, occupied: int) -> None:
        self.arbiter, self.occupied, self.t_ms = arbiter, occupied, 0
        self.give(Scan(0, Occupancy(occupied)))

    def give(self, item: Input) -> None:
        self.arbiter.receive(item)

    def change(self, square: int) -> None:
        self.t_ms += 600
        self.occupied ^= 1 << square
        self.give(Scan(self.t_ms, Occupancy(self.occupied)))

    def do(self, act: Act) -> None:
        kind, one, other = act
        if kind == "wait":
            self.t_ms += one
            self.arbiter.advance(self.t_ms)
        elif kind == "press":
            self.t_ms += 600
            self.give(Press(self.t_ms, Colour(one)))
        elif kind == "button":
            self.t_ms += 600
            self.give(Button(self.t_ms, *BUTTONS[one]))
        elif kind == "move":
            self.move(one)
        else:
            self.shift(kind, one, other)

    def shift(self, kind: str, one: int, other: int) -> None:
        if kind in ("hop", "lift") and self.occupied >> one & 1:
            self.change(one)
            if kind == "hop" and not self.occupied >> other & 1:
                self.change(other)
        elif kind == "put" and not self.occupied >> one & 1:
            self.change(one)

    def move(self, number: int) -> None:
        """A legal move of the game as it stands, if the board stands so."""
        position = parse_fen(str(self.arbiter.summary()["fen"]))
        moves = [m for m in position.legal_moves() if not m.is_castling and not m.is_en_passant]
        if moves and position.occupied == self.occupied:
            move = moves[number % len(moves)]
            self.change(move.origin)
            if self.occupied >> move.landing & 1:
                self.change(move.landing)
            self.change(move.landing)


@pytest.mark.parametrize("touch", list(TouchRule))
@settings(max_examples=60, deadline=None)
@given(
    todo=st.lists(acts, max_size=25),
    fen=st.sampled_from(FENS),
    rule=st.sampled_from(list(PromotionRule)),
    clock=st.booleans(),
)
def test_it_goes_on(touch: TouchRule, todo: list[Act], fen: str, rule: PromotionRule, clock: bool) -> None:
    arbiter = Arbiter(hands.settings(fen, touch=touch, promotion=rule, clock=clock, abandon_ms=60_000))
    someone = Someone(arbiter, parse_fen(fen).occupied)
    for act in todo:
        someone.do(act)
    list(play_out(arbiter, []))
    json.dumps(arbiter.summary())
    for game in arbiter.games():
        position = game.start
        for ply in game.plies:
            assert ply.move in position.legal_moves()
            position = position.play(ply.move)


@pytest.mark.parametrize("touch", list(TouchRule))
@settings(max_examples=40, deadline=None)
@given(todo=st.lists(st.one_of(moves, moves, hops), min_size=4, max_size=14), stay=st.integers(0, 3))
def test_after_anything_back_to_leads_home(touch: TouchRule, todo: list[Act], stay: int) -> None:
    """The arbiter sets the game back, whatever the board looks like; whoever does as the lights say brings it home."""
    arbiter = Arbiter(hands.settings(touch=touch))
    someone = Someone(arbiter, parse_fen(START_FEN).occupied)
    for act in todo:
        someone.do(act)
    arbiter.advance(someone.t_ms + 1000)
    someone.give(Button(someone.t_ms, ButtonName.BACK_TO, str(min(stay, len(arbiter.games()[-1].plies)))))
    for _ in range(80):
        someone.t_ms += 1000
        arbiter.advance(someone.t_ms)
        target = parse_fen(str(arbiter.summary()["fen"])).occupied
        if guidance(arbiter._game) is None and someone.occupied == target:
            break
        take = [s for s, meaning in arbiter.picture().items() if meaning in (Meaning.TAKE_AWAY, Meaning.ILLEGAL)]
        put = [s for s, meaning in arbiter.picture().items() if meaning is Meaning.PUT_HERE]
        assert take or put, "something is always lit"
        for square in take:
            if someone.occupied >> square & 1:
                someone.change(square)
        for square in put:
            if not someone.occupied >> square & 1:
                someone.change(square)
    assert someone.occupied == target
    someone.do(("move", 3, 0))
    arbiter.advance(someone.t_ms + 1000)
    assert arbiter.games()[-1].plies
