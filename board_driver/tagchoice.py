"""Who plays, and in which event, as the command line says: `--tag White=Ann`."""

from __future__ import annotations

import argparse

from board_driver.corrections import HEADER, LONGEST_TAG
from board_driver.inputerror import InputError, shortened


def tags_told(arguments: argparse.Namespace) -> dict[str, str]:
    """The PGN tags of all `--tag` options. Raises InputError for one that cannot be."""
    tags = {}
    for text in getattr(arguments, "tag", ()):
        name, equals, value = text.partition("=")
        if name not in HEADER or not equals or not value.strip() or len(value) > LONGEST_TAG:
            told = f"{', '.join(HEADER[:-1])} or {HEADER[-1]}, = and up to {LONGEST_TAG} letters"
            raise InputError(f"expected --tag to be {told}, as in White=Ann, got {shortened(text)}")
        tags[name] = " ".join(value.split())
    return tags
