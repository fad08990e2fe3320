"""Which program serves the page: a page that was loaded from another one has to be loaded anew."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

ASSETS = Path(__file__).parent / "assets"


def installed_version() -> str:
    """The version of touchmove, or what stands for it when it runs from its source folder."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 (slow, and not needed at the start)

    try:
        return version("touchmove")
    except PackageNotFoundError:
        return "(source folder)"


@cache
def program_id() -> str:
    """Differs whenever version or page do."""
    digest = hashlib.sha256()
    for asset in sorted(ASSETS.iterdir()):
        digest.update(asset.read_bytes())
    return f"{installed_version()} {digest.hexdigest()[:12]}"
