"""Text boards: every kind of line, every ready profile with a sample, profiles from YAML, bad wires, hostile bytes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.messages import (
    BoardRead,
    ColouredSquares,
    Content,
    Identified,
    Lamp,
    LightsShown,
    NamedPieces,
    OccupiedSquares,
)
from firmware_bridge.serialtext.board import TextBoard
from firmware_bridge.serialtext.codec import TextCodec
from firmware_bridge.serialtext.order import EMPTY, START, Along, Order
from firmware_bridge.serialtext.profile import Profile, ProfileError
from firmware_bridge.serialtext.profilereading import load_profile, parse_profile, ready_profiles
from firmware_bridge.serialtext.rules import (
    CellsRule,
    EventRule,
    FenRule,
    ListEnd,
    ListRule,
    MasksRule,
    One,
    Verdict,
    Whole,
)
from rules.pieces import PIECES
from tests.firmware_bridge.wires import ByteWire as ByteByByte
from tests.firmware_bridge.wires import Dialogue, LateWire, WholeWire

SAMPLES = Path(__file__).resolve().parents[1] / "data" / "serialtext"
READY = ready_profiles()
WHITE, BLACK = 0xFFFF, 0xFFFF << 48
BEFORE, LIFTED, PLACED = WHITE | BLACK, (WHITE | BLACK) & ~(1 << 12), (WHITE | BLACK) & ~(1 << 12) | 1 << 28


def contents(codec: TextCodec, stream: bytes, size: int = 10_000) -> list[Content]:
    """What is told by a stream that comes in pieces of that size."""
    codec.connected(0)
    messages = []
    for start in range(0, len(stream), size):
        messages += codec.feed(stream[start : start + size], 10)
        messages += codec.advance(10)
    return [m.content for m in messages if isinstance(m, BoardRead) and not m.again]


@pytest.mark.parametrize("name", READY)
@pytest.mark.parametrize("size", [1, 3, 10_000])
def test_every_ready_profile_reads_its_sample(name: str, size: int) -> None:
    """1. e4 on each board, with the debug lines, banners and prompts such boards send."""
    told = contents(TextCodec(READY[name]), (SAMPLES / f"{name}.txt").read_bytes(), size)
    if READY[name].tells.value == "colour":
        expected: list[Content] = [
            ColouredSquares(WHITE, BLACK), ColouredSquares(WHITE & ~(1 << 12), BLACK),
            ColouredSquares(WHITE & ~(1 << 12) | 1 << 28, BLACK),
        ]  # fmt: skip
    else:
        expected = [OccupiedSquares(BEFORE), OccupiedSquares(LIFTED), OccupiedSquares(PLACED)]
    assert told == expected


@pytest.mark.parametrize(
    ("order", "first", "second", "ninth", "last"),
    [
        (Order("a8"), "a8", "b8", "a7", "h1"), (Order("a1"), "a1", "b1", "a2", "h8"),
        (Order("h1"), "h1", "g1", "h2", "a8"), (Order("h8"), "h8", "g8", "h7", "a1"),
        (Order("a1", Along.FILES), "a1", "a2", "b1", "h8"), (Order("h8", Along.FILES), "h8", "h7", "g8", "a1"),
    ],
)  # fmt: skip
def test_orders(order: Order, first: str, second: str, ninth: str, last: str) -> None:
    names = ["abcdefgh"[square % 8] + str(square // 8 + 1) for square in order.squares()]
    assert (names[0], names[1], names[8], names[63]) == (first, second, ninth, last)
    assert sorted(order.squares()) == list(range(64))


OCCUPIED = {"1": "x", "0": EMPTY}
ORDERS = st.builds(Order, st.sampled_from(["a1", "a8", "h1", "h8"]), st.sampled_from(Along))
OCCUPANCY = st.tuples(*[st.sampled_from("x.")] * 64)


@given(OCCUPANCY, ORDERS)
@settings(deadline=None)
def test_cells_are_read_as_they_are_written(cells: tuple[str, ...], order: Order) -> None:
    rule = CellsRule(OCCUPIED, "OC:", order=order)
    assert rule.read(rule.write(cells)) == Whole(cells)


@given(OCCUPANCY, ORDERS, st.sampled_from([2, 10, 16]), st.booleans(), st.booleans())
@settings(deadline=None)
def test_masks_are_read_as_they_are_written(
    cells: tuple[str, ...], order: Order, base: int, lowest: bool, active_low: bool
) -> None:
    rule = MasksRule(base, ":", order, lowest, active_low)
    assert rule.read(rule.write(cells)) == Whole(cells)


@given(st.tuples(*[st.sampled_from([*PIECES, EMPTY])] * 64))
@settings(deadline=None)
def test_placements_are_read_as_they_are_written(cells: tuple[str, ...]) -> None:
    rule = FenRule("FEN ")
    assert rule.read(rule.write(cells)) == Whole(cells)
    assert rule.read(rule.write(cells) + " w KQkq - 0 1") == Whole(cells)


def test_the_bits_of_a_mask() -> None:
    sentio, lowest = MasksRule(10, ":"), MasksRule(10, ":", lowest_bit_first=True)
    low = MasksRule(16, "", Order("a1"), active_low=True)

    def occupied(told: object) -> list[int]:
        assert isinstance(told, Whole)
        return [square for square in range(64) if told.cells[square] != EMPTY]

    assert occupied(sentio.read(":128 0 0 0 0 0 0 1 ")) == [7, 56], "h1 and a8"
    assert occupied(lowest.read(":128 0 0 0 0 0 0 1")) == [0, 63], "a1 and h8"
    assert occupied(low.read("7f,ff,ff,ff,ff,ff,ff,fe")) == [0, 63]


def test_cells_may_be_parted() -> None:
    rule = CellsRule(OCCUPIED)
    line = " | ".join(["1 0 0 0 0 0 0 0"] * 8)
    told = rule.read(line)
    assert isinstance(told, Whole)
    assert [square for square in range(64) if told.cells[square] != EMPTY] == [0, 8, 16, 24, 32, 40, 48, 56]


@pytest.mark.parametrize(
    ("rule", "line", "told"),
    [
        (EventRule("+{square}", "x"), "+e4", One(28, "x")),
        (EventRule("SE:{square}L", EMPTY), "SE:E2L", One(12, EMPTY)),
        (EventRule("LIFT[{rank}][{file}]", EMPTY), "LIFT[1][4]", One(12, EMPTY)),
        (EventRule("+{square}", "x"), "+e9", Verdict.NOT_MINE),
        (EventRule("+{square}", "x"), "+e4 ", Verdict.NOT_MINE),
        (EventRule("a.c {square}", "x"), "abc e4", Verdict.NOT_MINE),
        (ListRule("{square}", "-----"), "-----", ListEnd()),
        (CellsRule(OCCUPIED, "OC:"), "OC:101", Verdict.MALFORMED),
        (CellsRule(OCCUPIED, "OC:"), "OC:" + "1" * 63 + "2", Verdict.MALFORMED),
        (CellsRule(OCCUPIED), "1" * 63, Verdict.NOT_MINE),
        (MasksRule(10, ":"), ":1 2 3", Verdict.MALFORMED),
        (MasksRule(10, ":"), ":1 2 3 4 5 6 7 256", Verdict.MALFORMED),
        (MasksRule(10, ":"), ":1 2 3 4 5 6 7 -8", Verdict.MALFORMED),
        (MasksRule(10, ":"), ":1 2 3 4 5 6 7 1_0", Verdict.MALFORMED),
        (FenRule("FEN "), "FEN 8/8/8/8/8/8/8", Verdict.MALFORMED),
        (FenRule("FEN "), "FEN 8/8/8/8/8/8/8/7z", Verdict.MALFORMED),
        (FenRule("FEN "), "FEN 9/8/8/8/8/8/8/8", Verdict.MALFORMED),
        (FenRule(), "hello", Verdict.NOT_MINE),
    ],
)
def test_lines(rule: CellsRule | MasksRule | EventRule | ListRule | FenRule, line: str, told: object) -> None:
    assert rule.read(line) == told


PIECES_PROFILE = """
title: Mine
tells: identity
ignore_prefix: "[board] "
lines:
  - fen: {prefix: "FEN "}
  - events: {lift: "-{square}", place: "+{square}"}
"""


def test_pieces_and_a_prefix_to_ignore() -> None:
    stream = b"[board] FEN 8/8/8/8/8/8/8/K6r w - - 0 1\n[board] -h1\nother -a1\n"
    told = contents(TextCodec(parse_profile(PIECES_PROFILE)), stream)
    king, rook = PIECES["K"], PIECES["r"]
    assert told == [NamedPieces((king, *(None,) * 6, rook, *(None,) * 56)), NamedPieces((king, *(None,) * 63))]


def test_nothing_is_told_before_the_whole_is_known() -> None:
    """A list of which only the end was heard is no board, nor are events alone."""
    assert contents(TextCodec(READY["reed-list"]), b"H7\r\nH8\r\n-----\r\nA1\r\n") == []
    assert contents(TextCodec(READY["open-chess"]), b"SE:e2L\n") == []


def test_garbled_lines_are_counted_and_debug_lines_are_not() -> None:
    codec = TextCodec(READY["open-chess"])
    contents(codec, b"booting...\nOC:1010\nMV:e2e4\nOC:" + b"1" * 64 + b"\n" + b"x" * 5_000 + b"\n")
    assert (codec.counters.garbled, codec.counters.frames) == (1, 1)


def test_the_whole_board_is_asked_for_until_it_comes() -> None:
    codec = TextCodec(READY["open-chess"])
    codec.connected(0)
    assert codec.outgoing(0) == [], "the board may be in its boot loader"
    assert codec.next_wake_ms() == 2_500
    codec.feed(b"Open Chess ready\n", 1_000)
    assert [p.payload for p in codec.outgoing(1_000)] == [b"CMD:GETSTATE\n"]
    assert codec.outgoing(1_500) == []
    assert [p.payload for p in codec.outgoing(2_000)] == [b"CMD:GETSTATE\n"]
    codec.feed(b"OC:" + b"0" * 64 + b"\n", 2_100)
    assert codec.outgoing(9_000) == []
    assert codec.next_wake_ms() is None


def test_lights_are_paced_and_the_newest_wins() -> None:
    codec, red = TextCodec(READY["open-chess"]), Lamp(255, 0, 0)
    codec.connected(0)
    codec.feed(b"OC:" + b"0" * 64 + b"\n", 10)
    codec.show({12: red})
    assert [p.payload for p in codec.outgoing(10)] == [b"LED:e2\n"]
    codec.show({0: red})
    number = codec.show({28: red, 12: red, 5: Lamp(0, 0, 0)})
    assert codec.outgoing(100) == []
    assert [p.payload for p in codec.outgoing(210)] == [b"LED:e2,e4\n"]
    codec.show({})
    assert [p.payload for p in codec.outgoing(500)] == [b"LED:CLEAR\n"]
    assert LightsShown(number + 1) in codec.feed(b"SE:a1P\n", 510)


def test_lights_square_by_square() -> None:
    text = READY_TEXT + 'lights: {dark: "off\\n", each: "L {square} {red} {green} {blue}\\n"}'
    codec = TextCodec(parse_profile(text))
    codec.connected(0)
    codec.feed(b"0" * 64 + b"\n", 10)
    codec.show({12: Lamp(1, 2, 3), 28: Lamp(9, 9, 9)})
    assert b"".join(p.payload for p in codec.outgoing(10)) == b"off\nL e2 1 2 3\nL e4 9 9 9\n"


READY_TEXT = 'title: X\nlines: [{cells: {occupied: "1", empty: "0"}}]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "expected YAML"),
        ("[]", "profile: expected a mapping"),
        ("title: X", "profile: expected a key 'lines'"),
        ("title: X\nlines: []", "lines: expected a list"),
        ("title: X\nlines: [cells]", "lines: expected one of cells, masks, events, list, fen"),
        ("title: X\nlines: [{rows: {}}]", "lines: expected one of cells, masks, events, list, fen, got 'rows'"),
        ("title: X\nlines: [{cells: {}}]", "cells: expected which characters"),
        ("title: X\nlines: [{cells: {occupied: '1', empty: '0', order: b4}}]", "cells: expected order to be a corner"),
        ("title: X\nlines: [{masks: {base: 8}}]", "masks: expected base to be 2, 10 or 16, got 8"),
        ("title: X\nlines: [{masks: {active: 1}}]", "masks: expected active to be one of high, low, got 1"),
        ("title: X\nlines: [{events: {lift: '-'}}]", "expected {square}, or {file} and {rank}, in '-'"),
        ("title: X\nlines: [{events: {lift: '-{square}'}}]", "events: expected lift, and one of place, white, black"),
        (READY_TEXT + "baud: fast", "profile: expected baud to be a whole number from 300 to 4000000, got 'fast'"),
        (READY_TEXT + "baud: true", "profile: expected baud to be a whole number"),
        (READY_TEXT + "tells: much", "profile: expected tells to be one of occupancy, colour, identity, got 'much'"),
        (READY_TEXT + "leds: 3", "profile: no such key: leds"),
        (READY_TEXT + "lights: {}", "lights: expected lit or each"),
        (READY_TEXT + "dtr: 3", "profile: expected dtr to be true or false, got 3"),
        ("title: Ä\nlines: []", "profile: expected title to be ASCII text"),
    ],
)
def test_profiles_that_are_none_are_named_by_key(text: str, words: str) -> None:
    with pytest.raises(ProfileError) as caught:
        parse_profile(text)
    assert str(caught.value).startswith(words)


def test_the_profile_in_the_documentation_is_one() -> None:
    text = (SAMPLES.parents[2] / "docs" / "serial-boards.md").read_text(encoding="utf-8")
    profile = parse_profile(text.split("```yaml\n")[1].split("```")[0])
    assert contents(TextCodec(profile), b"[board] OC:" + b"10" * 32 + b"\n[board] -a1\n") != []


def test_profiles_by_name_or_file(tmp_path: Path) -> None:
    assert load_profile("sentio") == READY["sentio"]
    (tmp_path / "mine.yaml").write_text(READY_TEXT)
    assert load_profile(str(tmp_path / "mine.yaml")).title == "X"
    with pytest.raises(ProfileError, match="or one of gameboard, open-chess, plain-cells"):
        load_profile("nothing")


DIALOGUES: dict[str, Profile] = {
    name: profile for name, profile in READY.items() if profile.tells.value == "occupancy"
}


@pytest.mark.parametrize("name", DIALOGUES)
@pytest.mark.parametrize("wire", [WholeWire, ByteByByte, LateWire])
def test_the_boards_own_end_is_understood_over_bad_wires(
    name: str, wire: type[WholeWire] | type[ByteByByte] | type[LateWire]
) -> None:
    """Wires that cut and delay. What is lost on such protocols is lost: they number nothing."""
    board = TextBoard(READY[name], banner="hello, this is board 3\r\n")
    talk = Dialogue(TextCodec(READY[name]), board, wire(), wire())
    talk.codec.connected(0)
    talk.run(3_000)
    random, occupied = Random(4), BEFORE
    board.sense(OccupiedSquares(occupied), talk.now_ms)
    talk.run(300)
    expected = []
    for _ in range(40):
        occupied ^= 1 << random.randrange(64)
        board.sense(OccupiedSquares(occupied), talk.now_ms)
        expected.append(OccupiedSquares(occupied))
        talk.run(150)
    talk.run(300)
    told = [m.content for m in talk.messages if isinstance(m, BoardRead) and not m.again]
    assert told[-40:] == expected
    assert len([m for m in talk.messages if isinstance(m, Identified)]) == 1


def test_its_own_end_shows_the_lights() -> None:
    board = TextBoard(READY["open-chess"])
    talk = Dialogue(TextCodec(READY["open-chess"]), board, WholeWire(), WholeWire())
    talk.codec.connected(0)
    talk.run(3_000)
    talk.codec.show({12: Lamp(9, 9, 9), 28: Lamp(1, 1, 1)})
    talk.run(500)
    assert set(board.lamps()) == {12, 28}
    talk.codec.show({})
    talk.run(500)
    assert board.lamps() == {}


LINES = st.one_of(
    st.binary(max_size=80),
    st.sampled_from([b":255 255 0 0 0 0 255 255 \r\n", b"SE:e2L\n", b"OC:" + b"1" * 64 + b"\n", b"-----\n", b"E2\n"]),
    st.text("0123456789abcdefgh:+-*{}[]/ \r\n", max_size=70).map(str.encode),
)


@pytest.mark.parametrize("name", READY)
@given(noise=st.lists(LINES, max_size=20))
@settings(deadline=None)
def test_any_bytes_are_survived(name: str, noise: list[bytes]) -> None:
    codec, board = TextCodec(READY[name]), TextBoard(READY[name])
    codec.connected(0)
    for now_ms, chunk in enumerate(noise):
        for message in codec.feed(chunk, now_ms) + codec.advance(now_ms):
            assert not isinstance(message, BoardRead) or isinstance(message.content, OccupiedSquares | ColouredSquares)
        codec.outgoing(now_ms)
        board.feed(chunk, now_ms)
        board.outgoing(now_ms)


def test_the_usual_start_is_32_pieces() -> None:
    assert sum(holds != EMPTY for holds in START) == 32
