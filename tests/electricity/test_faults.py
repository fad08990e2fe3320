"""What electricity does to a board in real life: bounce, bad contacts, silent chips, drift, ghosts, wrong magnets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest

from board_driver.boards.board import Clock, Inbox
from board_driver.boards.expanders import ExpanderSource
from board_driver.boards.gpiozerolines import GpiozeroLines
from board_driver.boards.hallcalibration import NORMAL
from board_driver.boards.matrix import MatrixSource
from board_driver.boards.sensorboard import SquareReader
from board_driver.boards.shiftregisters import PATIENCE, ShiftRegisterSource
from board_driver.boards.source import Contacts, Source, Strengths
from board_driver.events import Event, Fault
from board_driver.mind import Mind, Mode, Settings
from board_driver.minds import make_mind
from board_driver.profile.sensors import AdcModel, BitBang, ChainEnd, Expanders, MuxModel, ShiftRegisters
from board_driver.scan import Field, Scan, Sensing
from rules.squares import parse_square, set_of, square_name
from tests.electricity.circuits import ChainCircuit, ContentionError, HallCircuit, MatrixCircuit
from tests.electricity.computers import Bus, ChainSpi, CircuitLines, Mcp23017, mock_factory
from tests.electricity.contract import BLACK, WHITE
from tests.electricity.rigs import COLUMNS, MATRIX, ROWS, hall_rig, matrix_rig

START = WHITE | BLACK
E2, E4 = 1 << 12, 1 << 28


class HandInbox(Inbox):
    """Only tells the time that the test sets."""

    def __init__(self) -> None:
        self.time_ms = 0
        self.clock = Clock()

    def now_ms(self) -> int:
        return self.time_ms


class Evening:
    """A driver, a mind, and time that the test moves on."""

    def __init__(self, source: Source, settings: Settings) -> None:
        self.inbox = HandInbox()
        self.mind: Mind = make_mind(settings)
        self.events: list[Event] = []
        source.open()
        self._reader = SquareReader(source, range(64), self.inbox)

    def until(self, t_ms: int, every_ms: int = 10) -> None:
        """Scan a hundred times a second, or less often, up to that time."""
        while self.inbox.time_ms < t_ms:
            self.inbox.time_ms += every_ms
            now_ms = self.inbox.time_ms
            sensed = self._reader.read()
            self.events += [Fault(now_ms, kind, square, text) for kind, square, text in sensed.troubles]
            self.events += self.mind.receive(Scan(now_ms, sensed.reading, sensed.distrusted))

    def faults(self, kind: str) -> list[str]:
        return list(dict.fromkeys(e.text for e in self.events if isinstance(e, Fault) and e.kind == kind))

    def moves(self) -> list[str]:
        plies = self.mind.games()[-1].plies
        return [square_name(ply.move.origin) + square_name(ply.move.landing) for ply in plies]


def contacts(source: Source) -> Contacts:
    sample = source.read()
    assert isinstance(sample, Contacts)
    return sample


def strengths(source: Source) -> Strengths:
    sample = source.read()
    assert isinstance(sample, Strengths)
    return sample


# -- the matrix


def test_a_slow_column_needs_time_to_settle() -> None:
    circuit = MatrixCircuit(ROWS, COLUMNS)
    circuit.rise_us = [50.0] * 8
    circuit.set_cells(0x0F)
    for settle_us, found in ((0, 0x0F0F), (60, 0x0F)):
        wiring = msgspec.structs.replace(MATRIX, row_settle_us=settle_us)
        source = MatrixSource(wiring, lambda _chip: CircuitLines(circuit), circuit.wait)
        source.open()
        circuit.wait(0.01)
        assert contacts(source).closed & 0xFFFF == found
        source.close()


def test_each_row_may_have_a_settle_time_of_its_own() -> None:
    circuit = MatrixCircuit(ROWS, COLUMNS)
    circuit.rise_us = [50.0] * 8
    circuit.set_cells(0x0F)
    wiring = msgspec.structs.replace(MATRIX, row_settle_us=(0, 60, 0, 0, 0, 0, 0, 0))
    source = MatrixSource(wiring, lambda _chip: CircuitLines(circuit), circuit.wait)
    source.open()
    assert contacts(source).closed == 0x0F
    assert circuit.now_us == 60


def test_rows_of_gpiozero_are_never_shorted_without_diodes() -> None:
    circuit = MatrixCircuit(ROWS, COLUMNS, diodes=False)
    factory = mock_factory(circuit)
    source = MatrixSource(msgspec.structs.replace(MATRIX, diodes=False), lambda _chip: GpiozeroLines(factory))
    source.open()
    circuit.set_cells(START)
    assert contacts(source).closed == START
    circuit.drive(ROWS[0], True)
    with pytest.raises(ContentionError):
        circuit.drive(ROWS[1], False)


def test_a_ghost_is_distrusted_and_told_once() -> None:
    corners = set_of(parse_square(name) for name in ("c3", "c6", "f3"))
    fourth = 1 << parse_square("f6")
    rig = matrix_rig(wiring=msgspec.structs.replace(MATRIX, diodes=False))
    rig.source.open()
    rig.place(corners, 0)
    first = contacts(rig.source)
    assert first.closed == first.unsure == corners | fourth
    assert [trouble.kind for trouble in first.troubles] == ["ghost"]
    assert contacts(rig.source).troubles == ()
    with_diodes = matrix_rig()
    with_diodes.source.open()
    with_diodes.place(corners, 0)
    assert contacts(with_diodes.source) == Contacts(corners)


def test_the_recorder_finds_a_move_behind_ghosts_once_they_are_gone() -> None:
    """f2f3 closes a rectangle with c3 and c6, c6c5 another; c3c4 ends it."""
    rig = matrix_rig(wiring=msgspec.structs.replace(MATRIX, diodes=False))
    standing = set_of(parse_square(name) for name in ("e8", "c6", "c3", "f2", "e1"))
    rig.place(standing, 0)
    evening = Evening(rig.source, Settings(mode=Mode.RECORD, start_fen="4k3/8/2p5/8/8/2P5/5P2/4K3 w - - 0 1"))
    evening.until(1_000)
    for origin, landing in (("f2", "f3"), ("c6", "c5"), ("c3", "c4")):
        standing ^= 1 << parse_square(origin)
        rig.place(standing, 0)
        evening.until(evening.inbox.time_ms + 500)
        standing ^= 1 << parse_square(landing)
        rig.place(standing, 0)
        evening.until(evening.inbox.time_ms + 3_000)
    assert evening.moves() == ["f2f3", "c6c5", "c3c4"]
    assert evening.faults("ghost")


@pytest.mark.parametrize("mode", Mode)
def test_contacts_that_bounce_make_one_lift_and_one_place(mode: Mode) -> None:
    rig = matrix_rig()
    rig.place(START, 0)
    evening = Evening(rig.source, Settings(mode=mode))
    evening.until(1_000)
    for t_ms, occupied in ((1_010, False), (1_020, True), (1_030, False), (1_500, True), (1_510, False), (1_520, True)):
        at = E2 if t_ms < 1_400 else E4
        rig.place(START & ~E2 | (at if occupied else 0), 0)
        evening.until(t_ms)
    evening.until(5_000)
    assert evening.moves() == ["e2e4"]


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("name", ["d5", "d2", "a3"])
@pytest.mark.parametrize("every_scans", [1, 3])
def test_a_contact_that_chatters_is_named_and_stops_no_game(mode: Mode, name: str, every_scans: int) -> None:
    rig, chattering = matrix_rig(), 1 << parse_square(name)
    standing, scans = START, 0
    rig.place(standing, 0)
    evening = Evening(rig.source, Settings(mode=mode))
    evening.until(1_000)

    def chatter_until(t_ms: int) -> None:
        nonlocal scans
        while evening.inbox.time_ms < t_ms:
            scans += 1
            rig.place(standing ^ (chattering if scans // every_scans % 2 else 0), 0)
            evening.until(evening.inbox.time_ms + 10)

    for origin, landing in (("e2", "e4"), ("e7", "e5"), ("g1", "f3")):
        standing ^= 1 << parse_square(origin)
        chatter_until(evening.inbox.time_ms + 500)
        standing ^= 1 << parse_square(landing)
        chatter_until(evening.inbox.time_ms + 1_500)
    chatter_until(evening.inbox.time_ms + 3_000)
    assert evening.moves() == ["e2e4", "e7e5", "g1f3"]
    assert evening.faults("chatter") == [f"{name} changed 20 times in two seconds: check its sensor and wiring"]


@pytest.mark.parametrize("is_closed", [True, False])
def test_a_contact_known_to_be_stuck_does_not_stop_the_game(is_closed: bool) -> None:
    """d5 always reads closed, or d2 always open; the profile lists them as dead."""
    dead = parse_square("d5" if is_closed else "d2")
    circuit = MatrixCircuit(ROWS, COLUMNS)
    circuit.stuck[divmod(dead, 8)] = is_closed
    circuit.set_cells(START)
    source = MatrixSource(MATRIX, lambda _chip: CircuitLines(circuit), circuit.wait)
    evening = Evening(source, Settings(mode=Mode.RECORD, dead_squares=frozenset({dead})))
    evening.until(1_000)
    circuit.set_cells(START ^ E2)
    evening.until(1_400)
    circuit.set_cells(START ^ E2 ^ E4)
    evening.until(5_000)
    assert evening.moves() == ["e2e4"]


# -- expanders


def expanders() -> tuple[ExpanderSource, dict[int, Mcp23017], Bus]:
    chips = {address: Mcp23017() for address in (0x20, 0x21, 0x22, 0x23)}
    for n, chip in enumerate(chips.values()):
        chip.direct = START >> 16 * n & 0xFFFF
    bus = Bus(chips)
    return ExpanderSource(Expanders(), lambda _number: bus), chips, bus


def test_a_read_that_fails_now_and_then_is_repeated_and_nothing_is_told() -> None:
    source, chips, _ = expanders()
    source.open()
    chips[0x22].fails = 2
    assert contacts(source) == Contacts(START)


def test_a_chip_that_falls_silent_keeps_its_squares_and_the_others_go_on() -> None:
    source, chips, _ = expanders()
    source.open()
    assert contacts(source) == Contacts(START)
    chips[0x20].fails = -1
    chips[0x23].direct = 0
    sample = contacts(source)
    assert sample.closed == START & ~(0xFFFF << 48)
    assert sample.unsure == 0xFFFF
    assert [t.text for t in sample.troubles] == [
        "the expander 0x20 does not answer (Remote I/O error): its squares keep their last reading; look at its wires"
    ]
    assert contacts(source).troubles == ()


def test_a_chip_that_comes_back_from_a_power_cut_is_set_up_again() -> None:
    source, chips, _ = expanders()
    source.open()
    contacts(source)
    chips[0x20].fails = -1
    contacts(source)
    chips[0x20].power_up()
    chips[0x20].fails = 0
    sample = contacts(source)
    assert (sample.closed, sample.unsure) == (START, 0)
    assert [t.text for t in sample.troubles] == ["the expander 0x20 answers again"]


def test_a_chip_that_was_reset_unnoticed_is_never_believed() -> None:
    source, chips, _ = expanders()
    source.open()
    contacts(source)
    chips[0x21].power_up()  # without its pull-ups it reads 16 pieces
    for _ in range(5):
        assert contacts(source).closed == START
    assert contacts(source) == Contacts(START)


def test_a_missing_chip_is_named_when_opening() -> None:
    source, chips, _ = expanders()
    del chips[0x22]
    with pytest.raises(OSError, match="no MCP23017 answers at 0x22 on /dev/i2c-1"):
        source.open()


def test_a_bus_that_fails_for_three_reads_makes_no_event() -> None:
    """Field case: an expander raises three times while a piece is in the air; e2e4 is played all the same."""
    source, chips, _ = expanders()
    evening = Evening(source, Settings(mode=Mode.PLAY))
    evening.until(1_000)
    chips[0x20].direct ^= E2
    evening.until(1_150)
    chips[0x22].fails = 9
    evening.until(1_400)
    chips[0x21].direct |= E4 >> 16
    evening.until(3_000)
    assert evening.moves() == ["e2e4"]
    assert evening.faults("expander")[-1] == "the expander 0x22 answers again"


# -- shift registers


CHAINS: dict[str, Callable[[ChainCircuit], ShiftRegisterSource]] = {
    "spi": lambda circuit: ShiftRegisterSource(
        ShiftRegisters(load=25, end=ChainEnd.LOW),
        lambda _chip: CircuitLines(circuit),
        lambda _spi, _hz, _mode: ChainSpi(circuit),
    ),
    "pins": lambda circuit: ShiftRegisterSource(
        ShiftRegisters(load=25, pins=BitBang(clock=11, data=9), end=ChainEnd.LOW), lambda _chip: CircuitLines(circuit)
    ),
}


@pytest.mark.parametrize("way", CHAINS)
def test_a_broken_chain_is_not_an_empty_board(way: str) -> None:
    circuit = ChainCircuit(load=25, clock=11, data=9)
    source = CHAINS[way](circuit)
    source.open()
    circuit.set_cells(START)
    assert contacts(source) == Contacts(START)
    circuit.is_broken = True
    sample = contacts(source)
    assert (sample.closed, sample.unsure) == (START, 2**64 - 1)
    assert "reads high all along" in sample.troubles[0].text
    for _ in range(PATIENCE - 2):
        assert contacts(source).troubles == ()
    with pytest.raises(OSError, match="look at its plug"):
        source.read()


def test_a_chain_that_is_mended_in_time_goes_on() -> None:
    circuit = ChainCircuit(load=25)
    source = CHAINS["spi"](circuit)
    source.open()
    circuit.is_broken = True
    contacts(source)
    circuit.is_broken = False
    circuit.set_cells(START)
    assert contacts(source) == Contacts(START)


# -- analogue Hall sensors


def magnets(occupied: dict[str, float]) -> list[float]:
    board = [0.0] * 64
    for name, magnet in occupied.items():
        board[parse_square(name)] = magnet
    return board


def start_magnets() -> list[float]:
    return [(WHITE >> s & 1) - (BLACK >> s & 1) for s in range(64)]


def hall_evening() -> tuple[Evening, HallCircuit, list[float]]:
    rig, circuit = hall_rig()
    board = start_magnets()
    circuit.set_magnets(board)
    return Evening(rig.source, Settings(mode=Mode.PLAY, sensing=Sensing.FIELD, calibration=NORMAL)), circuit, board


def test_warmth_that_moves_all_sensors_makes_no_pieces() -> None:
    """A third of a piece in a quarter of an hour; the game goes on after."""
    evening, circuit, board = hall_evening()
    evening.until(1_000)
    for step in range(1, 121):
        for cell, sensor in enumerate(circuit.sensors):
            circuit.sensors[cell] = replace(sensor, zero=sensor.zero + 1.1)
        evening.until(1_000 + 7_500 * step, every_ms=500)
    assert evening.moves() == []
    t_ms = evening.inbox.time_ms
    board[12] = 0
    circuit.set_magnets(board)
    evening.until(t_ms + 500)
    board[28] = 1
    circuit.set_magnets(board)
    evening.until(t_ms + 2_000)
    assert evening.moves() == ["e2e4"]


def test_noise_costs_no_scans_and_moves_no_pieces() -> None:
    rig, circuit = hall_rig()
    for cell, sensor in enumerate(circuit.sensors):
        noise = [5.0 * ((cell + n) % 3 - 1) for n in range(5)]
        circuit.sensors[cell] = replace(sensor, noise=noise)
    circuit.set_magnets(start_magnets())
    rig.source.open()
    inbox = HandInbox()
    reader = SquareReader(rig.source, range(64), inbox)
    first = reader.read()
    for _ in range(50):
        inbox.time_ms += 10
        assert reader.read() is first
    inbox.time_ms += 1_000
    assert reader.read() is not first  # drift is followed, if nothing else happens


def test_a_weak_and_a_turned_magnet_are_felt_as_they_are() -> None:
    rig, circuit = hall_rig()
    rig.source.open()
    circuit.set_magnets(magnets({"a1": 1, "b1": 0.3, "c1": -1}))
    values = strengths(rig.source).values
    assert [round(value) for value in values[:4]] == [100, 30, -100, 0]


def test_a_piece_between_two_squares_is_told_once_it_stays() -> None:
    evening, circuit, board = hall_evening()
    evening.until(1_000)
    board[12] = 0.45
    board[20] = 0.4
    circuit.set_magnets(board)
    evening.until(2_000)
    assert evening.faults("between") == []
    evening.until(6_000)
    assert evening.faults("between") == ["a piece stands between e2 and e3: put it in the middle of one"]


def test_a_converter_that_falls_silent_keeps_its_squares() -> None:
    rig, circuit = hall_rig(AdcModel.MCP3008, MuxModel.NONE)
    rig.source.open()
    circuit.set_magnets(start_magnets())
    before = strengths(rig.source)
    circuit.silent_chips = {0}
    circuit.set_magnets([0.0] * 64)
    sample = strengths(rig.source)
    assert sample.values[:8] == before.values[:8]
    assert sample.values[8:] != before.values[8:]
    assert sample.unsure == 0xFF
    assert "the MCP3008 on /dev/spidev0.0 does not answer" in sample.troubles[0].text
    circuit.silent_chips = set()
    assert strengths(rig.source).troubles[0].text == "the MCP3008 on /dev/spidev0.0 answers again"


def test_a_sensor_without_ground_is_named_and_distrusted() -> None:
    rig, circuit = hall_rig()
    circuit.sensors[12] = replace(circuit.sensors[12], zero=9_999.0)
    evening = Evening(rig.source, Settings(mode=Mode.RECORD, sensing=Sensing.FIELD, calibration=NORMAL))
    evening.until(100)
    assert evening.faults("stuck") == [
        "e2 reads at the end of the scale: its sensor lacks supply or ground, or its wire is broken"
    ]
    reading = SquareReader(rig.source, range(64), HandInbox()).read()
    assert isinstance(reading.reading, Field)
    assert reading.distrusted == 1 << 12
