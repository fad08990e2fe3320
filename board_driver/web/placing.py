"""Before a game begins: the next man to put on the board, and how many squares are still wrong.

It is told until the board has stood right once; from then on what differs is play.
"""

from __future__ import annotations

from board_driver.arbiter.restoring import next_step, wrong_squares
from board_driver.daemon import Daemon
from board_driver.mind import Settings
from board_driver.scan import Field, Scan
from board_driver.sensing.cells import Cells, cells_of
from board_driver.sensing.field import FieldReader
from rules.position import Position
from rules.squares import FULL, Colour, square_name


class Placing:
    """Follows one daemon's board from a new game to its first right position."""

    def __init__(self) -> None:
        self._is_right = False

    def begin(self) -> None:
        """Another game was asked for."""
        self._is_right = False

    def told(self, daemon: Daemon) -> dict[str, object] | None:
        """The next step as the page shows it; None once the game can go on, or where sensors do not tell yet."""
        if self._is_right:
            return None  # the next game that the board itself begins, begins once it is set up
        game, scan = daemon.mind.games()[-1], daemon.last_scan
        self._is_right = bool(game.plies)
        cells = None if scan is None or self._is_right else _cells(scan, daemon.settings, game.start)
        if cells is None or scan is None:
            return None
        live = FULL & ~scan.distrusted & ~sum(1 << square for square in daemon.settings.dead_squares)
        step = next_step(game.start, cells, live)
        if step is None:
            self._is_right = True
            return None
        return {
            "text": step.text,
            "take": None if step.take is None else square_name(step.take),
            "put": None if step.put is None else square_name(step.put),
            "left": wrong_squares(game.start, cells, live),
        }


def _cells(scan: Scan, settings: Settings, start: Position) -> Cells | None:
    if not isinstance(scan.reading, Field):
        return cells_of(scan.reading)
    if settings.calibration is None:
        return None
    reader = FieldReader(start.occupied_by(Colour.WHITE), start.occupied_by(Colour.BLACK), settings.calibration)
    reading = reader.read(scan)[0].reading
    return None if isinstance(reading, Field) else cells_of(reading)
