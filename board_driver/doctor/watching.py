"""What a log, or a board that is only watched, shows without anybody's help [pure]."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from board_driver.doctor.examination import Evidence
from board_driver.doctor.mapping import array_turned
from board_driver.doctor.vitals import SquareVitals, Vitals, occupied_of
from board_driver.events import Fault
from board_driver.scan import Field, Scan
from board_driver.sensing.cells import cells_of
from board_driver.sensing.field import FieldReader
from board_driver.sensing.health import DROPOUTS_TOLD, SensorHealth
from rules.fen import START_FEN, parse_fen
from rules.squares import Colour, set_of


def watched(scans: Iterable[Scan], settle_ms: int = 200) -> tuple[Evidence, tuple[Fault, ...]]:
    """The evidence of these scans, and what the health figures told of them.

    Squares that chatter count as restless. Fewer than `DROPOUTS_TOLD` dropouts may be quick captures.
    """
    vitals, health = Vitals(), SensorHealth(settle_ms)
    start = parse_fen(START_FEN)
    field = FieldReader(start.occupied_by(Colour.WHITE), start.occupied_by(Colour.BLACK), None)
    faults: list[Fault] = []
    first: int | None = None
    for scan in scans:
        told = scan
        if isinstance(scan.reading, Field):
            told, more = field.read(scan)
            faults += more
        if first is None:
            first = occupied_of(told.reading)
        vitals.observe(told)
        if not isinstance(told.reading, Field):
            faults += health.observe(scan.t_ms, cells_of(told.reading))
    evidence = Evidence(walk=[_sober(square) for square in vitals.squares])
    evidence.restless = set_of(square for square in range(64) if health.counts(square).chatter)
    if first is not None and array_turned(first):
        evidence.array = first
    return evidence, tuple(faults)


def _sober(vitals: SquareVitals) -> SquareVitals:
    return replace(vitals, dropouts=vitals.dropouts if vitals.dropouts >= DROPOUTS_TOLD else 0)
