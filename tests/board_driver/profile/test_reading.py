"""Profiles: every one that comes with the program, and every way to write one wrong."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from board_driver.boards.plugin import PluginSource
from board_driver.boards.source import Contacts
from board_driver.cli import main
from board_driver.inputerror import InputError
from board_driver.mind import Mode, TouchRule
from board_driver.profile.decoding import ProfileFault
from board_driver.profile.displays import Hd44780, OledHeight, Ssd1306
from board_driver.profile.finding import find_profile, packaged_profiles
from board_driver.profile.lights import Ht16k33, Lights, Ws2812
from board_driver.profile.reading import read_profile, read_profile_file, sound_profile
from board_driver.profile.schema import Buttons, Game, Orientation, Profile, Turn
from board_driver.profile.sensors import GpioMatrix, HallAdc, Plugin, Sensors
from board_driver.profile.showing import effective_text
from board_driver.profile.words import Order

MATRIX = """\
name: trial
sensors:
  kind: gpio-matrix
  rows: [5, 6, 12, 13, 16, 17, 18, 19]
  columns: [20, 21, 22, 23, 24, 25, 26, 27]
"""
PACKAGED = sorted(packaged_profiles())


def good(text: str) -> Profile:
    profile = read_profile(textwrap.dedent(text))
    assert isinstance(profile, Profile), profile
    return profile


def faults(text: str) -> list[str]:
    found = read_profile(textwrap.dedent(text))
    assert not isinstance(found, Profile)
    return [str(fault) for fault in found]


def test_the_profiles_that_were_asked_for_come_with_the_program() -> None:
    wanted = {"reed-matrix-gpio", "reed-mcp23017", "reed-74hc165", "hall-digital", "hall-mcp3208-colour"}
    assert wanted <= set(PACKAGED)


@pytest.mark.parametrize("name", PACKAGED)
def test_every_packaged_profile_is_sound_and_whole(name: str) -> None:
    profile = sound_profile(packaged_profiles()[name])
    buttons = set(profile.buttons.pins())
    promotions = {f"promote_{role}" for role in ("queen", "rook", "bishop", "knight")}
    assert promotions | {"adjust", "white_clock", "black_clock", "new_game"} <= buttons
    assert {"draw", "draw_white"} & buttons
    assert {"resign", "resign_white"} & buttons
    assert profile.lights
    assert profile.orientation.turn is Turn.NONE


@pytest.mark.parametrize("name", PACKAGED)
def test_the_effective_values_read_back_are_the_same_profile(name: str) -> None:
    profile = sound_profile(packaged_profiles()[name])
    assert read_profile(effective_text(profile)) == profile


def test_what_is_left_out_has_its_default() -> None:
    profile = good(MATRIX)
    assert isinstance(profile.sensors, GpioMatrix)
    assert profile.sensors.diodes
    assert profile.lights == ()
    assert profile.game.mode is None


def test_a_key_left_empty_is_as_if_left_out() -> None:
    assert good(MATRIX + "buttons:\nlights:\ngame:\n") == good(MATRIX)


def test_texts_are_texts_whatever_yaml_makes_of_them() -> None:
    profile = good(
        MATRIX + "lights: {kind: ws2812, night: {begins: 21:00, ends: 06:30}}\ngame: {touch: off, event: 7}\n"
    )
    (lights,) = profile.lights
    assert isinstance(lights, Ws2812)
    assert lights.night is not None
    assert (lights.night.begins, lights.night.ends) == ("21:00", "06:30")
    assert profile.game.touch is TouchRule.OFF
    assert profile.game.event == "7"


def test_one_kind_of_lights_or_several() -> None:
    one = good(MATRIX + "lights: {kind: ht16k33, address: 0x71}\n")
    assert one.lights == (Ht16k33(address=0x71),)
    oled = "{kind: ssd1306, height: 32, turned: true}"
    two = good(MATRIX + f"displays: [{{kind: hd44780, columns: 20, rows: 4}}, {oled}]\n")
    assert two.displays == (Hd44780(columns=20, rows=4), Ssd1306(height=OledHeight.HALF, turned=True))
    two = good(MATRIX + "lights:\n- kind: ht16k33\n- {kind: gpio-leds, pins: [4], place: status}\n")
    assert len(two.lights) == 2


def test_several_converters_or_one() -> None:
    text = "name: x\nsensors: {kind: hall-adc, mux: none, adcs: %s}\n"
    eight = "[" + ", ".join(f"{{bus: {n // 2}, device: {n % 2}}}" for n in range(8)) + "]"
    sensors = good(text % eight).sensors
    assert isinstance(sensors, HallAdc)
    assert len(sensors.adcs) == 8
    assert faults(text % "{bus: 1}") == [
        "line 2: sensors.adcs: 64 sensors through mux none need 64 channels, 1 chips have 8"
    ]


FAULTY = [
    ("nam: x\n", "line 1: nam: there is no such key, did you mean name?"),
    ("sensors: {kind: gpio-matrx}\n", "did you mean gpio-matrix?"),
    ("name: x\n", "expected the key sensors, which says more keys"),
    (MATRIX + "  diods: true\n", "line 6: sensors.diods: there is no such key, did you mean diodes?"),
    (MATRIX + "  diodes: maybe\n", "line 6: sensors.diodes: expected true or false, got maybe"),
    (MATRIX + "  scan_hz: 0\n", "line 6: sensors.scan_hz: expected a number above 0 and up to 1000, got 0"),
    (MATRIX + "  scan_hz: .nan\n", "expected a number above 0 and up to 1000, got .nan"),
    (MATRIX + "  scan_hz: [1]\n", "got a list"),
    (MATRIX + "  row_settle_us: [1, 2]\n", "line 6: sensors.row_settle_us: expected a list of 8"),
    (MATRIX + "  row_settle_us: 99999\n", "expected a whole number of µs from 0 to 20000, got 99999"),
    (MATRIX + "name: again\n", "line 6: name: this key was given before, on line 1"),
    (MATRIX + "orientation: {turn: 45}\n", "orientation.turn: expected one of 0, 90, 180, 270, got 45"),
    (MATRIX + "game: {mode: pley}\n", "game.mode: expected one of play, record, got pley: did you mean play?"),
    (MATRIX + "game: {ruleset: blits}\n", "did you mean blitz?"),
    (MATRIX + "game: {time: 5+x}\n", "game.time: expected a time control such as 5+3"),
    (MATRIX + "game: {clock_start: later}\n", "game.clock_start"),
    (MATRIX + "game: {dead_squares: [e9]}\n", "game.dead_squares[0]: expected a square from a1 to h8, got e9"),
    (MATRIX + "buttons: {draw: 5}\n", "buttons.draw: GPIO 5 is used already by sensors.rows[0]"),
    (MATRIX + "buttons: {draw: BOARD29}\n", "buttons.draw: GPIO 5 is used already by sensors.rows[0]"),
    (MATRIX + "buttons: {draw: GPIO99}\n", "GPIO99 is no pin of the 40-pin header: use a GPIO number such as 17"),
    (MATRIX + "buttons: {draw: 28}\n", "line 6: buttons.draw: a pin header has GPIO 0 to 27, got 28"),
    (MATRIX.replace("27]", "40]"), "sensors.columns[7]: a pin header has GPIO 0 to 27, got 40: on another"),
    (MATRIX + "buttons: {draw: BOARD1}\n", "BOARD1 is a pin of the header, but no GPIO"),
    (MATRIX + "buttons: {draw: -1}\n", "expected a GPIO number such as 17, or a name such as GPIO17 or BOARD11, got"),
    (MATRIX + "buttons: {draw: 010}\n", "010 is no pin of the 40-pin header"),
    (MATRIX + "buttons: {draw: 2}\nlights: {kind: ht16k33}\n", "GPIO 2 is used already by buttons.draw"),
    (MATRIX + "buttons: {draw: 10}\nlights: {kind: ws2812}\n", "GPIO 10 is used already by buttons.draw"),
    (MATRIX + "buttons: {draw: 2}\ndisplays: {kind: hd44780}\n", "GPIO 2 is used already by buttons.draw"),
    (
        "name: x\nsensors: {kind: mcp23017, addresses: [0x20, 0x21, 0x22, 0x27]}\ndisplays: {kind: hd44780}\n",
        "displays[0].address: address 0x27 on I²C bus 1 is used already by sensors.addresses[3]",
    ),
    (MATRIX + "displays: {kind: hd44780, rows: 5}\n", "displays[0].rows: expected a number of rows from 1 to 4"),
    (MATRIX + "displays: {kind: ssd1306, height: 48}\n", "displays[0].height"),
    (MATRIX + "lights: [{kind: ws2812}, {kind: apa102}]\n", "SPI device 0.0 is used already by lights[0].spi"),
    (MATRIX + "lights: {kind: max7219, place: corners}\n", "64 lamps, but there are 81 corners"),
    (MATRIX + "lights: {kind: gpio-leds, pins: [4, 7]}\n", "lights[0].pins: expected 16 pins for edges, got 2"),
    (MATRIX + "lights: {kind: ws2812, order: {each: [a1, b1]}}\n", "order.each: expected 64 squares, got 2"),
    (MATRIX + "lights: {kind: ws2812, brightness_percent: 101}\n", "expected a whole number from 0 to 100, got 101"),
    ("name: x\nsensors: {kind: mcp23017, addresses: [0x20, 0x20]}\n", "address 0x20 is used twice"),
    ("name: x\nsensors: {kind: mcp23017, addresses: [0x30]}\n", "an MCP23017's address, 0x20 to 0x27, got 0x30"),
    ("name: x\nsensors: {kind: mcp23017, addresses: [0x20, 0x21]}\n", "only 32 sensors: name their squares"),
    ("name: x\nsensors: {kind: mcp23017, wiring: matrix, addresses: [32, 33, 34]}\n", "1, 2 or 4 chips"),
    ("name: x\nsensors: {kind: hall-adc, select: [5, 6]}\n", "expected 4 lines for mux 4067"),
    ("name: x\nsensors: {kind: gpio-direct, pins: [5], order: {each: [a1, a2]}}\n", "expected 1 squares"),
    ("name: x\nsensors: {kind: gpio-direct, pins: [5, 6], order: {each: [a1, a1]}}\n", "a1 is named twice"),
    ("name: [\n", "this is no YAML"),
    ("", "line 1: expected a profile, got an empty file"),
    ("- a\n", "line 1: expected keys with values, got a list"),
    ("a: &x 1\nb: *x\n", "line 2: anchors are not read here"),
    ("[" * 5000, "nested deeper"),
    ("name: x\nsensors: {kind: plugin, source: s, options: {a: !!python/object 1}}\n", "cannot be read"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), FAULTY)
def test_a_fault_is_told_with_its_line_and_path(text: str, told: str) -> None:
    assert any(told in fault for fault in faults(text)), faults(text)


def test_all_faults_are_told_at_once_in_the_order_of_the_lines() -> None:
    told = faults("""\
        nam: x
        sensors:
          kind: gpio-matrix
          rows: [5, 6, 12, 13, 16, 17, 18, 19]
          columns: [20, 21, 22, 23, 24, 25, 26, 5]
        lights:
          kind: ws2812
          brigthness_percent: 3
          order: {snake: perhaps}
        game:
          ruleset: fide
          touch: strickt
        """)
    assert [int(line.split(":")[0].removeprefix("line ")) for line in told] == [1, 1, 5, 8, 9, 12]
    assert "GPIO 5 is used already by sensors.rows[0]" in told[2]


@given(st.text(max_size=200))
def test_any_text_is_a_profile_or_has_faults(text: str) -> None:
    found = read_profile(text)
    assert isinstance(found, Profile) or all(isinstance(fault, ProfileFault) for fault in found)


YAMLS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(PACKAGED),
    st.sampled_from(["sensors", "lights", "buttons", "orientation", "game"]),
    st.integers(0, 15),
    YAMLS,
)
def test_one_wrong_value_anywhere_is_told_and_never_crashes(name: str, part: str, which: int, value: object) -> None:
    tree = yaml.safe_load(packaged_profiles()[name].read_text())
    keys = list(tree[part])
    tree[part][keys[which % len(keys)]] = value
    found = read_profile(yaml.safe_dump(tree))
    assert isinstance(found, Profile) or found


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        sound_profile(tmp_path / "none.yaml")


def test_a_misspelt_name_is_answered_with_the_right_one() -> None:
    with pytest.raises(InputError, match="did you mean reed-matrix-gpio"):
        find_profile("reed-matrx-gpio")


def test_the_command_checks_shows_and_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "check", "reed-matrix-gpio"]) == 0
    bad = tmp_path / "bad.yaml"
    bad.write_text(MATRIX + "  diods: 1\ngame: {mode: x}\n")
    assert main(["profile", "check", str(bad)]) == 2
    told = capsys.readouterr()
    assert "all is well" in told.out
    assert told.err.splitlines()[0].startswith(f"{bad}, line 6: sensors.diods")
    assert told.err.splitlines()[-1] == f"touchmove: 2 faults in {bad}"
    assert main(["profile", "show", "hall-digital"]) == 0
    shown = read_profile(capsys.readouterr().out)
    assert isinstance(shown, Profile)
    assert shown.game.mode is Mode.PLAY
    assert main(["profile", "list"]) == 0
    assert {line.split()[0] for line in capsys.readouterr().out.splitlines()} == set(PACKAGED)
    assert main(["profile", "show", str(bad)]) == 2
    assert "(and 1 more)" in capsys.readouterr().err


README = Path(__file__).parents[3] / "hardware" / "boards" / "README.md"


def test_the_documentation_names_every_key_and_every_kind() -> None:
    text = README.read_text()
    sensors, lights = (get_args(union) for union in (Sensors, Lights))
    kinds = {part.__struct_config__.tag for part in (*sensors, *lights)}
    parts = (*sensors, Order, Orientation, Game, Buttons, Profile)
    keys = {field for part in parts for field in part.__struct_fields__}
    assert {word for word in kinds | keys if f"`{word}" not in text and f"{word}:" not in text} == set()


def test_the_board_of_the_documentation_works(tmp_path: Path) -> None:
    state = tmp_path / "board"
    state.write_text("#" * 16 + "." * 32 + "#" * 16)
    (code,) = re.findall("```python\n(.*?)```", README.read_text(), re.DOTALL)
    defined: dict[str, Any] = {}
    exec(code, defined)
    assert PluginSource("mine", defined["FileBoard"](str(state))).read() == Contacts(0xFFFF00000000FFFF)
    (profile,) = re.findall("```yaml\n(.*?)```", README.read_text(), re.DOTALL)
    assert isinstance(good(profile).sensors, Plugin)


def test_a_device_that_never_ends_is_no_profile() -> None:
    faults = read_profile_file(Path("/dev/zero"))
    assert isinstance(faults, tuple)
    assert "at most" in faults[0].text
