"""`touchmove demo`: a real game with a few irregularities, played on the virtual board before your eyes."""

from __future__ import annotations

import argparse

_ABOUT = """\
Plays a real game on the virtual board, with the arbiter at work: a touch-move breach,
an illegal move put right, a castling begun with the rook, a promotion. It is drawn
here in the terminal with its lights and rulings, ends by itself, and prints the PGN."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    parser = subparsers.add_parser("demo", help="watch the arbiter at work on a real game", description=_ABOUT)
    parser.add_argument("--speed", metavar="FACTOR", default="3", help="so much faster than hands are (default 3)")
    parser.add_argument("--page", action="store_true", help="show the game on the page too")
    parser.add_argument("--port", metavar="PORT", default="8080", help="its port (default 8080; 0: any free one)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the demonstration; 0 when it was played to its end."""
    import asyncio

    from board_driver.demo.show import Show, play
    from board_driver.service import read_port, read_rate

    show = Show(rate=read_rate(arguments.speed), port=read_port(arguments.port) if arguments.page else None)
    asyncio.run(play(show))
    return 0
