"""Places in the tree of legal moves: a position, what the board would show there, and the ways out of it.

Equal positions are one place, however they were reached, so that explanations can be compared by identity and what
was worked out once is kept.

A long game meets thousands of places. So that neither memory nor a collection of garbage grows with it, a place lives
only as long as somebody stands in it or may soon, and what was worked out about it is kept only while it is *warm*: one
of those asked last. Nothing here refers back to the atlas, so a game that is over is gone at once.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from weakref import WeakValueDictionary, ref

from board_driver.recorder.evidence import Evidence, fold
from rules.inverse import occupancy_change
from rules.move import Move
from rules.pieces import Role
from rules.position import Position
from rules.squares import Bitboard, set_of

WARM = 128
"""Places whose moves and what follows from them are kept: those of the last dozen plies, at the usual breadth."""
PASSAGES = 4000
"""Moves kept at most, of either kind; then that memory is emptied."""


class Passage:
    """One legal move as the hand makes it."""

    __slots__ = ("change", "is_quiet", "move", "touched", "under", "victim", "way")

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
        self.is_quiet = not victim and not move.is_castling
        """Does it only take one piece from one square to an empty one?"""
        self.under = move.promotion is not None and move.promotion is not Role.QUEEN


class Lift:
    """A piece that has left its square and may go to several: its quiet moves, while nothing tells them apart.

    So one explanation stands for a dozen, and each move becomes one of its own when a square that it touches or
    passes changes.
    """

    __slots__ = ("choices", "touched")

    way: Bitboard = 0

    def __init__(self, origin: int, choices: tuple[Passage, ...]) -> None:
        self.choices = choices
        self.touched: Bitboard = 1 << origin
        """Its own square."""


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

    __slots__ = ("__weakref__", "_atlas", "_children", "_lifts", "_passages", "expected", "position")

    def __init__(self, atlas: Atlas, position: Position) -> None:
        self._atlas = ref(atlas)
        self.position = position
        self.expected = atlas.evidence.of_position(position)
        """The planes a faultless board would show."""
        self._passages: tuple[Passage, ...] | None = None
        self._children: dict[Move, Place] | None = None
        self._lifts: dict[int, Lift] = {}

    def passages(self) -> tuple[Passage, ...]:
        """All legal moves from here."""
        passages = self._passages
        if passages is None:
            atlas = self._warm()
            passages = self._passages = atlas.passages(self.position)
        return passages

    def touching(self, squares: Bitboard) -> list[Passage]:
        """The moves that lift from or set down on any of those squares."""
        return [passage for passage in self.passages() if passage.touched & squares]

    def lift(self, origin: int) -> Lift:
        """The piece of that square in the hand, with all its quiet moves."""
        lift = self._lifts.get(origin)
        if lift is None:
            choices = tuple(p for p in self.passages() if p.move.origin == origin and p.is_quiet)
            lift = self._lifts[origin] = Lift(origin, choices)
        return lift

    def after(self, move: Move) -> Place:
        """The place that move leads to."""
        children = self._children
        if children is None:
            self._warm()
            children = self._children = {}
        child = children.get(move)
        if child is None:
            child = children[move] = self._home().place(self.position.play(move))
        return child

    def _home(self) -> Atlas:
        atlas = self._atlas()
        assert atlas is not None, "a place outlives its atlas"
        return atlas

    def _warm(self) -> Atlas:
        """Something is about to be worked out and kept, if nothing is yet."""
        atlas = self._home()
        if self._passages is None and self._children is None:
            atlas.warm(self)
        return atlas

    def cool(self) -> None:
        """Forget all that can be worked out again."""
        self._passages = self._children = None
        self._lifts = {}
        old = self.position
        self.position = Position.of(
            old.us, old.them, old.side, old.ep, halfmove_clock=old.halfmove_clock, ply=old.ply
        )


class Atlas:
    """All places there are, so that equal positions are one."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self._places: WeakValueDictionary[object, Place] = WeakValueDictionary()
        self._quiet: dict[Move, Passage] = {}
        self._taking: dict[Move, Passage] = {}
        self._warm: deque[Place] = deque()

    def __len__(self) -> int:
        """How many places there are."""
        return len(self._places)

    def place(self, position: Position) -> Place:
        """The place of that position."""
        key = position.key()
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = Place(self, position)
        return place

    def warm(self, place: Place) -> None:
        """That place is about to work something out and keep it; the one that did so longest ago forgets."""
        self._warm.append(place)
        if len(self._warm) > WARM:
            self._warm.popleft().cool()

    def passages(self, position: Position) -> tuple[Passage, ...]:
        """All legal moves as the hand makes them."""
        known, men = self._quiet, position.occupied
        return tuple(
            (None if move.landing_bit & men else known.get(move)) or self.passage(position, move)
            for move in position.legal_moves()
        )

    def passage(self, position: Position, move: Move) -> Passage:
        """That move as the hand makes it."""
        square = position.victim_square(move)
        table = self._quiet if square is None else self._taking
        passage = table.get(move)
        if passage is None:
            if len(table) >= PASSAGES:
                table.clear()
            victim = 0 if square is None else 1 << square
            passage = table[move] = Passage(move, occupancy_change(position, move), victim)
        return passage

    def differing(self, seen: int, expected: int) -> Bitboard:
        """The squares on which a reading and an expectation disagree."""
        difference = seen ^ expected
        return difference if self.evidence.planes == 1 else fold(difference)
