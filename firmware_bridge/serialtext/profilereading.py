"""Reading profiles of text boards from YAML; what is wrong with one is said by its key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from firmware_bridge.codec import LineSettings, Parity
from firmware_bridge.serialtext.order import BLACK, CORNERS, EMPTY, SOMETHING, WHITE, Along, Order
from firmware_bridge.serialtext.profile import Lights, Profile, ProfileError, Tells
from firmware_bridge.serialtext.rules import CellsRule, EventRule, FenRule, ListRule, MasksRule, Rule
from rules.pieces import PIECES


def ready_profiles() -> dict[str, Profile]:
    """The profiles that come with this package, by name."""
    return {file.name.removesuffix(".yaml"): parse_profile(file.read_text(encoding="utf-8")) for file in _files()}


def _files() -> list[Traversable]:
    folder = resources.files(__package__) / "profiles"
    return sorted((file for file in folder.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)


def profile_text(name: str) -> str:
    """The YAML of a ready profile, or of a file. Raises ProfileError, or OSError for a file that cannot be read."""
    ready = {file.name.removesuffix(".yaml"): file for file in _files()}
    if name in ready:
        return ready[name].read_text(encoding="utf-8")
    if not Path(name).exists():
        raise ProfileError(f"expected a profile file or one of {', '.join(sorted(ready))}, got {name!r}")
    return Path(name).read_text(encoding="utf-8")


def load_profile(name: str) -> Profile:
    """That profile. Raises as `profile_text` and `parse_profile` do."""
    return parse_profile(profile_text(name))


def parse_profile(text: str) -> Profile:
    """A profile from YAML. Raises ProfileError."""
    import yaml  # noqa: PLC0415

    try:
        top = yaml.safe_load(text)
    except yaml.YAMLError as problem:
        raise ProfileError(f"expected YAML: {' '.join(str(problem).split())}") from problem
    except RecursionError as problem:
        raise ProfileError("expected a profile, got one that is nested deeper than any") from problem
    fields = _Fields("profile", top)
    profile = Profile(
        title=fields.text("title"),
        rules=_rules(fields.take("lines")),
        line=LineSettings(
            baud=fields.number("baud", 115_200, 300, 4_000_000),
            parity=Parity(fields.choice("parity", Parity.NONE.value, [parity.value for parity in Parity])),
            dtr=fields.maybe_bool("dtr"),
            reset_wait_ms=fields.number("reset_wait_ms", 2_500, 0, 60_000),
        ),
        tells=Tells(fields.choice("tells", "occupancy", [tells.value for tells in Tells])),
        ignore_prefix=fields.text("ignore_prefix", ""),
        assume_start=fields.maybe_bool("assume_start") or False,
        start=fields.text("start", ""),
        ask=fields.text("ask", ""),
        lights=_lights(fields.take("lights", None)),
        pace_ms=fields.number("pace_ms", 0, 0, 10_000),
    )
    fields.end()
    return profile


class _Fields:
    """A mapping whose keys are taken one by one; what is left over at the end is a mistake."""

    def __init__(self, place: str, value: object) -> None:
        if not isinstance(value, dict):
            raise ProfileError(f"{place}: expected a mapping, got {value!r:.60}")
        self._place = place
        self._left: dict[object, object] = dict(value)

    def take(self, key: str, *default: object) -> object:
        if key in self._left:
            return self._left.pop(key)
        if default:
            return default[0]
        raise ProfileError(f"{self._place}: expected a key {key!r}")

    def text(self, key: str, *default: str) -> str:
        value = self.take(key, *default)
        if not isinstance(value, str) or not value.isascii():
            raise self._wrong(key, "ASCII text (quoted)", value)
        return value

    def number(self, key: str, default: int, low: int, high: int) -> int:
        value = self.take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self._wrong(key, f"a whole number from {low} to {high}", value)
        return value

    def choice(self, key: str, default: str, choices: list[str]) -> str:
        value = self.take(key, default)
        if value not in choices:
            raise self._wrong(key, "one of " + ", ".join(choices), value)
        return str(value)

    def maybe_bool(self, key: str) -> bool | None:
        value = self.take(key, None)
        if value is not None and not isinstance(value, bool):
            raise self._wrong(key, "true or false", value)
        return value

    def order(self) -> Order:
        words = str(self.take("order", "a8 ranks")).split()
        ways = [along.value for along in Along]
        if len(words) != 2 or words[0] not in CORNERS or words[1] not in ways:
            raise self._wrong("order", "a corner and a way, as in 'a8 ranks' or 'a1 files'", " ".join(words))
        return Order(words[0], Along(words[1]))

    def end(self) -> None:
        if self._left:
            raise ProfileError(f"{self._place}: no such key: {', '.join(map(str, self._left))}")

    def _wrong(self, key: str, expected: str, value: object) -> ProfileError:
        return ProfileError(f"{self._place}: expected {key} to be {expected}, got {value!r:.60}")


def _rules(value: object) -> tuple[Rule, ...]:
    if not isinstance(value, list) or not value:
        raise ProfileError(f"lines: expected a list of kinds of lines, got {value!r:.60}")
    return tuple(rule for item in value for rule in _rules_of(item))


def _rules_of(item: object) -> list[Rule]:
    if not isinstance(item, dict) or len(item) != 1:
        raise ProfileError(f"lines: expected one of {', '.join(_KINDS)} with its keys, got {item!r:.60}")
    ((kind, value),) = item.items()
    if kind not in _KINDS:
        raise ProfileError(f"lines: expected one of {', '.join(_KINDS)}, got {kind!r:.60}")
    fields = _Fields(str(kind), value)
    rules = _KINDS[kind](fields)
    fields.end()
    return rules


def _cells(fields: _Fields) -> list[Rule]:
    holds: dict[str, str] = {}
    for key, meaning in (("empty", EMPTY), ("occupied", SOMETHING), ("white", WHITE), ("black", BLACK)):
        for character in fields.text(key, ""):
            holds[character] = meaning
    if fields.maybe_bool("pieces"):
        holds |= {letter: letter for letter in PIECES}
    if EMPTY not in holds.values() or len(set(holds.values())) < 2:
        raise ProfileError("cells: expected which characters are empty, and which occupied, white, black or pieces")
    return [CellsRule(holds, fields.text("prefix", ""), fields.text("separators", " ,;|/"), fields.order())]


def _masks(fields: _Fields) -> list[Rule]:
    base = fields.number("base", 10, 2, 16)
    if base not in (2, 10, 16):
        raise ProfileError(f"masks: expected base to be 2, 10 or 16, got {base}")
    return [
        MasksRule(
            base,
            fields.text("prefix", ""),
            fields.order(),
            fields.maybe_bool("lowest_bit_first") or False,
            fields.choice("active", "high", ["high", "low"]) == "low",
        )
    ]


def _events(fields: _Fields) -> list[Rule]:
    keys = (("lift", EMPTY), ("place", SOMETHING), ("white", WHITE), ("black", BLACK))
    templates = [(fields.text(key, ""), holds) for key, holds in keys]
    rules: list[Rule] = [EventRule(_template(text), holds) for text, holds in templates if text]
    if len(rules) < 2 or not templates[0][0]:
        raise ProfileError("events: expected lift, and one of place, white, black")
    return rules


def _list(fields: _Fields) -> list[Rule]:
    return [ListRule(_template(fields.text("square")), fields.text("end"))]


def _fen(fields: _Fields) -> list[Rule]:
    return [FenRule(fields.text("prefix", ""))]


_KINDS: Mapping[str, Callable[[_Fields], list[Rule]]] = {
    "cells": _cells, "masks": _masks, "events": _events, "list": _list, "fen": _fen,
}  # fmt: skip


def _template(text: str) -> str:
    if "{square}" in text or ("{file}" in text and "{rank}" in text):
        return text
    raise ProfileError(f"expected {{square}}, or {{file}} and {{rank}}, in {text!r:.60}")


def _lights(value: object) -> Lights | None:
    if value is None:
        return None
    fields = _Fields("lights", value)
    lights = Lights(
        fields.text("lit", ""), fields.text("dark", ""), fields.text("each", ""), fields.text("separator", ",")
    )
    fields.end()
    if not (lights.lit or lights.each):
        raise ProfileError("lights: expected lit or each")
    return lights
