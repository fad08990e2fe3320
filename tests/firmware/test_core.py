"""The firmware's core on this machine: the same protocol, the same wires, debouncing, lamps, and hostile bytes."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.messages import (
    BoardRead,
    ButtonMoved,
    DeviceTrouble,
    FieldStrengths,
    Identified,
    Lamp,
    LightsShown,
    OccupiedSquares,
    SettingTold,
    Trouble,
)
from firmware_bridge.touchmove.frames import LONGEST_TO_HOST, Frame, FrameReader, encode
from firmware_bridge.touchmove.host import TouchmoveCodec
from tests.firmware.cboard import CBoard, compile_host
from tests.firmware_bridge.wires import WIRES, Dialogue, SerialWire, WholeWire

START = OccupiedSquares(0xFFFF00000000FFFF)
RED, GREEN = Lamp(255, 0, 0), Lamp(0, 200, 0)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_host(tmp_path_factory.mktemp("core") / "core.so", "hostport.c", "-shared", "-fPIC", "-O1")


@pytest.fixture
def board(library: Path) -> CBoard:
    fresh = CBoard(library)
    fresh.sense(START, 0)
    fresh.press(0, False, 0)
    fresh.restart(0)
    return fresh


def talk_over(board: CBoard, wire: str = "whole", codec: TouchmoveCodec | None = None) -> Dialogue:
    make = WIRES[wire]
    talk = Dialogue(codec or TouchmoveCodec(session=7), board, make(1), make(2))
    talk.codec.connected(0)
    talk.run_until(lambda: bool(told(talk)), 10_000)
    return talk


def told(talk: Dialogue) -> list[object]:
    return [
        message.content if isinstance(message, BoardRead) else (message.number, message.down)
        for message in talk.messages
        if isinstance(message, ButtonMoved) or (isinstance(message, BoardRead) and not message.again)
    ]


@pytest.mark.parametrize("wire", WIRES)
def test_no_event_is_lost_doubled_or_out_of_order(board: CBoard, wire: str) -> None:
    talk, random = talk_over(board, wire), Random(3)
    expected: list[object] = [START]
    for _ in range(150):
        squares = OccupiedSquares(random.getrandbits(64))
        board.sense(squares, talk.now_ms)
        expected.append(squares)
        talk.run(random.choice([16, 20, 40, 60]))
    talk.run_until(lambda: len(told(talk)) == len(expected), 20_000)
    assert told(talk) == expected
    assert not [m for m in talk.messages if isinstance(m, DeviceTrouble)]


class NoWire(WholeWire):
    """Nothing arrives."""

    def write(self, payload: bytes, now_ms: int) -> None:
        pass


@pytest.mark.parametrize(("events", "kept"), [(31, 31), (32, 32), (100, 33)])
def test_a_cut_wire_loses_nothing_until_the_ring_is_full_and_then_only_the_way_there(
    board: CBoard, events: int, kept: int
) -> None:
    talk = talk_over(board)
    talk.run(100)
    whole = talk.to_host, talk.to_board
    talk.to_host, talk.to_board = NoWire(), NoWire()
    for i in range(events):
        board.sense(OccupiedSquares(i + 1), talk.now_ms)
        talk.run(20)
    talk.to_host, talk.to_board = whole
    talk.codec.connected(talk.now_ms)
    talk.run(2_000)
    expected = [OccupiedSquares(i + 1) for i in range(min(events, 32))] + [OccupiedSquares(events)] * (events > 32)
    assert told(talk)[1:] == expected
    assert len(expected) == kept
    troubles = {m.kind for m in talk.messages if isinstance(m, DeviceTrouble)}
    assert (Trouble.MERGED in troubles) == (events > 32)
    assert Trouble.REBOOTED not in troubles


def test_opening_the_open_session_changes_nothing(board: CBoard) -> None:
    """The greeting may have been lost: the host asks again, and must not be told event 00 twice."""
    stream = encode("O", "0005")
    first = answers(board, stream, 0, keep=True)
    acknowledged = answers(board, encode("A", "01", "0000") + stream, 200, keep=True)
    assert {frame.letter for frame in first} == {"C"}
    assert acknowledged == []


def test_the_chain_is_given_its_pause_between_pictures(board: CBoard) -> None:
    talk = talk_over(board)
    talk.run(200)
    before = board.lamp_frames
    for ms in range(100):
        board.feed(encode("L", f"{ms:02x}", "1" * 64), talk.now_ms)
        talk.run(1)
    assert 20 <= board.lamp_frames - before <= 51


@pytest.mark.parametrize("wire", WIRES)
def test_lights_arrive_and_are_acknowledged(board: CBoard, wire: str) -> None:
    talk = talk_over(board, wire)
    for square in range(20):
        number = talk.codec.show({square: RED, 63 - square: GREEN})
        talk.run(9)
    talk.run_until(lambda: LightsShown(number) in talk.messages, 10_000)
    talk.run_until(lambda: board.lamps() == {19: RED, 44: GREEN}, 10_000)


def test_every_square_changing_200_times_a_second_goes_through(board: CBoard) -> None:
    """The core itself on wires of 115,200 baud, one byte in a thousand garbled."""
    talk = talk_over(board, codec=TouchmoveCodec(session=7, settings={"db": 1}))
    talk.run(300)
    talk.to_host, talk.to_board = SerialWire(1, garbled=0.001), SerialWire(2, garbled=0.001)
    for i in range(1000):
        board.sense(OccupiedSquares(0xAA55AA55AA55AA55 if i % 2 else 0x55AA55AA55AA55AA), talk.now_ms)
        talk.run(5)
    talk.run_until(lambda: len(told(talk)) == 1001, 2_000)
    assert not [m for m in talk.messages if isinstance(m, DeviceTrouble)]


def test_the_clock_may_wrap(library: Path) -> None:
    board = CBoard(library)
    board.sense(START, 0)
    board.restart(0, clock_ms=0xFFFFFFFF - 3_000)
    talk = talk_over(board)
    times = []
    for i in range(100):
        board.sense(OccupiedSquares(i + 1), talk.now_ms)
        times.append(talk.now_ms)
        talk.run(60)
    read = [m.board_ms for m in talk.messages if isinstance(m, BoardRead) and not m.again][1:]
    assert len(read) == 100
    late = [board_ms - board_start - time for board_ms, time in zip(read, times, strict=True)
            if board_ms is not None for board_start in [0xFFFFFFFF - 3_000]]  # fmt: skip
    assert all(0 < ms <= 12 for ms in late)


def test_a_greeting_gives_way_to_a_session_and_a_reset_is_noticed(board: CBoard) -> None:
    talk = talk_over(board)
    board.restart(talk.now_ms)
    board.sense(OccupiedSquares(5), talk.now_ms)
    before = len(talk.messages)
    talk.run(800)
    after = talk.messages[before:]
    assert [m.kind for m in after if isinstance(m, DeviceTrouble)] == [Trouble.REBOOTED]
    assert len([m for m in after if isinstance(m, Identified)]) == 1
    assert told(talk)[-1] == OccupiedSquares(5)


def test_buttons_are_told_once_however_they_bounce(board: CBoard) -> None:
    talk = talk_over(board)
    for down in (True, True, False, True, True, True):
        board.press(2, down, talk.now_ms)
        talk.run(3)
    talk.run(100)
    board.press(2, False, talk.now_ms)
    talk.run(100)
    assert told(talk)[1:] == [(2, True), (2, False)]


@pytest.mark.parametrize(("scans", "bounce_ms", "events"), [(2, 4, 1), (4, 14, 1), (15, 70, 1), (1, 20, 2)])
def test_bounce_shorter_than_the_settle_time_gives_one_event(
    board: CBoard, scans: int, bounce_ms: int, events: int
) -> None:
    talk = talk_over(board, codec=TouchmoveCodec(session=7, settings={"db": scans}))
    talk.run(300)
    for ms in range(bounce_ms):
        board.sense(OccupiedSquares(START.occupied ^ (1 << 12) * (ms // 5 % 2 == 0)), talk.now_ms)
        talk.run(1)
    board.sense(OccupiedSquares(START.occupied ^ 1 << 12), talk.now_ms)
    talk.run(300)
    changes = len(told(talk)) - 1
    assert changes == 1 if events == 1 else changes >= events


@given(st.lists(st.integers(0, (1 << 64) - 1), min_size=1, max_size=40), st.integers(1, 15))
@settings(max_examples=60, deadline=None)
def test_debouncing_is_counting_scans_that_agree(library: Path, scans: list[int], needed: int) -> None:
    """Differential: eight contacts counted at once in the core, one by one here."""
    lib = ctypes.CDLL(str(library))
    lib.debounce_rows.restype = ctypes.POINTER(ctypes.c_uint8)
    lib.debounce_start(bytes(8))
    settled, counts = 0, [0] * 64
    for scan in (raw for raw in scans for _ in range(needed // 2 + 1)):
        lib.debounce_take(scan.to_bytes(8, "little"), needed)
        for square in range(64):
            counts[square] = counts[square] + 1 if (scan ^ settled) >> square & 1 else 0
            if counts[square] == needed:
                settled, counts[square] = settled ^ 1 << square, 0
        assert int.from_bytes(bytes(lib.debounce_rows()[:8]), "little") == settled


@pytest.mark.parametrize("lie", range(8))
def test_the_matrix_may_lie_any_way(board: CBoard, lie: int) -> None:
    talk = talk_over(board, codec=TouchmoveCodec(session=7, settings={"mx": lie}))
    talk.run(300)
    board.sense(OccupiedSquares(1 << 8 * 2 + 5), talk.now_ms)  # row 2, column 5
    talk.run(100)
    rank, file = (5, 2) if lie & 4 else (2, 5)
    file, rank = (7 - file if lie & 1 else file), (7 - rank if lie & 2 else rank)
    assert told(talk)[-1] == OccupiedSquares(1 << 8 * rank + file)


def test_the_first_event_already_lies_as_it_was_set(board: CBoard) -> None:
    """Rows of wires under files: the start is two files on either side to a board that was not told."""
    board.sense(OccupiedSquares(0xC3C3C3C3C3C3C3C3), 0)
    board.restart(0)
    talk = talk_over(board, codec=TouchmoveCodec(session=7, settings={"mx": 4}))
    assert told(talk) == [START]


@pytest.mark.parametrize(("order", "place"), [(0, 10), (1, 13), (2, 50), (4, 17), (8, 13), (9, 10), (12, 17), (15, 41)])
def test_the_chain_of_lamps_may_run_any_way(board: CBoard, order: int, place: int) -> None:
    talk = talk_over(board, codec=TouchmoveCodec(session=7, settings={"ld": order}))
    talk.codec.show({10: RED})  # c2
    talk.run(300)
    assert [i for i, colour in enumerate(board.chain()) if any(colour)] == [place]


def test_brightness_dims_what_is_lit_already(board: CBoard) -> None:
    codec = TouchmoveCodec(session=7)
    talk = talk_over(board, codec=codec)
    codec.show({0: Lamp(255, 128, 2)})
    codec.set("br", 127)
    talk.run(300)
    assert board.chain()[0] == (127, 64, 1)


def test_blinking_needs_no_words_from_the_host(board: CBoard) -> None:
    talk = talk_over(board)
    talk.codec.show({3: Lamp(9, 9, 9, 0b0000000011001111)})
    talk.run(150 - talk.now_ms % 100)
    seen = ""
    for _ in range(32):
        seen += "-#"[3 in board.lamps()]
        talk.run(100)
    assert "####--##--------" in seen


def test_the_host_lost_lights_come_after_two_seconds_and_go(board: CBoard) -> None:
    talk = talk_over(board)
    talk.codec.show({28: RED})
    talk.run(100)
    lost = Lamp(48, 24, 0)
    for _ in range(2_000):
        board.advance(talk.now_ms)
        talk.now_ms += 1
    shown = []
    for _ in range(1_700):
        board.advance(talk.now_ms)
        talk.now_ms += 1
        shown.append(board.lamps())
    assert dict.fromkeys((0, 7, 56, 63), lost) in shown, "on"
    assert {} in shown, "and off"
    board.outgoing(talk.now_ms)
    talk.codec.connected(talk.now_ms)
    talk.run(1_000)
    assert board.lamps() == {28: RED}


def test_settings_in_force_are_told_and_unknown_keys_refused(board: CBoard) -> None:
    codec = TouchmoveCodec(session=7, settings={"hz": 300, "us": 100, "br": 9})
    talk = talk_over(board, codec=codec)
    talk.run(200)
    assert {m for m in talk.messages if isinstance(m, SettingTold)} == {
        SettingTold("hz", 333), SettingTold("us", 100), SettingTold("br", 9),
    }  # fmt: skip
    assert answers(board, encode("G", "zz", "0001"), talk.now_ms) == [Frame("g", ("zz", "0001", "-"))]


def answers(board: CBoard, stream: bytes, now_ms: int, *, keep: bool = False) -> list[Frame]:
    """What a board that has just started answers, greetings left out; with `keep` it is not started anew."""
    if not keep:
        board.restart(now_ms)
    reader, out = FrameReader(LONGEST_TO_HOST), []
    board.feed(stream, now_ms)
    for ms in range(now_ms, now_ms + 100):
        for packet in board.outgoing(ms):
            out += reader.feed(packet.payload)
    return [frame for frame in out if frame.letter != "H"]


@pytest.mark.parametrize(
    ("command", "letter"),
    [
        (encode("Z"), "Z"), (encode("F"), "F"), (encode("L", "00", "0" * 63), "L"), (encode("L", "00", "g" * 64), "L"),
        (encode("P", "0", "ffffff", "ffff"), "P"), (encode("P", "1", "ffffff"), "P"), (encode("G", "hz", "0"), "G"),
        (encode("O", "0000"), "O"), (encode("O", "00G0"), "O"), (encode("A", "00"), "A"), (encode("Q", "1"), "Q"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused(board: CBoard, command: bytes, letter: str) -> None:
    assert answers(board, command, 0) == [Frame("x", (letter,))]


def test_raw_readings_are_told_where_the_board_has_them(tmp_path: Path) -> None:
    board = CBoard(compile_host(tmp_path / "field.so", "hostport.c", "-shared", "-fPIC", "-O1", "-DHOST_FIELD"))
    codec = TouchmoveCodec(session=7)
    talk = talk_over(board, codec=codec)
    board.set_field([0x800 + 10 * square - 300 for square in range(64)])
    codec.ask_field()
    talk.run(100)
    (field,) = [m.content for m in talk.messages if isinstance(m, BoardRead) and isinstance(m.content, FieldStrengths)]
    assert field.strengths == tuple(10 * square - 300 for square in range(64))


def test_one_byte_lost_or_garbled_at_any_place_costs_two_frames_at_most(board: CBoard) -> None:
    commands = [encode("G", "br", f"{n:04x}") for n in range(5)]
    stream = b"".join(commands)
    for place in range(len(stream)):
        for instead in (b"", b"\n", bytes([stream[place] ^ 1])):
            if instead == stream[place : place + 1]:
                continue
            heard = answers(board, stream[:place] + instead + stream[place + 1 :], 0)
            assert len(heard) >= 3, (place, instead)
            assert all(frame.letter == "g" and frame.fields[0] == "br" for frame in heard)


@given(st.lists(st.binary(max_size=100), max_size=30))
@settings(max_examples=100, deadline=None)
def test_any_bytes_are_survived(library: Path, noise: list[bytes]) -> None:
    board = CBoard(library)
    for ms, chunk in enumerate(noise, start=1):
        board.feed(chunk, ms)
        board.outgoing(ms)
    board.feed(b"\n", len(noise))
    talk = Dialogue(TouchmoveCodec(session=7), board, WholeWire(), WholeWire(), now_ms=len(noise) + 1)
    talk.codec.connected(talk.now_ms)
    talk.run(3_000)
    assert any(isinstance(message, Identified) for message in talk.messages)


def test_the_core_survives_hostile_lines_under_the_sanitizers(tmp_path: Path) -> None:
    """Frames with right checksums and wrong contents, 200,000 bytes of them, seeded."""
    fuzzer = compile_host(
        tmp_path / "fuzz", "fuzz.c", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"
    )
    random, lines = Random(11), []
    alphabet = b"0123456789abcdef" * 4 + b" ghzbrxL-\x00\xff"
    shapes = {"O": (4,), "T": (4,), "A": (2, 4), "Q": (), "L": (2, 64), "P": (1, 6, 4), "G": (2, 4), "F": ()}
    shapes["Z"] = (90,)  # longer than the core's line
    while sum(map(len, lines)) < 200_000:
        letter = random.choice(list(shapes))
        fields = [bytes(random.choice(alphabet) for _ in range(n + (random.random() < 0.1))) for n in shapes[letter]]
        lines.append(b" ".join([letter.encode(), *fields]) + b"\n")
    done = subprocess.run([fuzzer], input=b"".join(lines), capture_output=True, check=False)
    assert done.stdout.decode().strip() == "survived", done.stderr.decode()[-2000:]
