"""What is wrong with the board, for the terminal and the journal: each fault in a line, and when it is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from board_driver.daemon import BoardState, Daemon
from board_driver.events import Event, Fault


class FaultLog:
    """Listens to a daemon. Faults are said once each; a board that was lost and is back is said too."""

    def __init__(self, daemon: Daemon, say: Callable[[str], None]) -> None:
        self._daemon = daemon
        self._say = say
        self._is_lost = daemon.board_state is BoardState.LOST
        daemon.listen(self._hear)

    def _hear(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Fault):
                self._say(event.text)
        match self._daemon.board_state:
            case BoardState.LOST:
                self._is_lost = True
            case BoardState.OPEN if self._is_lost:
                self._is_lost = False
                self._say("the board is back")
            case _:
                pass
