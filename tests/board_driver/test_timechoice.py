"""Which clock a game is played with, by the command line and the board's profile."""

from __future__ import annotations

import argparse
from dataclasses import replace

import pytest

from board_driver.commands.run import add_clock_options
from board_driver.inputerror import InputError
from board_driver.mind import ClockStart, Mode, Settings
from board_driver.timechoice import with_clock
from rules.clock import parse_time_control

PLAY = Settings(mode=Mode.PLAY)
BLITZ = replace(PLAY, time_control=parse_time_control("5+3"))


def asked(*options: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_clock_options(parser.add_argument_group())
    return parser.parse_args(options)


def test_without_a_word_the_board_decides() -> None:
    assert with_clock(BLITZ, asked()) == BLITZ
    assert with_clock(PLAY, asked()) == PLAY
    assert with_clock(BLITZ, argparse.Namespace()) == BLITZ


def test_the_command_line_comes_before_it() -> None:
    chosen = with_clock(BLITZ, asked("--time", "15 d10", "--press", "--clock-start", "move"))
    assert chosen.time_control == parse_time_control("15 d10")
    assert (chosen.clock, chosen.clock_start) == (True, ClockStart.MOVE)


@pytest.mark.parametrize("text", ["none", "off", " - "])
def test_a_clock_can_be_left_away(text: str) -> None:
    assert with_clock(BLITZ, asked(f"--time={text}")).time_control is None


def test_who_only_writes_down_keeps_no_clock() -> None:
    record = replace(BLITZ, mode=Mode.RECORD)
    assert with_clock(record, asked()).time_control is None
    with pytest.raises(InputError, match="only with --mode play"):
        with_clock(record, asked("--time", "5+3"))
