"""`touchmove perft DEPTH [FEN]`: count the leaves of the tree of legal moves, the usual check of a rules library."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.position import Position

DEEPEST = 20


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    parser = subparsers.add_parser(
        "perft",
        help="count the legal move sequences of a position (checks the rules)",
        description="Counts the sequences of DEPTH legal moves from a position and prints count, time and speed.",
    )
    parser.add_argument("depth", metavar="DEPTH", help="how many plies deep, from 0")
    parser.add_argument("fen", metavar="FEN", nargs="?", help="where to start (quoted; default: the usual position)")
    parser.add_argument("--chess960", action="store_true", help="castling by the rules of Chess960")
    parser.add_argument("--divide", action="store_true", help="print the count below each first move as well")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print `nodes, seconds, nodes a second`; with `--divide` each first move before."""
    from time import perf_counter

    from board_driver.inputerror import InputError
    from rules.fen import START_FEN, parse_fen
    from rules.perft import perft

    depth = _depth(arguments.depth)
    try:
        position = parse_fen(arguments.fen or START_FEN, chess960=arguments.chess960)
    except ValueError as problem:
        raise InputError(f"the position cannot be read: {problem}") from problem
    began = perf_counter()
    nodes = _divided(position, depth) if arguments.divide and depth else perft(position, depth)
    seconds = perf_counter() - began
    speed = f"{nodes / seconds:,.0f} nodes/s" if seconds > 0 else "too fast to time"
    print(f"perft {depth}: {nodes:,} nodes in {seconds:.3f} s, {speed}")
    return 0


def _depth(text: str) -> int:
    from board_driver.inputerror import InputError, shortened

    if text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= DEEPEST:
        return int(text)
    raise InputError(f"expected a DEPTH from 0 to {DEEPEST}, got {shortened(text)}")


def _divided(position: Position, depth: int) -> int:
    """Print the count below each first move as it is known, and return the sum."""
    from rules.perft import perft
    from rules.uci import write_uci

    total = 0
    for text, move in sorted((write_uci(position, move), move) for move in position.legal_moves()):
        below = perft(position.play(move), depth - 1)
        total += below
        print(f"{text}: {below}", flush=True)
    return total
