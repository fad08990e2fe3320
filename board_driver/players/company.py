"""All who take part in a game without hands: the seats, whoever gives hints, the virtual board's own hands."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import dataclass

from board_driver.boards.virtual import VirtualBoard
from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.players.analyst import Analyst
from board_driver.players.autohand import AutoHand
from board_driver.players.seats import Seats
from board_driver.players.tutor import Tutor


@dataclass(frozen=True, slots=True)
class Company:
    """Those around one daemon."""

    seats: Seats
    tutor: Tutor | None
    """Who gives hints; None where somebody else does."""
    analyst: Analyst
    hand: AutoHand | None = None
    """The virtual board's own hands; None on any other board."""

    @classmethod
    def of(
        cls,
        daemon: Daemon,
        corrections: Corrections | None = None,
        *,
        moves_itself: bool = False,
        gives_hints: bool = True,
    ) -> Company:
        """They are at work as soon as `parts` run. `moves_itself`: a virtual board carries commands out by itself."""
        board = daemon.board
        hand = AutoHand(daemon, board, moves_itself) if isinstance(board, VirtualBoard) else None
        tutor = Tutor(daemon) if gives_hints else None
        return cls(Seats(daemon, corrections), tutor, Analyst(daemon), hand)

    def parts(self) -> list[Coroutine[object, object, None]]:
        """What goes on beside the daemon, until it is cancelled."""
        beside = [part.run() for part in (self.tutor, self.hand) if part is not None]
        return [self.seats.run(), self.analyst.run(), *beside]
