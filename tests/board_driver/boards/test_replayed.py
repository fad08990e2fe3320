"""A log as a board: the same inputs, at the pace of the clock, and an end that is no fault."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from board_driver.boards.board import Clock, Delivery, Exhausted, Inbox
from board_driver.boards.catalogue import choose_board
from board_driver.boards.replayed import ReplayedBoard
from board_driver.boards.virtual import VirtualBoard
from board_driver.events import Fault
from board_driver.inputerror import InputError
from board_driver.mind import Mode
from board_driver.scan import Occupancy, Press, Scan, Sensing
from rules.squares import Colour

HEADER = {"sensorlog": 1, "sensing": "occupancy", "mode": "play", "ruleset": "blitz"}
RATE = 1000


def log_file(folder: Path, *lines: object) -> str:
    path = folder / "game.jsonl"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return str(path)


def played(board: ReplayedBoard, times: int = 1) -> list[Delivery]:
    """All that the log delivers, up to its end, each time it is opened."""

    async def run() -> list[Delivery]:
        inbox = Inbox(clock=Clock(RATE))
        items = []
        for _ in range(times):
            await board.open(inbox)
            async with asyncio.timeout(5):
                while not isinstance(item := await inbox.get(), Exhausted):
                    assert item is not None
                    items.append(item)
            await board.close()
        return items

    return asyncio.run(run())


def test_inputs_come_in_their_order_with_their_distances_in_time(tmp_path: Path) -> None:
    lines = [{"t_ms": 5000, "occ": "0xff"}, {"t_ms": 5900, "press": "white"}, {"t_ms": 6000, "occ": "0xfe"}]
    board = ReplayedBoard(log_file(tmp_path, HEADER, *lines))
    items = played(board)
    assert [type(item) for item in items] == [Scan, Press, Scan]
    first, second, third = (item.t_ms for item in items)
    assert (second - first, third - first) == (900, 1000)
    assert [item.reading for item in items if isinstance(item, Scan)] == [Occupancy(0xFF), Occupancy(0xFE)]
    assert [item.colour for item in items if isinstance(item, Press)] == [Colour.WHITE]


def test_a_log_opened_again_begins_again(tmp_path: Path) -> None:
    board = ReplayedBoard(log_file(tmp_path, HEADER, {"t_ms": 0, "occ": "0x1"}, {"t_ms": 9, "occ": "0x2"}))
    readings = [item.reading for item in played(board, times=2) if isinstance(item, Scan)]
    assert readings == [Occupancy(1), Occupancy(2)] * 2


def test_a_line_that_cannot_be_read_is_a_fault_and_what_came_before_stands(tmp_path: Path) -> None:
    board = ReplayedBoard(log_file(tmp_path, HEADER, {"t_ms": 0, "occ": "0x1"}, "{oops"))
    scan, fault = played(board)
    assert isinstance(scan, Scan)
    assert isinstance(fault, Fault)
    assert "line 3" in fault.text


def test_closing_in_the_middle_ends_the_delivery(tmp_path: Path) -> None:
    board = ReplayedBoard(log_file(tmp_path, HEADER, {"t_ms": 0, "occ": "0x1"}, {"t_ms": 10**8, "occ": "0x2"}))

    async def run() -> Delivery | None:
        inbox = Inbox(clock=Clock(RATE))
        await board.open(inbox)
        assert await inbox.get() is not None
        await board.close()
        await board.close()
        return inbox.get_nowait()

    assert asyncio.run(run()) is None


def test_the_header_says_how_the_game_is_read(tmp_path: Path) -> None:
    choice = choose_board("replay:" + log_file(tmp_path, HEADER, {"t_ms": 0, "press": "white"}))
    assert isinstance(choice.board, ReplayedBoard)
    assert choice.board.abilities.senses is Sensing.OCCUPANCY
    assert not choice.board.abilities.has_lights
    assert (choice.settings.mode, choice.settings.ruleset, choice.settings.clock) == (Mode.PLAY, "blitz", True)


def test_a_log_says_itself_where_its_game_starts(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no --fen with a log"):
        choose_board("replay:" + log_file(tmp_path, HEADER), "4k3/8/8/8/8/8/8/4K3 w - - 0 1")


def test_the_virtual_board_is_set_up_as_asked() -> None:
    fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    choice = choose_board("virtual", fen)
    assert isinstance(choice.board, VirtualBoard)
    assert choice.board.table.occupied == 1 << 4 | 1 << 60
    assert choice.settings.start_fen == fen
    assert choice.settings.mode is Mode.PLAY


@pytest.mark.parametrize("name", ["", "wood", "virtual:1", "replay", "replay:", "replay:/nowhere"])
def test_other_names_are_refused_with_what_there_is(name: str) -> None:
    with pytest.raises(InputError, match="expected"):
        choose_board(name)
