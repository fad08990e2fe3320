"""The header of a sensor log: what kind of board and game the lines after it tell of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Self, TypeVar

from board_driver.mind import ClaimsTold, ClockStart, Mode, PromotionRule, Settings, TouchRule
from board_driver.scan import Sensing
from board_driver.sensorlog.errors import LineError, shown
from rules.clock import TimeControl, TimeControlError, parse_time_control, write_time_control
from rules.fen import START_FEN, parse_fen
from rules.ruleset import RULESETS
from rules.squares import Colour

VERSION = 1
GRACE_MS = Settings().execution_grace_ms
GRACE_LIMIT_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class Header:
    """A header with the contract's defaults. `touch` and `clock` are None where the header leaves them open."""

    sensing: Sensing = Sensing.OCCUPANCY
    mode: Mode = Mode.RECORD
    start_fen: str = START_FEN
    chess960: bool = False
    ruleset: str = "fide"
    touch: TouchRule | None = None
    clock: bool | None = None
    time_control: TimeControl | None = None
    clock_start: ClockStart = ClockStart.TOUCH
    execution_grace_ms: int = GRACE_MS
    promotion: PromotionRule = PromotionRule.QUEEN
    claims: ClaimsTold = ClaimsTold.TOLD
    abandon_ms: int = 0
    later_game: bool = False
    handless: frozenset[Colour] = frozenset()
    follow_board: bool = False
    scan_hz: float | None = None
    board: str | None = None
    comment: str | None = None

    @classmethod
    def of(cls, settings: Settings, *, board: str | None = None, comment: str | None = None) -> Self:
        """The header of a log of a game with these settings."""
        return cls(
            sensing=settings.sensing,
            mode=settings.mode,
            start_fen=settings.start_fen,
            chess960=settings.chess960,
            ruleset=settings.ruleset,
            touch=settings.touch,
            clock=settings.clock,
            time_control=settings.time_control,
            clock_start=settings.clock_start,
            execution_grace_ms=settings.execution_grace_ms,
            promotion=settings.promotion,
            claims=settings.claims,
            abandon_ms=settings.abandon_ms,
            later_game=settings.later_game,
            handless=settings.handless,
            follow_board=settings.follow_board,
            board=board,
            comment=comment,
        )

    def settings(self, *, holds_press: bool = False) -> Settings:
        """How the game is to be read. `holds_press` decides about a clock where the header does not."""
        return Settings(
            mode=self.mode,
            sensing=self.sensing,
            start_fen=self.start_fen,
            chess960=self.chess960,
            ruleset=self.ruleset,
            touch=self.touch or TouchRule.STRICT,
            clock=holds_press if self.clock is None else self.clock,
            time_control=self.time_control,
            clock_start=self.clock_start,
            execution_grace_ms=self.execution_grace_ms,
            promotion=self.promotion,
            claims=self.claims,
            abandon_ms=self.abandon_ms,
            later_game=self.later_game,
            handless=self.handless,
            follow_board=self.follow_board,
        )


def parse_header(fields: Mapping[str, object]) -> Header:
    """The header that a first line holds; keys that are null stand for their default, unknown ones are ignored.

    Raises LineError, also for a start position that no game can have.
    """
    _check_version(fields)
    header = Header(
        sensing=_choice(fields, "sensing", Sensing) or Sensing.OCCUPANCY,
        mode=_choice(fields, "mode", Mode) or Mode.RECORD,
        start_fen=_text(fields, "start_fen") or START_FEN,
        chess960=_boolean(fields, "chess960") or False,
        ruleset=_ruleset(fields, "ruleset") or "fide",
        touch=_choice(fields, "touch", TouchRule),
        clock=_boolean(fields, "clock"),
        time_control=_time_control(fields, "time_control"),
        clock_start=_choice(fields, "clock_start", ClockStart) or ClockStart.TOUCH,
        execution_grace_ms=_grace(fields, "execution_grace_ms"),
        promotion=_choice(fields, "promotion", PromotionRule) or PromotionRule.QUEEN,
        claims=_choice(fields, "claims", ClaimsTold) or ClaimsTold.TOLD,
        abandon_ms=_abandon(fields, "abandon_ms"),
        later_game=_boolean(fields, "later_game") or False,
        handless=_colours(fields, "handless"),
        follow_board=_boolean(fields, "follow_board") or False,
        scan_hz=_rate(fields, "scan_hz"),
        board=_text(fields, "board"),
        comment=_text(fields, "comment"),
    )
    _check_start(header)
    return header


def _check_version(fields: Mapping[str, object]) -> None:
    version = fields.get("sensorlog")
    if version is None:
        missing = ' (it has "t_ms": is the header missing?)' if "t_ms" in fields else ""
        raise LineError('a header with "sensorlog": 1 on the first line', f"an object without it{missing}")
    if isinstance(version, bool) or version != VERSION:
        raise LineError(f'"sensorlog": {VERSION} (a newer log needs a newer touchmove)', shown(version))


def _check_start(header: Header) -> None:
    try:
        parse_fen(header.start_fen, chess960=header.chess960)
    except ValueError as problem:
        raise LineError('a position as FEN for "start_fen"', f"{shown(header.start_fen)}: {problem}") from problem


_ChoiceT = TypeVar("_ChoiceT", bound=Enum)


def _choice(fields: Mapping[str, object], key: str, choices: type[_ChoiceT]) -> _ChoiceT | None:
    if (value := fields.get(key)) is None:
        return None
    for choice in choices:
        if choice.value == value:
            return choice
    raise LineError(f'"{key}" to be one of {", ".join(str(choice.value) for choice in choices)}', shown(value))


def _ruleset(fields: Mapping[str, object], key: str) -> str | None:
    value = _text(fields, key)
    if value is None or value in RULESETS:
        return value
    raise LineError(f'"{key}" to be one of {", ".join(RULESETS)}', shown(value))


def _boolean(fields: Mapping[str, object], key: str) -> bool | None:
    value = fields.get(key)
    if value is None or isinstance(value, bool):
        return value
    raise LineError(f'"{key}" to be true or false', shown(value))


def _colours(fields: Mapping[str, object], key: str) -> frozenset[Colour]:
    value = fields.get(key)
    if value is None:
        return frozenset()
    words = {colour.word: colour for colour in Colour}
    if isinstance(value, list) and all(isinstance(word, str) and word in words for word in value):
        return frozenset(words[word] for word in value)
    raise LineError(f'"{key}" to be a list of white and black', shown(value))


def _text(fields: Mapping[str, object], key: str) -> str | None:
    value = fields.get(key)
    if value is None or isinstance(value, str):
        return value
    raise LineError(f'"{key}" to be a text', shown(value))


def _rate(fields: Mapping[str, object], key: str) -> float | None:
    value = fields.get(key)
    if value is None:
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= 1_000_000:
        return float(value)
    raise LineError(f'"{key}" to be a number of scans a second, above 0', shown(value))


def _time_control(fields: Mapping[str, object], key: str) -> TimeControl | None:
    value = _text(fields, key)
    try:
        return None if value is None else parse_time_control(value)
    except TimeControlError as problem:
        why = str(problem).rpartition(": ")[2]
        raise LineError(f'"{key}" to be a time control such as "5+3"', f"{shown(value)}: {why}") from problem


def _abandon(fields: Mapping[str, object], key: str) -> int:
    value = fields.get(key)
    if value is None:
        return 0
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise LineError(f'"{key}" to be a time in milliseconds, 0 for never', shown(value))


def _grace(fields: Mapping[str, object], key: str) -> int:
    if (value := fields.get(key)) is None:
        return GRACE_MS
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= GRACE_LIMIT_MS:
        return value
    raise LineError(f'"{key}" to be a whole number of milliseconds up to an hour', shown(value))


HEADER_KEYS = frozenset({"sensorlog", *Header.__dataclass_fields__})


def header_fields(header: Header) -> dict[str, object]:
    """The JSON object of a header; what is at its default or unknown is left out, sensing and mode excepted."""
    fields: dict[str, object] = {
        "sensorlog": VERSION,
        "sensing": header.sensing.value,
        "mode": header.mode.value,
        "start_fen": header.start_fen,
    }
    if header.chess960:
        fields["chess960"] = True
    if header.ruleset != "fide":
        fields["ruleset"] = header.ruleset
    if header.time_control is not None:
        fields["time_control"] = write_time_control(header.time_control)
    if header.clock_start is not ClockStart.TOUCH:
        fields["clock_start"] = header.clock_start.value
    if header.execution_grace_ms != GRACE_MS:
        fields["execution_grace_ms"] = header.execution_grace_ms
    if header.promotion is not PromotionRule.QUEEN:
        fields["promotion"] = header.promotion.value
    if header.claims is not ClaimsTold.TOLD:
        fields["claims"] = header.claims.value
    if header.abandon_ms:
        fields["abandon_ms"] = header.abandon_ms
    if header.later_game:
        fields["later_game"] = True
    if header.handless:
        fields["handless"] = [colour.word for colour in sorted(header.handless)]
    if header.follow_board:
        fields["follow_board"] = True
    if header.touch is not None:
        fields["touch"] = header.touch.value
    optional = {"clock": header.clock, "scan_hz": header.scan_hz, "board": header.board, "comment": header.comment}
    return fields | {key: value for key, value in optional.items() if value is not None}
