"""[pure] Record mode: the most likely game behind the whole stream of raw scans, live."""

from board_driver.recorder.prices import Prices, Times
from board_driver.recorder.recorder import Recorder

__all__ = ["Prices", "Recorder", "Times"]
