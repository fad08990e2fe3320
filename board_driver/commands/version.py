"""`touchmove version`: what is installed here, for a bug report."""

from __future__ import annotations

import argparse


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    parser = subparsers.add_parser(
        "version",
        help="print the version, for a bug report",
        description="Prints the version of touchmove and of the Python it runs on.",
    )
    parser.set_defaults(run=run)


def run(_arguments: argparse.Namespace) -> int:
    """Print one line."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    try:
        installed = version("touchmove")
    except PackageNotFoundError:
        installed = "(not installed, running from its source folder)"
    print(f"touchmove {installed}, Python {platform.python_version()} on {platform.system()} {platform.machine()}")
    return 0
