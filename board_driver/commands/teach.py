"""`touchmove teach`: play, and have each ruling explained with its article; exercises to try the Laws."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from board_driver.commands.run import add_board_options, add_page_options

if TYPE_CHECKING:
    from board_driver.daemon import Daemon
    from board_driver.wording.language import Language

_ABOUT = """\
Starts the daemon as `touchmove run` does, in friendly play, and explains each ruling
with its article of the Laws, in the terminal and on the page: what a touched piece
must do, why a move is not allowed, how to castle. Exercises set up positions to try
it in; on a board of wood the lights show which piece goes where."""

_EXAMPLES = """\
examples:
  touchmove teach                         a game, explained
  touchmove teach all                     all exercises, one after the other
  touchmove teach castling en-passant     these two
  touchmove teach all --language zh       in Chinese
  touchmove teach --list                  the exercises that there are

exit status: 0 when stopped; 2 for an exercise, a board or a port that cannot be had"""

ALL = "all"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    parser = subparsers.add_parser(
        "teach",
        help="play with each ruling explained by its article, and exercises",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("exercise", nargs="*", metavar="EXERCISE", help="what to practise; `all` for everything")
    parser.add_argument("--list", action="store_true", help="tell which exercises there are")
    add_board_options(parser)
    add_page_options(parser)
    parser.set_defaults(run=run, touch="friendly")


def run(arguments: argparse.Namespace) -> int:
    """List the exercises, or live until stopped by SIGINT or SIGTERM."""
    import asyncio
    from dataclasses import replace

    from board_driver.inputerror import InputError, one_of
    from board_driver.service import Plan, serve
    from board_driver.sound.hearing import language_of
    from board_driver.teaching.exercises import EXERCISES
    from board_driver.teaching.teacher import Teacher
    from board_driver.wording.language import language

    if arguments.list:
        tongue = language(language_of(arguments))
        for exercise in EXERCISES:
            print(f"{exercise.name:12} {tongue.say(f'exercise.{exercise.name}')}")
        return 0
    known = {exercise.name: exercise for exercise in EXERCISES}
    for name in arguments.exercise:
        one_of("EXERCISE", name, (ALL, *known))
    if arguments.mode not in (None, "play"):
        raise InputError("expected no --mode with `touchmove teach`: rulings are explained in play mode only")
    chosen = EXERCISES if ALL in arguments.exercise else tuple(known[name] for name in arguments.exercise)
    if chosen and arguments.fen is not None:
        raise InputError("expected no --fen with exercises: each has a position of its own")
    arguments.mode = "play"
    arguments.fen = chosen[0].fen if chosen else arguments.fen

    def teacher(daemon: Daemon, tongue: Language) -> Teacher:
        return Teacher(daemon, tongue, chosen, lambda text: print(text, flush=True))

    asyncio.run(serve(replace(Plan.from_arguments(arguments), instructor=teacher)))
    return 0
