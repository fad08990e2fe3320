"""`touchmove doctor --board PROFILE`: what is wrong with a board's sensors and wires, and what to do about it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from board_driver.doctor.examination import Evidence, Examination
    from board_driver.doctor.findings import Diagnosis
    from board_driver.doctor.session import Keyboard
    from board_driver.events import Fault
    from board_driver.profile.schema import Profile

VIRTUAL_RATE = 20.0
"""So much faster does a virtual board's time run."""

_ABOUT = """\
Examines a board, square by square, with your help: first empty, then one piece on
every square in turn, then the start array with four squares left empty. A picture in
the terminal shows what is felt, and the lamp of the square that is asked for blinks.

It finds wires that are swapped (and corrects the profile, if you say yes), contacts
that are stuck, chatter or are weak, ghosts of missing diodes, missing pull-ups, slow
columns, and a bus that answers one level only. It ends with a verdict and a report."""

_EXAMPLES = """\
examples:
  touchmove doctor --board my-board.yaml       examine a board
  touchmove doctor --board virtual             see how it goes, without a board
  touchmove doctor --board replay:game.jsonl   what a log says of the sensors

exit status: 0 when nothing is wrong, 1 when something is, 2 when the board cannot be read"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    parser = subparsers.add_parser(
        "doctor",
        help="examine a board's sensors and wires, square by square",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--board", metavar="PROFILE", required=True, help="a profile's file or name, serial, virtual, or replay:FILE"
    )
    parser.add_argument("--report", metavar="FILE", help="where the report goes (touchmove-doctor-DATE.txt)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Examine, print the verdict, write the report; 1 if something is wrong."""
    from board_driver.doctor.diagnosis import diagnose
    from board_driver.doctor.layout import UNKNOWN, layout_of
    from board_driver.profile.sensors import Plugin

    path, profile = _profile_of(arguments.board)
    keyboard = None
    if arguments.board.startswith("replay:"):
        evidence, troubles = _watch(arguments.board.removeprefix("replay:"))
        layout = UNKNOWN
    else:
        from board_driver.boards.build import squares_read

        has_wires = profile is not None and not isinstance(profile.sensors, Plugin)
        layout = layout_of(profile.sensors, squares_read(profile)) if profile is not None and has_wires else UNKNOWN
        keyboard, evidence, troubles = _examine(arguments.board, layout)
    diagnosis = diagnose(evidence, layout)
    settling = _settling(profile) if profile is not None and evidence.array is not None else ""
    _finish(arguments, evidence, diagnosis, troubles, profile, settling=settling)
    if keyboard is not None and profile is not None and path is not None:
        _offer_correction(keyboard.ask, diagnosis, layout.squares, profile, path)
    return 1 if diagnosis.findings else 0


def _profile_of(name: str) -> tuple[Path | None, Profile | None]:
    """The profile that the board has, and its file; None for boards that have none."""
    from board_driver.profile.finding import find_profile, looks_like_profile, packaged_profiles
    from board_driver.profile.reading import sound_profile

    is_other = name.partition(":")[0] in ("virtual", "replay", "serial", "text")
    if is_other or not (looks_like_profile(name) or name in packaged_profiles()):
        return None, None
    path = find_profile(name)
    return path, sound_profile(path)


def _watch(file_name: str) -> tuple[Evidence, Sequence[Fault]]:
    from board_driver.doctor.watching import watched
    from board_driver.scan import Scan
    from board_driver.sensorlog import open_log

    with open_log(file_name, lambda _warning: None) as log:
        settle_ms = log.header.settings().settle_ms
        return watched((item for item in log if isinstance(item, Scan)), settle_ms)


def _examine(name: str, layout: object) -> tuple[Keyboard | None, Evidence, Sequence[Fault]]:
    import asyncio

    from board_driver.boards.board import Clock
    from board_driver.boards.catalogue import choose_board
    from board_driver.boards.virtual import VirtualBoard
    from board_driver.doctor.examination import Examination
    from board_driver.doctor.layout import Layout
    from board_driver.doctor.session import Demonstrator, Keyboard, attend
    from board_driver.inputerror import InputError

    assert isinstance(layout, Layout)
    board = choose_board(name).board
    examination = Examination(layout)
    keyboard = None if isinstance(board, VirtualBoard) else Keyboard()
    person = Demonstrator(board) if isinstance(board, VirtualBoard) else keyboard
    assert person is not None
    clock = Clock(VIRTUAL_RATE) if isinstance(board, VirtualBoard) else Clock()
    try:
        troubles = asyncio.run(attend(board, examination, person, _screen(), clock))
    except OSError as problem:
        raise InputError(f"the board cannot be examined: {problem}") from problem
    return keyboard, examination.evidence, troubles


def _settling(profile: Profile) -> str:
    """How long rows need, read on the array that still stands there; nothing where that cannot be told."""
    from msgspec.structs import replace

    from board_driver.boards.matrix import MatrixSource
    from board_driver.doctor.settletime import settle_time
    from board_driver.profile.sensors import GpioMatrix

    sensors = profile.sensors
    if not isinstance(sensors, GpioMatrix):
        return ""

    def read(time_us: int) -> int:
        source = MatrixSource(replace(sensors, row_settle_us=time_us))
        source.open()
        try:
            return source.read().closed
        finally:
            source.close()

    try:
        found = settle_time(read)
    except OSError:  # the board was there a moment ago, and what matters has been seen
        return ""
    set_us = sensors.row_settle_us
    return "" if found is None else found.words(set_us if isinstance(set_us, int) else min(set_us))


def _screen() -> Callable[[Examination], None]:
    """Draws the picture anew where there is a terminal, otherwise prints each prompt once."""
    import os
    import sys

    from board_driver.doctor.screen import board_text

    is_terminal = sys.stdout.isatty()
    coloured = is_terminal and "NO_COLOR" not in os.environ
    last = ""

    def show(examination: Examination) -> None:
        nonlocal last
        lines = [*board_text(examination, coloured=coloured), "", examination.prompt] if is_terminal else []
        text = "\n".join(lines) if lines else examination.prompt
        if text != last:
            print(f"\x1b[H\x1b[J{text}" if is_terminal else text, flush=True)
            last = text

    return show


def _finish(
    arguments: argparse.Namespace,
    evidence: Evidence,
    diagnosis: Diagnosis,
    troubles: Sequence[Fault],
    profile: Profile | None,
    *,
    settling: str,
) -> None:
    import platform
    from datetime import datetime
    from pathlib import Path

    from board_driver.doctor.report import report_text, verdict_text
    from board_driver.inputerror import InputError
    from board_driver.profile.showing import effective_text

    now = datetime.now().astimezone()
    about = [f"board: {arguments.board}", f"date: {now.isoformat(timespec='seconds')}"]
    about.append(f"Python {platform.python_version()} on {platform.system()} {platform.release()} {platform.machine()}")
    print("\n" + verdict_text(evidence, diagnosis))
    if settling:
        about.append(settling)
        print(f"\n{settling}.")
    target = Path(arguments.report or f"touchmove-doctor-{now:%Y%m%d-%H%M%S}.txt")
    profile_text = "" if profile is None else effective_text(profile)
    try:
        target.write_text(report_text(about, evidence, diagnosis, troubles, profile_text), encoding="utf-8")
    except OSError as problem:
        raise InputError(f"the report cannot be written to {target}: {problem.strerror or problem}") from problem
    print(f"\nAll that was seen is in {target}; add it to a bug report.")


def _offer_correction(
    ask: Callable[[str], str], diagnosis: Diagnosis, squares: Sequence[int], profile: Profile, path: Path
) -> None:
    """Write the corrected profile, if a person wants it; a profile that comes with touchmove into a copy here."""
    from pathlib import Path

    from board_driver.doctor.correction import corrected_order, order_line, with_order
    from board_driver.profile.finding import packaged_profiles

    swapped = diagnosis.swapped
    if swapped is None or not swapped.is_complete:
        return
    order = corrected_order(squares, swapped.felt, profile.orientation)
    target = Path(path.name) if path in packaged_profiles().values() else path
    print(f"\nThe sensors are right with this line in {target}:\n  {order_line(order)}")
    if ask("Write it? y or n: ") != "y":
        print("Nothing was written.")
        return
    _replace(target, with_order(path.read_text(encoding="utf-8"), profile, order))
    print(f"{target} is corrected; examine the board again to be sure: touchmove doctor --board {_named(target)}")


def _named(path: Path) -> str:
    return str(path) if path.suffix in (".yaml", ".yml") else f"./{path}"


def _replace(target: Path, text: str) -> None:
    """Whole or not at all. Raises InputError if it cannot be written."""
    import os

    from board_driver.inputerror import InputError

    draft = target.with_name(f".{target.name}.new")
    try:
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, target)
    except OSError as problem:
        raise InputError(f"{target} cannot be written: {problem.strerror or problem}") from problem
