"""`touchmove status`: how the service on this machine is, in a few lines or as JSON."""

from __future__ import annotations

import argparse

_ABOUT = "Says who has the state folder, how the daemon there is, and how many games it keeps."


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    from board_driver.store.places import add_state_option

    parser = subparsers.add_parser("status", help="say how the running daemon is", description=_ABOUT)
    add_state_option(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object, for a program")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """0 while a daemon runs and is well, 1 otherwise."""
    import json

    from board_driver.store.places import state_folder
    from board_driver.store.status import status_of

    status = status_of(state_folder(arguments.state))
    if arguments.json:
        print(json.dumps(status.fields()))
    else:
        print("\n".join(status.lines()))
    return 0 if status.well else 1
