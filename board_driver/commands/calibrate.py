"""`touchmove calibrate --board PROFILE`: measure the analogue sensors of a board, step by step, in the terminal."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from board_driver.boards.halladc import HallSource
    from board_driver.boards.hallmeasuring import Measuring
    from board_driver.boards.hallsteps import Finding, Reading, Step
    from board_driver.profile.schema import Profile

SCANS = 60
"""For each step: about a second."""

_ABOUT = """\
Measures every sensor of a board of analogue Hall sensors: what it reads when empty,
how much a piece moves it, which way, and its noise. Four boards are read: empty, the
start array, the colours swapped, and all pieces moved to the middle. What is wrong
with a sensor or a magnet is told as soon as it can be. The result goes into a file
beside the profile, with its date; the one before stays as it is until then."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    parser = subparsers.add_parser(
        "calibrate",
        help="measure the sensors of a board with analogue Hall sensors",
        description=_ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--board", metavar="PROFILE", required=True, help="the board's profile: its file or name")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Lead through the steps and write the file; 1 if it was given up."""
    from board_driver.boards.halladc import HallSource
    from board_driver.inputerror import InputError
    from board_driver.profile.finding import find_profile
    from board_driver.profile.reading import sound_profile
    from board_driver.profile.sensors import HallAdc

    path = find_profile(arguments.board)
    profile = sound_profile(path)
    if not isinstance(profile.sensors, HallAdc):
        raise InputError(f"expected a board with analogue Hall sensors (kind: hall-adc), but {profile.name} has others")
    source = HallSource(profile.sensors)
    try:
        source.open()
    except OSError as problem:
        raise InputError(f"the board cannot be read: {problem}") from problem
    try:
        return lead(source, profile, path, ask=input)
    except OSError as problem:
        raise InputError(f"the board cannot be read any more: {problem}; nothing was written") from problem
    finally:
        source.close()


def lead(source: HallSource, profile: Profile, path: Path, ask: Callable[[str], str]) -> int:
    """The steps, asking a person with `ask`; 0 when the file was written, 1 when it was given up."""
    from board_driver.boards.hallmeasuring import Measuring
    from board_driver.boards.hallsteps import Step

    measuring = Measuring()
    try:
        for step in Step:
            if not _take(source, profile, measuring, step, ask):
                print("Given up: nothing was written.")
                return 1
    except EOFError:
        print("\nGiven up: nothing was written.")
        return 1
    return _finish(profile, path, measuring)


def _take(source: HallSource, profile: Profile, measuring: Measuring, step: Step, ask: Callable[[str], str]) -> bool:
    """One step, as often as it takes; False if it was given up."""
    steps = list(type(step))
    prompt = f"\nStep {steps.index(step) + 1} of {len(steps)}. {step.value}\nThen press Enter: "
    while True:
        ask(prompt)
        findings = measuring.take(step, _measure(source, profile))
        _print(findings)
        if not any(finding.stops for finding in findings):
            print("  good")
            return True
        answer = ask("Enter to read again, c to go on all the same, q to give up: ").strip().lower()
        if answer in ("c", "q"):
            return answer == "c"
        prompt = "Put it right, then press Enter: "


def _measure(source: HallSource, profile: Profile) -> Reading:
    """Some scans of the raw board, by squares. Raises OSError if a converter does not answer."""
    from time import sleep

    from board_driver.boards.build import squares_read
    from board_driver.boards.cellmap import CellMap
    from board_driver.boards.hallsteps import summed_up

    cells = CellMap(squares_read(profile))
    scans = []
    for _ in range(SCANS):
        raw, silent = source.read_raw()
        if silent:
            raise OSError("a converter does not answer: look at its wires")
        scans.append(cells.values([float(value) for value in raw], 0.0))
        sleep(1 / profile.sensors.scan_hz)
    return summed_up(scans)


def _finish(profile: Profile, path: Path, measuring: Measuring) -> int:
    from datetime import datetime

    from board_driver.boards.build import squares_read
    from board_driver.boards.hallfile import calibration_path, write_calibration
    from board_driver.profile.sensors import HallAdc

    assert isinstance(profile.sensors, HallAdc)
    _print(measuring.verdict())
    date = datetime.now().astimezone().isoformat(timespec="seconds")
    calibration = measuring.calibration(squares_read(profile), date, profile.name)
    target = calibration_path(profile.sensors, path)
    write_calibration(target, calibration)
    print(f"\nThe calibration is in {target}; games read it from now on.")
    return 0


def _print(findings: Sequence[Finding]) -> None:
    for finding in findings:
        print(f"  {'!' if finding.stops else '-'} {finding.text}")
