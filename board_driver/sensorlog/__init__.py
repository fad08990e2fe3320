"""The sensor log, version 1: the one file in which any board's behaviour is recorded, shared, replayed and tested.

JSON Lines, UTF-8. The first line is the header, each further one a scan, a press of the clock or a button, with times
that never go back. `header` and `lines` turn lines into frozen values and back and are pure, `reader` and `writer` add
the files. Reading streams: a log may be longer than memory.
"""

from board_driver.sensorlog.errors import SensorLogError
from board_driver.sensorlog.header import Header
from board_driver.sensorlog.reader import SensorLog, open_log
from board_driver.sensorlog.writer import LogWriter

__all__ = ["Header", "LogWriter", "SensorLog", "SensorLogError", "open_log"]
