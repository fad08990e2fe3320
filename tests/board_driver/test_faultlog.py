"""What the terminal and the journal are told of a board's troubles."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from board_driver.daemon import BoardState, Daemon
from board_driver.events import Fault, Lifted
from board_driver.faultlog import FaultLog
from rules.squares import Square


def test_faults_and_the_return_of_the_board_are_said() -> None:
    said: list[str] = []
    listeners: list[Any] = []
    daemon = SimpleNamespace(board_state=BoardState.OPEN, listen=listeners.append)
    FaultLog(cast(Daemon, daemon), said.append)

    def tell(state: BoardState, *events: object) -> None:
        daemon.board_state = state
        listeners[0](events)

    tell(BoardState.OPEN, Lifted(1, Square(12)))
    tell(BoardState.LOST, Fault(2, "board-lost", None, "The board is gone: /dev/ttyACM0: the port is gone"))
    tell(BoardState.LOST)
    tell(BoardState.OPEN)
    tell(BoardState.OPEN)
    assert said == ["The board is gone: /dev/ttyACM0: the port is gone", "the board is back"]
