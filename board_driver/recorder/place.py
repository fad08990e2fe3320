"""Places in the tree of legal moves: a position, what the board would show there, and the ways out of it.

Equal positions are one place, however they were reached, so that explanations can be compared by identity and what
was worked out once is kept.
"""

from __future__ import annotations

from functools import lru_cache

from board_driver.recorder.evidence import Evidence, fold
from rules.inverse import occupancy_change
from rules.move import Move
from rules.pieces import Role
from rules.position import Position
from rules.squares import Bitboard, set_of

PLACES = 2000
"""Places kept at most; then the memory is emptied."""


class Passage:
    """One legal move as the hand makes it."""

    __slots__ = ("change", "move", "touched", "under", "victim", "way")

    def __init__(self, move: Move, change: Bitboard, victim: Bitboard) -> None:
        squares = 1 << move.origin | 1 << move.landing | victim
        way = _way(move.origin, move.landing)
        if move.rook_origin is not None and move.rook_landing is not None:
            squares |= 1 << move.rook_origin | 1 << move.rook_landing
            way |= _way(move.rook_origin, move.rook_landing)
        self.move = move
        self.change = change
        """Squares whose occupancy the move changes."""
        self.touched = squares
        """Squares it lifts from or sets down on."""
        self.victim = victim
        """The square of the captured piece, as a set."""
        self.way = way & ~squares
        """Squares it may pass over."""
        self.under = move.promotion is not None and move.promotion is not Role.QUEEN


@lru_cache(maxsize=4096)
def _way(origin: int, landing: int) -> Bitboard:
    """The squares between two squares: those of a line, or of the rectangle where a knight goes round."""
    files, ranks = (landing & 7) - (origin & 7), (landing >> 3) - (origin >> 3)
    steps = max(abs(files), abs(ranks))
    if files and ranks and abs(files) != abs(ranks):
        corners = ((file, rank) for file in _span(files) for rank in _span(ranks))
    else:
        corners = ((files * n // steps, ranks * n // steps) for n in range(steps))
    return set_of(origin + file + 8 * rank for file, rank in corners)


def _span(distance: int) -> range:
    return range(distance + 1) if distance >= 0 else range(distance, 1)


class Place:
    """A position that some explanation stands in, or could come to."""

    __slots__ = ("_atlas", "_children", "_passages", "expected", "position")

    def __init__(self, atlas: Atlas, position: Position) -> None:
        self._atlas = atlas
        self.position = position
        self.expected = atlas.evidence.of_position(position)
        """The planes a faultless board would show."""
        self._passages: tuple[Passage, ...] | None = None
        self._children: dict[Move, Place] = {}

    def passages(self) -> tuple[Passage, ...]:
        """All legal moves from here."""
        if self._passages is None:
            through = self._atlas.passage
            position = self.position
            self._passages = tuple(through(position, move) for move in position.legal_moves())
        return self._passages

    def touching(self, squares: Bitboard) -> list[Passage]:
        """The moves that lift from or set down on any of those squares."""
        return [passage for passage in self.passages() if passage.touched & squares]

    def after(self, move: Move) -> Place:
        """The place that move leads to."""
        child = self._children.get(move)
        if child is None:
            child = self._children[move] = self._atlas.place(self.position.play(move))
        return child


class Atlas:
    """All places met, so that equal positions are one."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self._places: dict[object, Place] = {}
        self._passages: dict[tuple[Move, Bitboard], Passage] = {}

    def place(self, position: Position) -> Place:
        """The place of that position."""
        key = position.key()
        place = self._places.get(key)
        if place is None:
            if len(self._places) >= PLACES:
                self._places.clear()
            place = self._places[key] = Place(self, position)
        return place

    def passage(self, position: Position, move: Move) -> Passage:
        """That move as the hand makes it."""
        square = position.victim_square(move)
        victim = 0 if square is None else 1 << square
        passage = self._passages.get((move, victim))
        if passage is None:
            if len(self._passages) >= 4 * PLACES:
                self._passages.clear()
            passage = self._passages[move, victim] = Passage(move, occupancy_change(position, move), victim)
        return passage

    def differing(self, seen: int, expected: int) -> Bitboard:
        """The squares on which a reading and an expectation disagree."""
        difference = seen ^ expected
        return difference if self.evidence.planes == 1 else fold(difference)
