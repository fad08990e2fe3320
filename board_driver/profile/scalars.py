"""One scalar of a YAML file, read as a schema wants it and not as YAML 1.1 guesses [pure]."""

from __future__ import annotations

import math
import re
from enum import Enum
from typing import Any

import yaml
from msgspec import inspect

from board_driver.inputerror import shortened

_WHOLE = re.compile(r"[+-]?(0|[1-9][0-9]*)|0x[0-9A-Fa-f]+")
_NULL = "tag:yaml.org,2002:null"
_BOOL = "tag:yaml.org,2002:bool"
LONGEST = 500
"""Characters of a text."""


class Undecoded(Enum):
    """In the place of a value that could not be read."""

    UNDECODED = "undecoded"


UNDECODED = Undecoded.UNDECODED


def value_of(node: yaml.ScalarNode, kind: inspect.Type) -> Any:
    """The value of a scalar that is to be of that kind; UNDECODED if it is not."""
    text: str = node.value
    match kind:
        case inspect.BoolType():
            return text.lower() in ("true", "yes", "on") if node.tag == _BOOL else UNDECODED
        case inspect.IntType():
            if not _WHOLE.fullmatch(text) or len(text) > 18:
                return UNDECODED
            return _within(int(text, 0), kind)
        case inspect.FloatType():
            try:
                number = float(text)
            except ValueError:
                return UNDECODED
            return _within(number, kind) if math.isfinite(number) else UNDECODED
        case inspect.StrType(pattern=pattern):
            is_text = not is_null(node) and len(text) <= LONGEST and text.isprintable()
            return text if is_text and (pattern is None or re.search(pattern, text)) else UNDECODED
        case _:
            return UNDECODED


def _within(number: Any, kind: inspect.IntType | inspect.FloatType) -> Any:
    is_low = (kind.ge is not None and number < kind.ge) or (kind.gt is not None and number <= kind.gt)
    is_high = (kind.le is not None and number > kind.le) or (kind.lt is not None and number >= kind.lt)
    return UNDECODED if is_low or is_high else number


def is_whole(node: yaml.Node) -> bool:
    """Whether it is written as a whole number: decimal without leading zeros, or hexadecimal."""
    return isinstance(node, yaml.ScalarNode) and _WHOLE.fullmatch(node.value) is not None


def is_null(node: yaml.Node) -> bool:
    """Whether nothing is written there."""
    return isinstance(node, yaml.ScalarNode) and node.tag == _NULL


def shown(node: yaml.Node) -> str:
    """What is written there, as a person may be shown it."""
    match node:
        case yaml.ScalarNode():
            return "nothing" if is_null(node) else shortened(node.value)
        case yaml.SequenceNode():
            return "a list"
        case _:
            return "keys with values"
