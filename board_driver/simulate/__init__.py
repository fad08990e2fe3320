"""Simulated hands: sensor logs of games as a board under real hands would have written them.

The model is physical. A man carries a magnet; a hand takes it along a path over the squares at a height; a sensor
under each square sees the sum of the fields; thresholds with hysteresis make it on or off; a scanner reads the
squares rank by rank at its own pace and loses some scans. Nothing writes "lift e2": a slide is seen on the squares
between because the magnet passes over them, and a swap in one grip is unseen because there is no moment at which
the square is without a magnet.

The flow is `gamefile` (what is played) → `evening` (when, and what else happens on the way) → `plies` and what it
needs (what the hands do with a `table`) → `scanning` (what the sensors report) → `logfile` (lines, and the truth
beside them). `levels` holds the numbers. Everything is a pure function of its arguments and a seed.
"""

from board_driver.simulate.extras import Extra
from board_driver.simulate.levels import LEVELS, Level, Noise
from board_driver.simulate.logfile import Simulated, simulate_game

__all__ = ["LEVELS", "Extra", "Level", "Noise", "Simulated", "simulate_game"]
