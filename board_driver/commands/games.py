"""`touchmove games`: what has been played, the newest last."""

from __future__ import annotations

import argparse

_ABOUT = "Lists the games of the state folder: number, date, players, result and how many moves."


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    from board_driver.store.places import add_state_option

    parser = subparsers.add_parser("games", help="list the games that are kept", description=_ABOUT)
    add_state_option(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for a program")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """A line for each game."""
    import json

    from board_driver.store.kept import kept_games
    from board_driver.store.places import state_folder

    games = kept_games(state_folder(arguments.state))
    for game in games:
        print(json.dumps(game.fields()) if arguments.json else game.line())
    if not games and not arguments.json:
        print("no games yet")
    return 0
