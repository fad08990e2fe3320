"""A board behind a real port (a pty): found, read, lit, lost and found again."""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest

from board_driver import daemon as daemon_module
from board_driver.boards.board import Inbox, Lost
from board_driver.boards.serial import Choose, SerialBoard, SerialSetup
from board_driver.boards.seriallamps import lamps_of
from board_driver.boards.serialreading import reading_of
from board_driver.daemon import BoardState, Daemon
from board_driver.events import Event, Fault, Moved
from board_driver.lights.picture import Meaning
from board_driver.mind import Mode, Settings
from board_driver.scan import Button, ButtonName, Colours, Field, Identity, Occupancy, Press, Scan, Sensing
from firmware_bridge.link import monotonic_ms
from firmware_bridge.messages import ColouredSquares, FieldStrengths, NamedPieces, OccupiedSquares
from firmware_bridge.ports import Port
from firmware_bridge.protocols import Touchmove
from firmware_bridge.touchmove.board import TouchmoveBoard
from firmware_bridge.touchmove.frames import encode
from rules.pieces import PIECES
from rules.squares import Colour
from tests.firmware_bridge.ptyboard import PtyBoard, until

START = 0xFFFF00000000FFFF
LIFTED = START & ~(1 << 12)


class Bench:
    """A pty board, a serial board on it, and an inbox."""

    def __init__(self, folder: Path) -> None:
        self.pty = PtyBoard(folder / "ttyACM0", new_end())
        buttons = {0: Colour.WHITE, 1: Colour.BLACK, 2: Choose(ButtonName.ADJUST, "white")}
        setup = SerialSetup(Touchmove(session=7), str(self.pty.link), buttons=buttons)
        self.board = SerialBoard(setup, find_ports=list)
        self.inbox = Inbox()
        self.items: list[object] = []

    def drain(self) -> list[object]:
        while (item := self.inbox.get_nowait()) is not None:
            self.items.append(item)
        return self.items

    def scans(self) -> list[int]:
        return [item.reading.occupied for item in self.drain() if isinstance(item, Scan)]  # type: ignore[union-attr]

    def faults(self) -> list[str]:
        return [item.kind for item in self.drain() if isinstance(item, Fault)]

    def losses(self) -> list[str]:
        return [item.text for item in self.drain() if isinstance(item, Lost)]


def new_end(occupied: int = START) -> TouchmoveBoard:
    end = TouchmoveBoard(started_ms=monotonic_ms())
    end.sense(OccupiedSquares(occupied), monotonic_ms())
    return end


def on_a_bench(folder: Path, story: Callable[[Bench], Coroutine[None, None, None]]) -> None:
    async def scene() -> None:
        bench = Bench(folder)
        bench.pty.plug()
        try:
            await story(bench)
        finally:
            await bench.board.close()
            bench.pty.unplug()

    asyncio.run(scene())


def test_it_is_read_and_lit(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        await bench.board.open(bench.inbox)
        assert bench.scans() == [START]
        bench.pty.board.sense(OccupiedSquares(LIFTED), monotonic_ms())
        await until(lambda: bench.scans() == [START, LIFTED])
        picture = {12: Meaning.OWED, 28: Meaning.DESTINATION}
        await bench.board.show(picture)
        await until(lambda: bench.pty.board.lamps() == lamps_of(picture))
        await bench.board.close()
        await until(lambda: bench.pty.board.lamps() == {})

    on_a_bench(tmp_path, story)


def test_buttons_mean_what_the_setup_says(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        await bench.board.open(bench.inbox)
        for number in (0, 1, 2, 9):
            bench.pty.board.press(number, True, monotonic_ms())
            bench.pty.board.press(number, False, monotonic_ms())
        await until(lambda: len([i for i in bench.drain() if isinstance(i, Press | Button)]) == 3)
        pressed = [item for item in bench.items if isinstance(item, Press | Button)]
        assert [item.colour if isinstance(item, Press) else (item.name, item.value) for item in pressed] == [
            Colour.WHITE, Colour.BLACK, (ButtonName.ADJUST, "white"),
        ]  # fmt: skip
        assert bench.board.abilities.has_clock

    on_a_bench(tmp_path, story)


def test_unplugged_and_back_after_a_reset(tmp_path: Path) -> None:
    """Field cases POWER-01 and SERIAL-10: the program lives, missing pieces are no lifts, the board is read anew."""

    async def story(bench: Bench) -> None:
        await bench.board.open(bench.inbox)
        bench.pty.unplug()
        await until(lambda: len(bench.losses()) == 1)
        with pytest.raises(OSError, match=r"there is no .*ttyACM0"):
            await bench.board.open(bench.inbox)
        assert bench.scans() == [START]
        bench.pty.plug(new_end(LIFTED))
        await bench.board.open(bench.inbox)
        assert bench.scans() == [START, LIFTED]

    on_a_bench(tmp_path, story)


def test_a_cable_put_back_on_a_board_that_kept_its_power_tells_what_was_missed(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        await bench.board.open(bench.inbox)
        bench.pty.unplug()
        for occupied in (LIFTED, LIFTED | 1 << 28):
            bench.pty.board.sense(OccupiedSquares(occupied), monotonic_ms())
        await until(lambda: len(bench.losses()) == 1)
        bench.pty.plug()
        await bench.board.open(bench.inbox)
        await until(lambda: bench.scans()[-1] == LIFTED | 1 << 28)
        assert bench.scans()[-2:] == [LIFTED, LIFTED | 1 << 28]

    on_a_bench(tmp_path, story)


def test_a_mute_board_is_lost_and_shows_nothing(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        await bench.board.open(bench.inbox)
        await until(lambda: bool(bench.pty.heard))
        bench.pty.is_mute = True
        await until(lambda: len(bench.losses()) == 1)
        with pytest.raises(OSError, match="not connected"):
            await bench.board.show({})

    on_a_bench(tmp_path, story)


def test_garbage_is_named_as_what_it_is(tmp_path: Path) -> None:
    """Field case SERIAL-06: a stream at another baud rate never makes a frame; the next rate is tried."""

    async def story(bench: Bench) -> None:
        bench.pty.is_mute = True
        opening = asyncio.create_task(bench.board.open(bench.inbox))
        for _ in range(50):
            bench.pty.say(bytes(range(128, 256)))
            await asyncio.sleep(0.02)
        with pytest.raises(OSError, match="data arrives at 115200 baud but no valid frame"):
            await opening
        assert "board-unreadable" in bench.faults()
        opening = asyncio.create_task(bench.board.open(bench.inbox))
        for _ in range(50):
            bench.pty.say(bytes(range(128, 256)))
            await asyncio.sleep(0.02)
        with pytest.raises(OSError, match=r"at 9600 baud but no valid frame: .* \(tried before: 115200\)"):
            await opening
        assert bench.scans() == []

    on_a_bench(tmp_path, story)


def test_a_board_of_another_version_is_refused(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        bench.pty.is_mute = True
        opening = asyncio.create_task(bench.board.open(bench.inbox))
        await asyncio.sleep(0.1)
        bench.pty.say(encode("H", "2", "0000", "nano", "9.9", "0001", "00000000"))
        with pytest.raises(OSError, match="speaks version 2 of the protocol, this side version 1: put the firmware"):
            await opening

    on_a_bench(tmp_path, story)


def test_a_port_in_use_is_refused_with_the_name_of_who_holds_it(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        await bench.board.open(bench.inbox)
        other = SerialBoard(SerialSetup(Touchmove(session=8), str(bench.pty.link)), find_ports=list)
        with pytest.raises(OSError, match="is in use by"):
            await other.open(Inbox())
        bench.pty.board.sense(OccupiedSquares(LIFTED), monotonic_ms())
        await until(lambda: bench.scans() == [START, LIFTED])

    on_a_bench(tmp_path, story)


def test_the_board_is_found_by_asking_and_again_under_another_name(tmp_path: Path) -> None:
    """The likeliest port is no board of ours; after replugging the board has another device name."""

    async def story(bench: Bench) -> None:
        stranger_master, stranger_slave = os.openpty()
        tty.setraw(stranger_slave)
        stranger = Port(os.ttyname(stranger_slave), os.ttyname(stranger_slave), 0x2341, 0x43, "A")
        ours = Port(str(bench.pty.link), str(bench.pty.link), 0x1A86, 0x7523, "B")
        listed = [stranger, ours]
        board = SerialBoard(SerialSetup(Touchmove(session=7)), find_ports=lambda: listed)
        os.write(stranger_master, b"Grbl 1.1h ['$' for help]\r\n")
        await board.open(bench.inbox)
        assert board.device == str(bench.pty.link)
        bench.pty.unplug()
        await until(lambda: len(bench.losses()) == 1)
        bench.pty.link = tmp_path / "ttyACM7"
        bench.pty.plug(new_end(LIFTED))
        listed[1] = Port(str(bench.pty.link), str(bench.pty.link), 0x1A86, 0x7523, "B")
        await board.open(bench.inbox)
        assert board.device == str(tmp_path / "ttyACM7")
        assert bench.scans() == [START, LIFTED]
        await board.close()
        os.close(stranger_master)
        os.close(stranger_slave)

    on_a_bench(tmp_path, story)


def test_no_port_at_all_is_said(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        board = SerialBoard(SerialSetup(Touchmove(session=7)), find_ports=list)
        with pytest.raises(OSError, match="no USB serial port"):
            await board.open(bench.inbox)

    on_a_bench(tmp_path, story)


ROOK, PAWN = PIECES["R"], PIECES["p"]
NAMED = NamedPieces((ROOK, *(None,) * 62, PAWN))


@pytest.mark.parametrize(
    ("content", "senses", "reading"),
    [
        (OccupiedSquares(5), Sensing.OCCUPANCY, Occupancy(5)),
        (ColouredSquares(1, 4), Sensing.OCCUPANCY, Occupancy(5)),
        (NAMED, Sensing.OCCUPANCY, Occupancy(1 | 1 << 63)),
        (FieldStrengths((0,) * 64), Sensing.OCCUPANCY, None),
        (OccupiedSquares(5), Sensing.COLOUR, None),
        (ColouredSquares(1, 4), Sensing.COLOUR, Colours(1, 4)),
        (NAMED, Sensing.COLOUR, Colours(1, 1 << 63)),
        (FieldStrengths((7,) * 64), Sensing.FIELD, Field((7,) * 64)),
        (OccupiedSquares(5), Sensing.FIELD, None),
        (NAMED, Sensing.IDENTITY, Identity(NAMED.pieces)),
        (ColouredSquares(1, 4), Sensing.IDENTITY, None),
    ],
)
def test_a_board_that_tells_more_is_cut_to_what_was_agreed(content: object, senses: Sensing, reading: object) -> None:
    assert reading_of(content, senses) == reading  # type: ignore[arg-type]


def test_what_changed_during_an_outage_is_lit_to_be_put_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unplugged in the middle of a game; a pawn stands where it could not go when the board is back."""
    monkeypatch.setattr(daemon_module, "RETRY_FIRST_S", 0.05)

    async def scene() -> None:
        pty = PtyBoard(tmp_path / "ttyACM0", new_end())
        pty.plug()
        board = SerialBoard(SerialSetup(Touchmove(session=7), str(pty.link)), find_ports=list)
        daemon = Daemon(board, Settings(mode=Mode.PLAY))
        told: list[Event] = []
        daemon.listen(told.extend)
        life = asyncio.create_task(daemon.run())
        try:
            await until(lambda: daemon.board_state is BoardState.OPEN)
            await until(lambda: daemon.last_scan is not None)
            pty.unplug()
            await until(lambda: daemon.board_state is BoardState.LOST)
            pty.plug(new_end(LIFTED | 1 << 36))
            await until(lambda: daemon.board_state is BoardState.OPEN)
            wrong = lamps_of({12: Meaning.PUT_HERE, 36: Meaning.ILLEGAL})
            await until(lambda: pty.board.lamps() == wrong)
            assert not [event for event in told if isinstance(event, Moved)]
            pty.board.sense(OccupiedSquares(LIFTED), monotonic_ms())
            await until(lambda: 36 not in pty.board.lamps())
            pty.board.sense(OccupiedSquares(START), monotonic_ms())
            # It was touched, so it is owed (Article 4.3.1), but nothing is wrong any more.
            await until(lambda: pty.board.lamps() == lamps_of({12: Meaning.OWED}))
        finally:
            daemon.stop()
            await life
            pty.unplug()

    asyncio.run(scene())
