"""Which moves explain an occupancy: the shapes, and occupancies that no move explains. (Brute force over random play is
in the differential test.)"""

from __future__ import annotations

from random import Random

import pytest

from rules.fen import START_FEN, parse_fen
from rules.inverse import by_change, leading_to, leading_to_in_two, occupancy_change, touching
from rules.move import Move
from rules.position import Position
from rules.squares import parse_square, set_of
from rules.uci import write_uci
from tests.rules.peer import random_play


def squares(names: str) -> int:
    return set_of(parse_square(name) for name in names.split())


def texts(position: Position, moves: list[Move]) -> list[str]:
    return sorted(write_uci(position, move) for move in moves)


ONE_PLY = [
    pytest.param(START_FEN, "e2 e4", ["e2e4"], id="plain"),
    pytest.param(START_FEN, "e2", [], id="a lift alone"),
    pytest.param(START_FEN, "", [], id="nothing changed"),
    pytest.param(START_FEN, "e2 e5", [], id="too far"),
    pytest.param(START_FEN, "e7 e5", [], id="their man"),
    pytest.param(START_FEN, "e4", [], id="a man too many"),
    pytest.param("4k3/8/8/2ppp3/3P4/8/8/4K3 w - - 0 1", "d4", ["d4c5", "d4e5"], id="captures look alike"),
    pytest.param("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d5 d6 e5", ["e5d6"], id="en passant"),
    pytest.param("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d6 e5", [], id="en passant, victim still there"),
    pytest.param("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "d5 d6 e5", [], id="en passant too late"),
    pytest.param("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7 a8", ["a7a8b", "a7a8n", "a7a8q", "a7a8r"], id="promotions"),
    pytest.param("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1 f1 g1 h1", ["e1g1"], id="castling"),
    pytest.param("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1 c1 d1 e1", ["e1c1"], id="castling long"),
    pytest.param("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1 g1", [], id="castling half done"),
    pytest.param("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1 f1 g1 h1", [], id="castling without the right"),
    pytest.param("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "d2 f3", [], id="pinned"),
]


@pytest.mark.parametrize(("fen", "changed", "moves"), ONE_PLY)
def test_one_ply(fen: str, changed: str, moves: list[str]) -> None:
    position = parse_fen(fen)
    assert texts(position, leading_to(position, position.occupied ^ squares(changed))) == moves
    assert texts(position, by_change(position).get(squares(changed), [])) == moves


CHESS960_SHAPES = [
    pytest.param("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", "b1 f1", ["b1g1"], id="king to where the rook stood"),
    pytest.param("4k3/8/8/8/8/8/8/R4K2 w A - 0 1", "a1 c1 d1 f1", ["f1a1"], id="four squares"),
    pytest.param("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "", ["f1g1"], id="an exchange of places"),
    pytest.param("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "h1 g1", ["f1h1", "h1g1"], id="looks like a rook's move"),
    pytest.param("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1 g1", ["e1f1"], id="the rook stays"),
    pytest.param("4k3/8/8/8/8/8/8/6KR w H - 0 1", "h1 f1", ["g1h1"], id="the king stays"),
]


@pytest.mark.parametrize(("fen", "changed", "moves"), CHESS960_SHAPES)
def test_castling_of_chess960(fen: str, changed: str, moves: list[str]) -> None:
    position = parse_fen(fen, chess960=True)
    found = leading_to(position, position.occupied ^ squares(changed))
    assert texts(position, found) == moves
    assert set(by_change(position)[squares(changed)]) == set(found)


TWO_PLIES = [
    pytest.param(START_FEN, "e2 e4 e7 e5", [("e2e4", "e7e5")], id="two plain moves"),
    pytest.param(START_FEN, "e2 e4", [], id="only one has moved"),
    pytest.param("4k3/8/8/8/8/1n6/8/R3K3 w - - 0 1", "b3 d1", [("a1d1", "b3a1")], id="to where ours began"),
    pytest.param("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5 e4 e5", [], id="they cannot have come back"),
    pytest.param("3rk3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4 d8", [("e4d5", "d8d5")], id="taken and retaken"),
    pytest.param(
        "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2 d4 e3", [("e2e3", "d4e3"), ("e2e4", "d4e3")], id="en passant, or not"
    ),
    pytest.param("4k3/8/8/3b4/8/8/8/4K2R w K - 0 1", "e1 f1 g1 d5", [("e1g1", "d5h1")], id="to the rook's corner"),
    pytest.param("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "e1 f1 g1 h1 a8 c8 d8 e8", [("e1g1", "e8c8")], id="both castle"),
]


@pytest.mark.parametrize(("fen", "changed", "pairs"), TWO_PLIES)
def test_two_plies(fen: str, changed: str, pairs: list[tuple[str, str]]) -> None:
    position = parse_fen(fen)
    found = leading_to_in_two(position, position.occupied ^ squares(changed))
    assert sorted((write_uci(position, move), write_uci(position.play(move), reply)) for move, reply in found) == pairs


def test_change_of_a_capture_is_its_origin() -> None:
    position = parse_fen("4k3/8/8/4p3/3P4/8/8/4K3 w - - 0 1")
    (take,) = leading_to(position, position.occupied ^ squares("d4"))
    assert occupancy_change(position, take) == squares("d4")


@pytest.mark.parametrize(
    ("fen", "touched", "moves"),
    [
        (START_FEN, "e3", ["e2e3"]),
        (START_FEN, "g1", ["g1f3", "g1h3"]),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d5", ["e5d6"]),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "c1", ["a1c1", "e1c1"]),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "h8", []),
    ],
)
def test_touching(fen: str, touched: str, moves: list[str]) -> None:
    position = parse_fen(fen)
    assert texts(position, touching(position, squares(touched))) == moves


@pytest.mark.parametrize("chess960", [False, True])
def test_wrong_occupancies_find_only_what_explains_them(chess960: bool) -> None:
    """A few squares flipped at random: what is found is what the index of all moves has there."""
    rng = Random(7)
    for position, _ in random_play(7, 300, chess960):
        for _ in range(10):
            occupied = position.occupied ^ set_of(rng.sample(range(64), rng.randrange(5)))
            expected = by_change(position).get(position.occupied ^ occupied, [])
            assert set(leading_to(position, occupied)) == set(expected)


@pytest.mark.parametrize("chess960", [False, True])
def test_wrong_occupancies_after_two_plies(chess960: bool) -> None:
    rng = Random(8)
    for position, _ in random_play(8, 40, chess960):
        changes = [
            occupancy_change(position, first) ^ change
            for first in position.legal_moves()
            for change in by_change(position.play(first))
        ]
        for _ in range(5):
            change = rng.choice(changes or [0]) ^ set_of(rng.sample(range(64), rng.randrange(3)))
            expected = {
                (first, second)
                for first in position.legal_moves()
                for second in by_change(position.play(first)).get(change ^ occupancy_change(position, first), [])
            }
            assert set(leading_to_in_two(position, position.occupied ^ change)) == expected
