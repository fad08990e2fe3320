"""The kinds of lines a text board sends, each read by one rule [pure].

A rule says of a line one of three things: not mine; mine but malformed; mine, and this is what it tells. Rules read
whole lines, without their end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from firmware_bridge.serialtext.order import EMPTY, SOMETHING, Cells, Order
from rules.pieces import PIECES
from rules.squares import SQUARE_NAMES


class Verdict(Enum):
    """What a rule says of a line it does not read."""

    NOT_MINE = "not mine"
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class Whole:
    """The line tells all squares."""

    cells: Cells


@dataclass(frozen=True, slots=True)
class One:
    """The line tells one square."""

    square: int
    holds: str


@dataclass(frozen=True, slots=True)
class Listed:
    """The line tells one more square of a list of those that are not empty."""

    square: int


@dataclass(frozen=True, slots=True)
class ListEnd:
    """The list is whole."""


Told = Whole | One | Listed | ListEnd


@dataclass(frozen=True, slots=True)
class CellsRule:
    """64 characters, perhaps parted, each saying what one square holds."""

    holds: Mapping[str, str]
    """A character of the line to what it means."""
    prefix: str = ""
    separators: str = " ,;|/"
    """Characters that part cells, where they mean nothing themselves."""
    order: Order = field(default_factory=Order)

    def read(self, line: str) -> Told | Verdict:
        if not line.startswith(self.prefix):
            return Verdict.NOT_MINE
        told = [c for c in line[len(self.prefix) :].strip("\r\n") if c in self.holds or c not in self.separators]
        if len(told) != 64 or any(c not in self.holds for c in told):
            return _mistaken(self.prefix)
        cells = [EMPTY] * 64
        for square, character in zip(self.order.squares(), told, strict=True):
            cells[square] = self.holds[character]
        return Whole(tuple(cells))

    def write(self, cells: Cells) -> str:
        """The line that tells these cells. Raises KeyError where one cannot be told."""
        letters = {meaning: character for character, meaning in reversed(list(self.holds.items()))}
        return self.prefix + "".join(letters[cells[square]] for square in self.order.squares())


@dataclass(frozen=True, slots=True)
class MasksRule:
    """Eight numbers, one for each rank or file; a bit for each square of it."""

    base: int = 10
    prefix: str = ""
    order: Order = field(default_factory=Order)
    """The corner's line comes first, and its square is the highest bit."""
    lowest_bit_first: bool = False
    active_low: bool = False
    """A 0 bit is an occupied square."""

    def read(self, line: str) -> Told | Verdict:
        if not line.startswith(self.prefix):
            return Verdict.NOT_MINE
        words = re.split(r"[\s,;|]+", line[len(self.prefix) :].strip(" \t,;|"))
        if len(words) != 8 or not all(self._is_mask(word) for word in words):
            return _mistaken(self.prefix)
        cells, squares = [EMPTY] * 64, self.order.squares()
        for line_number, word in enumerate(words):
            mask = int(word, self.base)
            for place in range(8):
                bit = place if self.lowest_bit_first else 7 - place
                if (mask >> bit & 1) != self.active_low:
                    cells[squares[8 * line_number + place]] = SOMETHING
        return Whole(tuple(cells))

    def write(self, cells: Cells) -> str:
        """The line that tells these cells."""
        squares, masks = self.order.squares(), []
        for line_number in range(8):
            mask = 0
            for place in range(8):
                is_set = (cells[squares[8 * line_number + place]] != EMPTY) != self.active_low
                mask |= is_set << (place if self.lowest_bit_first else 7 - place)
            masks.append(format(mask, {2: "08b", 10: "d", 16: "02x"}[self.base]))
        return self.prefix + " ".join(masks)

    def _is_mask(self, word: str) -> bool:
        try:
            return "_" not in word and 0 <= int(word, self.base) <= 255
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class EventRule:
    """One square changed. `template` holds `{square}` (e2 or E2), or `{file}` and `{rank}` as numbers from 0."""

    template: str
    holds: str

    def read(self, line: str) -> Told | Verdict:
        square = _square(self.template, line)
        return Verdict.NOT_MINE if square is None else One(square, self.holds)

    def write(self, square: int) -> str:
        """The line that tells this square."""
        return _filled(self.template, square)


@dataclass(frozen=True, slots=True)
class ListRule:
    """Each occupied square in a line of its own, and then a line that ends the list."""

    template: str
    end: str

    def read(self, line: str) -> Told | Verdict:
        if line.strip() == self.end:
            return ListEnd()
        square = _square(self.template, line)
        return Verdict.NOT_MINE if square is None else Listed(square)

    def write(self, cells: Cells) -> str:
        """The lines that tell these cells, the last one without its end."""
        listed = [_filled(self.template, square) for square in range(64) if cells[square] != EMPTY]
        return "\n".join([*listed, self.end])


@dataclass(frozen=True, slots=True)
class FenRule:
    """A placement as in FEN; what follows it is ignored."""

    prefix: str = ""

    def read(self, line: str) -> Told | Verdict:
        if not line.startswith(self.prefix):
            return Verdict.NOT_MINE
        placement = line[len(self.prefix) :].strip().partition(" ")[0]
        cells = _placement(placement)
        return _mistaken(self.prefix) if cells is None else Whole(cells)

    def write(self, cells: Cells) -> str:
        """The line that tells these cells, each a FEN letter or EMPTY."""
        ranks = ["".join(cells[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1)]
        return self.prefix + re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(ranks))


Rule = CellsRule | MasksRule | EventRule | ListRule | FenRule


def _mistaken(prefix: str) -> Verdict:
    """Without a prefix any other line looks like a malformed one, and is only not ours."""
    return Verdict.MALFORMED if prefix else Verdict.NOT_MINE


def _square(template: str, line: str) -> int | None:
    pattern = re.escape(template)
    for name, group in (
        ("square", "(?P<square>[A-Ha-h][1-8])"),
        ("file", "(?P<file>[0-7])"),
        ("rank", "(?P<rank>[0-7])"),
    ):
        pattern = pattern.replace(re.escape("{" + name + "}"), group)
    match = re.fullmatch(pattern, line.strip("\r\n\0"))
    if match is None:
        return None
    found = match.groupdict()
    if found.get("square"):
        return ord(found["square"][0].lower()) - ord("a") + 8 * (int(found["square"][1]) - 1)
    return int(found["file"]) + 8 * int(found["rank"])


def _filled(template: str, square: int) -> str:
    return template.format(square=SQUARE_NAMES[square], file=square % 8, rank=square // 8)


def _placement(text: str) -> Cells | None:
    cells: list[str] = []
    ranks = text.split("/")
    if len(ranks) != 8:
        return None
    for rank in reversed(ranks):
        row = "".join(EMPTY * int(c) if c in "12345678" else c for c in rank)
        if len(row) != 8 or any(c != EMPTY and c not in PIECES for c in row):
            return None
        cells += row
    return tuple(cells)
