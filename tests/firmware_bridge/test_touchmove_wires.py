"""Our protocol across bad wires: no event lost, none doubled, none out of order; lights and settings arrive."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from firmware_bridge.messages import (
    Ability,
    BoardRead,
    ButtonMoved,
    ColouredSquares,
    DeviceTrouble,
    FieldStrengths,
    Identified,
    Lamp,
    LightsShown,
    OccupiedSquares,
    SettingTold,
    Trouble,
)
from firmware_bridge.touchmove.board import HOST_LOST_LAMPS, TouchmoveBoard
from firmware_bridge.touchmove.frames import encode
from firmware_bridge.touchmove.host import TouchmoveCodec
from firmware_bridge.touchmove.numbered import RESEND_MS, WINDOW, Acknowledgement, Sender
from firmware_bridge.touchmove.words import HOST_LOST_MS, Flags, unwrap
from tests.firmware_bridge.wires import WIRES, Dialogue, LossyWire, SerialWire, WholeWire

START = OccupiedSquares(0xFFFF00000000FFFF)
RED, BLUE = Lamp(255, 0, 0), Lamp(0, 0, 255, 0x0F0F)


def new_board(started_ms: int = 0) -> TouchmoveBoard:
    board = TouchmoveBoard(flags=Flags.LIGHTS | Flags.BUTTONS | Flags.FIELD, started_ms=started_ms)
    board.sense(START, started_ms)
    return board


@pytest.fixture(params=WIRES)
def dialogue(request: pytest.FixtureRequest) -> Dialogue:
    make = WIRES[request.param]
    talk = Dialogue(TouchmoveCodec(session=7), new_board(), make(1), make(2))
    talk.codec.connected(0)
    return talk


def told(talk: Dialogue) -> list[BoardRead | ButtonMoved]:
    """The events, as they were delivered."""
    return [
        message
        for message in talk.messages
        if isinstance(message, ButtonMoved) or (isinstance(message, BoardRead) and not message.again)
    ]


def settle(talk: Dialogue) -> None:
    board = talk.board
    assert isinstance(board, TouchmoveBoard)
    talk.run_until(lambda: bool(told(talk)) and board.is_settled, 20_000)


def test_the_board_is_greeted_and_read(dialogue: Dialogue) -> None:
    settle(dialogue)
    greeting = Identified("python", "1", frozenset({Ability.LIGHTS, Ability.BUTTONS, Ability.FIELD}))
    assert [m for m in dialogue.messages if isinstance(m, Identified)] == [greeting]
    (first,) = told(dialogue)
    assert isinstance(first, BoardRead)
    assert first.content == START


def test_no_event_is_lost_doubled_or_out_of_order(dialogue: Dialogue) -> None:
    settle(dialogue)
    random, expected = Random(3), list(told(dialogue))
    for _ in range(300):
        if random.random() < 0.2:
            number, down = random.randrange(4), random.random() < 0.5
            dialogue.board.press(number, down, dialogue.now_ms)
            expected.append(ButtonMoved(dialogue.now_ms, number, down))
        else:
            squares = OccupiedSquares(random.getrandbits(64))
            dialogue.board.sense(squares, dialogue.now_ms)
            expected.append(BoardRead(dialogue.now_ms, squares))
        dialogue.run(random.choice([1, 3, 20, 40]))
    settle(dialogue)
    assert told(dialogue) == expected
    assert not [m for m in dialogue.messages if isinstance(m, DeviceTrouble)]


def test_the_newest_picture_arrives_and_is_acknowledged(dialogue: Dialogue) -> None:
    settle(dialogue)
    for square in range(40):
        number = dialogue.codec.show({square: RED, 63 - square: BLUE})
        dialogue.run(7)
    dialogue.run_until(lambda: LightsShown(number) in dialogue.messages, 5_000)
    dialogue.run_until(lambda: dialogue.board.lamps() == {39: RED, 24: BLUE}, 5_000)


def test_settings_are_put_in_force_and_told(dialogue: Dialogue) -> None:
    assert isinstance(dialogue.codec, TouchmoveCodec)
    dialogue.codec.set("hz", 9999)
    dialogue.run_until(lambda: SettingTold("hz", 500) in dialogue.messages, 10_000)
    dialogue.codec.set("hz", 100)
    dialogue.run_until(lambda: SettingTold("hz", 100) in dialogue.messages, 5_000)


def test_raw_readings_are_told_when_asked(dialogue: Dialogue) -> None:
    assert isinstance(dialogue.codec, TouchmoveCodec)
    settle(dialogue)
    strengths = FieldStrengths(tuple(range(-320, 320, 10)))
    dialogue.board.sense(strengths, dialogue.now_ms)
    dialogue.codec.ask_field()

    def is_told() -> bool:
        return any(isinstance(m, BoardRead) and m.content == strengths for m in dialogue.messages)

    dialogue.run_until(is_told, 5_000)


def test_a_board_that_starts_anew_is_read_whole_again(dialogue: Dialogue) -> None:
    settle(dialogue)
    before = len(dialogue.messages)
    dialogue.board = new_board(started_ms=dialogue.now_ms)
    moved = OccupiedSquares(0xFFFF00001000EFFF)
    dialogue.board.sense(moved, dialogue.now_ms)
    dialogue.run_until(lambda: any(isinstance(m, Identified) for m in dialogue.messages[before:]), 10_000)
    settle(dialogue)
    dialogue.run(1000)
    after = dialogue.messages[before:]
    assert [m.kind for m in after if isinstance(m, DeviceTrouble)] == [Trouble.REBOOTED]
    assert [m.content for m in after if isinstance(m, BoardRead) and not m.again] == [moved]


def test_a_cut_wire_loses_nothing_while_the_board_keeps_its_power() -> None:
    talk = Dialogue(TouchmoveCodec(session=7), new_board(), WholeWire(), WholeWire())
    talk.codec.connected(0)
    settle(talk)
    expected = list(told(talk))

    class NoWire(WholeWire):
        def write(self, payload: bytes, now_ms: int) -> None:
            pass

    whole = talk.to_host, talk.to_board
    talk.to_host, talk.to_board = NoWire(), NoWire()
    for i in range(WINDOW):
        squares = OccupiedSquares(i + 1)
        talk.board.sense(squares, talk.now_ms)
        expected.append(BoardRead(talk.now_ms, squares))
        talk.run(100)
    assert [m.kind for m in talk.messages if isinstance(m, DeviceTrouble)] == [Trouble.SILENT]
    assert talk.board.lamps() == HOST_LOST_LAMPS
    talk.to_host, talk.to_board = whole
    talk.codec.connected(talk.now_ms)
    talk.run(2_000)
    assert told(talk) == expected
    assert len([m for m in talk.messages if isinstance(m, Identified)]) == 1, "the session went on"


def test_what_finds_no_room_is_merged_and_said() -> None:
    talk = Dialogue(TouchmoveCodec(session=7), new_board(), WholeWire(), LossyWire(share=0.0))
    talk.codec.connected(0)
    settle(talk)
    talk.to_board = LossyWire(share=1.0)
    for i in range(3 * WINDOW):
        talk.board.sense(OccupiedSquares(i + 1), talk.now_ms)
        talk.run(1)
    talk.to_board = WholeWire()
    talk.run(2_000)
    last = told(talk)[-1]
    assert isinstance(last, BoardRead)
    assert last.content == OccupiedSquares(3 * WINDOW), "the outcome is told whatever was merged"
    assert any(isinstance(m, DeviceTrouble) and m.kind is Trouble.MERGED for m in talk.messages)


def test_the_host_lost_lights_come_and_go() -> None:
    talk = Dialogue(TouchmoveCodec(session=7), new_board(), WholeWire(), WholeWire())
    talk.codec.connected(0)
    settle(talk)
    talk.codec.show({28: RED})
    talk.run(50)
    assert talk.board.lamps() == {28: RED}
    talk.board.advance(talk.now_ms + HOST_LOST_MS)
    assert talk.board.lamps() == HOST_LOST_LAMPS
    talk.run(1)
    assert talk.board.lamps() == {28: RED}


def every_square_changes() -> Iterator[OccupiedSquares]:
    while True:
        yield OccupiedSquares(0xAA55AA55AA55AA55)
        yield OccupiedSquares(0x55AA55AA55AA55AA)


@pytest.mark.parametrize("coloured", [False, True])
def test_200_scans_a_second_of_64_changes_fit_115200_baud(coloured: bool) -> None:
    """34 bytes a scan (50 with colours) of 57.6: the arithmetic of PROTOCOL.md, shown on a wire of that speed."""
    up, down = SerialWire(1), SerialWire(2)
    talk = Dialogue(TouchmoveCodec(session=7), new_board(), up, down)
    talk.codec.connected(0)
    settle(talk)
    before, start_ms, scans = up.carried, talk.now_ms, 0
    up.longest_queue = down.longest_queue = 0
    for squares in every_square_changes():
        seen = ColouredSquares(squares.occupied, ~squares.occupied & (1 << 64) - 1) if coloured else squares
        talk.board.sense(seen, talk.now_ms)
        talk.run(5)
        scans += 1
        if scans == 400:
            break
    used = (up.carried - before) / (talk.now_ms - start_ms) / SerialWire.BYTES_PER_MS
    settle(talk)
    assert len(told(talk)) == 1 + scans
    assert used < (0.9 if coloured else 0.61)
    assert up.longest_queue <= 2 * 64, "the wire never falls behind"
    assert isinstance(talk.board, TouchmoveBoard)
    assert talk.board.resent == talk.board.merged == 0


def test_one_byte_in_a_hundred_garbled_loses_nothing() -> None:
    up, down = SerialWire(1, garbled=0.01), SerialWire(2, garbled=0.01)
    talk = Dialogue(TouchmoveCodec(session=7), new_board(), up, down)
    talk.codec.connected(0)
    settle(talk)
    random, expected = Random(5), [m.content for m in told(talk) if isinstance(m, BoardRead)]
    for _ in range(400):
        squares = OccupiedSquares(random.getrandbits(64))
        talk.board.sense(squares, talk.now_ms)
        expected.append(squares)
        talk.run(25)
    settle(talk)
    assert [m.content for m in told(talk) if isinstance(m, BoardRead)] == expected
    assert isinstance(talk.board, TouchmoveBoard)
    assert talk.board.resent > 50
    assert talk.board.merged == 0


def test_a_board_that_is_deaf_while_its_boot_loader_runs_is_not_spoken_to() -> None:
    """Field case SERIAL-05: the first command was lost in the controller's reset."""
    codec = TouchmoveCodec(session=7)
    codec.connected(0)
    assert codec.outgoing(2_000) == []
    assert codec.next_wake_ms() == 2_500
    board = TouchmoveBoard(started_ms=2_000)
    codec.feed(board.outgoing(2_000)[0].payload, 2_001)
    assert codec.outgoing(2_001)[0].payload.startswith(b"\nO 0007 ")


def test_a_board_that_falls_silent_is_noticed_within_two_seconds() -> None:
    talk = Dialogue(TouchmoveCodec(session=7), new_board(), WholeWire(), WholeWire())
    talk.codec.connected(0)
    settle(talk)
    talk.to_host = LossyWire(share=1.0)
    cut_ms = talk.now_ms
    talk.run_until(lambda: any(isinstance(m, DeviceTrouble) for m in talk.messages), 2_000)
    assert talk.now_ms - cut_ms <= 1_500
    assert (wake := talk.codec.next_wake_ms()) is not None
    assert wake > talk.now_ms - 1, "it does not spin"


def test_what_was_overtaken_is_sent_again_at_once() -> None:
    """Events 1 and 3 arrived, 0 and 2 were sent before them: lost. 4 was sent after, and may be on its way."""
    sender: Sender[str] = Sender()
    for event in "abcde":
        sender.put(event)
    assert [number for number, _ in sender.due(0)] == [0, 1, 2, 3, 4]
    sender.acknowledge(Acknowledgement(0, 0b101))
    assert sender.due(1) == [(0, "a"), (2, "c")]
    assert sender.due(RESEND_MS) == [(4, "e")]
    sender.acknowledge(Acknowledgement(200, 0))
    assert sender.resent == 3, "what was never sent cannot be acknowledged"


@pytest.mark.parametrize(
    ("low", "near", "time"),
    [
        (0x000010, 0x12345678, 0x12000010), (0x345678, 0x12345678, 0x12345678), (0xFFFFF0, 0x13000005, 0x12FFFFF0),
        (0x000005, 0x12FFFFF0, 0x13000005), (0xFFFFF0, 0x5, 0xFFFFF0),
    ],
)  # fmt: skip
def test_the_time_of_an_event_is_the_nearest(low: int, near: int, time: int) -> None:
    assert unwrap(low, 24, near) == time


def test_an_echo_of_an_older_colour_does_not_count() -> None:
    """A palette entry given to another colour while its first sending was still unanswered."""
    codec = TouchmoveCodec(session=7)
    codec.connected(0)
    codec.feed(encode("H", "1", "0007", "x", "1", "0001", "00000000"), 1)
    codec.show({square: Lamp(square + 1, 0, 0) for square in range(15)})
    codec.outgoing(2)
    codec.show({0: BLUE})
    codec.feed(b"".join(encode("p", f"{i:x}", f"{i:02x}0000", "ffff") for i in range(1, 16)), 3)
    sent = b"".join(packet.payload for packet in codec.outgoing(500))
    assert sent.count(b"P ") == 1
    assert b" 0000ff 0f0f " in sent


def test_an_unknown_version_is_said() -> None:
    codec = TouchmoveCodec(session=7)
    codec.connected(0)
    greeting = encode("H", "2", "0000", "nano", "1", "0001", "00000000")
    (message,) = codec.feed(greeting, 5)
    assert isinstance(message, DeviceTrouble)
    assert message.kind is Trouble.VERSION
    assert codec.feed(greeting, 505) == [], "once is enough"
