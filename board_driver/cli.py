"""The command line: `touchmove COMMAND`.

Exit status: 0 done, 2 bad input (one line on standard error says what was expected, what came and what to do),
130 interrupted. A traceback is always a mistake of ours.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec

from board_driver import streams
from board_driver.inputerror import InputError
from board_driver.optionparser import OptionParser

COMMANDS = (
    *("run", "teach", "train", "demo", "replay", "simulate", "capture", "profile", "doctor", "calibrate"),
    *("status", "games", "export", "backup", "restore", "logs", "install", "perft", "version"),
)
"""In the order in which help lists them; each is a module in `board_driver.commands`."""

BAD_INPUT = 2
INTERRUPTED = 130
PIPE_CLOSED = 141

_ABOUT = """\
A chess arbiter and score-keeper that lives under a physical board.

It reads which squares are occupied, works out what the hands did, rules on it by
the Laws of Chess, lights the squares, and writes the game down. No board yet?
The virtual one needs no hardware."""

_EXAMPLES = """\
try it:
  touchmove demo                         watch a game with a few irregularities, in this terminal
  touchmove run --board virtual          play on a board in the web browser
  touchmove replay game.jsonl            what happened in a recorded log: the score and the rulings
  touchmove COMMAND --help               all about one command"""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Text as it is written, and every command's line beside its name, the longest too."""

    def format_help(self) -> str:
        self._action_max_length += self._indent_increment  # argparse forgets that commands are indented once more
        return super().format_help()


def build_parser() -> argparse.ArgumentParser:
    """The whole command line. Commands whose module is not installed are left out."""
    parser = OptionParser(
        prog="touchmove",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=_Help,
    )
    subparsers = parser.add_subparsers(metavar="COMMAND", title="commands", required=True)
    for name in COMMANDS:
        module = f"board_driver.commands.{name}"
        if find_spec(module) is not None:
            import_module(module).add_parser(subparsers)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    streams.prepare()
    try:
        return _written_out(arguments)
    except OSError as problem:
        streams.let_go()
        if isinstance(problem, BrokenPipeError):
            return PIPE_CLOSED  # whoever read our output has enough
        if problem.errno not in streams.NO_ROOM:
            raise
        print(f"touchmove: expected room for what is written, got: {problem.strerror}", file=sys.stderr)
        return BAD_INPUT


def _written_out(arguments: Sequence[str] | None) -> int:
    """The same. Raises OSError where what is printed cannot be written, be it the last letter."""
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        sys.stdout.flush()


def _run(arguments: Sequence[str] | None) -> int:
    try:
        parsed = build_parser().parse_args(arguments)
        run: Callable[[argparse.Namespace], int] = parsed.run
        return run(parsed)
    except InputError as problem:
        sys.stdout.flush()
        print(f"touchmove: {problem}", file=sys.stderr)
        return BAD_INPUT
