"""Frames of our wire protocol: what is a frame, what is not, and how soon a stream is back in step."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.touchmove.frames import LONGEST_TO_HOST, Frame, FrameReader, crc, decode, encode, hex_field

FIELDS = st.lists(st.text("0123456789abcdefghijklmnopqrstuvwxyz.-", min_size=1, max_size=20), max_size=6)
LETTERS = st.sampled_from("HSCBlpgfxOTAQLPGF")
FRAMES = st.builds(lambda letter, fields: Frame(letter, tuple(fields)), LETTERS, FIELDS)


def wire(frames: list[Frame]) -> bytes:
    return b"".join(encode(frame.letter, *frame.fields) for frame in frames)


def test_the_check_value_is_the_published_one() -> None:
    assert crc(b"123456789") == 0x29B1


def test_the_example_of_the_document() -> None:
    assert encode("C", "1f", "03f2a4", "ffff00000000ffff") == b"C 1f 03f2a4 ffff00000000ffff f1e7\n"
    assert encode("Q") == b"Q 04e3\n"


@given(FRAMES)
@settings(deadline=None)
def test_what_is_encoded_is_decoded(frame: Frame) -> None:
    assert decode(encode(frame.letter, *frame.fields)[:-1]) == frame


@pytest.mark.parametrize(
    "line",
    [b"", b" ", b"Q", b"Q ", b"Q 0000", b"Q 04E3", b"Q04e3", b" Q 04e3", b"Q 04e3 ", b"\xff\xfe\xfd", b"arduino ready"],
)
def test_no_frames(line: bytes) -> None:
    assert decode(line) is None


def test_a_carriage_return_before_the_line_feed_is_allowed() -> None:
    assert decode(b"Q 04e3\r") == Frame("Q")


def test_a_right_checksum_over_a_malformed_line_is_no_frame() -> None:
    for body in (b"Q  x ", b"QQ ", b"\xe9 ", b"9 ", b"  "):
        assert decode(body + b"%04x" % crc(body)) is None


@given(st.lists(FRAMES, max_size=8), st.lists(st.integers(1, 30), max_size=40))
@settings(deadline=None)
def test_cuts_make_no_difference(frames: list[Frame], cuts: list[int]) -> None:
    reader, stream, out = FrameReader(LONGEST_TO_HOST), wire(frames), []
    for size in [*cuts, len(stream) + 1]:
        out += reader.feed(stream[:size])
        stream = stream[size:]
    assert out == frames
    assert reader.garbled == 0


@given(st.lists(st.binary(max_size=400), max_size=10))
@settings(deadline=None)
def test_any_bytes_are_survived_and_the_second_frame_after_them_is_read(noise: list[bytes]) -> None:
    reader = FrameReader(LONGEST_TO_HOST)
    for chunk in noise:
        reader.feed(chunk)
    tail = [Frame("C", ("01",)), Frame("C", ("02",))]
    assert reader.feed(wire(tail))[-1:] == tail[-1:]


def test_one_byte_lost_or_garbled_at_any_place_costs_two_frames_at_most() -> None:
    frames = [Frame("C", (f"{n:02x}", "03f2a4", "ffff00000000ffff")) for n in range(6)]
    stream = wire(frames)
    for place in range(len(stream)):
        for instead in (b"", b"\n", b"\x00", b"\xff", b" ", bytes([stream[place] ^ 1])):
            if instead == stream[place : place + 1]:
                continue
            read = FrameReader(LONGEST_TO_HOST).feed(stream[:place] + instead + stream[place + 1 :])
            assert len(read) >= 4, (place, instead)
            assert [frame for frame in frames if frame in read] == read, "no false frame, none out of order"


def test_a_line_longer_than_any_frame_is_dropped_whole() -> None:
    reader = FrameReader(LONGEST_TO_HOST)
    assert reader.feed(b"x" * 5000) == []
    assert reader.feed(encode("Q")) == []
    assert reader.feed(encode("Q")) == [Frame("Q")]
    assert reader.garbled == 1


NO_NUMBERS = [("", 1), ("0", 2), ("00 ", 3), ("+1", 2), ("0x", 2), ("FF", 2), ("1_1", 3)]


@pytest.mark.parametrize(("text", "digits"), NO_NUMBERS)
def test_what_is_no_number(text: str, digits: int) -> None:
    assert hex_field(text, digits) is None
