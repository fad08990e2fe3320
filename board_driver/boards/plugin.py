"""Boards that somebody else wrote: a class with a `read`, found by its entry point.

Ten lines make a board. Say, a microcontroller writes 64 characters into a file, `#` where a piece stands, a1 first::

    from rules.squares import SQUARE_NAMES

    class FileBoard:
        def __init__(self, path: str) -> None:
            self.path = path

        def read(self) -> set[str]:
            with open(self.path) as file:
                return {name for name, mark in zip(SQUARE_NAMES, file.read()) if mark == "#"}

Its package names it in `pyproject.toml`, and from then on `--board my-file-board` and profiles know it::

    [project.entry-points."touchmove.boards"]
    my-file-board = "my_package:FileBoard"

    # board.yaml
    name: My board
    sensors: {kind: plugin, source: my-file-board, options: {path: /run/board}}

House rules for such a class:

1. It is called with the `options` of the profile as keyword arguments, once, when the program starts.
2. `read` gives the names of the occupied squares, or their bitboard (a1 is bit 0), or any `Reading` of
   `board_driver.scan`. It is called `scan_hz` times a second from a thread of its own and may block.
3. `senses`, a `board_driver.scan.Sensing`, says what it tells if that is more than occupancy.
4. `open()` and `close()` are called if there are any. An OSError from any of these means that the board is gone: it is
   closed and opened again later. Any other exception counts as one too, and is told with its name.
5. Lights and buttons of the profile work beside it. A class that brings its own is a whole `boards.board.Board`: one
   with `abilities`, and `async` `open`, `show` and `close`. It is taken as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from board_driver.boards.source import Contacts, Sample, Strengths
from board_driver.inputerror import InputError, shortened
from board_driver.profile.decoding import did_you_mean
from board_driver.scan import Colours, Field, Identity, Occupancy, Sensing
from rules.squares import parse_square

GROUP = "touchmove.boards"


def known_plugins() -> dict[str, EntryPoint]:
    """The entry points of installed packages, by name."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def make_plugin(name: str, options: Mapping[str, object]) -> Any:
    """The object of that entry point. Raises InputError if there is none, or it cannot be made."""
    known = known_plugins()
    if name not in known:
        there = did_you_mean(name, known) if known else "; no installed package has any"
        raise InputError(f"expected an entry point of the group {GROUP}, got {shortened(name)}{there}")
    try:
        return known[name].load()(**options)
    except Exception as problem:
        raise InputError(f"the board {name} cannot be made: {_words(problem)}; look at its options") from problem


def is_whole_board(plugin: Any) -> bool:
    """Whether it is a `Board` of its own."""
    return hasattr(plugin, "abilities") and hasattr(plugin, "show")


class PluginSource:
    """A `Source` of such an object. Its cells are squares."""

    def __init__(self, name: str, plugin: Any) -> None:
        self._name = name
        self._plugin = plugin
        self.senses: Sensing = getattr(plugin, "senses", Sensing.OCCUPANCY)

    def open(self) -> None:
        self._call("open")

    def read(self) -> Sample | Colours | Identity:
        try:
            found = self._plugin.read()
        except OSError:
            raise
        except Exception as problem:
            raise OSError(f"{self._name} failed: {_words(problem)}") from problem
        return self._sample(found)

    def close(self) -> None:
        try:
            self._call("close")
        except OSError:
            return  # it is gone already

    def _call(self, name: str) -> None:
        method = getattr(self._plugin, name, None)
        if method is None:
            return
        try:
            method()
        except OSError:
            raise
        except Exception as problem:
            raise OSError(f"{self._name} failed in {name}: {_words(problem)}") from problem

    def _sample(self, found: object) -> Sample | Colours | Identity:
        match found:
            case Occupancy(occupied):
                return Contacts(occupied)
            case Field(strengths):
                return Strengths(strengths)
            case Colours() | Identity():
                return found
            case int() if not isinstance(found, bool) and 0 <= found < 1 << 64:
                return Contacts(found)
            case str() | bytes():
                pass
            case Iterable():
                return Contacts(self._named(found))
        raise OSError(f"{self._name} read {shortened(found)}: expected names of squares, a bitboard or a Reading")

    def _named(self, names: Iterable[object]) -> int:
        try:
            return sum({1 << parse_square(str(name)) for name in names})
        except ValueError as problem:
            raise OSError(f"{self._name} read a square that is none: {problem}") from problem


def _words(problem: Exception) -> str:
    return f"{type(problem).__name__}: {shortened(str(problem), 120)}"
