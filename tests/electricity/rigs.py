"""Every sensor driver on its simulated electricity, behind one face for the contract suite.

Cell and square are the same number in all of them. `unplug` is what can happen to that kind of board; a rig whose
`silence_is_loss` is false cannot know at once that it was unplugged, and keeps its last reading for a while.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from board_driver.boards.direct import DirectSource
from board_driver.boards.expanders import ExpanderSource
from board_driver.boards.gpiozerolines import GpiozeroLines
from board_driver.boards.halladc import HallSource
from board_driver.boards.hallcalibration import Cell, HallCalibration
from board_driver.boards.lines import OpenLines
from board_driver.boards.matrix import MatrixSource
from board_driver.boards.shiftregisters import ShiftRegisterSource
from board_driver.boards.source import Source
from board_driver.profile.sensors import (
    AdcModel,
    BitBang,
    ChainEnd,
    Expanders,
    GpioDirect,
    GpioMatrix,
    HallAdc,
    MuxModel,
    ShiftRegisters,
    Wiring,
)
from board_driver.profile.words import Spi
from tests.electricity.circuits import ChainCircuit, Circuit, DirectCircuit, HallCircuit, MatrixCircuit
from tests.electricity.computers import Bus, ChainSpi, CircuitLines, ConverterSpi, Mcp23017, mock_factory

ROWS = [5, 6, 12, 13, 16, 17, 18, 19]
COLUMNS = [20, 21, 22, 23, 24, 25, 26, 27]
MATRIX = GpioMatrix(rows=tuple(ROWS), columns=tuple(COLUMNS))
SELECT = [5, 6, 12, 13]


@dataclass(frozen=True, slots=True)
class Rig:
    """A driver, and how to move the world under it. `place` takes the squares of white and black pieces."""

    source: Source
    place: Callable[[int, int], None]
    unplug: Callable[[], None]
    replug: Callable[[], None]
    driven: Callable[[], object]
    """Lines that the computer still drives; falsy for none."""


MakeRig = Callable[[], Rig]


def plain(circuit: Circuit) -> OpenLines:
    return lambda _chip: CircuitLines(circuit)


def by_gpiozero(circuit: Circuit) -> OpenLines:
    factory = mock_factory(circuit)
    return lambda _chip: GpiozeroLines(factory)


def _rig(source: Source, circuit: Circuit, set_cells: Callable[[int], None]) -> Rig:
    return Rig(
        source,
        lambda white, black: set_cells(white | black),
        lambda: setattr(circuit, "is_gone", True),
        lambda: setattr(circuit, "is_gone", False),
        lambda: circuit.driven,
    )


def matrix_rig(lines: Callable[[Circuit], OpenLines] = plain, wiring: GpioMatrix = MATRIX) -> Rig:
    circuit = MatrixCircuit(ROWS, COLUMNS, wiring.diodes)
    return _rig(MatrixSource(wiring, lines(circuit), circuit.wait), circuit, circuit.set_cells)


def direct_rig() -> Rig:
    lines = list(range(100, 164))
    circuit = DirectCircuit(lines)
    return _rig(DirectSource(GpioDirect(pins=tuple(lines)), plain(circuit)), circuit, circuit.set_cells)


def chain_by_spi_rig() -> Rig:
    circuit = ChainCircuit(load=25)
    source = ShiftRegisterSource(
        ShiftRegisters(load=25, end=ChainEnd.LOW), plain(circuit), lambda _spi, _hz, mode: _in_mode_two(circuit, mode)
    )
    return _rig(source, circuit, circuit.set_cells)


def _in_mode_two(circuit: ChainCircuit, mode: int) -> ChainSpi:
    assert mode == 2
    return ChainSpi(circuit)


def chain_by_pins_rig(lines: Callable[[Circuit], OpenLines] = plain) -> Rig:
    circuit = ChainCircuit(load=25, clock=11, data=9)
    wiring = ShiftRegisters(load=25, pins=BitBang(clock=11, data=9), end=ChainEnd.LOW)
    return _rig(ShiftRegisterSource(wiring, lines(circuit)), circuit, circuit.set_cells)


def expanders_rig() -> Rig:
    chips = {address: Mcp23017() for address in (0x20, 0x21, 0x22, 0x23)}

    def place(white: int, black: int) -> None:
        for n, chip in enumerate(chips.values()):
            chip.direct = (white | black) >> 16 * n & 0xFFFF

    return _bus_rig(Expanders(), chips, place)


def expander_matrix_rig(count: int = 1) -> Rig:
    chips = {0x20 + n: Mcp23017() for n in range(count)}
    rows = 8 // count

    def place(white: int, black: int) -> None:
        for n, chip in enumerate(chips.values()):
            chip.matrix = [(white | black) >> 8 * (rows * n + row) & 0xFF for row in range(rows)]

    place(0, 0)
    return _bus_rig(Expanders(addresses=tuple(chips), wiring=Wiring.MATRIX), chips, place)


def _bus_rig(wiring: Expanders, chips: dict[int, Mcp23017], place: Callable[[int, int], None]) -> Rig:
    bus = Bus(chips)

    def replug() -> None:
        for chip in chips.values():
            chip.power_up()
        bus.is_gone = False

    return Rig(
        ExpanderSource(wiring, lambda _number: bus), place, lambda: setattr(bus, "is_gone", True), replug, lambda: None
    )


def hall_rig(
    adc: AdcModel = AdcModel.MCP3208, mux: MuxModel = MuxModel.CD4067, *, calibrated: bool = True
) -> tuple[Rig, HallCircuit]:
    bits = 12 if adc is AdcModel.MCP3208 else 10
    select = {MuxModel.CD4067: SELECT, MuxModel.CD4051: SELECT[:3], MuxModel.NONE: []}[mux]
    circuit = HallCircuit(select, bits)
    adcs = tuple(Spi(bus=n // 2, device=n % 2) for n in range(8 if mux is MuxModel.NONE else 1))
    wiring = HallAdc(adc=adc, adcs=adcs, mux=mux, select=tuple(select))
    cells = tuple(Cell(sensor.zero, 1.0, sensor.level) for sensor in circuit.sensors)
    calibration = HallCalibration(cells, "2026-01-01T00:00:00+00:00", "trial") if calibrated else None
    source = HallSource(
        wiring,
        calibration,
        plain(circuit),
        lambda spi, _hz, _mode: ConverterSpi(circuit, adcs.index(spi)),
        circuit.wait,
    )

    def place(white: int, black: int) -> None:
        circuit.set_magnets((white >> cell & 1) - (black >> cell & 1) for cell in range(64))

    rig = Rig(
        source,
        place,
        lambda: setattr(circuit, "is_gone", True),
        lambda: setattr(circuit, "is_gone", False),
        lambda: circuit.driven,
    )
    return rig, circuit


RIGS: dict[str, MakeRig] = {
    "matrix": matrix_rig,
    "matrix by gpiozero's mock": lambda: matrix_rig(by_gpiozero),
    "64 lines": direct_rig,
    "74hc165 by SPI": chain_by_spi_rig,
    "74hc165 by pins": chain_by_pins_rig,
    "74hc165 by pins of gpiozero's mock": lambda: chain_by_pins_rig(by_gpiozero),
    "4 mcp23017": expanders_rig,
    "1 mcp23017 as matrix": expander_matrix_rig,
    "2 mcp23017 as matrices": lambda: expander_matrix_rig(2),
    "hall mcp3208 4067": lambda: hall_rig()[0],
    "hall mcp3208 4051": lambda: hall_rig(mux=MuxModel.CD4051)[0],
    "hall 8 mcp3008": lambda: hall_rig(AdcModel.MCP3008, MuxModel.NONE)[0],
}
