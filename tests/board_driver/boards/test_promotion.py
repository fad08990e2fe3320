"""The pawn that promoted becomes the piece it promoted to."""

from __future__ import annotations

import asyncio

import pytest

from board_driver.boards.promotion import exchange_promoted
from board_driver.boards.table import Table
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.events import Event, Moved, Notice, Revised
from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.mind import Settings
from board_driver.scan import Button, ButtonName
from rules.fen import parse_fen
from rules.pieces import PIECES
from rules.squares import parse_square
from rules.uci import parse_uci
from tests.board_driver.doubles import FakeMind

A8 = parse_square("a8")
BEFORE = parse_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
ARRIVED = "P3k3/8/8/8/8/8/8/4K3"


def standing_after(event: Event, uci: str, placement: str = ARRIVED) -> str:
    """What stands on a8 once the game says `uci` and `event` is told."""

    async def run() -> str:
        board = VirtualBoard()
        daemon = Daemon(board, Settings(), mind_of=FakeMind)
        exchange_promoted(daemon, board)
        board.table = Table(tuple(PIECES.get(letter) for letter in _letters(placement)))
        daemon.mind.game = GameRecord(BEFORE, (RecordedPly(parse_uci(BEFORE, uci), 0, 0),))  # type: ignore[attr-defined]
        daemon.mind.receive = lambda item: [event]  # type: ignore[method-assign]  # noqa: ARG005
        daemon.inbox.put(Button(0, ButtonName.DRAW))
        daemon.new_game(daemon.settings)  # reads the inbox at once
        piece = board.table.squares[A8]
        return piece.letter if piece else "."

    return asyncio.run(run())


def _letters(placement: str) -> str:
    ranks = ["".join("." * int(c) if c.isdigit() else c for c in rank) for rank in placement.split("/")]
    return "".join(reversed(ranks))


MOVED = Moved(0, "a8=Q", "a7a8q", "", 1, False)


@pytest.mark.parametrize(("uci", "letter"), [("a7a8q", "Q"), ("a7a8n", "N")])
def test_the_pawn_is_exchanged_for_the_piece_of_the_game(uci: str, letter: str) -> None:
    assert standing_after(MOVED, uci) == letter


def test_another_choice_exchanges_the_piece_again() -> None:
    queen = ARRIVED.replace("P", "Q", 1)
    assert standing_after(Revised(0, 1, "a7a8q", "a7a8r"), "a7a8r", queen) == "R"


def test_nothing_is_put_where_nothing_stands_or_the_move_was_none_of_that() -> None:
    assert standing_after(MOVED, "a7a8q", "4k3/8/8/8/8/8/8/4K3") == "."
    assert standing_after(MOVED, "e1e2") == "P"
    assert standing_after(Notice(0, "x", "y"), "a7a8q") == "P"
