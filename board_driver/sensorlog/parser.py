"""Bytes to a header and inputs, one line after the other [pure]."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NoReturn

from board_driver.inputerror import shortened
from board_driver.scan import Input
from board_driver.sensorlog.errors import LineError, SensorLogError, shown
from board_driver.sensorlog.header import HEADER_KEYS, Header, parse_header
from board_driver.sensorlog.lines import LINE_KEYS, parse_line

LINE_LIMIT = 1 << 20
"""Bytes in a line, at most; a line of a real log has under two thousand."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Warn = Callable[[str], None]
"""Called with one line for what a person should know and what stops nothing."""


class LogParser:
    """Lines in, inputs out. `name` is what messages call the log."""

    def __init__(self, name: str, warn: Warn) -> None:
        self.name = name
        self.line_number = 0
        self._warn = warn
        self._warned: set[str] = set()
        self._header: Header | None = None
        self._last_ms: int | None = None

    @property
    def started(self) -> bool:
        """Whether the header has been read."""
        return self._header is not None

    @property
    def header(self) -> Header:
        """The header. Raises SensorLogError while no line held one: the log is empty."""
        if self._header is None:
            raise SensorLogError(f'{self.name}: expected a header with "sensorlog": 1 on the first line, got no line')
        return self._header

    def parse(self, line: bytes) -> Input | None:
        """What one line holds: an input, or None for the header, an empty line and one of unknown keys only.

        Raises SensorLogError for a malformed line, and for a time before the one above it.
        """
        self.line_number += 1
        try:
            return self._parse(line)
        except LineError as problem:
            advice = "is this a sensor log?" if self._header is None else "correct the line, or end the log before it"
            raise SensorLogError(f"{self.name}, line {self.line_number}: {problem}; {advice}") from problem

    def _parse(self, line: bytes) -> Input | None:
        if self.line_number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if len(line) <= LINE_LIMIT and not line.strip():
            return None
        fields = parse_object(line)
        if self._header is None:
            self._header = parse_header(fields)
            self._warn_of_unknown(fields, HEADER_KEYS)
            return None
        item = parse_line(fields, self._header.sensing)
        self._warn_of_unknown(fields, LINE_KEYS)
        if item is not None:
            self._check_time(item.t_ms)
        return item

    def _check_time(self, t_ms: int) -> None:
        if self._last_ms is not None and t_ms < self._last_ms:
            raise LineError(f'"t_ms" of at least {self._last_ms} (times never go back)', str(t_ms))
        self._last_ms = t_ms

    def _warn_of_unknown(self, fields: dict[str, object], known: frozenset[str]) -> None:
        for key in fields:
            if key not in known and key not in self._warned:
                self._warned.add(key)
                self._warn(f'{self.name}, line {self.line_number}: unknown key "{shortened(key)}" is ignored')


def parse_object(line: bytes) -> dict[str, object]:
    """The JSON object that a line holds. Raises LineError for any other bytes."""
    if len(line) > LINE_LIMIT:
        raise LineError(f"a line of at most {LINE_LIMIT} bytes", "a longer one")
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as problem:
        raise LineError("text in UTF-8", f"the byte 0x{line[problem.start]:02x}") from problem
    except RecursionError as problem:
        raise LineError("a JSON object", "very deep nesting") from problem
    except ValueError as problem:
        raise LineError("a JSON object", shortened(line.decode("utf-8").strip())) from problem
    if not isinstance(value, dict):
        raise LineError("a JSON object", shown(value))
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
