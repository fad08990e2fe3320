"""From the lines of a PGN text to tokens.

A comment in braces may run over lines, so the lexer is either inside one or not, and keeps nothing else. A `%` in the
first column escapes a whole line, but not inside a comment. A tag pair `[Name "` in the first column inside a comment
means that the brace was never closed: the comment ends there, so that one lost brace does not swallow a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

Source = str | bytes | Iterable[str] | Iterable[bytes]
"""A whole text, or its lines, as an open file gives them. Bytes are UTF-8; a line that is not is read as Latin-1."""


class Kind(Enum):
    """What a token is."""

    TAG = auto()
    """A tag pair: `text` is the name and `value` the value."""
    COMMENT = auto()
    NAG = auto()
    """`text` is the number, or a glyph such as `!?`."""
    RESULT = auto()
    OPEN = auto()
    CLOSE = auto()
    WORD = auto()
    """A move, or something else that stands where a move should."""
    BROKEN = auto()
    """A tag pair or a comment that does not end; `text` says what was expected."""


class Token(NamedTuple):
    """One piece of PGN text and the number of its line."""

    kind: Kind
    text: str
    line: int
    value: str = ""


_END = r"(?=[\s(){};\[$]|$)"
_TOKEN = re.compile(
    rf"""
    \s+ | (?!0000)[0-9]+(?:\.+|{_END}) | \.+ | [\]}}<>]         # move numbers and strays: nothing
    | (?P<RESULT> (?:1-0|0-1|1/2-1/2|½-½|1/2){_END} | \* )
    | \{{ (?P<COMMENT> [^}}]* ) \}}
    | (?P<unclosed> \{{ .* )
    | ; (?P<rest> .* )
    | (?P<offer> \(=\) )                                         # a draw offer (FIDE Laws C.12)
    | (?P<OPEN> \( ) | (?P<CLOSE> \) )
    | \$ (?P<NAG> [0-9]{{1,3}} ) | (?P<glyph> [!?]{{1,2}} )
    | \[ \s* (?P<TAG> [A-Za-z0-9_]{{1,255}} ) \s* " (?P<value> (?:[^"\\]|\\.)* ) " \s* \]
    | (?P<bracket> \[ .* )
    | (?P<WORD> [^\s(){{}}\[\];$!?*<>]+ (?: \([NBRQ]\) [+\#]* )? )     # the brackets of e8(Q)
    | .
    """,
    re.VERBOSE,
)
_LOOSE_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_]{1,255})\s+"(.*)"\s*\]\s*')
_TAG_START = re.compile(r'\[[A-Z][A-Za-z0-9_]*\s+"')
_NEWLINE = re.compile(r"\r\n|\r|\n")


@dataclass(slots=True)
class _OpenComment:
    """A comment whose end has not been seen yet."""

    line: int
    parts: list[str]
    closed: bool = False

    def take(self, line: str) -> str | None:
        """One more line: what follows the comment in it, None if nothing does as the comment goes on."""
        if _TAG_START.match(line):
            return line
        part, brace, rest = line.partition("}")
        self.parts.append(part)
        self.closed = bool(brace)
        return rest if brace else None

    def tokens(self) -> Iterator[Token]:
        yield Token(Kind.COMMENT, "\n".join(self.parts), self.line)
        if not self.closed:
            yield Token(Kind.BROKEN, "a comment is not closed: expected }", self.line)


def tokens(source: Source) -> Iterator[Token]:
    """The tokens of a PGN text, in order, without move numbers."""
    comment: _OpenComment | None = None
    for number, line in enumerate(_lines(source), 1):
        rest = line
        if comment is not None:
            after = comment.take(line)
            if after is None:
                continue
            yield from comment.tokens()
            comment, rest = None, after
        elif line.startswith("%"):
            continue
        for token in _line_tokens(rest, number):
            if isinstance(token, _OpenComment):
                comment = token
            else:
                yield token
    if comment is not None:
        yield from comment.tokens()


def _line_tokens(line: str, number: int) -> Iterator[Token | _OpenComment]:
    """The tokens of one line; a comment that goes on in the next one comes last."""
    for match in _TOKEN.finditer(line):
        text = match[match.lastgroup] if match.lastgroup else ""
        match match.lastgroup:
            case None:
                pass
            case "value":
                yield Token(Kind.TAG, match["TAG"], number, _unescaped(text))
            case "unclosed":
                yield _OpenComment(number, [text[1:]])
            case "rest":
                yield Token(Kind.COMMENT, text, number)
            case "offer":
                yield Token(Kind.COMMENT, "(=)", number)
            case "glyph":
                yield Token(Kind.NAG, text, number)
            case "bracket":
                yield _loose_tag(line[match.start() :], number)
            case kind:
                yield Token(Kind[kind], text, number)


def _loose_tag(text: str, number: int) -> Token:
    """A tag pair with quotes inside its value, or what is left of one."""
    if loose := _LOOSE_TAG.fullmatch(text):
        return Token(Kind.TAG, loose[1], number, loose[2])
    return Token(Kind.BROKEN, f'expected a tag pair [Name "value"], got {text[:60]!r}', number)


def _unescaped(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value) if "\\" in value else value


def _lines(source: Source) -> Iterator[str]:
    first = True
    chunks: Iterable[str] | Iterable[bytes]
    match source:
        case str():
            chunks = (source,)
        case bytes():
            chunks = source.splitlines()
        case _:
            chunks = source
    for chunk in chunks:
        text = _decoded(chunk) if isinstance(chunk, bytes) else chunk
        if first:
            text, first = text.removeprefix("\ufeff"), False
        if text.endswith("\n"):
            text = text[:-1].removesuffix("\r")
        yield from _NEWLINE.split(text) if "\n" in text or "\r" in text else (text,)


def _decoded(chunk: bytes) -> str:
    try:
        return chunk.decode("utf-8")
    except UnicodeDecodeError:
        return chunk.decode("latin-1")
