"""Who may control: codes, tokens, and how often a code may be tried."""

from __future__ import annotations

import pytest

from board_driver.web.access import ALL_TRIES, TRIES, WINDOW_S, Access, TooManyTries, spoken_code


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
