"""Time controls as PGN writes them in its `TimeControl` tag, in seconds (PGN standard 9.6.1).

`300`, `300+3`, `40/5400+30:1800+30`, `*120` (hourglass). The standard has no word for a delay: `900+10d` is read by
others as well; `900+10b` is Bronstein. Sides with different times have a tag each, `WhiteTimeControl` and
`BlackTimeControl`, as other programs write them.
"""

from __future__ import annotations

import re

from rules.clock.control import Period, TimeControl, TimeControlError, Timing
from rules.squares import Colour

_PERIOD = re.compile(r"(?:([0-9]{1,4})/)?([0-9]{1,7})(\.[0-9]{1,3})?(?:\+([0-9]{1,5})(\.[0-9]{1,3})?([db])?)?")
_TIMINGS = {None: Timing.INCREMENT, "d": Timing.DELAY, "b": Timing.BRONSTEIN}


def parse_pgn_time_control(text: str) -> TimeControl:
    """What a `TimeControl` tag says. Raises TimeControlError, also for `?` and `-`, which say none."""
    hourglass = text.startswith("*")
    matches = [_PERIOD.fullmatch(part) for part in text.removeprefix("*").split(":")]
    periods = [_period(match) for match in matches if match is not None]
    if len(periods) != len(matches):
        raise TimeControlError(f"expected seconds such as 300+3, 40/5400+30:1800+30 or *120, got {text[:60]!r}")
    if hourglass:
        return TimeControl(tuple(periods), Timing.HOURGLASS)
    timings = {_TIMINGS[match[6]] for match in matches if match is not None and match[4] is not None}
    if len(timings) > 1:
        raise TimeControlError("expected one kind of bonus in all periods")
    timing = timings.pop() if timings and any(period.bonus_ms for period in periods) else Timing.INCREMENT
    return TimeControl(tuple(periods), timing)


def pgn_time_control(control: TimeControl, colour: Colour = Colour.WHITE) -> str:
    """The text of the tag for that side: `parse_pgn_time_control` reads it back."""
    star = "*" if control.timing is Timing.HOURGLASS else ""
    kind = {Timing.DELAY: "d", Timing.BRONSTEIN: "b"}.get(control.timing, "")
    return star + ":".join(_write(period, kind) for period in control.of(colour))


def time_control_tags(control: TimeControl) -> dict[str, str]:
    """The tags of a game that was played with it."""
    if not control.is_odds:
        return {"TimeControl": pgn_time_control(control)}
    return {
        "WhiteTimeControl": pgn_time_control(control, Colour.WHITE),
        "BlackTimeControl": pgn_time_control(control, Colour.BLACK),
    }


def _period(match: re.Match[str]) -> Period:
    moves, base, fraction, bonus, bonus_fraction, _ = match.groups()
    return Period(
        _ms(base, fraction), None if moves is None else int(moves), 0 if bonus is None else _ms(bonus, bonus_fraction)
    )


def _ms(seconds: str, fraction: str | None) -> int:
    return int(seconds) * 1000 + int((fraction or "").removeprefix(".").ljust(3, "0"))


def _write(period: Period, kind: str) -> str:
    moves = "" if period.moves is None else f"{period.moves}/"
    bonus = f"+{_seconds(period.bonus_ms)}{kind}" if period.bonus_ms else ""
    return f"{moves}{_seconds(period.base_ms)}{bonus}"


def _seconds(ms: int) -> str:
    whole, rest = divmod(ms, 1000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)
