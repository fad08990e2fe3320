"""Captures: what is written is read, byte for byte, and what is none is refused with its line."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.capture import CaptureError, CaptureWriter, Header, Piece, Way, read_capture

PIECES = st.lists(st.tuples(st.integers(0, 50), st.sampled_from(Way), st.binary(max_size=300)), max_size=20)


@given(PIECES)
@settings(deadline=None)
def test_what_is_written_is_read(raw: list[tuple[int, Way, bytes]]) -> None:
    t_ms, pieces = 0, []
    for gap, way, payload in raw:
        t_ms += gap
        pieces.append(Piece(t_ms, way, payload))
    file = io.StringIO()
    writer = CaptureWriter(file, Header("touchmove", "/dev/ttyACM0"))
    for piece in pieces:
        writer.write(piece)
    header, read = read_capture(file.getvalue().splitlines())
    assert header == Header("touchmove", "/dev/ttyACM0")
    assert list(read) == pieces


def test_text_stays_readable() -> None:
    file = io.StringIO()
    CaptureWriter(file, Header("touchmove")).write(Piece(5, Way.IN, b"Q 04e3\n"))
    assert file.getvalue().splitlines()[1] == '{"t_ms": 5, "in": "Q 04e3\\n"}'


@pytest.mark.parametrize("line", ["", "nonsense", "[]", '{"sensorlog": 1}', '{"capture": 2}'])
def test_no_header(line: str) -> None:
    with pytest.raises(CaptureError, match="line 1: expected"):
        read_capture([line])


@pytest.mark.parametrize(
    "line",
    ["x", "[1]", "{}", '{"t_ms": 9}', '{"t_ms": "9", "in": ""}', '{"t_ms": 9, "in": 3}', '{"t_ms": 9, "in": "\\u0100"}',
     '{"t_ms": 1, "in": ""}', '{"t_ms": 9, "in": "", "out": ""}'],
)  # fmt: skip
def test_no_piece(line: str) -> None:
    _, pieces = read_capture(['{"capture": 1, "codec": "touchmove"}', '{"t_ms": 5, "in": "a"}', line])
    with pytest.raises(CaptureError, match="line 3: expected"):
        list(pieces)
