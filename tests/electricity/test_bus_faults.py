"""Expanders and shift registers that fall silent, are reset, or come off."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from board_driver.boards.expanders import ExpanderSource
from board_driver.boards.shiftregisters import PATIENCE, ShiftRegisterSource
from board_driver.boards.source import Contacts
from board_driver.mind import Mode, Settings
from board_driver.profile.sensors import BitBang, ChainEnd, Expanders, ShiftRegisters
from tests.electricity.circuits import ChainCircuit
from tests.electricity.computers import Bus, ChainSpi, CircuitLines, Mcp23017
from tests.electricity.evening import E2, E4, START, Evening, contacts

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
