"""A square that chatters is named, is not trusted, keeps what stood there, and is trusted again when it is quiet."""

from __future__ import annotations

import pytest

from board_driver.boards.quarantine import CHANGES, QUIET_MS, Quarantine
from board_driver.scan import Occupancy, Scan
from board_driver.sensing.settle import SettledChange, Settler
from rules.squares import parse_square

E4, D4 = 1 << parse_square("e4"), 1 << parse_square("d4")


def scans(quarantine: Quarantine, readings: list[tuple[int, int]]) -> list[Scan]:
    """What a board delivers of these readings."""
    return [Scan(t_ms, Occupancy(occupied), quarantine.observe(t_ms, occupied)) for t_ms, occupied in readings]


def chatter(began_ms: int, until_ms: int, every_ms: int = 50, rest: int = 0) -> list[tuple[int, int]]:
    return [(t_ms, rest | E4 * (t_ms // every_ms % 2)) for t_ms in range(began_ms, until_ms, every_ms)]


def test_a_quiet_board_and_a_game_are_trusted() -> None:
    quarantine = Quarantine()
    found = scans(quarantine, [(0, E4), (1_000, 0), (1_500, D4), (2_000, D4), (90_000, E4)])
    assert not any(scan.distrusted for scan in found)
    assert not quarantine.is_due(10**6)
    assert quarantine.take_news() == []


def test_the_bounce_of_a_healthy_contact_is_no_chatter() -> None:
    quarantine = Quarantine()
    bounces = [(1_000 + n, E4 * (n % 2)) for n in range(CHANGES - 1)]
    assert not any(scan.distrusted for scan in scans(quarantine, [(0, 0), *bounces]))


def test_a_square_that_goes_on_changing_is_named_and_not_trusted() -> None:
    quarantine = Quarantine()
    found = scans(quarantine, [(0, 0), *chatter(1_000, 4_000, rest=D4)])
    assert found[-1].distrusted == E4
    assert found[CHANGES - 1].distrusted == 0
    news = quarantine.take_news()
    assert [(kind, square) for kind, square, _ in news] == [("distrusted", parse_square("e4"))]
    assert "e4" in news[0][2]


@pytest.mark.parametrize("stood", [0, E4])
def test_what_stood_there_before_is_kept(stood: int) -> None:
    """Sensing that is given these scans never settles a change of that square."""
    quarantine = Quarantine()
    readings = [(0, stood), *chatter(1_000, 4_000), *chatter(4_000, 9_000, every_ms=500), (9_000, stood)]
    settler = Settler(200)
    told = [event for scan in scans(quarantine, readings) for event in settler.feed(scan)]
    told += settler.advance(20_000)
    assert [event for event in told if isinstance(event, SettledChange)] == []
    assert settler.occupied == stood


def test_other_squares_are_seen_meanwhile() -> None:
    quarantine = Quarantine()
    readings = [(0, 0), *chatter(1_000, 3_000), *chatter(3_000, 5_000, rest=D4)]
    settler = Settler(200)
    changed = [
        event.square
        for scan in scans(quarantine, readings)
        for event in settler.feed(scan)
        if isinstance(event, SettledChange)
    ]
    assert changed == [parse_square("d4")]


def test_it_is_trusted_again_when_it_was_quiet() -> None:
    quarantine = Quarantine()
    last_ms = scans(quarantine, [(0, 0), *chatter(1_000, 4_000)])[-1].t_ms
    quarantine.take_news()
    assert not quarantine.is_due(last_ms + QUIET_MS - 1)
    assert quarantine.observe(last_ms + QUIET_MS - 1, E4) == E4
    assert quarantine.is_due(last_ms + QUIET_MS)
    assert quarantine.observe(last_ms + QUIET_MS, E4) == 0
    assert [kind for kind, _, _ in quarantine.take_news()] == ["trusted"]
    assert not quarantine.is_due(10**6)
