"""Where the unit and the rules are: in the source, or in the `share` of an installation."""

from __future__ import annotations

import sysconfig
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from board_driver.inputerror import InputError

SOURCE = Path(__file__).parents[2]
_SHARED = "share/touchmove/systemd"


def parts_folder() -> Path:
    """The folder that holds them. Raises InputError if this installation came without."""
    candidates = [SOURCE / "systemd", Path(sysconfig.get_path("data")) / _SHARED]
    try:
        listed = [Path(str(f.locate())) for f in distribution("touchmove").files or [] if _SHARED in str(f)]
    except PackageNotFoundError:
        listed = []
    candidates += [path.resolve().parent for path in listed[:1]]
    for folder in candidates:
        if (folder / "touchmove.service").is_file():
            return folder
    raise InputError("expected the unit file in share/touchmove/systemd, got none: install touchmove again")


def source_to_install() -> str:
    """What pip should install to get this very version: the source if this runs from one, else the release."""
    if (SOURCE / "pyproject.toml").is_file():
        return str(SOURCE)
    try:
        return f"touchmove=={distribution('touchmove').version}"
    except PackageNotFoundError as problem:
        raise InputError(
            "expected --from, since this touchmove was not installed: name a wheel or a folder"
        ) from problem
