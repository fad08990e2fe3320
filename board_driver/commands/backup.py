"""`touchmove backup`: the journal and all games in one file, while the daemon runs."""

from __future__ import annotations

import argparse

_ABOUT = """\
Writes the games and the journal into one .tar.gz file that only its owner may read. The
daemon may go on: the journal is copied as it stands at one moment. Corrections made on the
page are in the games; the service's options in /etc/touchmove are not in a backup."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    from board_driver.store.places import add_state_option

    parser = subparsers.add_parser("backup", help="copy all games and the journal into one file", description=_ABOUT)
    add_state_option(parser)
    parser.add_argument("file", metavar="FILE", help="the file to write, as in club.tar.gz")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write it and say what is in it."""
    from pathlib import Path

    from board_driver.store.archive import back_up
    from board_driver.store.places import state_folder

    folder = state_folder(arguments.state)
    count = back_up(folder, Path(arguments.file).expanduser())
    print(f"{count} game files and the journal of {folder}: {arguments.file}")
    return 0
