"""When garbage is collected: not while a command starts, never what was there then, and all else between two games."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from board_driver.sweeping import put_off, settle, sweep
from rules import memo
from rules.fen import START_FEN, parse_fen


class Round:
    """An object that only the collector can free."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def test_nothing_is_collected_while_a_command_starts() -> None:
    with put_off():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_is_collected_again_though_the_start_failed() -> None:
    with pytest.raises(ZeroDivisionError), put_off():
        raise ZeroDivisionError
    assert gc.isenabled()


def test_what_is_there_when_the_command_is_ready_is_looked_at_no_more() -> None:
    before = gc.get_freeze_count()
    with put_off():
        lost = weakref.ref(Round())
        settle()
        assert gc.isenabled()
    assert lost() is None
    assert gc.get_freeze_count() > before + 10_000
    assert len(gc.get_objects()) < 1_000


def test_between_two_games_all_is_swept() -> None:
    parse_fen(START_FEN).legal_moves()
    lost = weakref.ref(Round())
    assert memo.entries() > 0
    sweep()
    assert memo.entries() == 0
    assert lost() is None
