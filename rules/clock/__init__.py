"""Chess clocks: time controls, their texts, and the clock itself. Pure values; time is an argument.

- `control`: what a time control is
- `text`: as people write it; `pgntext`: as PGN writes it
- `chessclock`: the clock
"""

from rules.clock.chessclock import ChessClock, Side
from rules.clock.control import Period, TimeControl, TimeControlError, Timing
from rules.clock.pgntext import parse_pgn_time_control, pgn_time_control, time_control_tags
from rules.clock.text import parse_time_control, write_time_control

__all__ = [
    "ChessClock",
    "Period",
    "Side",
    "TimeControl",
    "TimeControlError",
    "Timing",
    "parse_pgn_time_control",
    "parse_time_control",
    "pgn_time_control",
    "time_control_tags",
    "write_time_control",
]
