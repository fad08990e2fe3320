"""The front door of sensing: scans of any kind in, settled changes and faults out [pure]."""

from __future__ import annotations

from board_driver.events import Fault
from board_driver.mind import Settings
from board_driver.scan import Scan, Sensing
from board_driver.sensing.cells import Cells
from board_driver.sensing.field import Calibration, FieldReader
from board_driver.sensing.health import SensorHealth
from board_driver.sensing.settle import Flicker, SettledChange, Settler
from rules.position import Position
from rules.squares import Bitboard, Colour, set_of


class Senses:
    """A `Settler` for every kind of board, with the same interface; faults of sensors come with the changes.

    `start` is the position that is being set up or stands: it calibrates Hall sensors that have
    no `calibration`, given here or in the settings.
    """

    def __init__(self, settings: Settings, start: Position, calibration: Calibration | None = None) -> None:
        self.health = SensorHealth(settings.settle_ms)
        self._settler = Settler(settings.settle_ms, dead=set_of(settings.dead_squares))
        self._field: FieldReader | None = None
        if settings.sensing is Sensing.FIELD:
            white, black = start.occupied_by(Colour.WHITE), start.occupied_by(Colour.BLACK)
            self._field = FieldReader(white, black, calibration or settings.calibration)

    @property
    def started(self) -> bool:
        """Whether anything is known yet of the board."""
        return self._settler.started

    @property
    def settled(self) -> Cells:
        """What each square holds, settled."""
        return self._settler.settled

    @property
    def raw(self) -> Cells:
        """What each square was last read to hold; a scan held back as a bus fault is not in it."""
        return self._settler.raw

    @property
    def occupied(self) -> Bitboard:
        """The squares that hold something, settled."""
        return self._settler.occupied

    @property
    def quiet(self) -> bool:
        """Nothing is in the air: no square disturbed, no scan held back, no change waiting."""
        return self._settler.quiet

    def feed(self, scan: Scan) -> tuple[SettledChange | Fault, ...]:
        """Take a scan: what settled up to its time, and what is newly wrong with the sensors."""
        faults: tuple[Fault, ...] = ()
        if self._field is not None:
            scan, faults = self._field.read(scan)
        changes = self._settler.feed(scan)
        return changes + faults + self.health.observe(scan.t_ms, self._settler.raw)

    def advance(self, now_ms: int) -> tuple[SettledChange, ...]:
        """Let time come to `now_ms`: what settled, in the order in which it began."""
        return self._settler.advance(now_ms)

    def flickers(self) -> tuple[Flicker, ...]:
        """The squares that emptied for a moment only, noticed since the last call."""
        return self._settler.flickers()

    def next_wake_ms(self) -> int | None:
        """When something may settle without a further scan; None when nothing is in the air."""
        return self._settler.next_wake_ms()
