"""`touchmove logs`: what the service said, by the system's journal, or what was ruled, by ours."""

from __future__ import annotations

import argparse

_ABOUT = """\
Without options: the service's messages, from the system's journal. With --rulings: what was
decided in the newest game, one JSON object a line, as touchmove replay --events writes it."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    from board_driver.store.places import add_state_option

    parser = subparsers.add_parser("logs", help="show what the service said, or what was ruled", description=_ABOUT)
    add_state_option(parser)
    parser.add_argument("--rulings", action="store_true", help="the rulings of the newest game")
    parser.add_argument("--follow", action="store_true", help="go on showing what is said (not with --rulings)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print them."""
    import shutil
    import subprocess

    from board_driver.inputerror import InputError
    from board_driver.store.kept import kept_rulings
    from board_driver.store.places import state_folder

    if arguments.rulings:
        for line in kept_rulings(state_folder(arguments.state)):
            print(line)
        return 0
    if shutil.which("journalctl") is None:
        raise InputError("expected journalctl on this machine, got none: without systemd the daemon's terminal has all")
    command = ["journalctl", "--unit", "touchmove", "--output", "short-iso", "--no-pager"]
    return subprocess.run([*command, "--follow"] if arguments.follow else command, check=False).returncode
