"""Turning a board's time into the host's."""

from __future__ import annotations

from random import Random

from firmware_bridge.boardclock import BoardClock


def test_the_fastest_frame_decides() -> None:
    clock = BoardClock()
    assert clock.host_ms(100, 1_130) == 1_130
    assert clock.host_ms(200, 1_204) == 1_204, "faster: 4 ms of delay are all that is left unknown"
    assert clock.host_ms(300, 1_350) == 1_304
    assert clock.host_ms(250, 1_400) == 1_254, "sent again later, its time stays"


def test_drift_is_followed_and_the_future_never_told() -> None:
    clock, random, worst = BoardClock(), Random(1), 0
    for true_ms in range(0, 300_000, 50):
        board_ms = int(true_ms * 1.005)
        arrived = true_ms + 2 + int(random.expovariate(0.1))
        told = clock.host_ms(board_ms, arrived)
        assert told <= arrived
        if true_ms > 20_000:
            worst = max(worst, abs(told - true_ms))
    assert worst <= 45, "two spans of drift at most"


def test_a_board_that_began_anew_is_learnt_anew() -> None:
    clock = BoardClock()
    clock.host_ms(500_000, 500_010)
    clock.forget()
    assert clock.host_ms(20, 600_000) == 600_000
