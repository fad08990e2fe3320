"""From YAML nodes to the values of a schema, telling all faults at once, each with its line and path.

The schema is the structs' own annotations, as msgspec reads them (its own converter would stop at the first fault). Two
kindnesses: a key left empty is as if left out, and where a list of mappings is expected one mapping will do.

House rules:

1. A scalar is read as the schema wants it, not as YAML 1.1 guesses: `21:00` and `off` are texts where texts are
   expected. Whole numbers are decimal or hexadecimal; what YAML would take for octal or base 60 is a fault.
2. A fault never hides another: decoding goes on after it with defaults where there are any, so that what is sound can
   still be checked; `UNDECODED` stands for what cannot be made up. A value counts only if there is no fault at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from typing import Any

import yaml
from msgspec import inspect

from board_driver.inputerror import shortened
from board_driver.profile.kinds import bare, fits, holds_mappings, told
from board_driver.profile.scalars import UNDECODED, Undecoded, is_null, is_whole, shown, value_of

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class ProfileFault:
    """One thing wrong with a profile: where (counted from 1), at which key, and what to do about it."""

    line: int
    path: str
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.path}: {self.text}" if self.path else f"line {self.line}: {self.text}"


def path_text(path: Path) -> str:
    """`lights[0].order` for ("lights", 0, "order")."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def line_of(node: yaml.Node) -> int:
    """The line on which `node` begins, from 1."""
    return int(node.start_mark.line) + 1


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`, did you mean rows?` where a known word is like this one, else what is known."""
    words = list(known)
    close = get_close_matches(word, words, 1, 0.6)
    return f", did you mean {close[0]}?" if close else f"; known here: {', '.join(words)}"


class Decoder:
    """Decodes one document. `faults` and `lines` (of every path that was met) grow while it does."""

    def __init__(self) -> None:
        self.faults: list[ProfileFault] = []
        self.lines: dict[Path, int] = {}

    def decode(self, node: yaml.Node, kind: inspect.Type, path: Path = (), expected: str = "") -> Any:
        """The value at `node`, which is to be of that kind; UNDECODED if it is not."""
        self.lines.setdefault(path, line_of(node))
        match kind:
            case inspect.Metadata(inner, _, extra):
                return self.decode(node, inner, path, (extra or {}).get("expected", expected))
            case inspect.StructType():
                return self._struct(node, kind, path)
            case inspect.UnionType(members):
                return self._union(node, members, path, expected)
            case inspect.VarTupleType():
                return self._list(node, kind, path)
            case inspect.DictType():
                return self._free(node, path)
            case inspect.EnumType(cls):
                return self._enum(node, cls, path)
            case inspect.IntType() | inspect.FloatType() | inspect.StrType() | inspect.BoolType():
                return self._scalar(node, kind, path, expected)
            case _:
                raise TypeError(f"a profile's schema cannot hold {type(kind).__name__}")

    def fault(self, line: int, path: Path, text: str) -> Undecoded:
        """Note a fault, and stand for the value."""
        self.faults.append(ProfileFault(line, path_text(path), text))
        return UNDECODED

    # -- mappings

    def _struct(self, node: yaml.Node, kind: inspect.StructType, path: Path) -> Any:
        pairs = self._pairs(node, path)
        if pairs is None:
            return UNDECODED
        fields = {field.encode_name: field for field in kind.fields}
        known = [*fields] if kind.tag is None else ["kind", *fields]
        values: dict[str, Any] = {}
        for key, (line, value) in pairs.items():
            if key not in known:
                self.fault(line, (*path, key), f"there is no such key{did_you_mean(key, known)}")
            elif key in fields and not (is_null(value) and not fields[key].required):
                self.lines[(*path, key)] = line
                values[fields[key].name] = self.decode(value, fields[key].type, (*path, key))
        for name, field in fields.items():
            if field.required and name not in pairs:
                self.fault(line_of(node), path, f"expected the key {name}, which says {told(field.type)}")
        return self._built(kind, values)

    def _built(self, kind: inspect.StructType, values: dict[str, Any]) -> Any:
        """The struct from what could be read, defaults for what could not; UNDECODED if a key is lacking that has none.

        A lacking text is taken for an empty one.
        """
        sound = {name: value for name, value in values.items() if value is not UNDECODED}
        for field in kind.fields:
            if field.required and field.name not in sound:
                if not isinstance(bare(field.type), inspect.StrType):
                    return UNDECODED
                sound[field.name] = ""
        return kind.cls(**sound)

    def _pairs(self, node: yaml.Node, path: Path) -> dict[str, tuple[int, yaml.Node]] | None:
        if not isinstance(node, yaml.MappingNode):
            self.fault(line_of(node), path, f"expected keys with values, got {shown(node)}")
            return None
        pairs: dict[str, tuple[int, yaml.Node]] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else shown(key)
            if name in pairs:
                self.fault(line_of(key), (*path, name), f"this key was given before, on line {pairs[name][0]}")
            pairs[name] = (line_of(key), value)
        return pairs

    def _union(self, node: yaml.Node, members: Sequence[inspect.Type], path: Path, expected: str) -> Any:
        if is_null(node) and any(isinstance(member, inspect.NoneType) for member in members):
            return None
        structs = [member for member in members if isinstance(member, inspect.StructType)]
        if len(structs) == 1:
            return self._struct(node, structs[0], path)
        if structs:
            return self._tagged(node, {str(struct.tag): struct for struct in structs}, path)
        is_list = isinstance(node, yaml.SequenceNode)
        plain = [member for member in members if not isinstance(member, inspect.NoneType)]
        fitting = [member for member in plain if fits(member, is_list=is_list, is_whole=is_whole(node))]
        return self.decode(node, (fitting or plain)[0], path, expected)

    def _tagged(self, node: yaml.Node, structs: dict[str, inspect.StructType], path: Path) -> Any:
        pairs = self._pairs(node, path)
        if pairs is None:
            return UNDECODED
        if "kind" not in pairs:
            return self.fault(line_of(node), path, f"expected the key kind: one of {', '.join(structs)}")
        line, value = pairs["kind"]
        self.lines[(*path, "kind")] = line
        if not isinstance(value, yaml.ScalarNode) or value.value not in structs:
            word = value.value if isinstance(value, yaml.ScalarNode) else ""
            text = f"expected one of {', '.join(structs)}, got {shown(value)}"
            close = get_close_matches(word, structs, 1, 0.6)
            return self.fault(line, (*path, "kind"), text + (f": did you mean {close[0]}?" if close else ""))
        return self._struct(node, structs[value.value], path)

    # -- lists and free values

    def _list(self, node: yaml.Node, kind: inspect.VarTupleType, path: Path) -> Any:
        if isinstance(node, yaml.MappingNode) and holds_mappings(kind.item_type):
            node = yaml.SequenceNode(node.tag, [node], node.start_mark, node.end_mark)
        if not isinstance(node, yaml.SequenceNode):
            return self.fault(line_of(node), path, f"expected {told(kind)}, got {shown(node)}")
        items = [self.decode(item, kind.item_type, (*path, index)) for index, item in enumerate(node.value)]
        least, most = kind.min_length or 0, math.inf if kind.max_length is None else kind.max_length
        if not least <= len(items) <= most:
            return self.fault(line_of(node), path, f"expected {told(kind)}, got {len(items)}")
        return UNDECODED if UNDECODED in items else tuple(items)

    def _free(self, node: yaml.Node, path: Path) -> Any:
        if self._pairs(node, path) is None:
            return UNDECODED
        try:
            return yaml.SafeLoader("").construct_document(node)
        except (yaml.YAMLError, ValueError) as problem:
            return self.fault(line_of(node), path, f"cannot be read: {shortened(str(problem))}")

    # -- scalars

    def _enum(self, node: yaml.Node, cls: type[Enum], path: Path) -> Any:
        choices = {str(member.value): member for member in cls}
        if isinstance(node, yaml.ScalarNode) and node.value in choices:
            return choices[node.value]
        word = node.value if isinstance(node, yaml.ScalarNode) else ""
        close = get_close_matches(word, choices, 1, 0.6)
        hint = f": did you mean {close[0]}?" if close else ""
        return self.fault(line_of(node), path, f"expected one of {', '.join(choices)}, got {shown(node)}{hint}")

    def _scalar(self, node: yaml.Node, kind: inspect.Type, path: Path, expected: str) -> Any:
        value = value_of(node, kind) if isinstance(node, yaml.ScalarNode) else UNDECODED
        if value is UNDECODED:
            return self.fault(line_of(node), path, f"expected {expected or told(kind)}, got {shown(node)}")
        return value
