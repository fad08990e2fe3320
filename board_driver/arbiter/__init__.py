"""Play mode [pure]: the arbiter knows what is owed, whether a move is made, and how to put wrong things right."""

from board_driver.arbiter.arbiter import Arbiter

__all__ = ["Arbiter"]
