"""Every encoder, decoded by the data sheets: the right lamp, the right colour, within the allowed times."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from board_driver.lights import apa102, ht16k33, max7219, shiftleds, ws2812
from board_driver.lights.lamps import BLACK, Frame, dimmed
from board_driver.lights.looks import Rgb
from board_driver.profile.lights import ColourOrder
from tests.board_driver.lights.chips import (
    Ht16k33Bus,
    Max7219Chip,
    apa102_chain,
    bytes_of,
    chain_595,
    pulses,
)

colours = st.tuples(*[st.integers(0, 255)] * 3)
levels = st.floats(0, 1)
frames = st.builds(Frame, st.lists(colours, min_size=1, max_size=81).map(tuple), levels)
grids = st.builds(Frame, st.lists(st.sampled_from([BLACK, (9, 0, 0)]), min_size=64, max_size=64).map(tuple), levels)
three = st.sampled_from([ColourOrder.GRB, ColourOrder.RGB, ColourOrder.BGR])

SHEETS = {
    "WS2812": ((200, 500), (550, 850)),
    "WS2812B": ((250, 550), (650, 950)),
    "WS2812B-V5": ((220, 380), (580, 1000)),
    "SK6812": ((150, 450), (450, 750)),
}
"""How long a 0 and a 1 may be high, in ns."""


def in_wire_order(colour: Rgb, order: ColourOrder) -> bytes:
    named = dict(zip("rgb", colour, strict=True))
    return bytes(named[letter] for letter in order.value)


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("hz", [ws2812.CLOCK_HZ, 250_000_000 // 84, 500_000_000 // 168])
def test_pulses_are_as_long_as_the_data_sheet_wants(sheet: str, hz: int) -> None:
    """With the clocks that a Raspberry Pi makes of 3 MHz: its core clock by an even number."""
    zero, one = SHEETS[sheet]
    found = pulses(ws2812.encode(Frame(((0x55, 0xF0, 0x0F),), 1.0), ColourOrder.GRB), hz)
    assert len(found) == 24
    for pulse, bit in zip(found, f"{0xF0550F:024b}", strict=True):
        least, most = one if bit == "1" else zero
        assert least <= pulse.high_ns <= most
    assert all(pulse.high_ns + pulse.low_ns == pytest.approx(4e9 / hz) for pulse in found[:-1])
    assert all(pulse.low_ns < 5_000 for pulse in found[:-1]), "that would be near a reset"


@given(frame=frames, order=three)
def test_a_ws2812_chain_sees_every_colour_in_its_place_and_then_a_reset(frame: Frame, order: ColourOrder) -> None:
    payload = ws2812.encode(frame, order)
    found = pulses(payload, ws2812.CLOCK_HZ)
    expected = b"".join(in_wire_order(dimmed(colour, frame.level), order) for colour in frame.colours)
    assert bytes_of(found) == expected
    assert payload[0] == 0, "the wire is low before the first pulse"
    assert found[-1].low_ns >= 280_000


@given(frame=frames)
def test_white_is_taken_out_of_the_colours_where_there_is_a_white_lamp(frame: Frame) -> None:
    seen = bytes_of(pulses(ws2812.encode(frame, ColourOrder.GRBW), ws2812.CLOCK_HZ))
    for n, colour in enumerate(frame.colours):
        green, red, blue, white = seen[4 * n : 4 * n + 4]
        assert (red + white, green + white, blue + white) == dimmed(colour, frame.level)
        assert 0 in (red, green, blue)


@pytest.mark.parametrize("hz", [2_400_000, 3_200_000, 6_400_000])
def test_the_reset_is_long_enough_at_any_speed(hz: int) -> None:
    payload = ws2812.encode(Frame((BLACK,) * 64, 1.0), ColourOrder.GRB, hz)
    assert pulses(payload, hz)[-1].low_ns >= 280_000


@given(frame=frames, order=three)
def test_an_apa102_chain_shows_every_lamp_about_as_bright_as_it_should(frame: Frame, order: ColourOrder) -> None:
    shown = apa102_chain(apa102.encode(frame, order), len(frame.colours))
    assert len(shown) == len(frame.colours)
    for (steps, wire), colour in zip(shown, frame.colours, strict=True):
        for value, wanted in zip(wire, in_wire_order(colour, order), strict=True):
            assert steps / 31 * value == pytest.approx(wanted * frame.level, abs=max(1.0, steps / 31))
            assert bool(value) == bool(wanted and frame.level)


def test_an_sk9822_gets_32_zero_bits_after_the_last_lamp() -> None:
    assert apa102.encode(Frame(((1, 2, 3),) * 64, 1.0), ColourOrder.BGR)[4 + 4 * 64 :][:4] == bytes(4)


def test_an_apa102_has_no_white() -> None:
    with pytest.raises(ValueError, match="red, green and blue"):
        apa102.encode(Frame((BLACK,), 1.0), ColourOrder.GRBW)


@given(frame=grids)
def test_a_max7219_lights_digit_and_segment(frame: Frame) -> None:
    chip = Max7219Chip()
    chip.take(max7219.encode(frame))
    wanted = {divmod(n, 8) for n, colour in enumerate(frame.colours) if colour != BLACK and frame.level}
    assert chip.lit() == wanted
    assert chip.duty <= frame.level or chip.duty == 1 / 32


@pytest.mark.parametrize("glitch", [(0x0F, 1), (0x0C, 0), (0x0B, 2), (0x03, 0xFF), (0x09, 0)])
def test_the_next_frame_puts_any_register_of_a_max7219_right(glitch: tuple[int, int]) -> None:
    frame = Frame(tuple((9, 9, 9) if n % 3 else BLACK for n in range(64)), 0.5)
    chip = Max7219Chip()
    chip.take(max7219.encode(frame))
    lit, duty = chip.lit(), chip.duty
    chip.registers[glitch[0]] = glitch[1]
    chip.take(max7219.encode(frame))
    assert (chip.lit(), chip.duty) == (lit, duty)


@given(frame=grids)
def test_an_ht16k33_lights_common_and_row(frame: Frame) -> None:
    bus = Ht16k33Bus()
    commands, memory = ht16k33.encode(frame)
    for command in commands:
        bus.write_byte(0x70, command)
    bus.write_i2c_block_data(0x70, 0, list(memory))
    wanted = {divmod(n, 8) for n, colour in enumerate(frame.colours) if colour != BLACK and frame.level}
    assert bus.lit() == wanted
    assert (bus.dimming + 1) / 16 <= frame.level or bus.dimming == 0


@given(lit=st.lists(st.booleans(), min_size=1, max_size=81))
@settings(max_examples=200)
def test_shift_registers_light_lamp_0_at_the_nearest_chip(lit: list[bool]) -> None:
    frame = Frame(tuple((5, 5, 5) if is_on else BLACK for is_on in lit), 1.0)
    chips = -(-len(lit) // 8)
    outputs = chain_595(shiftleds.encode(frame), chips)
    assert outputs[: len(lit)] == [int(is_on) for is_on in lit]
    assert not any(outputs[len(lit) :])


@given(colour=colours, level=st.floats(0.001, 1))
def test_a_lamp_that_is_lit_stays_lit_however_dim(colour: Rgb, level: float) -> None:
    for before, after in zip(colour, dimmed(colour, level), strict=True):
        assert bool(before) == bool(after)
        assert after <= before
