"""Time controls as people write them.

| text | what it is |
|---|---|
| `5+3`, `90+30` | minutes, and seconds added for each move |
| `5`, `G/5` | minutes for the whole game |
| `40/90+30, 30+30` | 40 moves in 90 minutes, then 30 minutes for the rest, 30 seconds a move throughout |
| `40/90, 30, +30` | the same: a bonus alone is one for every period |
| `40/120` | 40 moves in two hours, again and again |
| `15 d10`, `3 b2` | 10 seconds of delay; 2 seconds of Bronstein |
| `hourglass 2` | two minutes, and what one uses the other gains |
| `5+3 vs 3+0` | odds: White's and Black's |
| `1h30m + 30s`, `90s` | with units |
| `300+3`, `40/5400+30:1800+30`, `*120` | PGN's field, in seconds: with a colon or a star, or a time of 180 or more |
"""

from __future__ import annotations

import re
from dataclasses import replace

from rules.clock.control import Period, TimeControl, TimeControlError, Timing
from rules.clock.pgntext import parse_pgn_time_control
from rules.squares import Colour

TEXT_LIMIT = 200
SECONDS_FROM = 180
"""A time of so much or more without a unit is in seconds: nobody plays three hours a side without saying so."""

_EXAMPLES = "a time control such as 5+3 (minutes + seconds), 90+30, 40/90+30, 30+30, 15 d10, 3 b2 or hourglass 2"
_UNITS = {"h": 3_600_000, "m": 60_000, "s": 1000}
_UNIT = r"hours?|hrs?|h|minutes?|mins?|m|'|seconds?|secs?|s|\""
_PIECE = re.compile(rf"([0-9]+)(?:\.([0-9]+))?\s*({_UNIT})?")
_AMOUNT = rf"[0-9]+(?:\.[0-9]+)?\s*(?:{_UNIT})?(?:\s*[0-9]+(?:\.[0-9]+)?\s*(?:{_UNIT}))*"
_BONUS = rf"(?P<word>\+|delay|d|bronstein|b)\s*(?P<bonus>{_AMOUNT})(?P<kind>[db])?"
_ONLY_BONUS = re.compile(_BONUS)
_PERIOD = re.compile(rf"(?:(?P<moves>[0-9]+)\s*/|(?:g|game|sd)\s*/)?\s*(?P<base>{_AMOUNT})\s*(?:{_BONUS})?")
_WORDS = {
    "+": Timing.INCREMENT,
    "d": Timing.DELAY,
    "delay": Timing.DELAY,
    "b": Timing.BRONSTEIN,
    "bronstein": Timing.BRONSTEIN,
}


def parse_time_control(text: str) -> TimeControl:
    """The time control that a person wrote. Raises TimeControlError: what was expected, what came, and what of it."""
    if len(text) > TEXT_LIMIT:
        raise TimeControlError(f"expected {_EXAMPLES}, got a text of {len(text)} characters")
    plain = " ".join(text.lower().split())
    try:
        return _parse(plain)
    except TimeControlError as problem:
        raise TimeControlError(f"expected {_EXAMPLES}, got {text!r}: {problem}") from None


def write_time_control(control: TimeControl) -> str:
    """The control as people write it: `parse_time_control` reads it back to an equal one."""
    white = _write_side(control.of(Colour.WHITE), control.timing)
    if not control.black_periods:
        return white
    return f"{white} vs {_write_side(control.black_periods, control.timing)}"


# -- reading


def _parse(text: str) -> TimeControl:
    sides = re.split(r"\s+vs\.?\s+|\s*\|\s*", text)
    if len(sides) > 2:
        raise TimeControlError("there are two sides, White's and Black's")
    if len(sides) == 1 and (":" in text or text.startswith("*")):
        return parse_pgn_time_control(text)
    white, timing = _side(sides[0])
    if len(sides) == 1:
        return TimeControl(white, timing)
    black, other = _side(sides[1])
    return TimeControl(white, _one_timing([timing, other], [white, black]), black)


def _one_timing(timings: list[Timing], periods: list[tuple[Period, ...]]) -> Timing:
    """The one kind of bonus there is; a bonus of nothing is of any kind."""
    kinds = {t for t, side in zip(timings, periods, strict=True) if any(p.bonus_ms for p in side)}
    kinds |= {t for t in timings if t is Timing.HOURGLASS}
    if len(kinds) > 1:
        raise TimeControlError("one kind of bonus goes with a control: +, d (delay), b (Bronstein) or the hourglass")
    return kinds.pop() if kinds else Timing.INCREMENT


def _side(text: str) -> tuple[tuple[Period, ...], Timing]:
    hourglass = re.fullmatch(r"(?:hourglass|sandclock)\s*(.*)", text)
    if hourglass:
        return (Period(_base_ms(hourglass[1])),), Timing.HOURGLASS
    periods: list[Period] = []
    timings: list[Timing] = []
    for part in _parts(text):
        only = _ONLY_BONUS.fullmatch(part)
        if only and periods and not any(period.bonus_ms for period in periods):
            bonus_ms, timing = _bonus(only)
            periods = [replace(period, bonus_ms=bonus_ms) for period in periods]
            timings = [timing] * len(periods)
            continue
        period, timing = _period(part)
        periods.append(period)
        timings.append(timing)
    return tuple(periods), _one_timing(timings, [(period,) for period in periods])


def _parts(text: str) -> list[str]:
    """The text of each period, and of a bonus that stands alone."""
    return [part.strip() for part in re.split(r"[,;]| then ", text)]


def _period(text: str) -> tuple[Period, Timing]:
    match = _PERIOD.fullmatch(text)
    if match is None:
        raise TimeControlError(f"{text!r} is no time with its bonus" if text else "there is no time")
    moves = None if match["moves"] is None else _whole(match["moves"])
    bonus_ms, timing = _bonus(match)
    return Period(_base_ms(match["base"]), moves, bonus_ms), timing


def _bonus(match: re.Match[str]) -> tuple[int, Timing]:
    """Its milliseconds and kind; the kind may stand before it, or with a plus after it as in PGN."""
    if match["word"] is None:
        return 0, Timing.INCREMENT
    if match["kind"] and match["word"] != "+":
        raise TimeControlError(f"{match[0]!r} says twice what its bonus is")
    return _amount_ms(match["bonus"], "s"), _WORDS[match["kind"] or match["word"]]


def _base_ms(text: str) -> int:
    """Minutes; but seconds from `SECONDS_FROM` on."""
    if re.fullmatch(r"[0-9]+", text) and _whole(text) >= SECONDS_FROM:
        return _amount_ms(text, "s")
    return _amount_ms(text, "m")


def _amount_ms(text: str, unit: str) -> int:
    """A time with or without units, exactly."""
    pieces = list(_PIECE.finditer(text))
    if not pieces or _PIECE.sub("", text).strip():
        raise TimeControlError(f"{text!r} is no time" if text else "there is no time")
    return sum(_piece_ms(piece, unit) for piece in pieces)


def _piece_ms(piece: re.Match[str], unit: str) -> int:
    whole, fraction, written = piece.groups()
    letter = {"'": "m", '"': "s"}.get(written or "", (written or unit)[0])
    digits: str = (fraction or "").rstrip("0")
    if len(digits) > 6:
        raise TimeControlError(f"{piece[0]!r} is finer than a thousandth of a second")
    scale: int = 10 ** len(digits)
    ms, rest = divmod((_whole(whole) * scale + int(digits or 0)) * _UNITS[letter], scale)
    if rest:
        raise TimeControlError(f"{piece[0]!r} is finer than a thousandth of a second")
    return ms


def _whole(text: str) -> int:
    if len(text) > 9:
        raise TimeControlError(f"{text!r} is too much")
    return int(text)


# -- writing


def _write_side(periods: tuple[Period, ...], timing: Timing) -> str:
    if timing is Timing.HOURGLASS:
        return f"hourglass {_base_text(periods[0].base_ms)}"
    return ", ".join(_write_period(period, timing) for period in periods)


def _write_period(period: Period, timing: Timing) -> str:
    moves = "" if period.moves is None else f"{period.moves}/"
    sign = {Timing.DELAY: " d", Timing.BRONSTEIN: " b"}.get(timing, "+")
    return f"{moves}{_base_text(period.base_ms)}{sign}{seconds_text(period.bonus_ms)}"


def _base_text(ms: int) -> str:
    minutes, rest = divmod(ms, 60_000)
    if not rest:
        return str(minutes) if minutes < SECONDS_FROM else f"{minutes}m"
    return f"{seconds_text(ms)}s"


def seconds_text(ms: int) -> str:
    """Seconds, with a fraction only where there is one."""
    seconds, rest = divmod(ms, 1000)
    return f"{seconds}.{rest:03}".rstrip("0") if rest else str(seconds)
