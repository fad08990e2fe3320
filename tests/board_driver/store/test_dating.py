"""Dates of games on a machine whose clock may not be set."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from board_driver.store.dating import Begin, begun, put_right

NOW = datetime(2026, 5, 1, 20, 30, tzinfo=timezone(timedelta(hours=2)))
BOOT = datetime(1970, 1, 1, 0, 5, tzinfo=UTC)


def test_a_game_began_when_the_clocks_say() -> None:
    begin = begun(10_000, 70_000, NOW)
    assert begin.when == NOW - timedelta(minutes=1)
    assert begin.tags() == {"Date": "2026.05.01", "UTCDate": "2026.05.01", "UTCTime": "18:29:00"}


def test_the_date_is_that_of_the_venue_and_utc_its_own() -> None:
    late = datetime(2027, 1, 17, 0, 30, tzinfo=timezone(timedelta(hours=2)))
    assert begun(0, 0, late).tags() == {"Date": "2027.01.17", "UTCDate": "2027.01.16", "UTCTime": "22:30:00"}


def test_before_the_clock_is_set_no_date_is_told() -> None:
    begin = begun(0, 1000, BOOT)
    assert not begin.sure
    assert begin.tags() == {"Date": "????.??.??"}


def test_once_it_is_set_the_date_is_put_right() -> None:
    begin = begun(60_000, 61_000, BOOT)
    better = put_right(begin, 60_000, 360_000, NOW)
    assert better.when == NOW - timedelta(minutes=5)
    assert better.sure


def test_a_jump_by_years_is_followed_and_a_drift_is_not() -> None:
    begin = begun(0, 1000, NOW)
    assert put_right(begin, 0, 2000, NOW + timedelta(seconds=1 + 20)) is begin
    jumped = put_right(begin, 0, 2000, NOW + timedelta(days=730))
    assert jumped.when == NOW + timedelta(days=730) - timedelta(seconds=2)


def test_what_a_former_life_knew_stands_and_what_it_did_not_is_found_out() -> None:
    known = Begin(NOW - timedelta(days=3))
    assert put_right(known, 0, 1000, NOW) is known
    unknown = Begin(BOOT)
    assert put_right(unknown, 0, 1000, BOOT) is unknown
    assert put_right(unknown, 0, 1000, NOW).when == NOW - timedelta(seconds=1)
