"""What the journal holds, as text: inputs as lines of the sensor log, settings as JSON, each with a check."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass

import msgspec

from board_driver.mind import Settings
from board_driver.scan import Input, Sensing
from board_driver.sensorlog.errors import LineError
from board_driver.sensorlog.lines import line_fields, parse_line
from rules.fen import parse_fen
from rules.ruleset import ruleset


@dataclass(frozen=True, slots=True)
class Passed:
    """Time came to `t_ms` and something was decided, without any input."""

    t_ms: int


Given = Input | Passed
"""What a mind can be given."""


class DamagedRowError(ValueError):
    """A row of the journal that is not what was written there."""


def text_in(value: object) -> str:
    """What a column of text holds. Raises DamagedRowError where the disk has made something else of it."""
    if not isinstance(value, str):
        raise DamagedRowError(f"expected a text, got {type(value).__name__}")
    return value


def checksum(line: str) -> int:
    """What a row is told to be whole by."""
    return zlib.crc32(line.encode("utf-8"))


def given_line(item: Given) -> str:
    """The row of what a mind was given."""
    fields = {"t_ms": item.t_ms} if isinstance(item, Passed) else line_fields(item)
    return json.dumps(fields, separators=(",", ":"))


def parse_given(line: object, crc: int, sensing: Sensing) -> Given:
    """What `given_line` wrote. Raises DamagedRowError."""
    line = text_in(line)
    if checksum(line) != crc:
        raise DamagedRowError("its checksum is not that of its text")
    try:
        fields = json.loads(line)
        return parse_line(fields, sensing) or Passed(int(fields["t_ms"]))
    except (LineError, ValueError, KeyError, TypeError, RecursionError) as problem:
        raise DamagedRowError(str(problem)) from problem


def settings_text(settings: Settings) -> str:
    """Settings as JSON."""
    return msgspec.json.encode(settings, order="deterministic").decode()


def parse_settings(text: object) -> Settings:
    """What `settings_text` wrote; keys that are missing stand for their default. Raises DamagedRowError."""
    try:
        settings = msgspec.json.decode(text_in(text).encode(), type=Settings)
        _check(settings)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise DamagedRowError(str(problem)) from problem
    return settings


def _check(settings: Settings) -> None:
    """Raises ValueError for what no mind can begin with: the text has no check of its own."""
    parse_fen(settings.start_fen, chess960=settings.chess960)
    ruleset(settings.ruleset)
    if settings.settle_ms < 0 or not all(0 <= square < 64 for square in settings.dead_squares):
        raise ValueError("expected squares of the board and a time of 0 or more")
    if settings.calibration is not None and len(settings.calibration.zeros) != 64:
        raise ValueError("expected 64 zeros")
