"""Tables that fill themselves, and may be emptied at any time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules import memo
from rules.fen import START_FEN, parse_fen, write_fen
from rules.inverse import leading_to, leading_to_in_two
from rules.perft import perft
from rules.position import Position
from rules.san import parse_san, sans

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def told(position: Position) -> dict[str, str]:
    """The moves in SAN, each with what comes after it as FEN; with the moves read back and found from the squares."""
    found = {}
    for move, text in sans(position).items():
        after = position.play(move)
        assert parse_san(position, text) is move
        assert move in leading_to(position, after.occupied)
        found[text] = write_fen(after)
    return found


@given(st.lists(st.integers(0, 200), max_size=12), st.lists(st.booleans(), min_size=13, max_size=13))
def test_whatever_is_forgotten_is_worked_out_again(choices: list[int], forgets: list[bool]) -> None:
    kept, emptied = parse_fen(KIWIPETE), parse_fen(KIWIPETE)
    for choice, forget in zip([*choices, 0], forgets, strict=False):
        before = told(kept)
        if forget:
            memo.forget()
        assert told(emptied) == before
        moves = sorted(kept.legal_moves(), key=str)
        if not moves:
            return
        move = moves[choice % len(moves)]
        kept, emptied = kept.play(move), emptied.play(move)


def test_a_move_is_the_same_object_before_and_after() -> None:
    before = parse_fen(START_FEN).legal_moves()
    memo.forget()
    after = parse_fen(START_FEN).legal_moves()
    assert {id(move) for move in before} == {id(move) for move in after}


def test_forgetting_leaves_nothing() -> None:
    perft(parse_fen(KIWIPETE), 2)
    leading_to_in_two(parse_fen(KIWIPETE), parse_fen(KIWIPETE).occupied)
    assert memo.entries() > 200
    memo.forget()
    assert memo.entries() == 0
    assert perft(parse_fen(KIWIPETE), 2) == 2_039
