"""`touchmove train`: play through a game on the board, solve puzzles, learn openings."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from board_driver.commands.run import add_board_options, add_page_options

if TYPE_CHECKING:
    from board_driver.daemon import Daemon
    from board_driver.training.task import Task
    from board_driver.training.trainer import Trainer
    from board_driver.wording.language import Language

_ABOUT = """\
Starts the daemon with a task on the board. The opponent's moves are shown by lights,
to be carried out; yours you find. A wrong move is said and taken back on the board; a
hint (page or button) lights the right one. Without a FILE the program's own are used."""

_EXAMPLES = """\
examples:
  touchmove train follow                          the Immortal Game, move by move
  touchmove train follow mygames.pgn --game 3     the third game of a file
  touchmove train puzzles mates.epd               lines of EPD: bm or pv is the solution
  touchmove train openings --side black           lines of a PGN file, variations too

exit status: 0 when stopped; 2 for a file, a board or a port that cannot be had"""

COURSES = ("follow", "puzzles", "openings")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    parser = subparsers.add_parser(
        "train",
        help="play through a game, solve puzzles, learn openings on the board",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("course", metavar="COURSE", help=f"{', '.join(COURSES[:-1])} or {COURSES[-1]}")
    parser.add_argument("file", nargs="?", default="", metavar="FILE", help="PGN, for puzzles EPD")
    parser.add_argument("--game", metavar="N", default="1", help="which game of the file to follow (default 1)")
    parser.add_argument("--side", metavar="SIDE", default="white", help="white or black: whose opening moves to find")
    add_board_options(parser)
    add_page_options(parser)
    parser.set_defaults(run=run, touch="friendly")


def run(arguments: argparse.Namespace) -> int:
    """Live until stopped by SIGINT or SIGTERM."""
    import asyncio
    from dataclasses import replace

    from board_driver.inputerror import InputError
    from board_driver.service import Plan, serve
    from board_driver.training.trainer import Trainer, settings_for
    from rules.fen import write_fen

    if arguments.mode not in (None, "play") or arguments.fen is not None:
        raise InputError("expected neither --mode nor --fen with `touchmove train`: a task brings its own")
    tasks = _tasks(arguments)
    arguments.mode, arguments.fen, arguments.chess960 = "play", write_fen(tasks[0].start), tasks[0].start.chess960
    plan = Plan.from_arguments(arguments)
    choice = replace(plan.choice, settings=settings_for(plan.choice.settings, tasks[0]))

    def trainer(daemon: Daemon, tongue: Language) -> Trainer:
        return Trainer(daemon, tongue, tasks, lambda text: print(text, flush=True))

    asyncio.run(serve(replace(plan, choice=choice, instructor=trainer)))
    return 0


def _tasks(arguments: argparse.Namespace) -> Sequence[Task]:
    from board_driver.inputerror import InputError, one_of, shortened
    from board_driver.training.courses import game_to_follow, openings, puzzles
    from rules.squares import Colour

    one_of("COURSE", arguments.course, COURSES)
    if arguments.course == "puzzles":
        return puzzles(arguments.file)
    if arguments.course == "openings":
        one_of("--side", arguments.side, [colour.word for colour in Colour])
        return openings(arguments.file, next(colour for colour in Colour if colour.word == arguments.side))
    if not (arguments.game.isascii() and arguments.game.isdigit()):
        raise InputError(f"expected --game to be the number of a game, got {shortened(arguments.game)}")
    return (game_to_follow(arguments.file, int(arguments.game[:9])),)
