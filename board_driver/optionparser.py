"""A command line whose slips are told with the nearest option."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

_UNKNOWN = "unrecognized arguments: "


class OptionParser(argparse.ArgumentParser):
    """As argparse has it, but a command tells what it does not know by itself, with the option that may be meant."""

    def parse_known_args(  # type: ignore[override]  # argparse's own hints are of five overloads
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """As argparse has it; ends the program where a command has more than it knows."""
        parsed, rest = super().parse_known_args(args, namespace)
        if rest and self._subparsers is None:
            self.error(_UNKNOWN + " ".join(rest))
        return parsed, rest

    def error(self, message: str) -> NoReturn:
        """Tell the usage and what is wrong, and end with status 2."""
        if message.startswith(_UNKNOWN):
            word = message.removeprefix(_UNKNOWN).split(" ")[0].partition("=")[0]
            options = [option for action in self._actions for option in action.option_strings]
            near = get_close_matches(word, options, 1, 0.6)
            message += f"; did you mean {near[0]}?" if near else ""
        super().error(message.encode("unicode_escape").decode("ascii") if not message.isprintable() else message)
