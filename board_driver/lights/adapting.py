"""A picture adapted to where the lamps are [pure].

Lamps under the squares show the picture as it is. Others say what they can, in *turns*: parts of the picture that are
shown one after the other, each so that no square can be taken for another.

* Lamps on corners: a square shows as its four corners. A corner that squares share is on while any of them is, in the
  colour of the strongest that is on. Two squares with one between them would light all four corners of that one: they
  get different turns.
* Lamps at the edges: a square shows as its rank and its file, so one square at a time.
* One lamp for the board: the strongest meaning, wherever it is.

With a single turn a meaning keeps its rhythm. With several each turn lasts `TURN_MS`, in which the rhythm runs through
once at double speed: flashes can still be counted. The strongest meanings come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import assert_never

from board_driver.lights.lamps import BLACK
from board_driver.lights.looks import LOOKS, PERIOD_MS, Rgb, next_change_ms, strongest
from board_driver.lights.picture import Meaning, Picture
from board_driver.profile.lights import Place

HASTE = 2
TURN_MS = PERIOD_MS // HASTE


def corners_of(square: int) -> tuple[int, int, int, int]:
    """The four corners of a square, nine to a rank."""
    rank, file = divmod(square, 8)
    first = 9 * rank + file
    return first, first + 1, first + 9, first + 10


def edges_of(square: int) -> tuple[int, int]:
    """Rank and file, as lamps at the edges are numbered."""
    rank, file = divmod(square, 8)
    return rank, 8 + file


def turns_of(picture: Picture, place: Place) -> list[dict[int, Meaning]]:
    """The parts of the picture, in the order in which they are shown; none for a dark one."""
    if not picture:
        return []
    ordered = sorted(picture, key=lambda square: (-LOOKS[picture[square]].priority, square))
    match place:
        case Place.SQUARES:
            groups = [ordered]
        case Place.CORNERS:
            groups = _unmistakable(ordered)
        case Place.EDGES:
            groups = [[square] for square in ordered]
        case Place.STATUS:
            groups = [ordered[:1]]
        case _:
            assert_never(place)
    return [{square: picture[square] for square in group} for group in groups]


class Show:
    """One picture on lamps at one kind of place, from the moment it is first shown."""

    def __init__(self, picture: Picture, place: Place) -> None:
        self._place = place
        self._turns = turns_of(picture, place)

    def colours(self, phase_ms: int) -> tuple[Rgb, ...]:
        """The colour of each place then, at full brightness; black where it is dark."""
        if not self._turns:
            return (BLACK,) * self._place.lamps
        turn, within_ms = self._at(phase_ms)
        lit: list[Meaning | None] = [None] * self._place.lamps
        for square, meaning in self._turns[turn].items():
            if LOOKS[meaning].is_on(within_ms):
                for lamp in _lamps_of(square, self._place):
                    other = lit[lamp]
                    lit[lamp] = meaning if other is None else strongest((meaning, other))
        return tuple(BLACK if meaning is None else LOOKS[meaning].colour for meaning in lit)

    def next_change_ms(self, phase_ms: int) -> int | None:
        """The first time after `phase_ms` at which a lamp may change; None for a picture that stands still."""
        if not self._turns:
            return None
        if len(self._turns) == 1:
            return next_change_ms(self._turns[0], phase_ms)
        turn, within_ms = self._at(phase_ms)
        change_ms = next_change_ms(self._turns[turn], within_ms)
        began_ms = phase_ms // TURN_MS * TURN_MS
        return began_ms + TURN_MS if change_ms is None else began_ms + min(change_ms // HASTE, TURN_MS)

    def _at(self, phase_ms: int) -> tuple[int, int]:
        """Which turn it is, and where its rhythm is."""
        if len(self._turns) == 1:
            return 0, phase_ms % PERIOD_MS
        return phase_ms // TURN_MS % len(self._turns), phase_ms % TURN_MS * HASTE


def _lamps_of(square: int, place: Place) -> Sequence[int]:
    match place:
        case Place.SQUARES:
            return (square,)
        case Place.CORNERS:
            return corners_of(square)
        case Place.EDGES:
            return edges_of(square)
        case Place.STATUS:
            return (0,)
        case _:
            assert_never(place)


def _unmistakable(ordered: Iterable[int]) -> list[list[int]]:
    """Squares in as few groups as come easily, none of which lights all corners of a square that is not in it."""
    groups: list[list[int]] = []
    for square in ordered:
        fitting = (group for group in groups if not _misleads(frozenset([*group, square])))
        group = next(fitting, None)
        if group is None:
            groups.append([square])
        else:
            group.append(square)
    return groups


@lru_cache(maxsize=4096)
def _misleads(squares: frozenset[int]) -> bool:
    lit = {corner for square in squares for corner in corners_of(square)}
    return any(square not in squares and lit.issuperset(corners_of(square)) for square in range(64))
