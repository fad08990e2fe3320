"""Whatever bytes come, and however they are cut, no `feed` raises, and a good stream after them is understood."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.messages import BoardRead, OccupiedSquares
from firmware_bridge.touchmove.board import TouchmoveBoard
from firmware_bridge.touchmove.frames import encode
from firmware_bridge.touchmove.host import TouchmoveCodec
from firmware_bridge.touchmove.words import Flags
from tests.firmware_bridge.wires import Dialogue, WholeWire

FIELD = st.one_of(
    st.text("0123456789abcdefxHSOL-", min_size=1, max_size=33),
    st.integers(0, 0xFFFF).map("{:04x}".format),
    st.integers(0, 0xFF).map("{:02x}".format),
    st.just("0007"),
)
VALID = st.builds(
    lambda letter, fields: encode(letter, *fields), st.sampled_from("HSCBlpgfxOTAQLPGFZ"), st.lists(FIELD, max_size=7)
)
"""Frames whose checksum is right, whatever is in them: what gets past the first door."""
NOISE = st.lists(st.one_of(st.binary(max_size=60), VALID, st.text(max_size=20).map(str.encode)), max_size=30)


@given(NOISE)
@settings(max_examples=300, deadline=None)
def test_the_host_survives_and_is_in_step_again(noise: list[bytes]) -> None:
    board = TouchmoveBoard()
    talk = Dialogue(TouchmoveCodec(session=7), board, WholeWire(), WholeWire())
    talk.codec.connected(0)
    talk.run(20)
    for chunk in noise:
        talk.to_host.write(chunk, talk.now_ms)
        talk.run(1)
    talk.run(1_500)
    board.sense(OccupiedSquares(0x1234), talk.now_ms)
    talk.run(1_500)
    reads = [message for message in talk.messages if isinstance(message, BoardRead)]
    assert reads[-1].content == OccupiedSquares(0x1234)


@given(NOISE)
@settings(max_examples=300, deadline=None)
def test_the_boards_end_survives(noise: list[bytes]) -> None:
    board = TouchmoveBoard(flags=Flags.LIGHTS | Flags.FIELD)
    for now_ms, chunk in enumerate(noise):
        board.feed(chunk, now_ms)
        board.outgoing(now_ms)
        assert all(0 <= square < 64 for square in board.lamps())


@given(NOISE)
@settings(deadline=None)
def test_an_open_conversation_never_raises_and_counts_what_was_garbled(noise: list[bytes]) -> None:
    codec = TouchmoveCodec(session=7)
    codec.connected(0)
    codec.feed(encode("H", "1", "0007", "x", "1", "000f", "00000000"), 1)
    for now_ms, chunk in enumerate(noise, start=2):
        codec.feed(chunk, now_ms)
        codec.advance(now_ms)
        codec.outgoing(now_ms)
    codec.feed(b"\nnonsense\n", 100)
    assert codec.counters.garbled >= 1
