"""`touchmove export`: games as one PGN file, or what a board said as a sensor log."""

from __future__ import annotations

import argparse

_ABOUT = """\
Writes games of the state folder into one PGN file, or to standard output. With --log it
writes what the board said in the newest game as a sensor log: the best bug report."""

_EXAMPLES = """\
examples:
  touchmove export > games.pgn            all games
  touchmove export 3 5 --out two.pgn      games 3 and 5 of touchmove games
  touchmove export --log --out log.jsonl  the newest chapter of the journal, for touchmove replay"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    from board_driver.store.places import add_state_option

    parser = subparsers.add_parser(
        "export",
        help="write games as PGN, or a sensor log",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_state_option(parser)
    parser.add_argument("number", nargs="*", metavar="NUMBER", help="a game's number; none: all")
    parser.add_argument("--out", metavar="FILE", help="write there instead of standard output")
    parser.add_argument("--log", action="store_true", help="the sensor log of the newest game instead of PGN")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write them."""
    import sys
    from pathlib import Path

    from board_driver.store.kept import kept_log, kept_pgn
    from board_driver.store.pgnfile import write_text
    from board_driver.store.places import state_folder

    folder = state_folder(arguments.state)
    text = kept_log(folder) if arguments.log else kept_pgn(folder, arguments.number)
    if arguments.out is None:
        sys.stdout.write(text)
    else:
        write_text(Path(arguments.out).expanduser(), text)
    return 0
