"""Which chess clock a game is played with, by what the command line says."""

from __future__ import annotations

import argparse
from dataclasses import replace

from board_driver.inputerror import InputError, member_or_none
from board_driver.mind import ClockStart, Mode, Settings
from rules.clock import TimeControlError, parse_time_control

NONE = frozenset({"none", "no", "off", "-", "0"})
"""What says that there shall be no clock."""


def add_clock_options(group: argparse._ArgumentGroup) -> None:
    """The options that say which clock is kept."""
    group.add_argument(
        "--time",
        metavar="CONTROL",
        help="keep a chess clock: 5+3 (minutes + seconds), '40/90+30, 30+30', '15 d10' (delay), '3 b2' (Bronstein), "
        "'hourglass 2', '5+3 vs 3+0' (odds), or none",
    )
    group.add_argument(
        "--press",
        action="store_true",
        default=None,
        help="a turn ends with a press of the clock (on the page, by its keys or by buttons), not with the made move",
    )
    group.add_argument("--clock-start", metavar="WHEN", help="what starts it: touch (the default), move or at-once")


def with_clock(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """The settings with the clock that was asked for. Raises InputError for what is no clock, or where none is kept."""
    time = getattr(arguments, "time", None)
    start = member_or_none(ClockStart, "--clock-start", getattr(arguments, "clock_start", None))
    press = getattr(arguments, "press", None)
    if time is not None:
        try:
            control = None if time.strip().lower() in NONE else parse_time_control(time)
        except TimeControlError as problem:
            raise InputError(f"--time: {problem}") from problem
        settings = replace(settings, time_control=control)
    if settings.mode is Mode.RECORD:
        if time is not None and settings.time_control is not None:
            raise InputError("expected --time only with --mode play: who only writes down keeps no clock")
        settings = replace(settings, time_control=None)
    return replace(
        settings,
        clock=settings.clock if press is None else press,
        clock_start=settings.clock_start if start is None else start,
    )
