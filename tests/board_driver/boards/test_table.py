"""The bodies on a virtual board: none is made, none is lost, and a square holds one."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from board_driver.boards.table import SPARES, Hand, Held, Refusal, Table
from rules.fen import START_FEN, parse_fen
from rules.pieces import PIECES, Piece
from rules.squares import Square, parse_square

E2, E4, E5, D1, E7 = map(parse_square, ("e2", "e4", "e5", "d1", "e7"))
SQUARES = st.integers(0, 63).map(Square)
HANDS = st.sampled_from(Hand)


def start() -> Table:
    return Table.set_up(parse_fen(START_FEN))


def must(table: Table | Refusal) -> Table:
    assert isinstance(table, Table), table
    return table


def bodies(table: Table) -> Counter[Piece]:
    held = (hand.piece for hand in table.hands if hand)
    return Counter(chain((piece for piece in table.squares if piece), held, table.tray))


class AnythingGoes(RuleBasedStateMachine):
    """Two clumsy hands that lift, put and lay aside anything anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.table = start()
        self.all = bodies(self.table)

    def keep(self, after: Table | Refusal) -> None:
        if isinstance(after, Table):
            assert after != self.table
            self.table = after

    @rule(hand=HANDS, square=SQUARES)
    def lift(self, hand: Hand, square: Square) -> None:
        before, after = self.table, self.table.lift(hand, square)
        possible = before.hands[hand] is None and before.squares[square] is not None
        assert isinstance(after, Table) == possible
        if isinstance(after, Table):
            assert before.occupied ^ after.occupied == 1 << square
        self.keep(after)

    @rule(hand=HANDS, square=SQUARES)
    def put(self, hand: Hand, square: Square) -> None:
        before, after = self.table, self.table.put(hand, square)
        possible = before.hands[hand] is not None and before.squares[square] is None
        assert isinstance(after, Table) == possible
        if isinstance(after, Table):
            assert before.occupied ^ after.occupied == 1 << square
        self.keep(after)

    @rule(hand=HANDS)
    def set_aside(self, hand: Hand) -> None:
        self.keep(self.table.set_aside(hand))

    @rule(hand=HANDS)
    def put_back(self, hand: Hand) -> None:
        self.keep(self.table.put_back(hand))

    @rule(hand=HANDS, piece=st.sampled_from(sorted(PIECES)))
    def lift_from_tray(self, hand: Hand, piece: str) -> None:
        self.keep(self.table.lift_from_tray(hand, PIECES[piece]))

    @rule(square=SQUARES)
    def take_off(self, square: Square) -> None:
        self.keep(self.table.take_off(square))

    @invariant()
    def no_body_is_made_or_lost(self) -> None:
        assert bodies(self.table) == self.all


TestAnythingGoes = AnythingGoes.TestCase


@given(square=SQUARES)
def test_lifting_and_putting_back_changes_nothing(square: Square) -> None:
    table = start()
    lifted = table.lift(Hand.FIRST, square)
    if isinstance(lifted, Table):
        assert must(lifted.put_back(Hand.FIRST)) == table


def test_a_lifted_piece_is_in_the_hand_and_knows_where_it_came_from() -> None:
    table = must(start().lift(Hand.FIRST, E2))
    assert table.hands == (Held(PIECES["P"], E2), None)
    assert table.free_hand() is Hand.SECOND
    assert table.squares[E2] is None


def test_both_hands_may_hold_a_piece() -> None:
    table = must(must(start().lift(Hand.FIRST, E2)).lift(Hand.SECOND, E7))
    assert table.free_hand() is None
    assert must(must(table.put(Hand.SECOND, E5)).put(Hand.FIRST, E4)).hands == (None, None)


@pytest.mark.parametrize("name", ["e1", "e7"])
def test_a_square_holds_one_piece_whatever_its_colour(name: str) -> None:
    table = must(start().lift(Hand.FIRST, D1))
    refusal = table.put(Hand.FIRST, parse_square(name))
    assert isinstance(refusal, Refusal)
    assert name in refusal.text


def test_what_came_from_the_tray_goes_back_there() -> None:
    lifted = must(start().lift_from_tray(Hand.SECOND, PIECES["Q"]))
    assert lifted.tray == (PIECES["q"],)
    assert Counter(must(lifted.put_back(Hand.SECOND)).tray) == Counter(SPARES)


def test_a_piece_whose_square_was_filled_cannot_go_back() -> None:
    table = must(must(start().lift(Hand.FIRST, E2)).lift(Hand.SECOND, D1))
    assert isinstance(must(table.put(Hand.SECOND, E2)).put_back(Hand.FIRST), Refusal)


def test_a_promotion_fetches_the_spare_queen_then_one_from_the_box() -> None:
    table = must(start().exchange(E2, PIECES["Q"]))
    assert table.squares[E2] == PIECES["Q"]
    assert Counter(table.tray) == Counter([PIECES["q"], PIECES["P"]])
    again = must(table.exchange(D1, PIECES["Q"]))
    assert Counter(again.tray) == Counter([PIECES["q"], PIECES["P"], PIECES["Q"]])
