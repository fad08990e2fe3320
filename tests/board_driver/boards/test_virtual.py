"""The virtual board as the daemon sees it: scans of what its sensors would see, in the order hands make them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from board_driver.boards.board import Inbox
from board_driver.boards.table import Hand, Refusal
from board_driver.boards.virtual import VirtualBoard
from board_driver.lights.picture import DARK, Meaning
from board_driver.scan import Colours, Field, Identity, Occupancy, Reading, Scan, Sensing
from rules.fen import START_FEN, parse_fen
from rules.pieces import PIECES
from rules.squares import Square, parse_square, set_of

START = 0xFFFF00000000FFFF
E2, E4, E5, D5, D7, A1, A2, E8 = map(parse_square, ("e2", "e4", "e5", "d5", "d7", "a1", "a2", "e8"))


def readings(script: Callable[[VirtualBoard], Awaitable[None]], board: VirtualBoard) -> list[Reading]:
    """All that the board puts into the inbox while `script` moves its pieces."""

    async def run() -> list[Reading]:
        inbox = Inbox()
        await board.open(inbox)
        await script(board)
        await board.close()
        seen = []
        while (item := inbox.get_nowait()) is not None:
            assert isinstance(item, Scan)
            seen.append(item.reading)
        return seen

    return asyncio.run(run())


def lift(board: VirtualBoard, square: Square) -> Hand:
    hand = board.lift(square)
    assert isinstance(hand, Hand)
    return hand


def test_a_move_is_a_scan_for_the_lift_and_one_for_the_place() -> None:
    async def script(board: VirtualBoard) -> None:
        board.put(lift(board, E2), E4)

    assert readings(script, VirtualBoard()) == [
        Occupancy(START), Occupancy(START ^ set_of([E2])), Occupancy(START ^ set_of([E2, E4])),
    ]  # fmt: skip


def test_a_capture_leaves_the_square_empty_for_a_moment() -> None:
    board = VirtualBoard(parse_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"), capture_ms=0)

    async def script(board: VirtualBoard) -> None:
        hand = lift(board, E4)
        assert board.put(hand, D5) is None
        assert board.table.squares[D5] is None
        assert board.landing is not None
        while board.landing:
            await asyncio.sleep(0)
        assert board.table.squares[D5] == PIECES["P"]

    before = board.table.occupied
    assert readings(script, board) == [
        Occupancy(before),
        Occupancy(before ^ set_of([E4])),
        Occupancy(before ^ set_of([E4, D5])),
        Occupancy(before ^ set_of([E4])),
    ]
    assert PIECES["p"] in board.table.tray


def test_closing_the_board_ends_a_capture_under_way() -> None:
    board = VirtualBoard(parse_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"), capture_ms=3_600_000)

    async def script(board: VirtualBoard) -> None:
        board.put(lift(board, E4), D5)
        assert isinstance(board.put_back(Hand.FIRST), Refusal)

    readings(script, board)
    assert board.table.squares[D5] == PIECES["P"]
    assert board.table.hands == (None, None)


def test_a_second_capture_lands_the_first() -> None:
    board = VirtualBoard(parse_fen("4k3/8/8/1p1p4/2P1P3/8/8/4K3 w - - 0 1"), capture_ms=3_600_000)
    b5, c4 = parse_square("b5"), parse_square("c4")

    async def script(board: VirtualBoard) -> None:
        board.put(lift(board, E4), D5)
        board.put(lift(board, c4), b5)
        assert board.table.squares[D5] == PIECES["P"]

    readings(script, board)
    assert board.table.squares[b5] == PIECES["P"]


def test_a_piece_set_down_on_one_of_its_own_colour_stays_in_the_hand() -> None:
    async def script(board: VirtualBoard) -> None:
        hand = lift(board, A1)
        refusal = board.put(hand, A2)
        assert isinstance(refusal, Refusal)
        assert "a2" in refusal.text
        assert board.table.hands[hand] is not None

    assert len(readings(script, VirtualBoard())) == 2


def test_a_third_piece_needs_a_free_hand() -> None:
    async def script(board: VirtualBoard) -> None:
        assert [lift(board, A1), lift(board, A2)] == [Hand.FIRST, Hand.SECOND]
        assert isinstance(board.lift(E2), Refusal)

    assert len(readings(script, VirtualBoard())) == 3


def test_what_sensors_cannot_see_makes_no_scan() -> None:
    async def script(board: VirtualBoard) -> None:
        hand = board.lift_from_tray(PIECES["Q"])
        assert isinstance(hand, Hand)
        board.set_aside(hand)
        board.exchange(E2, PIECES["Q"])

    assert readings(script, VirtualBoard()) == [Occupancy(START)]
    assert len(readings(script, VirtualBoard(senses=Sensing.IDENTITY))) == 2


@pytest.mark.parametrize("senses", Sensing)
def test_a_reading_is_of_the_kind_the_board_senses(senses: Sensing) -> None:
    position = parse_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    reading = VirtualBoard(position, senses).reading()
    white, black = {4, 28}, {35, 60}
    match reading:
        case Occupancy(occupied):
            assert occupied == set_of(white | black)
        case Colours():
            assert (reading.white, reading.black) == (set_of(white), set_of(black))
        case Field(strengths):
            assert {s for s, strength in enumerate(strengths) if strength > 0} == white
            assert {s for s, strength in enumerate(strengths) if strength < 0} == black
        case Identity(pieces):
            assert [pieces[s] for s in (4, 28, 35, 60)] == [PIECES[c] for c in "KPpk"]
    assert type(reading).__name__.lower().rstrip("s") == senses.value


def test_a_new_setting_up_is_one_scan_and_empties_the_hands() -> None:
    empty = parse_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")

    async def script(board: VirtualBoard) -> None:
        lift(board, E2)
        board.set_up(empty)

    board = VirtualBoard(parse_fen(START_FEN))
    assert readings(script, board)[-1] == Occupancy(set_of([4, 60]))
    assert board.table.hands == (None, None)


def test_the_board_says_what_it_shows_and_when_it_changes() -> None:
    board = VirtualBoard()
    changes: list[int] = []

    async def run() -> None:
        board.watch(lambda: changes.append(1))
        await board.open(Inbox())
        await board.show({E2: Meaning.OWED})
        assert board.picture == {E2: Meaning.OWED}
        lift(board, E2)
        await board.close()

    asyncio.run(run())
    assert len(changes) == 3
    assert board.picture is DARK
