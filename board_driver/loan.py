"""Lending the board's lights: to the replay of an old game, until somebody plays on the board.

While they are lent the mind goes on as ever, and its picture waits. A touch takes them back: a square that has been
other than it was for `TOUCH_MS`, so that a contact that flickers takes nothing. So does a picture that asks hands to do
something, such as an opponent's move to be carried out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from board_driver.daemon import Daemon
from board_driver.doctor.vitals import occupied_of
from board_driver.events import Ended, Event, Irregular, Lifted, Lit, Moved, Placed, Touched
from board_driver.lights.picture import Meaning, Picture
from board_driver.scan import Scan
from rules.squares import Bitboard

TOUCH_MS = 200
PLAYED = (Lifted, Placed, Touched, Moved, Irregular, Ended)
ASKING = frozenset(
    {Meaning.COMMAND_FROM, Meaning.COMMAND_TO, Meaning.REMOVE, Meaning.TAKE_AWAY, Meaning.PUT_HERE, Meaning.ILLEGAL}
)


class Loan:
    """The lights of one daemon, and who has them."""

    def __init__(self, daemon: Daemon, on_change: Callable[[], None] = lambda: None) -> None:
        """`on_change` is called when they are lent or go back."""
        self._daemon = daemon
        self._on_change = on_change
        self._occupied: Bitboard | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.is_lent = False
        daemon.listen(self._hear)
        daemon.watch(self._see)

    def lend(self, picture: Picture) -> None:
        """Show that picture on the board from now on."""
        if not self.is_lent:
            scan = self._daemon.last_scan
            self._occupied = None if scan is None else occupied_of(scan.reading)
        self.is_lent = True
        self._daemon.lend_lights(picture)
        self._on_change()

    def take_back(self) -> None:
        """The mind has the lights again."""
        self._forget_touch()
        if self.is_lent:
            self.is_lent = False
            self._daemon.lend_lights(None)
            self._on_change()

    def _hear(self, events: Sequence[Event]) -> None:
        if self.is_lent and any(isinstance(event, PLAYED) or _asks(event) for event in events):
            self.take_back()

    def _see(self, scan: Scan) -> None:
        if not self.is_lent:
            return
        occupied = occupied_of(scan.reading)
        self._occupied = occupied if self._occupied is None else self._occupied
        if not (occupied ^ self._occupied) & ~scan.distrusted:
            self._forget_touch()
        elif self._timer is None:
            seconds = TOUCH_MS / 1000 / self._daemon.clock.rate
            self._timer = asyncio.get_running_loop().call_later(seconds, self.take_back)

    def _forget_touch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _asks(event: Event) -> bool:
    """Whether the lights now want somebody to do something."""
    return isinstance(event, Lit) and not ASKING.isdisjoint(event.picture.values())
