"""A profile read from its text or file: the frozen values, or everything that is wrong with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml
from msgspec import inspect

from board_driver.inputerror import InputError, shortened
from board_driver.profile.checks import check
from board_driver.profile.decoding import Decoder, ProfileFault, path_text
from board_driver.profile.schema import Profile

LONGEST = 100_000
"""Characters: more than any board needs."""

DEEPEST = 20
"""Levels of nesting."""

_OPENING = (
    yaml.FlowSequenceStartToken,
    yaml.FlowMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.BlockMappingStartToken,
)
_CLOSING = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)


@cache
def schema() -> inspect.Type:
    """The schema of a profile, as msgspec reads it off the structs."""
    return inspect.type_info(Profile)


def read_profile(text: str) -> Profile | tuple[ProfileFault, ...]:
    """The profile that `text` holds, or all its faults in the order of their lines."""
    node = _compose(text)
    if isinstance(node, ProfileFault):
        return (node,)
    decoder = Decoder()
    profile = decoder.decode(node, schema())
    faults = decoder.faults
    if isinstance(profile, Profile):
        muddled = {fault.path.split(".")[0].split("[")[0] for fault in faults}
        faults += [
            ProfileFault(_line(decoder.lines, complaint.path), path_text(complaint.path), complaint.text)
            for complaint in check(profile)
            if complaint.path[0] not in muddled  # it may be the default's that stands there instead
        ]
    return (
        profile if not faults and isinstance(profile, Profile) else tuple(sorted(faults, key=lambda fault: fault.line))
    )


def read_profile_file(path: Path) -> Profile | tuple[ProfileFault, ...]:
    """The same of a file. Raises InputError if there is no such file, or it is no text."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LONGEST + 1)  # a device would never end
    except FileNotFoundError:
        raise InputError(f"expected a profile in {path}, but there is no such file") from None
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is no text in UTF-8"
        raise InputError(f"expected a profile in {path}, but it cannot be read: {reason}") from problem
    return read_profile(text)


def sound_profile(path: Path) -> Profile:
    """The profile of that file. Raises InputError for the first fault, saying how to see them all."""
    profile = read_profile_file(path)
    if isinstance(profile, Profile):
        return profile
    more = f" (and {len(profile) - 1} more)" if len(profile) > 1 else ""
    raise InputError(f"{path}, {profile[0]}{more}; `touchmove profile check {path}` tells all that is wrong")


def _compose(text: str) -> yaml.Node | ProfileFault:
    if len(text) > LONGEST:
        return ProfileFault(1, "", f"expected a profile of at most {LONGEST} characters, got a longer one")
    try:
        unfit = _unfit(text)
        if unfit is not None:
            return unfit
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        reason = str(getattr(problem, "problem", None) or getattr(problem, "reason", None) or problem)
        return ProfileFault(1 if mark is None else mark.line + 1, "", f"this is no YAML: {shortened(reason, 100)}")
    if node is None:
        return ProfileFault(1, "", "expected a profile, got an empty file")
    return node


def _unfit(text: str) -> ProfileFault | None:
    """What YAML could do to a reader: values that repeat themselves by aliases, and endless nesting."""
    depth = 0
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        if isinstance(token, yaml.AliasToken):
            return ProfileFault(token.start_mark.line + 1, "", "anchors are not read here: write the value out")
        depth += isinstance(token, _OPENING)
        depth -= isinstance(token, _CLOSING)
        if depth > DEEPEST:
            return ProfileFault(token.start_mark.line + 1, "", "this is nested deeper than any profile")
    return None


def _line(lines: dict[tuple[str | int, ...], int], path: tuple[str | int, ...]) -> int:
    """Where that path is in the file, or the nearest key above it that was written."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)
