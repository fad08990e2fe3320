"""Reading a sensor log from a file, a gzip file or standard input, one line at a time."""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import IO, Self

from board_driver.inputerror import shortened
from board_driver.scan import Input
from board_driver.sensorlog.errors import LineError, SensorLogError
from board_driver.sensorlog.header import Header
from board_driver.sensorlog.parser import LINE_LIMIT, LogParser, Warn, parse_object

STANDARD_INPUT = "-"
_SPOOLED_IN_MEMORY = 1 << 24


class SensorLog:
    """An open log: iterate over its inputs once, and close it (or use it in a `with`).

    Iterating raises SensorLogError where the log cannot be read further; what came before stands.
    """

    def __init__(self, name: str, parser: LogParser, source: IO[bytes], *, holds_press: bool) -> None:
        self.name = name
        """The file's name, `-` for standard input."""
        self._parser = parser
        self._source = source
        self.holds_press = holds_press
        """Whether it holds a press of a clock; looked for only where the header leaves the clock open."""

    @property
    def header(self) -> Header:
        """What the first line says."""
        return self._parser.header

    def __iter__(self) -> Iterator[Input]:
        for line in _lines(self._source, self._parser):
            if (item := self._parser.parse(line)) is not None:
                yield item

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self.name != STANDARD_INPUT:
            self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_log(name: str, warn: Warn) -> SensorLog:
    """Open the log of that file name (`-`: standard input; `….gz`: gzip) and read its header.

    Raises SensorLogError if it cannot be opened or has no right header.
    """
    parser = LogParser("standard input" if name == STANDARD_INPUT else shortened(name, limit=200), warn)
    source = _open(name, parser)
    try:
        for line in _lines(source, parser):
            parser.parse(line)
            if parser.started:
                break
        if parser.header.clock is not None:
            return SensorLog(name, parser, source, holds_press=False)
        source = _rewindable(source, parser)
        return SensorLog(name, parser, source, holds_press=_holds_press(source, parser))
    except SensorLogError:
        if name != STANDARD_INPUT:
            source.close()
        raise


def _open(name: str, parser: LogParser) -> IO[bytes]:
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise SensorLogError(f"{parser.name}: expected a sensor log, got nothing (it is closed)")
        return sys.stdin.buffer
    try:
        return _as_stream(gzip.open(name)) if name.endswith(".gz") else Path(name).open("rb")
    except (OSError, ValueError) as problem:
        raise _unreadable(parser, problem) from problem


def _as_stream(stream: object) -> IO[bytes]:
    return stream  # type: ignore[return-value]  # gzip.open without a text mode gives bytes


def _lines(source: IO[bytes], parser: LogParser) -> Iterator[bytes]:
    """The lines; of one that is too long only so much that its length shows."""
    while True:
        try:
            line = source.readline(LINE_LIMIT + 1)
        except (OSError, EOFError, zlib.error) as problem:
            raise _unreadable(parser, problem) from problem
        if not line:
            return
        yield line


def _unreadable(parser: LogParser, problem: Exception) -> SensorLogError:
    after = f" after line {parser.line_number}" if parser.line_number else ""
    match problem:
        case FileNotFoundError():
            return SensorLogError(f"{parser.name}: expected a sensor log, got no such file; check the name")
        case IsADirectoryError():
            return SensorLogError(f"{parser.name}: expected a sensor log, got a folder; name the files in it")
        case EOFError() | zlib.error() | gzip.BadGzipFile():
            return SensorLogError(f"{parser.name}{after}: expected whole gzip data, got a damaged file ({problem})")
        case OSError():
            reason = os.strerror(problem.errno) if problem.errno else str(problem)
            return SensorLogError(f"{parser.name}{after}: expected a readable file, got: {reason}")
        case _:
            return SensorLogError(f"{parser.name}: expected the name of a sensor log, got: {problem}")


# -- looking ahead for a clock --


def _rewindable(source: IO[bytes], parser: LogParser) -> IO[bytes]:
    """The rest of `source` as a stream that can be read twice."""
    if source.seekable():
        return source
    spooled: IO[bytes] = SpooledTemporaryFile(max_size=_SPOOLED_IN_MEMORY)  # noqa: SIM115 (closed with the log)
    try:
        shutil.copyfileobj(source, spooled)
    except (OSError, EOFError, zlib.error) as problem:
        raise _unreadable(parser, problem) from problem
    spooled.seek(0)
    return spooled


def _holds_press(source: IO[bytes], parser: LogParser) -> bool:
    """Whether a press is in the rest of the log; the stream stands afterwards where it stood."""
    start = source.tell()
    try:
        return any(_is_press(line) for line in _lines(source, parser))
    except SensorLogError:
        return False  # reading comes to this place again, and reports it
    finally:
        source.seek(start)


def _is_press(line: bytes) -> bool:
    if b'"press"' not in line:
        return False
    try:
        return "press" in parse_object(line)
    except LineError:
        return False
