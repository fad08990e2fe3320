"""`touchmove install` and `touchmove uninstall`: the service on this machine."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from board_driver.installing.layout import Device

_ABOUT = """\
Installs touchmove as a service: a virtual environment of its own under /opt/touchmove,
the systemd unit, udev rules and groups. An upgrade keeps games, journal and options,
and goes back by itself to the version before if the new one is not well in a minute."""

_EXAMPLES = """\
examples:
  sudo touchmove install                            asks which board
  sudo touchmove install --board reed-matrix-gpio
  sudo touchmove install --board serial --network   the page for the local network, too
  sudo touchmove uninstall                          keeps the games; --purge does not

exit status: 0 when the service runs, 1 when the version before had to come back, 2 when it cannot be done"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add both commands."""
    parser = subparsers.add_parser(
        "install",
        help="install or upgrade the service on this machine",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--board", metavar="BOARD", help="as for touchmove run; asked for if there was none before")
    parser.add_argument("--network", action="store_true", help="let the local network at the page (with --board)")
    parser.add_argument("--wheels", metavar="DIR", help="install from this folder of wheels, without a network")
    parser.add_argument(
        "--unlocked", action="store_true", help="take what the package index has now, not what the lock names by hashes"
    )
    parser.add_argument("--from", dest="source", metavar="SOURCE", help="a wheel or a folder to install from")
    parser.add_argument("--no-start", action="store_true", help="put everything into place, start nothing")
    parser.add_argument("--root", metavar="DIR", default="/", help="install below this folder (for images)")
    parser.set_defaults(run=run_install)
    remove = subparsers.add_parser("uninstall", help="remove the service; games and options stay")
    remove.add_argument("--purge", action="store_true", help="remove the games, the journal and the options too")
    remove.add_argument("--root", metavar="DIR", default="/", help="below this folder")
    remove.set_defaults(run=run_uninstall)


def run_install(arguments: argparse.Namespace) -> int:
    """Install or upgrade."""
    from board_driver.installing.layout import Layout
    from board_driver.installing.parts import parts_folder, source_to_install
    from board_driver.installing.steps import Installer, Order

    layout = Layout(Path(arguments.root))
    _need_root(layout)
    board = arguments.board or (None if layout.options.exists() else _ask_board())
    devices, extras = _needs(board)
    order = Order(
        source=arguments.source or source_to_install(),
        extras=extras,
        board=board,
        devices=devices,
        network=arguments.network,
        wheels=None if arguments.wheels is None else Path(arguments.wheels).absolute(),
        locked=not arguments.unlocked,
        start=not arguments.no_start,
    )
    if not Installer(layout, _say).install(order, parts_folder()):
        return 1
    _say("done" if arguments.no_start else "the service runs; touchmove status says how it is")
    return 0


def run_uninstall(arguments: argparse.Namespace) -> int:
    """Take it off."""
    from board_driver.installing.layout import Layout
    from board_driver.installing.steps import Installer

    layout = Layout(Path(arguments.root))
    _need_root(layout)
    Installer(layout, _say).uninstall(arguments.purge)
    _say(
        "removed" if arguments.purge else f"removed; the games are in {layout.state}/games, options in {layout.options}"
    )
    return 0


def _say(text: str) -> None:
    print(f"touchmove: {text}", flush=True)


def _need_root(layout: object) -> None:
    import os

    from board_driver.inputerror import InputError
    from board_driver.installing.layout import Layout

    if layout == Layout() and os.geteuid() != 0:
        raise InputError("expected to be root to install a service: run it with sudo")


def _ask_board() -> str:
    """The first-run question. Raises InputError where nobody is there to answer."""
    import sys

    from board_driver.inputerror import InputError, shortened
    from board_driver.profile.finding import packaged_profiles

    boards = ["virtual", "serial", *packaged_profiles()]
    if not sys.stdin.isatty():
        raise InputError(f"expected --board, since nobody can be asked here: {', '.join(boards)}, or a profile's file")
    print("Which board is it?")
    for number, name in enumerate(boards, 1):
        print(f"  {number}  {name}")
    try:
        answer = input("number, name or a profile's file: ").strip()
    except (EOFError, UnicodeDecodeError):
        print()
        raise InputError("expected a board, got no answer: name it with --board") from None
    if answer.isdigit() and 1 <= int(answer) <= len(boards):
        return boards[int(answer) - 1]
    if not answer:
        raise InputError(f"expected a board, got {shortened(answer)!r}")
    return answer


def _needs(board: str | None) -> tuple[tuple[Device, ...], tuple[str, ...]]:
    """The devices of that board and the extras of touchmove that drive them. Raises InputError if there is no such."""
    from board_driver.boards.catalogue import choose_board
    from board_driver.inputerror import InputError, shortened
    from board_driver.installing.layout import Device, devices_of, display_extras, is_plain
    from board_driver.profile.finding import find_profile, looks_like_profile, packaged_profiles
    from board_driver.profile.reading import sound_profile

    if board is None:
        return (), ()
    if not is_plain(board):
        raise InputError(f"expected a board's name without spaces and signs, got {shortened(board)}")
    text = None
    if looks_like_profile(board) or board in packaged_profiles():
        path = find_profile(board)
        sound_profile(path)
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as problem:
            raise InputError(f"{shortened(str(path), 200)}: expected a profile, got: {problem.strerror}") from problem
    elif board.partition(":")[0] not in ("serial", "text"):
        choose_board(board)
    devices = devices_of(board, text)
    extras = {Device.GPIO: "gpio", Device.SPI: "spi", Device.I2C: "i2c"}
    return devices, (*(extras[device] for device in devices if device in extras), *display_extras(text))
