"""Who may control: codes, tokens, and how often a code may be tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from board_driver.web.access import (
    ALL_TRIES,
    GOOD_S,
    TOKENS_LIMIT,
    TRIES,
    WINDOW_S,
    Access,
    TooManyTries,
    spoken_code,
)


class HandTime:
    """A clock set by hand, in seconds."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_a_server_of_this_machine_asks_for_nothing() -> None:
    assert Access(is_open=False).may_control(None)


def test_a_token_is_given_for_the_code_and_only_its_hash_is_kept() -> None:
    access = Access(is_open=True, code="12345678")
    assert not access.may_control(None)
    assert access.pair("1234 5679", "10.0.0.2") is None
    token = access.pair(" 1234-56 78", "10.0.0.2")
    assert token is not None
    assert access.may_control(token)
    assert not access.may_control(token + "x")
    assert token not in "".join(access.hashes)


def test_codes_are_of_digits_and_differ() -> None:
    codes = {Access(is_open=True).code for _ in range(20)}
    assert len(codes) > 15
    assert all(code.isdigit() and len(code) == 8 for code in codes)
    assert spoken_code("12345678") == "1234 5678"


def test_one_address_may_try_a_few_times_a_minute() -> None:
    time = HandTime()
    access = Access(is_open=True, code="12345678", now=time)
    for _ in range(TRIES):
        assert access.pair("00000000", "10.0.0.2") is None
    with pytest.raises(TooManyTries) as caught:
        access.pair("12345678", "10.0.0.2")
    assert 0 < caught.value.wait_s <= WINDOW_S
    assert access.pair("12345678", "10.0.0.3") is not None
    time.now_s += WINDOW_S + 1
    assert access.pair("12345678", "10.0.0.2") is not None


def test_many_addresses_together_may_not_try_without_end() -> None:
    access = Access(is_open=True, code="12345678", now=HandTime())
    for number in range(ALL_TRIES):
        access.pair("00000000", f"10.0.0.{number}")
    with pytest.raises(TooManyTries):
        access.pair("12345678", "10.0.1.1")


@pytest.mark.parametrize("code", ["", "\ud800", "٠١٢٣٤٥٦٧", "1" * 4000])
def test_no_code_is_an_error_of_ours(code: str) -> None:
    assert Access(is_open=True).pair(code, "10.0.0.2") is None


def test_a_pairing_outlives_the_program_for_the_users_eyes_only(tmp_path: Path) -> None:
    path = tmp_path / "pages.json"
    token = Access(is_open=True, code="12345678", path=path).pair("12345678", "10.0.0.2")
    assert token is not None
    assert path.stat().st_mode & 0o777 == 0o600
    assert token not in path.read_text()
    assert Access(is_open=True, path=path).may_control(token)
    Access(is_open=True, path=path).forget()
    assert not Access(is_open=True, path=path).may_control(token)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_token_that_is_never_shown_is_good_for_a_while_only(tmp_path: Path) -> None:
    date = HandTime()
    access = Access(is_open=True, code="12345678", path=tmp_path / "pages.json", date=date)
    used, left = access.pair("12345678", "10.0.0.2"), access.pair("12345678", "10.0.0.2")
    date.now_s += GOOD_S - 1
    assert access.may_control(used)
    date.now_s += GOOD_S - 1
    again = Access(is_open=True, path=tmp_path / "pages.json", date=date)
    assert again.may_control(used)
    assert not again.may_control(left)


def test_only_so_many_pages_are_remembered() -> None:
    time = HandTime()
    access = Access(is_open=True, code="12345678", now=time)
    for _ in range(TOKENS_LIMIT + 3):
        time.now_s += WINDOW_S
        access.pair("12345678", "10.0.0.2")
    assert len(list(access.hashes)) == TOKENS_LIMIT


@pytest.mark.parametrize("kept", ["", "[]", '{"pages": 3}', '{"pages": {"x": "y"}}', "\x00", "[" * 9999])
def test_a_damaged_file_of_pairings_is_none(tmp_path: Path, kept: str) -> None:
    path = tmp_path / "pages.json"
    path.write_text(kept)
    access = Access(is_open=True, code="12345678", path=path)
    assert not access.may_control("x")
    assert access.may_control(access.pair("12345678", "10.0.0.2"))
