"""Who may talk to the page."""

from __future__ import annotations

import socket

import pytest

from board_driver.web.guard import host_is_ours, is_loopback, split_host

OWN = socket.gethostname().lower().partition(".")[0]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.9.9.9"])
def test_loopback_names_are_ours_wherever_we_listen(host: str) -> None:
    assert is_loopback(host)
    assert host_is_ours(host, "127.0.0.1")
    assert host_is_ours(host, "0.0.0.0")


@pytest.mark.parametrize("host", ["", "evil.example", "localhost.evil.example", "192.168.1.7", "127.0.0.1.nip.example"])
def test_no_other_name_is_ours_while_we_listen_on_this_machine_only(host: str) -> None:
    assert not host_is_ours(host, "127.0.0.1")


@pytest.mark.parametrize("host", ["192.168.1.7", "fe80::1", f"{OWN}.local", OWN])
def test_opened_to_the_network_addresses_and_this_machines_names_are_ours(host: str) -> None:
    assert host_is_ours(host, "0.0.0.0")


@pytest.mark.parametrize("host", ["", "evil.example", f"{OWN}.evil.example", "1.2.3.4.evil.example"])
def test_opened_to_the_network_other_names_are_still_refused(host: str) -> None:
    assert not host_is_ours(host, "0.0.0.0")


@pytest.mark.parametrize(
    ("header", "host"),
    [("localhost:8080", "localhost"), ("127.0.0.1", "127.0.0.1"), ("[::1]:8080", "::1"), ("[::1]", "::1"), ("", "")],
)
def test_a_host_header_is_read_without_its_port(header: str, host: str) -> None:
    assert split_host(header) == host
