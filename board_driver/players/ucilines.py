"""What a UCI engine writes: bytes to lines, lines to messages [pure].

House rules:

1. What is no message is skipped, as the protocol asks: banners, debug strings, half lines, any bytes.
2. A line longer than `LINE_LIMIT` is skipped whole, and never kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LINE_LIMIT = 16 * 1024
"""Bytes; a line of a real engine has under two thousand."""

_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
_OPTION_WORDS = frozenset({"name", "type", "default", "min", "max", "var"})


@dataclass(frozen=True, slots=True)
class Named:
    """`id name`: what the engine calls itself."""

    name: str


@dataclass(frozen=True, slots=True)
class Option:
    """`option`: something that can be set. `low` and `high` bound a `spin`."""

    name: str
    kind: str
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class UciOk:
    """`uciok`: that were all options."""


@dataclass(frozen=True, slots=True)
class ReadyOk:
    """`readyok`."""


@dataclass(frozen=True, slots=True)
class Info:
    """`info` with a score, for the side having the move: centipawns, or moves to mate (negative: it is mated)."""

    cp: int | None
    mate: int | None


@dataclass(frozen=True, slots=True)
class BestMove:
    """`bestmove`; None where the engine sees no move (`(none)`, `0000`)."""

    uci: str | None


Message = Named | Option | UciOk | ReadyOk | Info | BestMove


def parse(line: str) -> Message | None:
    """The message in a line; None for anything else. Never raises."""
    words = line.split()
    match words:
        case ["id", "name", *name] if name:
            return Named(" ".join(name))
        case ["option", *rest]:
            return _option(rest)
        case ["uciok"]:
            return UciOk()
        case ["readyok"]:
            return ReadyOk()
        case ["info", *rest]:
            return _info(rest)
        case ["bestmove", "(none)" | "0000" | "none" | "NULL", *_]:
            return BestMove(None)
        case ["bestmove", uci, *_] if _MOVE.fullmatch(uci.lower()):
            return BestMove(uci.lower())
        case _:
            return None


def _option(words: list[str]) -> Option | None:
    """Names of options have spaces in them; a key word ends them."""
    found: dict[str, list[str]] = {}
    key = ""
    for word in words:
        if word in _OPTION_WORDS and not (word in found and word != "var"):
            key = word
            found.setdefault(key, [])
        elif key:
            found[key].append(word)
    name, kind = " ".join(found.get("name", [])), " ".join(found.get("type", []))
    if not name or not kind:
        return None
    return Option(name, kind, number(found.get("min")), number(found.get("max")))


def _info(words: list[str]) -> Info | None:
    match words[words.index("score") + 1 :] if "score" in words else []:
        case ["cp", value, *_] if (cp := number([value])) is not None:
            return Info(cp, None)
        case ["mate", value, *_] if (mate := number([value])) is not None:
            return Info(None, mate)
        case _:
            return None


def number(words: list[str] | None) -> int | None:
    """The whole number that begins these words; None if none does."""
    text = words[0] if words else ""
    digits = text.removeprefix("-").removeprefix("+")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None


class Lines:
    """Bytes to lines, whatever the bytes are."""

    def __init__(self) -> None:
        self._rest = b""
        self._skipping = False

    def feed(self, chunk: bytes) -> Iterator[str]:
        """The lines that are complete now."""
        *lines, rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            if self._skipping:
                self._skipping = False
            elif len(line) <= LINE_LIMIT:
                yield line.decode("utf-8", "replace").strip()
        if len(rest) > LINE_LIMIT or self._skipping:
            self._skipping, rest = True, b""
        self._rest = rest
