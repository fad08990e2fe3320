"""Hall readings: calibrated from the start position, read with hysteresis, followed as they drift."""

from __future__ import annotations

import random

import pytest

from board_driver.scan import Colours, Field, Occupancy, Scan
from board_driver.sensing.field import Calibration, FieldReader, estimate
from rules.squares import parse_square, set_of

WHITE, BLACK = 0xFFFF, 0xFFFF << 48
E2, E4 = parse_square("e2"), parse_square("e4")
PIECE = 120.0


class Hall:
    """A board of Hall sensors with zeros of their own, noise, drift, and magnets of different strengths."""

    def __init__(self, seed: int = 1, *, spread: float = 10.0, noise: float = 2.0) -> None:
        self.chance = random.Random(seed)
        self.zeros = [self.chance.gauss(0, spread) for _ in range(64)]
        self.noise = noise
        self.drift = 0.0
        self.magnets = {s: PIECE * self.chance.uniform(0.8, 1.3) for s in range(16)}
        self.magnets |= {s: -PIECE * self.chance.uniform(0.8, 1.3) for s in range(48, 64)}

    def scan(self, t_ms: int, distrusted: int = 0) -> Scan:
        readings = (
            zero + self.drift + self.magnets.get(square, 0.0) + self.chance.uniform(-self.noise, self.noise)
            for square, zero in enumerate(self.zeros)
        )
        return Scan(t_ms, Field(tuple(readings)), distrusted)

    @property
    def colours(self) -> Colours:
        return Colours(
            set_of(s for s, strength in self.magnets.items() if strength > 0),
            set_of(s for s, strength in self.magnets.items() if strength < 0),
        )


@pytest.mark.parametrize("seed", range(10))
def test_the_start_position_calibrates_the_board(seed: int) -> None:
    hall, reader = Hall(seed), FieldReader(WHITE, BLACK)
    scan, faults = reader.read(hall.scan(0))
    assert scan.reading == Colours(WHITE, BLACK)
    assert not faults
    hall.magnets[E4] = hall.magnets.pop(E2)
    assert reader.read(hall.scan(700))[0].reading == hall.colours


@pytest.mark.parametrize("gone", ["a1", "h8"])
def test_a_piece_missing_from_the_start_position_does_no_harm(gone: str) -> None:
    hall, reader = Hall(), FieldReader(WHITE, BLACK)
    del hall.magnets[parse_square(gone)]
    scan, faults = reader.read(hall.scan(0))
    assert scan.reading == hall.colours
    assert not faults


def test_an_endgame_calibrates_too() -> None:
    hall = Hall()
    hall.magnets = {4: 130.0, 12: 90.0, 60: -110.0}
    reader = FieldReader(1 << 4 | 1 << 12, 1 << 60)
    assert reader.read(hall.scan(0))[0].reading == hall.colours


def test_a_board_not_set_up_yet_is_empty_until_it_is() -> None:
    hall, reader = Hall(), FieldReader(WHITE, BLACK)
    pieces, hall.magnets = hall.magnets, {}
    assert reader.read(hall.scan(0))[0].reading == Colours(0, 0)
    assert reader.calibration is None
    hall.magnets = pieces
    assert reader.read(hall.scan(5000))[0].reading == Colours(WHITE, BLACK)


def test_a_reading_between_off_and_on_keeps_what_was_there() -> None:
    calibration = Calibration((0.0,) * 64, on=60, off=40)
    reader = FieldReader(WHITE, BLACK, calibration)

    def read(strength: float, t_ms: int) -> object:
        return reader.read(Scan(t_ms, Field((0.0,) * 20 + (strength,) + (0.0,) * 43)))[0].reading

    e3 = 1 << 20
    assert read(50, 0) == Colours(0, 0)
    assert read(61, 1) == Colours(e3, 0)
    assert read(50, 2) == Colours(e3, 0)
    assert read(39, 3) == Colours(0, 0)
    assert read(-50, 4) == Colours(0, 0)
    assert read(-61, 5) == Colours(0, e3)
    assert read(50, 6) == Colours(0, 0)
    assert read(-61, 7) == Colours(0, e3)
    assert read(61, 8) == Colours(e3, 0)


def test_slow_drift_brings_no_phantoms_and_loses_no_piece() -> None:
    """Forty counts in half an hour, at a strength of 120: more than the threshold of a square that stood still."""
    hall, reader = Hall(spread=4), FieldReader(WHITE, BLACK)
    for second in range(1800):
        hall.drift = 40 * second / 1800
        assert reader.read(hall.scan(1000 * second))[0].reading == Colours(WHITE, BLACK)
    hall.magnets[E4] = hall.magnets.pop(E2)
    assert reader.read(hall.scan(1_801_000))[0].reading == hall.colours


def test_a_piece_that_stands_for_hours_does_not_fade() -> None:
    hall, reader = Hall(), FieldReader(WHITE, BLACK)
    for minute in range(300):
        assert reader.read(hall.scan(60_000 * minute))[0].reading == Colours(WHITE, BLACK)


def test_a_stored_calibration_is_not_rewritten() -> None:
    stored = Calibration((5.0,) * 64, on=60, off=40)
    reader = FieldReader(WHITE, BLACK, stored)
    for second in range(100):
        reader.read(Scan(1000 * second, Field((9.0,) * 64)))
    assert stored.zeros == (5.0,) * 64
    assert reader.calibration is not None
    assert 8 < reader.calibration.zeros[30] < 9


def test_one_turned_magnet_is_told_once_and_the_board_read_for_occupancy() -> None:
    hall, reader = Hall(), FieldReader(WHITE, BLACK)
    hall.magnets[E2] *= -1
    scan, faults = reader.read(hall.scan(0))
    assert scan.reading == Occupancy(WHITE | BLACK)
    assert [(fault.kind, fault.square) for fault in faults] == [("magnet", E2)]
    hall.magnets[E4] = hall.magnets.pop(E2)
    scan, faults = reader.read(hall.scan(700))
    assert scan.reading == Occupancy(hall.colours.occupied)
    assert not faults


def test_magnets_that_are_all_turned_are_the_boards_polarity() -> None:
    hall, reader = Hall(), FieldReader(WHITE, BLACK)
    hall.magnets = {square: -strength for square, strength in hall.magnets.items()}
    scan, faults = reader.read(hall.scan(0))
    assert scan.reading == Colours(WHITE, BLACK)
    assert [fault.kind for fault in faults] == ["polarity"]


def test_sensors_that_feel_one_pole_only_get_one_sentence() -> None:
    hall, reader = Hall(), FieldReader(WHITE, BLACK)
    hall.magnets = {square: strength for square, strength in hall.magnets.items() if strength > 0}
    told = [fault for t_ms in range(0, 3000, 100) for fault in reader.read(hall.scan(t_ms))[1]]
    assert [fault.kind for fault in told] == ["polarity"]
    assert "Black" in told[0].text


def test_a_distrusted_square_keeps_its_colour() -> None:
    hall, reader = Hall(), FieldReader(WHITE, BLACK)
    reader.read(hall.scan(0))
    hall.magnets.pop(E2)
    assert reader.read(hall.scan(100, distrusted=1 << E2))[0].reading == Colours(WHITE, BLACK)
    assert reader.read(hall.scan(200))[0].reading == hall.colours


def test_readings_that_tell_nothing_apart_give_no_calibration() -> None:
    assert estimate((0.0,) * 64, WHITE, BLACK) is None
    assert estimate((7.0,) * 64, WHITE, BLACK) is None


def test_other_readings_are_refused() -> None:
    with pytest.raises(TypeError, match="Occupancy"):
        FieldReader(WHITE, BLACK).read(Scan(0, Occupancy(0)))


@pytest.mark.parametrize("wrong", [{"off": 0}, {"off": 70}, {"zeros": (0.0,)}, {"polarity": 0}])
def test_a_calibration_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    right: dict[str, object] = {"zeros": (0.0,) * 64, "on": 60, "off": 40}
    with pytest.raises(ValueError, match="64 zeros"):
        Calibration(**(right | wrong))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(5))
def test_a_piece_far_off_the_middle_is_felt(seed: int) -> None:
    hall, reader = Hall(seed, spread=3), FieldReader(WHITE, BLACK)
    reader.read(hall.scan(0))
    hall.magnets.pop(E2)
    hall.magnets[E4] = 0.3 * PIECE
    for t_ms in range(700, 20_000, 100):
        assert reader.read(hall.scan(t_ms))[0].reading == hall.colours


@pytest.mark.parametrize("seed", range(5))
def test_what_a_magnet_does_to_its_neighbours_is_no_piece(seed: int) -> None:
    """Beside a magnet its field points the other way, with up to a tenth of its strength where several add up."""
    hall, reader = Hall(seed, spread=3), FieldReader(WHITE, BLACK)
    reader.read(hall.scan(0))
    hall.magnets[E4] = -0.1 * PIECE
    assert reader.read(hall.scan(700))[0].reading == Colours(WHITE, BLACK)


@pytest.mark.parametrize("seed", range(10))
def test_a_zero_that_nobody_could_see_is_learned_once_its_piece_has_left(seed: int) -> None:
    hall, reader = Hall(seed, spread=8), FieldReader(WHITE, BLACK)
    reader.read(hall.scan(0))
    hall.magnets[E4] = hall.magnets.pop(E2)
    for t_ms in range(700, 3000, 100):
        reader.read(hall.scan(t_ms))
    calibration = reader.calibration
    assert calibration is not None
    assert abs(calibration.zeros[E2] - hall.zeros[E2]) <= 3 * hall.noise or abs(hall.zeros[E2]) > calibration.margin
    assert reader.read(hall.scan(3000))[0].reading == hall.colours
