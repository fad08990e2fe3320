"""Readings of any kind of board as planes, and what they are compared against."""

from __future__ import annotations

from board_driver.events import Fault
from board_driver.mind import Settings
from board_driver.recorder.evidence import Evidence, OccupancyEvidence, evidence_for
from board_driver.recorder.follower import Ground
from board_driver.recorder.prices import Prices, Times
from board_driver.scan import Field, Occupancy, Scan, Sensing
from board_driver.sensing.cells import Cells, cells_of
from board_driver.sensing.field import FieldReader
from board_driver.sensing.health import SensorHealth
from rules.fen import parse_fen
from rules.squares import FULL, Bitboard, Colour, set_of


class Reader:
    """Turns scans into planes. Squares that could not be told keep what they last held."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._start = parse_fen(settings.start_fen, settings.chess960)
        self._evidence: Evidence = evidence_for(settings.sensing)
        self._field: FieldReader | None = None
        if settings.sensing is Sensing.FIELD:
            white, black = self._start.occupied_by(Colour.WHITE), self._start.occupied_by(Colour.BLACK)
            self._field = FieldReader(white, black, settings.calibration)
        self._planes = 0
        self._health = SensorHealth(settings.settle_ms)
        self._cells: Cells | None = None
        self.ground_changed = False
        """Did the last scan show that less can be told than was thought?"""

    def ground(self, prices: Prices, times: Times) -> Ground:
        """What the planes are to be compared against."""
        trusted = FULL & ~set_of(self._settings.dead_squares)
        return Ground(self._start, self._evidence, trusted, prices, times)

    def read(self, scan: Scan) -> tuple[int, tuple[Fault, ...]]:
        """The planes of a scan, and what is newly wrong with magnets and sensors.

        Raises TypeError for a reading of another kind than the settings' sensing.
        """
        faults: tuple[Fault, ...] = ()
        self.ground_changed = False
        if self._field is not None:
            scan, faults = self._field.read(scan)
        reading = scan.reading
        if isinstance(reading, Field):
            raise TypeError(f"expected a reading of {self._settings.sensing.value}, got one of field")
        if isinstance(reading, Occupancy) and self._evidence.planes != 1 and self._field is not None:
            self._evidence = OccupancyEvidence()
            self._planes = 0
            self.ground_changed = True
        planes = self._evidence.of_reading(reading)
        if scan.distrusted:
            told = self._told(FULL & ~scan.distrusted)
            planes = planes & told | self._planes & ~told
        self._planes = planes
        return planes, faults + self._health.observe(scan.t_ms, self._cells_of(scan))

    def _cells_of(self, scan: Scan) -> Cells:
        """What each square was read to hold; one that could not be told, what it held before."""
        cells, before = cells_of(scan.reading), self._cells
        if scan.distrusted and before is not None:
            cells = tuple(before[s] if scan.distrusted >> s & 1 else cell for s, cell in enumerate(cells))
        self._cells = cells
        return cells

    def _told(self, squares: Bitboard) -> int:
        told = 0
        for _ in range(self._evidence.planes):
            told = told << 64 | squares
        return told
