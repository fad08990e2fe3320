"""Which chess clock a game is played with, by what the command line says."""

from __future__ import annotations

import argparse
from dataclasses import replace

from board_driver.inputerror import InputError, member_or_none
from board_driver.mind import ClockStart, Mode, Settings
from rules.clock import TimeControlError, parse_time_control

NONE = frozenset({"none", "no", "off", "-", "0"})
"""What says that there shall be no clock."""


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
