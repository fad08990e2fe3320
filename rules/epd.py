"""EPD: a position and what is known of it, one on a line (PGN standard 16.2).

Four fields as in a FEN, then operations, each an opcode and its operands, closed by a semicolon:
`… w - - bm Qd1+; id "No. 12";`. A whole FEN is read too, with or without operations behind it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.fen import FenError, parse_fen
from rules.move import Move
from rules.position import Position
from rules.san import SanError, parse_san

_OPERAND = re.compile(r'"([^"]*)"|([^\s;"]+)')
_OPERATION = re.compile(r'\s*([A-Za-z][A-Za-z0-9_-]*)((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*(?:;|$)')
_COUNTERS = re.compile(r"\s+(\d+)\s+(\d+)(?=\s|;|$)")


class EpdError(ValueError):
    """A line that is no EPD. The message is one line."""


@dataclass(frozen=True, slots=True)
class Epd:
    """A position and its operations: opcode to operands, as they were written and without quotation marks."""

    position: Position
    operations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def text(self, opcode: str) -> str:
        """The operands of that opcode as one text; empty where there is none."""
        return " ".join(self.operations.get(opcode, ()))

    def best_moves(self) -> tuple[Move, ...]:
        """The moves of `bm`. Raises EpdError for one that is not legal."""
        return tuple(_move(self.position, text) for text in self.operations.get("bm", ()))

    def variation(self) -> tuple[Move, ...]:
        """The moves of `pv`, one after the other. Raises EpdError for one that is not legal."""
        position, moves = self.position, []
        for text in self.operations.get("pv", ()):
            moves.append(_move(position, text))
            position = position.play(moves[-1])
        return tuple(moves)


def parse_epd(line: str) -> Epd:
    """One line of an EPD file, or a FEN. Raises EpdError if it is malformed or the position cannot be played."""
    words = line.split(maxsplit=4)
    if len(words) < 4:
        raise EpdError(f"expected a position and operations, such as 8/8/… w - - bm Qd1;, got {line.strip()[:60]!r}")
    rest = " " + words[4] if len(words) > 4 else ""
    counters = _COUNTERS.match(rest)
    fen = " ".join(words[:4]) + (counters.group(0) if counters else " 0 1")
    try:
        position = parse_fen(fen)
    except FenError as problem:
        raise EpdError(str(problem)) from problem
    return Epd(position, _operations(rest[counters.end() if counters else 0 :]))


def _operations(text: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    text = text.strip()
    at = 0
    while at < len(text):
        operation = _OPERATION.match(text, at)
        if operation is None:
            raise EpdError(f"expected an operation such as bm Qd1;, got {text[at : at + 60]!r}")
        opcode, operands = operation.groups()
        found[opcode] = tuple(quoted or word for quoted, word in _OPERAND.findall(operands))
        at = operation.end()
    return found


def _move(position: Position, text: str) -> Move:
    try:
        return parse_san(position, text)
    except SanError as problem:
        raise EpdError(str(problem)) from problem
