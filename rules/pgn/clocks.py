"""The commands in comments that tell times: `[%clk 1:05:23]` and `[%emt 0:00:07.5]`."""

from __future__ import annotations

import re

_COMMAND = re.compile(r"\[%(clk|emt)\s+(?:([0-9]{1,4}):)?([0-9]{1,4}):([0-9]{1,2})(?:[.,]([0-9]{1,9}))?\s*\]")


def split_times(comment: str) -> tuple[str, int | None, int | None]:
    """A comment without its clock commands and with single spaces; the clock's and the move's time, in milliseconds."""
    if "[%" not in comment:
        return " ".join(comment.split()), None, None
    times: dict[str, int] = {}

    def take(match: re.Match[str]) -> str:
        name, hours, minutes, seconds, fraction = match.groups()
        whole = (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
        times[name] = whole * 1000 + int((fraction or "").ljust(3, "0")[:3])
        return " "

    rest = _COMMAND.sub(take, comment)
    return " ".join(rest.split()), times.get("clk"), times.get("emt")


def time_command(name: str, milliseconds: int) -> str:
    """`[%clk h:mm:ss]`, with a fraction only where there is one."""
    seconds, rest = divmod(milliseconds, 1000)
    fraction = f".{rest:03}".rstrip("0") if rest else ""
    return f"[%{name} {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}]"
