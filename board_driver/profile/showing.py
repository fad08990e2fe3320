"""A profile as text again, with every default filled in [pure]."""

from __future__ import annotations

from enum import Enum

import msgspec
import yaml

from board_driver.profile.schema import Profile

_ADDRESSES = ("addresses", "address")


class _Dumper(yaml.SafeDumper):
    """Short lists of plain values stay on one line; addresses are hexadecimal."""


class _Hex(int):
    pass


_Dumper.add_representer(_Hex, lambda dumper, value: dumper.represent_scalar("tag:yaml.org,2002:int", f"{value:#04x}"))
_Dumper.add_representer(
    tuple,
    lambda dumper, value: dumper.represent_sequence(
        "tag:yaml.org,2002:seq", value, flow_style=not any(isinstance(item, dict) for item in value)
    ),
)


def effective_text(profile: Profile) -> str:
    """The profile as YAML, defaults and all, in the order of the schema; reading it gives an equal profile."""
    text: str = yaml.dump(_plain(profile), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return text


def _plain(value: object, key: str = "") -> object:
    match value:
        case msgspec.Struct():
            kind = type(value).__struct_config__.tag
            fields = {field: _plain(getattr(value, field), field) for field in value.__struct_fields__}
            told = {field: inner for field, inner in fields.items() if inner is not None}
            return told if kind is None else {"kind": kind, **told}
        case Enum():
            return value.value
        case tuple() | list():
            return tuple(_plain(item, key) for item in value)
        case int() if key in _ADDRESSES:
            return _Hex(value)
        case _:
            return value
