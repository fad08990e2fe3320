"""Boards that somebody else wrote."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from board_driver.boards import plugin as plugins
from board_driver.boards.board import Abilities, Inbox
from board_driver.boards.catalogue import choose_board
from board_driver.boards.plugin import PluginSource
from board_driver.boards.sensorboard import SensorBoard
from board_driver.boards.source import Contacts, Strengths
from board_driver.inputerror import InputError
from board_driver.mind import Mode
from board_driver.scan import Colours, Field, Occupancy, Scan, Sensing
from rules.squares import SQUARE_NAMES, parse_square, set_of


class FileBoard:
    """The example of the documentation, word for word."""

    def __init__(self, path: str) -> None:
        self.path = path

    def read(self) -> set[str]:
        with open(self.path) as file:
            return {name for name, mark in zip(SQUARE_NAMES, file.read(), strict=False) if mark == "#"}


def no_rows(**_options: object) -> object:
    raise ValueError("rows must be eight")


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a package had named them in its entry points."""
    monkeypatch.setitem(sys.modules, "a_users_package", sys.modules[__name__])
    known: Mapping[str, EntryPoint] = {
        "my-file-board": EntryPoint("my-file-board", "a_users_package:FileBoard", plugins.GROUP),
        "broken": EntryPoint("broken", "a_users_package:no_rows", plugins.GROUP),
        "whole": EntryPoint("whole", "a_users_package:WholeBoard", plugins.GROUP),
    }
    monkeypatch.setattr(plugins, "known_plugins", lambda: known)


class WholeBoard:
    abilities = Abilities("whole", Sensing.IDENTITY)

    async def open(self, inbox: Inbox) -> None:
        """Nothing to do."""

    async def show(self, picture: object) -> None:
        """No lights."""

    async def close(self) -> None:
        """Nothing to do."""


def profile(tmp_path: Path, sensors: str) -> str:
    path = tmp_path / "board.yaml"
    path.write_text(f"name: mine\nsensors: {sensors}\ngame: {{mode: record, white: Ann, event: Club}}\n")
    return str(path)


@pytest.mark.usefixtures("_installed")
def test_ten_lines_make_a_board(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.write_text("#" * 16 + "." * 32 + "#" * 16)
    choice = choose_board(profile(tmp_path, f"{{kind: plugin, source: my-file-board, options: {{path: {state}}}}}"))
    assert choice.settings.mode is Mode.RECORD
    assert choice.tags == {"White": "Ann", "Event": "Club"}

    async def run() -> object:
        inbox = Inbox()
        await choice.board.open(inbox)
        item = await asyncio.wait_for(inbox.get(), 10)
        await choice.board.close()
        return item

    scan = asyncio.run(run())
    assert isinstance(scan, Scan)
    assert scan.reading == Occupancy(0xFFFF00000000FFFF)
    assert scan.distrusted == 0


@pytest.mark.usefixtures("_installed")
def test_a_board_by_the_name_of_its_entry_point(tmp_path: Path) -> None:
    assert isinstance(choose_board("whole").board, WholeBoard)
    choice = choose_board(profile(tmp_path, "{kind: plugin, source: whole}"))
    assert choice.settings.sensing is Sensing.IDENTITY


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    ("sensors", "told"),
    [
        ("{kind: plugin, source: my-fileboard}", "did you mean my-file-board?"),
        ("{kind: plugin, source: broken}", "the board broken cannot be made: ValueError: rows must be eight"),
        ("{kind: plugin, source: my-file-board, options: {file: x}}", "cannot be made: TypeError"),
    ],
)
def test_what_is_wrong_with_it_is_told(tmp_path: Path, sensors: str, told: str) -> None:
    with pytest.raises(InputError, match=r"the board|expected") as raised:
        choose_board(profile(tmp_path, sensors))
    assert told in str(raised.value)


class Says:
    def __init__(self, value: Any) -> None:
        self.value = value

    def read(self) -> Any:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


TWO = set_of((parse_square("a1"), parse_square("h8")))


@pytest.mark.parametrize(
    ("found", "sample"),
    [
        ({"a1", "h8"}, Contacts(TWO)),
        (["a1", "h8", "a1"], Contacts(TWO)),
        (TWO, Contacts(TWO)),
        (Occupancy(TWO), Contacts(TWO)),
        (Field((1.0,) * 64), Strengths((1.0,) * 64)),
        (Colours(1, 2), Colours(1, 2)),
    ],
)
def test_what_a_source_may_read(found: object, sample: object) -> None:
    assert PluginSource("mine", Says(found)).read() == sample


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ({"a9"}, "mine read a square that is none"),
        ("a1", "mine read a1: expected names of squares"),
        (None, "mine read None: expected"),
        (-1, "mine read -1: expected"),
        (1 << 64, "expected names of squares, a bitboard or a Reading"),
        (True, "mine read True: expected"),
        (KeyError("x"), "mine failed: KeyError: 'x'"),
        (OSError("the cable is off"), "the cable is off"),
    ],
)
def test_what_it_may_not_read_is_told_as_a_board_that_is_gone(found: object, told: str) -> None:
    with pytest.raises(OSError, match=r".") as raised:
        PluginSource("mine", Says(found)).read()
    assert told in str(raised.value)


def test_a_source_may_have_open_and_close_or_not() -> None:
    calls = []

    class Both(Says):
        def open(self) -> None:
            calls.append("open")

        def close(self) -> None:
            calls.append("close")
            raise RuntimeError("never mind")

    both = PluginSource("mine", Both(0))
    both.open()
    both.close()
    assert calls == ["open", "close"]
    neither = PluginSource("mine", Says(0))
    neither.open()
    neither.close()


def test_a_packaged_profile_is_a_board(tmp_path: Path) -> None:
    choice = choose_board("reed-mcp23017")
    assert isinstance(choice.board, SensorBoard)
    assert not choice.settings.clock
    assert choice.board.abilities.has_clock
    assert choice.settings.sensing is Sensing.OCCUPANCY
    assert choose_board("hall-mcp3208-colour").settings.sensing is Sensing.FIELD
    part = profile(tmp_path, "{kind: gpio-direct, pins: [5, 6], order: {each: [a1, b1]}}")
    assert choose_board(part).settings.dead_squares == frozenset(range(2, 64))


def test_a_board_that_nobody_knows_is_told_what_there_is() -> None:
    with pytest.raises(InputError, match="expected --board to be virtual"):
        choose_board("no-such-board")
    with pytest.raises(InputError, match="there is no such file"):
        choose_board("no-such-board.yaml")
