"""Raw Hall readings to colours [pure].

A Hall sensor reads a field: near its own *zero* when the square is empty, above it under a magnet of White's polarity,
below it under one of Black's. Zeros differ from sensor to sensor and drift with warmth; magnets differ from piece to
piece. So a square is read against its own zero, with *hysteresis*: a piece comes at `on`, and has left only below
`off`.

Without a stored calibration, the first scan and the start position make one: the squares that must be empty show the
zeros, the others how strong the magnets are and which way round.

House rules:

1. The zero of a square follows its reading only while the square is known empty and well below `off`, and slowly
   (`TRACKING_MS`), so that no piece fades away. Squares that hold a piece drift as the empty ones do on average.
2. A zero that nobody has seen, since a piece stood there from the start, is presumed to be like the others', and
   thresholds lie beyond what it may be wrong by, until the square has been empty once.
3. A stored calibration is never rewritten from play; what is followed is forgotten at the end.
4. If a magnet of the start position lies the wrong way round, colours say nothing reliable: it is told once, and the
   board is read for occupancy alone. If all do, it is the board's polarity, and is turned.
5. As long as the readings do not tell pieces from empty squares, as on a board not yet set up, all squares are empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from board_driver.events import Fault
from board_driver.scan import Colours, Field, Occupancy, Reading, Scan
from rules.squares import Bitboard, Square, set_of, square_name, squares_of

ON_SHARE = 0.2
OFF_SHARE = 0.13
"""Of the strength of a good magnet in the middle of its square, where a piece comes and where it has left.

A piece that stands well off the middle still gives a fifth; its neighbours' fields, which turn round beside a magnet,
stay below a tenth.
"""
CLEAR_RATIO = 4.0
"""Good magnets must be this much stronger than the sensors' zeros lie apart."""
STRANGER_SHARE = 0.3
"""Of a good magnet: what reads more on a square that should be empty is not taken for its zero."""
MARGIN = 2.0
"""Times the upper quartile of how far zeros lie apart: few lie further."""
FELT = -(1 << 62)
LEARN_MS = 1_500
"""So long after a square with a presumed zero has become empty, what it reads is its zero."""
TRACKING_MS = 60_000
"""Time in which a zero has followed about two thirds of a change."""
LONGEST_STEP_MS = 1_000
"""A gap between scans counts as no longer than this: what happened in it was not seen."""
SURE_SHARE = 0.5
"""Of `off`: a reading this close to zero is an empty square that may be followed."""
SET_UP_SHARE = 0.75
"""Of the pieces of the start position: once so many are felt, their magnets are checked."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a board's sensors read: `zeros`, a1 first, and the distances from them at which a piece comes and goes.

    `polarity` is 1 where White's magnets read above zero, -1 where all are mounted the other way round. `presumed` are
    squares whose zero nobody has seen, because a piece stood there; it may be wrong by about `margin`.
    """

    zeros: tuple[float, ...]
    on: float
    off: float
    polarity: int = 1
    presumed: Bitboard = 0
    margin: float = 0.0

    def __post_init__(self) -> None:
        if len(self.zeros) != 64 or not 0 < self.off <= self.on or self.polarity not in (1, -1):
            raise ValueError("expected 64 zeros, 0 < off <= on and a polarity of 1 or -1")


def estimate(strengths: Sequence[float], white: Bitboard, black: Bitboard) -> Calibration | None:
    """A calibration from one scan of a position where White stands on `white` and Black on `black`.

    None if the readings do not tell pieces from empty squares. Some pieces that are missing, stand elsewhere or are far
    off the middle do no harm, since medians and quartiles are taken.
    """
    occupied = white | black
    empty = [x for s, x in enumerate(strengths) if not occupied >> s & 1]
    middle = _quartile(empty, 2)
    apart = _quartile([abs(x - middle) for x in empty], 3)
    sides = [x - middle if white >> s & 1 else middle - x for s, x in enumerate(strengths) if occupied >> s & 1]
    strong = _quartile([abs(x) for x in sides], 3)
    if strong <= CLEAR_RATIO * apart:
        return None
    on, off = ON_SHARE * strong, OFF_SHARE * strong
    presumed = occupied | set_of(s for s, x in enumerate(strengths) if abs(x - middle) > STRANGER_SHARE * strong)
    zeros = tuple(middle if presumed >> s & 1 else x for s, x in enumerate(strengths))
    return Calibration(zeros, on, off, -1 if _quartile(sides, 2) < 0 else 1, presumed, MARGIN * apart)


def _quartile(values: Sequence[float], which: int) -> float:
    """The lower (1), middle (2) or upper (3) quartile, between the two values that it falls between; 0 of nothing.

    (`statistics` would take longer to import than everything else here.)
    """
    if not values:
        return 0.0
    ordered = sorted(values)
    below, part = divmod(which * (len(ordered) - 1), 4)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * part / 4


class FieldReader:
    """Turns field scans into colour scans, or occupancy where the colours cannot be trusted.

    `white` and `black` are where the pieces of the start position stand.
    """

    def __init__(self, white: Bitboard, black: Bitboard, calibration: Calibration | None = None) -> None:
        self._white = white
        self._black = black
        self._calibration: Calibration | None = None
        self._zeros = [0.0] * 64
        self._presumed: dict[int, int | None] = {}
        """Squares whose zero nobody has seen: None before a piece was felt there, `FELT`, and then when it left."""
        self._signs = [0] * 64
        self._is_checked = False
        self._colours_hold = True
        self._last_ms: int | None = None
        if calibration is not None:
            self._use(calibration)

    @property
    def calibration(self) -> Calibration | None:
        """The one in use, with the zeros as followed so far; None while there is none."""
        return self._calibration and replace(self._calibration, zeros=tuple(self._zeros))

    def read(self, scan: Scan) -> tuple[Scan, tuple[Fault, ...]]:
        """The same scan as colours or occupancy, and what is newly wrong with magnets.

        Raises TypeError for a scan that is no field reading.
        """
        if not isinstance(scan.reading, Field):
            raise TypeError(f"expected a field reading, got {type(scan.reading).__name__}")
        strengths = scan.reading.strengths
        if self._calibration is None and (found := estimate(strengths, self._white, self._black)) is not None:
            self._use(found)
        faults: tuple[Fault, ...] = ()
        if self._calibration is not None:
            self._sense(strengths, scan, self._calibration)
            faults = self._check_magnets(scan.t_ms, self._calibration)
            self._track(strengths, scan, self._calibration)
        self._last_ms = scan.t_ms
        return replace(scan, reading=self._reading()), faults

    def _use(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._zeros = list(calibration.zeros)
        self._presumed = dict.fromkeys(squares_of(calibration.presumed))

    def _sense(self, strengths: Sequence[float], scan: Scan, calibration: Calibration) -> None:
        polarity, signs = calibration.polarity, self._signs
        usual = (calibration.on, calibration.off)
        wider = (max(calibration.on, 1.5 * calibration.margin), max(calibration.off, 1.2 * calibration.margin))
        for square, (strength, zero) in enumerate(zip(strengths, self._zeros, strict=True)):
            if scan.distrusted >> square & 1:
                continue
            distance = (strength - zero) * polarity
            on, off = wider if square in self._presumed else usual
            if distance >= on:
                signs[square] = 1
            elif distance <= -on:
                signs[square] = -1
            elif distance * signs[square] < off:
                signs[square] = 0
        self._learn_zeros(strengths, scan.t_ms, calibration)

    def _learn_zeros(self, strengths: Sequence[float], t_ms: int, calibration: Calibration) -> None:
        """See the zeros of squares whose piece has been felt and has left for the first time."""
        for square, left_ms in list(self._presumed.items()):
            if self._signs[square]:
                self._presumed[square] = FELT
            elif left_ms == FELT:
                self._presumed[square] = t_ms
            elif left_ms is not None and t_ms - left_ms >= LEARN_MS:
                off_middle = strengths[square] - self._zeros[square]
                if abs(off_middle) <= calibration.margin:  # more may be a piece that stands at the edge
                    self._zeros[square] = strengths[square]
                    del self._presumed[square]

    def _reading(self) -> Reading:
        white = black = 0
        for square, sign in enumerate(self._signs):
            if sign > 0:
                white |= 1 << square
            elif sign < 0:
                black |= 1 << square
        return Colours(white, black) if self._colours_hold else Occupancy(white | black)

    def _track(self, strengths: Sequence[float], scan: Scan, calibration: Calibration) -> None:
        if self._last_ms is None:
            return
        share = min(scan.t_ms - self._last_ms, LONGEST_STEP_MS) / TRACKING_MS
        sure = SURE_SHARE * calibration.off
        zeros = self._zeros
        steps: list[float] = []
        others: list[int] = []
        for square, strength in enumerate(strengths):
            distance = strength - zeros[square]
            if self._signs[square] or abs(distance) >= sure or scan.distrusted >> square & 1:
                others.append(square)
            else:
                steps.append(share * distance)
                zeros[square] += share * distance
        common = sum(steps) / len(steps) if steps else 0.0
        for square in others:
            zeros[square] += common

    # -- magnets the wrong way round --

    def _check_magnets(self, t_ms: int, calibration: Calibration) -> tuple[Fault, ...]:
        """Once the start position stands: what is wrong with its magnets."""
        if self._is_checked:
            return ()
        white, black = self._felt(self._white), self._felt(self._black)
        if len(white) + len(black) < SET_UP_SHARE * (self._white | self._black).bit_count():
            return self._check_one_sided(t_ms, white, black)
        self._is_checked = True
        wrong = sorted([s for s in white if self._signs[s] < 0] + [s for s in black if self._signs[s] > 0])
        self._colours_hold = not wrong
        if calibration.polarity < 0:
            text = "White's magnets read below zero and Black's above: read the other way round from now on"
            return (Fault(t_ms, "polarity", None, text),)
        return tuple(
            Fault(t_ms, "magnet", Square(s), f"the piece on {square_name(s)} has its magnet the wrong way round")
            for s in wrong
        )

    def _check_one_sided(self, t_ms: int, white: Sequence[int], black: Sequence[int]) -> tuple[Fault, ...]:
        """Sensors that feel one pole only see one army whole and nothing of the other."""
        whole_white = len(white) == self._white.bit_count()
        whole_black = len(black) == self._black.bit_count()
        if not (whole_white and not black) and not (whole_black and not white):
            return ()
        self._is_checked = True
        word = "Black" if whole_white else "White"
        text = f"no piece of {word}'s is felt: the sensors feel one pole only, or {word}'s magnets are too weak"
        return (Fault(t_ms, "polarity", None, text),)

    def _felt(self, squares: Bitboard) -> list[int]:
        return [s for s in range(64) if squares >> s & 1 and self._signs[s]]
