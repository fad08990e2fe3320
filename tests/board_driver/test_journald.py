"""The system's journal as its own side reads it: entries at a socket, field by field."""

from __future__ import annotations

import os
import socket
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.journald import LONGEST_VALUE, JournalSocket, datagram, leads_to_the_journal
from tests.board_driver.journalreader import JournalReader, parse_datagram


def test_fields_are_lines_and_values_of_more_lines_have_a_length() -> None:
    assert datagram({"MESSAGE": "e4", "PRIORITY": "6"}) == b"MESSAGE=e4\nPRIORITY=6\n"
    assert datagram({"MESSAGE": "a\nb"}) == b"MESSAGE\n" + struct.pack("<Q", 3) + b"a\nb\n"


@given(st.dictionaries(st.from_regex(r"[A-Z][A-Z0-9_]{0,9}", fullmatch=True), st.text(max_size=200)))
def test_whatever_is_said_is_read_as_it_was_said(fields: dict[str, str]) -> None:
    expected = {name: value.encode("utf-8", "replace").decode() for name, value in fields.items()}
    assert parse_datagram(datagram(fields)) == expected


@pytest.mark.parametrize("name", ["", "message", "_PID", "A-B", "A=B", "A\n", "1A"])
def test_a_name_that_the_journal_would_not_take_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="in capitals"):
        datagram({name: "x"})


def test_a_value_without_end_is_cut() -> None:
    assert len(datagram({"MESSAGE": "x" * 10**6})) == LONGEST_VALUE + len("MESSAGE=\n")


def test_entries_arrive_and_a_journal_that_was_started_again_is_found(tmp_path: Path) -> None:
    reader = JournalReader(tmp_path / "socket")
    way = JournalSocket(tmp_path / "socket")
    assert way.send({"MESSAGE": "one"})
    assert reader.next() == {"MESSAGE": "one"}
    reader.close()
    assert not way.send({"MESSAGE": "lost"})
    again = JournalReader(tmp_path / "socket")
    assert way.send({"MESSAGE": "two"})
    assert again.next() == {"MESSAGE": "two"}
    way.close()
    again.close()


def test_a_journal_that_does_not_read_is_not_waited_for(tmp_path: Path) -> None:
    reader = JournalReader(tmp_path / "socket")
    way = JournalSocket(tmp_path / "socket")
    sent = [way.send({"MESSAGE": "x" * 1000}) for _ in range(5000)]
    assert sent[0]
    assert not sent[-1]
    reader.close()


def test_no_socket_is_told(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        JournalSocket(tmp_path / "nowhere")


def test_only_the_stream_that_systemd_named_leads_to_the_journal() -> None:
    one, other = socket.socketpair()
    found = os.fstat(one.fileno())
    named = f"{found.st_dev}:{found.st_ino}"
    assert leads_to_the_journal(one.fileno(), named)
    assert not leads_to_the_journal(other.fileno(), named)
    assert not leads_to_the_journal(one.fileno(), "")
    one.close()
    other.close()
    assert not leads_to_the_journal(10**6, named)
