"""What displays show, on rows of any size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.clockwords import clock_text
from board_driver.displays.face import Face, Running, Timer, rows_of
from rules.squares import Colour

W, B = Colour.WHITE, Colour.BLACK
PLAIN = Face(Timer("4:58", ">"), Timer("5:00"), "12.Nf3+", "Black", ("move: e2", "5+3"))


def clock(**changes: object) -> dict[str, object]:
    return {
        "white_ms": 300_000,
        "black_ms": 120_000,
        "running": "white",
        "since_ms": 1000,
        "timing": "increment",
    } | changes


@pytest.mark.parametrize(
    ("face", "columns", "rows", "expected"),
    [
        (PLAIN, 16, 2, ["W>4:58    5:00 B", "12.Nf3+    Black"]),
        (
            PLAIN,
            20,
            4,
            ["W>4:58        5:00 B", "12.Nf3+        Black", "move: e2            ", "5+3                 "],
        ),
        (PLAIN, 16, 1, ["W>4:58    5:00 B"]),
        (
            Face(Timer("1:29:58"), Timer("1:30:00", ">"), "12...Qa1xh8+", "White"),
            16,
            2,
            [" 1:29:581:30:00<", "12...Qa1xh White"],
        ),
        (Face(Timer("0:45", "*"), Timer("0:07.3", ">"), "", "Black"), 16, 2, ["W*0:45  0:07.3<B", "           Black"]),
        (Face(Timer("0:00.0", "!"), Timer("3:10"), "", "0-1 flag"), 16, 2, ["W!0:00.0  3:10 B", "        0-1 flag"]),
        (Face(None, None, "", "White"), 16, 2, ["White           ", " " * 16]),
        (Face(None, None, "1.e4", "Black"), 16, 2, ["Black           ", "1.e4            "]),
        (Face(None, None, "", "1/2-1/2 fifty claim"), 16, 2, ["1/2-1/2 fifty cl", " " * 16]),
    ],
)
def test_rows(face: Face, columns: int, rows: int, expected: list[str]) -> None:
    assert list(rows_of(face, columns, rows)) == expected


times = st.integers(0, 359_999_000).map(clock_text)
timers = st.builds(Timer, times, st.sampled_from(" >=!*"))


@given(
    st.builds(Face, timers, timers, st.text(max_size=12), st.text(max_size=30)), st.integers(16, 40), st.integers(1, 4)
)
def test_every_row_is_exactly_as_wide_as_the_display(face: Face, columns: int, rows: int) -> None:
    shown = rows_of(face, columns, rows)
    assert [len(row) for row in shown] == [columns] * rows
    assert face.white is not None
    assert face.black is not None
    if len(face.white.text + face.black.text) + 2 <= columns:
        assert face.white.text in shown[0]
        assert face.black.text in shown[0]


@pytest.mark.parametrize(
    ("shown", "now_ms", "white", "black"),
    [
        (clock(), 1000, Timer("5:00", ">"), Timer("2:00")),
        (clock(), 3500, Timer("4:58", ">"), Timer("2:00")),
        (clock(), 500, Timer("5:00", ">"), Timer("2:00")),
        (clock(running="black", black_ms=9_990), 1000, Timer("5:00"), Timer("0:09.9", ">")),
        (clock(running=None), 10**6, Timer("5:00"), Timer("2:00")),
        (clock(running=None, paused=True, turn="black"), 10**6, Timer("5:00"), Timer("2:00", "=")),
        (clock(running=None, white_ms=0, flag="white"), 10**6, Timer("0:00.0", "!"), Timer("2:00")),
        (clock(white_ms=59_000), 1000, Timer("0:59", ">"), Timer("2:00")),
        (clock(running="black", white_ms=59_000), 1000, Timer("0:59", "*"), Timer("2:00", ">")),
        (clock(delay_ms=5000), 6000, Timer("5:00", ">"), Timer("2:00")),
        (clock(timing="hourglass"), 11_000, Timer("4:50", ">"), Timer("2:10")),
        (clock(white_ms=1000), 10**6, Timer("0:00.0", ">"), Timer("2:00")),
    ],
)
def test_times_at_a_moment(shown: dict[str, object], now_ms: int, white: Timer, black: Timer) -> None:
    running = Running(shown, now_ms)
    assert (running.timer(W), running.timer(B)) == (white, black)


@given(
    st.integers(1, 400_000),
    st.integers(0, 500_000),
    st.integers(0, 8_000),
    st.sampled_from(["increment", "delay", "hourglass"]),
)
def test_the_next_change_is_when_the_text_changes_and_not_before(left: int, now: int, delay: int, timing: str) -> None:
    shown = clock(white_ms=left, since_ms=0, delay_ms=delay if timing == "delay" else 0, timing=timing)
    before = Running(shown, now)
    due_ms = before.next_change_ms()
    if due_ms is None:
        assert before.left_ms(W) < 100
        return
    assert due_ms > now
    assert Running(shown, due_ms).timer(W) != before.timer(W)
    assert Running(shown, due_ms - 1).timer(W) == before.timer(W)


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (300_000, "5:00"),
        (299_999, "5:00"),
        (299_000, "4:59"),
        (10_000, "0:10"),
        (9_999, "0:09.9"),
        (0, "0:00.0"),
        (5_400_000, "1:30:00"),
        (359_999_000, "99:59:59"),
    ],
)
def test_a_time_as_a_clock_shows_it(ms: int, text: str) -> None:
    assert clock_text(ms) == text
