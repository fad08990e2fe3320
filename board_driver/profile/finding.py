"""The profiles that come with the program, and the one that a person means.

They are `hardware/boards/*.yaml` of the source; an installation keeps them in `share/touchmove/boards`.
"""

from __future__ import annotations

import sysconfig
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from board_driver.inputerror import InputError, shortened

_SOURCE = Path(__file__).parents[2] / "hardware" / "boards"
_SHARED = "share/touchmove/boards"
SUFFIXES = (".yaml", ".yml")


def packaged_profiles() -> dict[str, Path]:
    """The profiles that come with the program, by name, in alphabetical order."""
    return {path.stem: path for path in sorted(_folder().glob("*.yaml"))}


def looks_like_profile(name: str) -> bool:
    """Whether `--board name` means a file."""
    return name.endswith(SUFFIXES) or "/" in name


def find_profile(name: str) -> Path:
    """The file of that name, or the packaged profile. Raises InputError, saying what there is."""
    if looks_like_profile(name):
        return Path(name).expanduser()
    known = packaged_profiles()
    if name in known:
        return known[name]
    close = get_close_matches(name, known, 1)
    hint = f", did you mean {close[0]}?" if close else f": {', '.join(known)} come with touchmove"
    raise InputError(f"expected a profile's file (as in board.yaml) or its name, got {shortened(name)}{hint}")


def _folder() -> Path:
    if _SOURCE.is_dir():
        return _SOURCE
    for root in _installed_in():
        if (root / _SHARED).is_dir():
            return root / _SHARED
    return _SOURCE


def _installed_in() -> list[Path]:
    """Where an installation may have put shared files; its own list of files knows best."""
    roots = [Path(sysconfig.get_path("data"))]
    try:
        files = distribution("touchmove").files or []
    except PackageNotFoundError:
        return roots
    listed = [Path(str(file.locate())).resolve() for file in files if _SHARED in str(file)]
    return [path.parents[len(Path(_SHARED).parts)] for path in listed[:1]] + roots
