"""Wiring tables and drawings: the committed ones are the profiles', and say what the program reads."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from board_driver.cli import main
from board_driver.profile.finding import packaged_profiles
from board_driver.profile.pins import line_number
from board_driver.profile.places import square_order
from board_driver.profile.reading import read_profile, sound_profile
from board_driver.profile.schema import Profile
from board_driver.profile.sensors import Expanders, GpioMatrix, ShiftRegisters
from board_driver.profile.uses import pins_of, uses
from board_driver.wiring.drawing import wiring_svg
from board_driver.wiring.header import PIN_OF_GPIO, POWER
from board_driver.wiring.page import wiring_page
from board_driver.wiring.parts import draws_of, parts_of
from board_driver.wiring.tables import groups_of
from rules.squares import SQUARE_NAMES

COMMITTED = Path(__file__).parents[2] / "hardware" / "wiring"
PROFILES = packaged_profiles()


def profile_of(text: str) -> Profile:
    profile = read_profile(text)
    assert isinstance(profile, Profile), profile
    return profile


OTHERS = {
    "direct": "{name: x, sensors: {kind: gpio-direct, pins: [5, 6], order: {each: [a1, h8]}}, lights: {kind: none}}",
    "matrix of expanders": "{name: x, sensors: {kind: mcp23017, addresses: [0x20], wiring: matrix, diodes: false}}",
    "hall without mux": (
        "{name: x, sensors: {kind: hall-adc, mux: none, adc: mcp3008, select: [], adcs: ["
        + ", ".join(f"{{bus: {n // 2 + 2}, device: {n % 2}}}" for n in range(8))
        + "]}}"
    ),
    "plugin": "{name: x, sensors: {kind: plugin, source: mine}}",
    "led matrix": "{name: x, sensors: {kind: mcp23017}, lights: {kind: led-matrix,"
    " rows: [5, 6, 12, 13, 16, 17, 18, 19], columns: [20, 21, 22, 23, 24, 25, 26, 27]}}",
    "max7219": "{name: x, sensors: {kind: mcp23017}, lights: {kind: max7219}, orientation: {turn: 90}}",
    "status": "{name: x, sensors: {kind: mcp23017}, lights: {kind: gpio-leds, place: status, pins: [5]}}",
}
ALL = {**{name: path.read_text(encoding="utf-8") for name, path in PROFILES.items()}, **OTHERS}


@pytest.mark.parametrize("name", PROFILES)
def test_the_committed_files_are_what_the_profile_says(name: str) -> None:
    """`touchmove profile wiring NAME -o hardware/wiring/NAME.svg`, and .md, makes them anew."""
    profile = sound_profile(PROFILES[name])
    assert (COMMITTED / f"{name}.svg").read_text(encoding="utf-8") == wiring_svg(profile)
    assert (COMMITTED / f"{name}.md").read_text(encoding="utf-8") == wiring_page(profile, name)


def test_nothing_else_is_committed() -> None:
    expected = {f"{name}.{ending}" for name in PROFILES for ending in ("svg", "md")}
    assert {path.name for path in COMMITTED.iterdir()} == expected


@pytest.mark.parametrize("name", ALL)
def test_every_pin_of_a_profile_is_in_tables_and_drawing(name: str) -> None:
    profile = profile_of(ALL[name])
    starts = " ".join(f"{wire.start} {wire.end}" for group in groups_of(profile) for wire in group.connections)
    svg = wiring_svg(profile)
    for _, pin, _ in pins_of(profile):
        assert re.search(rf"GPIO {line_number(pin)}\b", starts)
    for use in uses(profile):
        if use.thing.startswith("GPIO "):
            assert f">{use.thing.removeprefix('GPIO ')}: " in svg


@pytest.mark.parametrize("name", ALL)
def test_a_drawing_is_xml_and_within_its_frame(name: str) -> None:
    root = ElementTree.fromstring(wiring_svg(profile_of(ALL[name])))
    for element in root.iter():
        for key, most in (("x", 1060), ("cx", 1060), ("y", 660), ("cy", 660)):
            assert 0 <= float(element.get(key, "0")) <= most


@pytest.mark.parametrize("name", ["reed-mcp23017", "reed-74hc165", "hall-mcp3208-colour", "hall-digital"])
def test_every_square_has_one_sensor_wire(name: str) -> None:
    groups = groups_of(sound_profile(PROFILES[name]))
    (sensors,) = [group for group in groups if group.title in ("Sensors", "Inputs of the 74HC165")]
    assert sorted(wire.end for wire in sensors.connections) == sorted(SQUARE_NAMES)


def test_tables_follow_the_order_that_the_driver_reads_by() -> None:
    """Cell by cell, by the numbering that the schema documents."""
    expanders = sound_profile(PROFILES["reed-mcp23017"])
    assert isinstance(expanders.sensors, Expanders)
    names = [SQUARE_NAMES[s] for s in square_order(expanders.sensors.order, expanders.orientation)]
    sensors = next(group for group in groups_of(expanders) if group.title == "Sensors")
    assert sensors.connections[16 * 2 + 8 + 3].start == "chip 0x22 GPB3"
    assert sensors.connections[16 * 2 + 8 + 3].end == names[16 * 2 + 8 + 3]
    chain = sound_profile(PROFILES["reed-74hc165"])
    assert isinstance(chain.sensors, ShiftRegisters)
    inputs = next(group for group in groups_of(chain) if group.title.startswith("Inputs"))
    assert (inputs.connections[0].start, inputs.connections[0].end) == ("chip 1, input H", "h1")
    matrix = sound_profile(PROFILES["reed-matrix-gpio"])
    assert isinstance(matrix.sensors, GpioMatrix)
    rows = next(group for group in groups_of(matrix) if group.title == "Sensor rows")
    assert rows.connections[7].end == "row 8: a8 to h8"
    assert f"GPIO {line_number(matrix.sensors.rows[7])}, " in rows.connections[7].start


def test_the_header_is_gpiozeros() -> None:
    from gpiozero.pins.pi import PiBoardInfo  # noqa: PLC0415

    pins = PiBoardInfo.from_revision(0xC03111).headers["J8"].pins
    lines = {number: next((n for n in pin.names if isinstance(n, int)), None) for number, pin in pins.items()}
    assert dict(PIN_OF_GPIO) == {gpio: number for number, gpio in lines.items() if gpio is not None}
    assert set(POWER) == {number for number, gpio in lines.items() if gpio is None}


@pytest.mark.parametrize("name", PROFILES)
def test_sums_are_sums(name: str) -> None:
    profile = sound_profile(PROFILES[name])
    parts = parts_of(profile)
    assert len({part.name for part in parts}) == len(parts)
    together = sum(part.count * part.each_ct for part in parts)
    assert f"| {sum(part.count for part in parts)} | all |  | {together / 100:.2f} |" in wiring_page(profile, name)
    for lights in profile.lights:
        budget = getattr(lights, "budget_ma", None)
        assert budget is None or any(draw.most_ma <= budget and str(budget) in draw.what for draw in draws_of(profile))


def test_the_command_prints_draws_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "wiring", "reed-mcp23017"]) == 0
    assert "## MCP23017 on I²C 1" in capsys.readouterr().out
    target = tmp_path / "mine.svg"
    assert main(["profile", "wiring", "reed-mcp23017", "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8").startswith("<svg ")
    assert main(["profile", "wiring", "reed-mcp23017", "-o", str(tmp_path / "mine.png")]) == 2
    assert ".svg or .md" in capsys.readouterr().err


def test_a_profile_that_could_burn_its_supply_is_noted_by_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bright.yaml"
    path.write_text("{name: x, sensors: {kind: mcp23017}, lights: {kind: ws2812, brightness_percent: 100}}")
    assert main(["profile", "check", str(path)]) == 0
    assert "would draw 3904 mA, and budget_ma is 1500" in capsys.readouterr().out


def test_displays_have_wires_parts_and_a_draw(tmp_path: Path) -> None:
    path = tmp_path / "shown.yaml"
    text = PROFILES["reed-matrix-gpio"].read_text(encoding="utf-8")
    path.write_text(f"{text}\ndisplays: [{{kind: hd44780, columns: 20, rows: 4, bus: 3}}, {{kind: ssd1306, bus: 4}}]\n")
    page = wiring_page(sound_profile(path), "shown")
    assert "## HD44780 with PCF8574 (0x27) on I²C 3" in page
    assert "level shifter" in page
    assert "## SSD1306 OLED (0x3c) on I²C 4" in page
    assert "| 1 | text display 20 × 4, HD44780 with PCF8574 | 6.00 | 6.00 |" in page
    assert "OLED 128 × 64, SSD1306" in page
    assert "text display, lit" in page
