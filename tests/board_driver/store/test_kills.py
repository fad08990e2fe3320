"""The short form of `python -m benchmarks.kills`: SIGKILL and torn tails in the middle of real games."""

from __future__ import annotations

from benchmarks import kills


def test_killed_daemons_lose_and_double_nothing() -> None:
    tally = kills.run(6, seed=3)
    assert tally.kills >= 6
    assert tally.games >= 1


def test_the_check_itself_sees_a_lost_move() -> None:
    told: list[object] = [["e2e4", "e7e5"], "fen", None]
    assert kills._goes_on(told, [["e2e4", "e7e5", "g1f3"], "other", None])
    assert not kills._goes_on(told, [["e2e4"], "before", None])
    assert not kills._goes_on(told, [["e2e4", "e7e5", "e7e5", "g1f3"], "other", None])
