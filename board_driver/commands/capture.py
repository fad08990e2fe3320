"""`touchmove capture FILE`: record all that passes between a serial board and this machine."""

from __future__ import annotations

import argparse
import sys

_ABOUT = """\
Records every byte a serial board says and is told, with its time, until Ctrl-C: attach
the file to a report about a board that misbehaves. Needs no game and no page; to record
while playing use `touchmove run --capture FILE`.
With --log a capture is turned into a sensor log, for `touchmove replay`."""

_EXAMPLES = """\
examples:
  touchmove capture trouble.capture                            look for the board, then record
  touchmove capture trouble.capture --board serial:/dev/ttyUSB0
  touchmove capture trouble.capture --board text:open-chess    a board that speaks lines of text
  touchmove capture trouble.capture --log trouble.jsonl        a sensor log of what was recorded

exit status: 0 when recorded or turned; 2 for a board or a file that cannot be had"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    parser = subparsers.add_parser(
        "capture",
        help="record what passes between a serial board and this machine",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", help="the capture: written anew, or read with --log")
    parser.add_argument(
        "--board",
        metavar="BOARD",
        default="serial",
        help="serial (looked for, the default), serial:PORT, text:PROFILE or text:PROFILE@PORT",
    )
    parser.add_argument("--for", metavar="SECONDS", dest="seconds", help="stop after so long (default: at Ctrl-C)")
    parser.add_argument("--log", metavar="LOG", help="turn FILE into the sensor log LOG (- for standard output)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Record, or turn a capture into a log."""
    import asyncio

    if arguments.log is not None:
        return _turn(arguments.file, arguments.log)
    return asyncio.run(_record(arguments))


async def _record(arguments: argparse.Namespace) -> int:
    import asyncio
    import signal

    from board_driver.boards.serialcapture import record, take_capture
    from board_driver.boards.serialchoice import serial_board
    from board_driver.inputerror import InputError, shortened

    kind, _, rest = arguments.board.partition(":")
    if kind not in ("serial", "text"):
        expected = "serial, serial:PORT, text:PROFILE or text:PROFILE@PORT"
        raise InputError(f"expected --board to be {expected}, got {shortened(arguments.board)}")
    seconds = _seconds(arguments.seconds)
    board, stop, loop = serial_board(kind, rest), asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    if seconds is not None:
        loop.call_later(seconds, stop.set)
    try:
        with open(arguments.file, "w", encoding="utf-8") as file:
            take_capture(board, file)
            scans = await record(board, _say, stop)
    except OSError as problem:
        raise InputError(f"the capture cannot be written to {shortened(arguments.file)}: {problem}") from problem
    _say(f"{scans} changes of the board recorded in {arguments.file}")
    return 0


def _turn(name: str, log: str) -> int:
    from board_driver.boards.serialcapture import write_log
    from board_driver.inputerror import InputError, shortened
    from firmware_bridge.capture import CaptureError

    try:
        with open(name, encoding="utf-8") as lines:
            if log == "-":
                write_log(lines, sys.stdout)
            else:
                with open(log, "w", encoding="utf-8") as sink:
                    write_log(lines, sink)
    except CaptureError as problem:
        raise InputError(f"{shortened(name)}: {problem}") from problem
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{shortened(name)} cannot be turned into {shortened(log)}: {problem}") from problem
    return 0


def _seconds(text: str | None) -> float | None:
    from board_driver.inputerror import InputError, shortened

    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if 0 < seconds < 1e9:
        return seconds
    raise InputError(f"expected --for to be a number of seconds above 0, got {shortened(text)}")


def _say(text: str) -> None:
    print(f"touchmove: {text}", file=sys.stderr, flush=True)
