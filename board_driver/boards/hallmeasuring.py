"""Calibration of analogue Hall sensors, step by step, from readings alone [pure].

Four boards are read: empty; the start array; the array with the colours swapped, each piece straight across on its own
file; and from there each piece two ranks towards the middle. So every square has a piece once, those of the start array
one of each colour, and every piece stands on three squares known beforehand. A weak or turned reading that goes with
the piece is its magnet's; one that stays with the square is its sensor's.

Which square each cell is comes from the profile; all that is told names squares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from board_driver.boards.hallcalibration import Cell, HallCalibration
from board_driver.boards.hallfindings import MISSING_SHARE, findings_of
from board_driver.boards.hallsteps import Finding, Reading, Step, across, expected_sign, home_of
from rules.squares import Square, square_name

WEAK_SHARE = 0.55
"""Of the median level: less is a weak magnet or sensor."""
NOISE_SHARE = 0.05
"""Of the median level: a square that is noisier than this is told."""


class Measuring:
    """Takes the steps in order, each as often as it has to be repeated."""

    def __init__(self) -> None:
        self._readings: dict[Step, Reading] = {}

    def take(self, step: Step, reading: Reading) -> tuple[Finding, ...]:
        """Take a step's reading, in the place of an earlier one: what is wrong with it, the worst first."""
        self._readings[step] = reading
        if step is Step.EMPTY:
            return ()
        zeros = self._readings[Step.EMPTY].values
        shifts = [value - zero for value, zero in zip(reading.values, zeros, strict=True)]
        should = [square for square in range(64) if expected_sign(step, square)]
        level = median(abs(shifts[square]) for square in should)
        noise = median(self._readings[Step.EMPTY].noises)
        if level <= 8 * noise:
            return (
                Finding("no pieces are felt at all: do they have magnets, and have the sensors their supply?", True),
            )
        return findings_of(step, shifts, level)

    def verdict(self) -> tuple[Finding, ...]:
        """What all steps together tell of magnets and sensors. Raises KeyError if a step is missing."""
        solved = self._solve()
        findings = [
            Finding(f"the sensor of {square_name(Square(s))} is mounted the wrong way round: it is read so", False)
            for s, polarity in enumerate(solved.polarities)
            if polarity != solved.common
        ]
        findings += [
            Finding(f"the piece from {square_name(Square(home))} has its magnet the wrong way round: turn it", False)
            for home, turned in solved.turned.items()
            if turned
        ]
        findings += [
            Finding(f"the piece from {square_name(Square(home))} has a weak magnet ({share:.0%} of the others)", False)
            for home, share in solved.strengths.items()
            if share < WEAK_SHARE
        ]
        usual = median(solved.levels)
        for s, level in enumerate(solved.levels):
            if level < WEAK_SHARE * usual:
                text = f"the sensor of {square_name(Square(s))} feels little ({level / usual:.0%} of the others)"
                findings.append(Finding(text, False))
            if self._readings[Step.EMPTY].noises[s] > NOISE_SHARE * usual:
                findings.append(Finding(f"the sensor of {square_name(Square(s))} is noisy", False))
        return tuple(findings)

    def calibration(self, squares: Sequence[int], date: str, profile: str) -> HallCalibration:
        """The result, cell by cell; `squares[n]` is the square of cell n. Raises KeyError if a step is missing."""
        solved, empty = self._solve(), self._readings[Step.EMPTY]
        by_square = [
            Cell(round(empty.values[s], 2), round(empty.noises[s], 2), round(solved.levels[s], 2), solved.polarities[s])
            for s in range(64)
        ]
        return HallCalibration(tuple(by_square[square] for square in squares), date, profile)

    # -- within

    def _shift(self, step: Step, square: int) -> float:
        """How far the piece moved that square, less what empty squares moved in that step."""
        zeros, values = self._readings[Step.EMPTY].values, self._readings[step].values
        drift = median(values[s] - zeros[s] for s in range(64) if not expected_sign(step, s))
        return values[square] - zeros[square] - drift

    def _solve(self) -> _Solved:
        homes = [s for s in range(64) if expected_sign(Step.START, s)]
        common = _sign(sum(self._shift(Step.START, s) * expected_sign(Step.START, s) for s in homes))
        polarities: dict[int, int] = {}
        turned: dict[int, bool] = {}
        for home in homes:
            if home < across(home):
                self._solve_pair(home, common, polarities, turned)
        usual = median(abs(self._shift(step, s)) for step in (Step.START, Step.SWAPPED) for s in homes)
        strengths = {
            home: max(  # the better of its two readings, since a square may be weak too
                abs(self._shift(Step.START, home)) / self._level(home, usual),
                abs(self._shift(Step.SWAPPED, across(home))) / self._level(across(home), usual),
            )
            for home in homes
        }
        levels = {home: self._level(home, usual) for home in homes}
        for square in range(64):
            whose = home_of(Step.MIDDLE, square)
            if whose is not None:
                shift = self._shift(Step.MIDDLE, square)
                sense = expected_sign(Step.MIDDLE, square) * (-1 if turned[whose] else 1)
                polarities[square] = _sign(shift * sense) if shift else common
                levels[square] = max(abs(shift) / max(strengths[whose], 0.2), 1e-6)
        return _Solved(
            common,
            tuple(polarities[s] for s in range(64)),
            tuple(levels[s] for s in range(64)),
            turned,
            strengths,
        )

    def _level(self, square: int, usual: float) -> float:
        """How far a common piece moves that square of the start array: of two pieces' effects the greater half."""
        shifts = sorted(abs(self._shift(step, square)) for step in (Step.START, Step.SWAPPED))
        mean = fmean(shifts)
        level = shifts[1] if shifts[0] < WEAK_SHARE * shifts[1] else mean  # one of the two may be weak or missing
        return max(level, MISSING_SHARE * usual, 1e-6)

    def _solve_pair(self, home: int, common: int, polarities: dict[int, int], turned: dict[int, bool]) -> None:
        """Two squares across and the pieces that changed places: which of the four are the wrong way round."""
        far = across(home)
        signs = {
            (step, s): _sign(self._shift(step, s) * expected_sign(step, s)) * common
            for step in (Step.START, Step.SWAPPED)
            for s in (home, far)
        }
        choices = [
            (near_sensor, far_sensor, near_piece, far_piece)
            for near_sensor in (1, -1)
            for far_sensor in (1, -1)
            for near_piece in (1, -1)
            for far_piece in (1, -1)
        ]

        def misfit(choice: tuple[int, int, int, int]) -> tuple[int, int]:
            near_sensor, far_sensor, near_piece, far_piece = choice
            told = {
                (Step.START, home): near_sensor * near_piece,
                (Step.SWAPPED, home): near_sensor * far_piece,
                (Step.START, far): far_sensor * far_piece,
                (Step.SWAPPED, far): far_sensor * near_piece,
            }
            return sum(told[key] != signs[key] for key in signs), choice.count(-1)

        near_sensor, far_sensor, near_piece, far_piece = min(choices, key=misfit)
        polarities[home], polarities[far] = near_sensor * common, far_sensor * common
        turned[home], turned[far] = near_piece < 0, far_piece < 0


@dataclass(frozen=True, slots=True)
class _Solved:
    common: int
    polarities: tuple[int, ...]
    levels: tuple[float, ...]
    turned: Mapping[int, bool]
    strengths: Mapping[int, float]


def _sign(value: float) -> int:
    return -1 if value < 0 else 1
