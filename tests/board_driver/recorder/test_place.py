"""Places, the moves out of them, and the piece in the hand that may still make several."""

from __future__ import annotations

import pytest

from board_driver.recorder.evidence import OccupancyEvidence
from board_driver.recorder.place import WARM, Atlas
from rules.fen import START_FEN, parse_fen

POSITIONS = [
    START_FEN,
    "r3k2r/pppq1ppp/2n2n2/3pp3/1b1PP3/2N2N2/PPPQ1PPP/R3K2R w KQkq - 0 9",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "1n5k/P7/8/8/8/8/7K/8 w - - 0 1",
]


@pytest.mark.parametrize("fen", POSITIONS)
def test_a_place_knows_every_legal_move_once(fen: str) -> None:
    position = parse_fen(fen)
    atlas = Atlas(OccupancyEvidence())
    for _ in range(2):  # the second time from what is kept of the first
        place = atlas.place(position)
        assert [passage.move for passage in place.passages()] == position.legal_moves()
        for passage in place.passages():
            assert passage is atlas.passage(position, passage.move)
        place.cool()


@pytest.mark.parametrize("fen", POSITIONS)
def test_a_lifted_piece_may_make_all_its_quiet_moves(fen: str) -> None:
    position = parse_fen(fen)
    atlas = Atlas(OccupancyEvidence())
    place = atlas.place(position)
    quiet = [m for m in position.legal_moves() if position.victim_square(m) is None and not m.is_castling]
    assert [p.move for square in range(64) for p in place.lift(square).choices] == sorted(
        quiet, key=lambda move: move.origin
    )


def test_a_place_that_cooled_works_its_moves_out_again() -> None:
    atlas = Atlas(OccupancyEvidence())
    place = atlas.place(parse_fen(START_FEN))
    before = [p.move for p in place.lift(12).choices]
    others = [place.after(move) for move in place.position.legal_moves()]
    for other in [*others, *[child.after(m) for child in others for m in child.position.legal_moves()]][: WARM + 50]:
        other.passages()
    assert [p.move for p in place.lift(12).choices] == before
