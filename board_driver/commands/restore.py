"""`touchmove restore`: a backup back into a state folder."""

from __future__ import annotations

import argparse

_ABOUT = """\
Puts the games and the journal of a backup back. Games that are there and not in the backup
stay; a game that differs is kept beside the other. The daemon must not be running:
systemctl stop touchmove."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    from board_driver.store.places import add_state_option

    parser = subparsers.add_parser("restore", help="put a backup back", description=_ABOUT)
    add_state_option(parser)
    parser.add_argument("file", metavar="FILE", help="what touchmove backup wrote")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Put it back and say what was."""
    from pathlib import Path

    from board_driver.store.archive import put_back
    from board_driver.store.places import state_folder

    folder = state_folder(arguments.state, must_exist=False)
    restored = put_back(Path(arguments.file).expanduser(), folder)
    print(f"{restored} game files and the journal: {folder}")
    return 0
