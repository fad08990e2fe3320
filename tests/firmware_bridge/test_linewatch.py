"""Guessing why a line gives no frames."""

from __future__ import annotations

import pytest

from firmware_bridge.linewatch import LineWatch

CASES = [
    (b"", "nothing at all arrives"),
    (b"\xf8\x00\x80\xfe\xe0" * 50, "data arrives at 115200 baud but no valid frame: another baud rate?"),
    (b"Raspbian GNU/Linux 12 pi ttyAMA0\r\n\r\npi login: ", "a login prompt"),
    (b"[    0.000000] Booting\r\n[  OK  ] Started foo\r\n", "a login prompt or console"),
    (b"Grbl 1.1h ['$' for help]\r\n", "text arrives but no valid frame: other firmware?"),
]


@pytest.mark.parametrize(("payload", "words"), CASES)
def test_after_three_seconds_it_says_what_it_thinks(payload: bytes, words: str) -> None:
    """Field cases SERIAL-06 and SERIAL-11."""
    watch = LineWatch(opened_ms=1_000, baud=115_200)
    watch.take(payload, frames=0)
    assert watch.complaint(3_999) is None
    assert (complaint := watch.complaint(4_000)) is not None
    assert complaint.text.startswith(words)
    assert complaint.is_noise == words.startswith("data")
    assert watch.complaint(9_000) is None, "once"


def test_the_rates_tried_before_are_named() -> None:
    watch = LineWatch(opened_ms=0, baud=9_600, tried=(115_200, 57_600))
    watch.take(b"\x00\xff" * 90, frames=0)
    assert (complaint := watch.complaint(3_000)) is not None
    assert complaint.text == (
        "data arrives at 9600 baud but no valid frame: another baud rate? (tried before: 115200, 57600)"
    )


def test_a_valid_frame_quiets_it() -> None:
    watch = LineWatch(opened_ms=0, baud=115_200)
    watch.take(b"\x00" * 90, frames=0)
    watch.take(b"Q 04e3\n", frames=1)
    assert watch.complaint(99_999) is None
