"""The very .elf files in simavr, in virtual time: electricity, bad wires, lamps, timing."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from firmware_bridge.messages import (
    BoardRead,
    ButtonMoved,
    DeviceTrouble,
    Identified,
    Lamp,
    LightsShown,
    OccupiedSquares,
    Trouble,
)
from firmware_bridge.touchmove.host import TouchmoveCodec
from tests.firmware.simboard import SimBoard, occupied, sketch
from tests.firmware_bridge.wires import Dialogue, WholeWire

START = OccupiedSquares(0xFFFF00000000FFFF)


def converse(board: SimBoard, settings: dict[str, int] | None = None) -> Dialogue:
    """A host on the board's line, the session open and settings in force."""
    talk = Dialogue(TouchmoveCodec(session=7, settings=settings), board, WholeWire(), WholeWire())
    talk.codec.connected(0)
    talk.run_until(lambda: bool(told(talk)), 3_000)
    talk.run(100)
    return talk


def told(talk: Dialogue) -> list[object]:
    return [
        message.content if isinstance(message, BoardRead) else (message.number, message.down)
        for message in talk.messages
        if isinstance(message, ButtonMoved) or (isinstance(message, BoardRead) and not message.again)
    ]


@pytest.fixture(params=["atmega328p", "atmega2560"])
def board(request: pytest.FixtureRequest) -> Iterator[SimBoard]:
    with SimBoard(request.param) as simulated:
        simulated.sense(START, 0)
        yield simulated


@pytest.fixture
def uno() -> Iterator[SimBoard]:
    with SimBoard("atmega328p") as simulated:
        simulated.sense(START, 0)
        yield simulated


def test_it_greets_and_tells_lifts_and_places(board: SimBoard) -> None:
    talk = converse(board)
    greeting = next(m for m in talk.messages if isinstance(m, Identified))
    assert greeting.model in ("atmega328p", "atmega2560")
    board.set(12, False)
    talk.run(30)
    board.set(28, True)
    talk.run(30)
    lifted = START.occupied & ~occupied("e2")
    assert told(talk) == [START, OccupiedSquares(lifted), OccupiedSquares(lifted | occupied("e4"))]


def test_every_contact_is_the_square_it_should_be(board: SimBoard) -> None:
    talk = converse(board)
    for square in range(64):
        board.sense(OccupiedSquares(1 << square), 0)
        talk.run(20)
    assert told(talk)[1:] == [OccupiedSquares(1 << square) for square in range(64)]


def test_buttons(board: SimBoard) -> None:
    talk = converse(board)
    board.press(0, True, 0)
    talk.run(60)
    board.press(0, False, 0)
    talk.run(60)
    assert told(talk)[1:] == [(0, True), (0, False)]


def test_bounce_gives_one_event(uno: SimBoard) -> None:
    talk = converse(uno)
    uno.tell("bounce 4000")
    for square in range(8, 16):
        uno.set(square, False)
        talk.run(23)
    assert len(told(talk)) == 1 + 8
    assert uno.number("bounces") > 0


def test_without_diodes_three_corners_make_a_ghost_and_with_them_not(uno: SimBoard) -> None:
    uno.sense(OccupiedSquares(0), 0)
    talk = converse(uno)
    uno.tell("diodes 0")
    uno.sense(OccupiedSquares(occupied("a1", "b1", "a2")), 0)
    talk.run(30)
    assert told(talk)[-1] == OccupiedSquares(occupied("a1", "b1", "a2", "b2"))
    uno.tell("diodes 1")
    talk.run(30)
    assert told(talk)[-1] == OccupiedSquares(occupied("a1", "b1", "a2"))


def test_stuck_contacts_stay_as_they_are(uno: SimBoard) -> None:
    talk = converse(uno)
    uno.tell("stick 27 1")
    talk.run(30)
    uno.tell("stick 0 0")
    talk.run(30)
    uno.set(27, True)
    uno.set(0, False)
    uno.set(27, False)
    talk.run(30)
    expected = START.occupied | occupied("d4")
    assert told(talk)[1:] == [OccupiedSquares(expected), OccupiedSquares(expected & ~occupied("a1"))]


def test_columns_that_rise_slowly_need_the_settle_time(uno: SimBoard) -> None:
    """A scan that does not wait sees the row before in the next one: a setting, not a law."""
    uno.sense(OccupiedSquares(0), 0)
    talk = converse(uno, {"us": 1})
    uno.tell("rise 15")
    uno.sense(OccupiedSquares(occupied("c3")), 0)
    talk.run(30)
    assert told(talk)[-1] == OccupiedSquares(occupied("c3", "c4", "c5"))
    codec = talk.codec
    assert isinstance(codec, TouchmoveCodec)
    codec.set("us", 20)
    talk.run(100)
    assert told(talk)[-1] == OccupiedSquares(occupied("c3"))


def test_64_lamps_come_out_as_they_were_asked_and_in_time(board: SimBoard) -> None:
    talk = converse(board)
    colours = [Lamp(255, 0, 85), Lamp(0, 255, 170), Lamp(1, 2, 3)]
    number = talk.codec.show({square: colours[square % 3] for square in range(64)})
    talk.run_until(lambda: LightsShown(number) in talk.messages, 500)
    talk.run(3)
    assert board.chain() == [(c.red, c.green, c.blue) for c in (colours[square % 3] for square in range(64))]
    stats = board.stats()
    assert stats["lamp_violations"] == 0
    assert stats["overruns"] == 0
    assert board.number("gap_us") < 9, "some chains latch sooner than the 50 us of the data sheet"


def test_a_reset_in_the_middle_of_a_frame_is_told_from_a_frame_written_badly(board: SimBoard) -> None:
    # A port that is opened resets the chip, which writes its lamps as it starts: the next reset may cut that short.
    for us in range(300, 9000, 300):
        board.tell("reset")
        board.step(us)
        board.tell("reset")
        board.step(30_000)
    stats = board.stats()
    assert stats["lamp_violations"] == 0
    assert board.number("lamp_frames") > 30
    assert len(board.chain()) == 64


def test_no_byte_is_lost_while_the_lamps_are_written(uno: SimBoard) -> None:
    """Pictures without pause, with the host's bytes coming at full line rate all the while."""
    talk = converse(uno)
    before = uno.number("lamp_frames")
    for i in range(40):
        talk.codec.show({i: Lamp(9, 9, 9), 63 - i: Lamp(200, 0, 0)})
        talk.run(8)
    talk.run(200)
    stats = uno.stats()
    assert uno.number("lamp_frames") - before >= 20
    assert stats["overruns"] == 0
    assert stats["lamp_violations"] == 0
    codec = talk.codec
    assert codec.counters.garbled == 0
    reads = [m for m in talk.messages if isinstance(m, DeviceTrouble)]
    assert reads == []


def test_garbled_and_lost_bytes_lose_no_event(uno: SimBoard) -> None:
    talk = converse(uno)
    uno.tell("seed 5")
    uno.tell("garble 0.01")
    uno.tell("lose 0.005")
    random, expected = Random(2), [START]
    for _ in range(60):
        squares = OccupiedSquares(random.getrandbits(64))
        uno.sense(squares, 0)
        expected.append(squares)
        talk.run(40)
    uno.tell("garble 0")
    uno.tell("lose 0")
    talk.run(1_200)
    assert told(talk) == expected
    assert uno.number("spoilt") > 30
    assert not [m for m in talk.messages if isinstance(m, DeviceTrouble)]


def test_200_scans_a_second_with_every_square_changing(uno: SimBoard) -> None:
    talk = converse(uno, {"db": 1})
    talk.run(2)  # changes fall between scans, not on them
    for i in range(200):
        uno.sense(OccupiedSquares(0xAA55AA55AA55AA55 if i % 2 else 0x55AA55AA55AA55AA), 0)
        talk.run(5)
    talk.run(200)
    assert len(told(talk)) == 1 + 200
    assert not [m for m in talk.messages if isinstance(m, DeviceTrouble)]
    assert uno.stats()["overruns"] == 0


def test_a_reset_in_mid_game_is_noticed_and_the_board_read_again(uno: SimBoard) -> None:
    talk = converse(uno)
    talk.codec.show({28: Lamp(0, 80, 0)})
    talk.run(50)
    uno.tell("reset")
    uno.set(12, False)
    talk.run(700)
    assert [m.kind for m in talk.messages if isinstance(m, DeviceTrouble)] == [Trouble.REBOOTED]
    assert told(talk)[-1] == OccupiedSquares(START.occupied & ~occupied("e2"))
    assert uno.lamps() == {28: Lamp(0, 80, 0)}, "the picture is shown again by itself"


def test_the_longest_loop_is_bounded_by_the_lamps(board: SimBoard) -> None:
    talk = converse(board)
    board.tell("forget")
    for i in range(10):
        talk.codec.show({i: Lamp(9, 9, 9)})
        board.sense(OccupiedSquares(i), 0)
        talk.run(25)
    assert 2_000 < board.number("longest_loop_us") < 4_000, "what PROTOCOL.md and the firmware's README promise"
    assert 0 < board.number("stack") < 200


def test_two_runs_are_the_same_to_the_cycle() -> None:
    def once() -> tuple[list[object], object]:
        with SimBoard("atmega328p") as simulated:
            simulated.sense(START, 0)
            talk = converse(simulated)
            simulated.tell("bounce 1700")
            for i in range(20):
                simulated.set(i * 3 % 64, bool(i & 1))
                talk.run(11)
            return [*talk.messages], simulated.stats()["cycle"]

    assert once() == once()


def test_the_arduino_sketch_is_the_same_board() -> None:
    with SimBoard("atmega328p", elf=sketch()) as simulated:
        simulated.sense(START, 0)
        talk = converse(simulated)
        number = talk.codec.show({0: Lamp(1, 2, 3)})
        simulated.set(12, False)
        talk.run(60)
        assert told(talk) == [START, OccupiedSquares(START.occupied & ~occupied("e2"))]
        assert LightsShown(number) in talk.messages
        assert simulated.chain()[0] == (1, 2, 3)
        assert simulated.stats()["overruns"] == 0
