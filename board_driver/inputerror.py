"""Bad input from outside, told to a person in one line."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TypeVar

E = TypeVar("E", bound=Enum)


class InputError(Exception):
    """What was expected, what came, where, and what to do next, on one line. The command ends with status 2.

    Raise it for a file, a setting, a port or a profile that is not as it should be; never for a mistake of the
    program's own, and never for a mistake on the board (that is a ruling).
    """


def shortened(value: object, limit: int = 60) -> str:
    """`value` as a person may be shown it: one line, printable, no longer than about `limit` characters."""
    text = value if isinstance(value, str) else repr(value)
    text = text[: limit + 1].encode("unicode_escape", "replace").decode("ascii") if not text.isprintable() else text
    return text if len(text) <= limit else text[: limit - 1] + "…"


def one_of(option: str, value: str | None, choices: Iterable[str]) -> str | None:
    """`value` if it is None or one of `choices`. Raises InputError that lists them."""
    known = tuple(choices)
    if value is None or value in known:
        return value
    raise InputError(f"expected {option} to be one of {', '.join(known)}, got {shortened(value)}")


def member_or_none(kind: type[E], option: str, value: str | None) -> E | None:
    """The member of that value, None for None. Raises InputError that lists what may be said."""
    one_of(option, value, [str(member.value) for member in kind])
    return None if value is None else kind(value)
