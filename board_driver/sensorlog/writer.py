"""Writing a sensor log."""

from __future__ import annotations

import json
from typing import Protocol

from board_driver.scan import Input, Scan
from board_driver.sensorlog.header import Header, header_fields
from board_driver.sensorlog.lines import line_fields


class TextSink(Protocol):
    """Where lines go: an open file, or anything with `write`."""

    def write(self, text: str, /) -> object:
        """Take some text."""


def header_line(header: Header) -> str:
    """The first line of a log, with its newline."""
    return _line(header_fields(header))


def input_line(item: Input) -> str:
    """The line of one input, with its newline."""
    return _line(line_fields(item))


def _line(fields: dict[str, object]) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


class LogWriter:
    """Writes a header and then each input; a scan that is like the one before needs no line and gets none."""

    def __init__(self, sink: TextSink, header: Header) -> None:
        self._sink = sink
        self._last: Scan | None = None
        sink.write(header_line(header))

    def write(self, item: Input) -> None:
        """Add an input. Its time must not be before the last one's; that is the caller's to keep."""
        if isinstance(item, Scan):
            last, self._last = self._last, item
            if last is not None and (last.reading, last.distrusted) == (item.reading, item.distrusted):
                return
        self._sink.write(input_line(item))
