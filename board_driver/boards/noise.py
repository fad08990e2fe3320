"""Bad sensors for the virtual board, to see what the minds survive [pure].

What is done is what cheap boards do: a contact bounces when a piece comes or goes, a square drops out for a moment with
its piece on it, an empty one claims to be occupied, and every other capture is so fast that the square is never seen
empty. The same seed does the same to the same hands.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from rules.pieces import Piece, Role
from rules.squares import Colour, Square

EVERY_MS = 150
"""How often a square may flicker."""
FLICKER_CHANCE = 0.35
BOUNCE_CHANCE = 0.6

_PHANTOM = Piece(Colour.WHITE, Role.PAWN)


@dataclass(frozen=True, slots=True)
class Blink:
    """A square reads wrong from `after_ms` from now on, for `for_ms`."""

    square: Square
    after_ms: int
    for_ms: int


@dataclass(slots=True)
class Noise:
    """What the sensors add, and which squares read wrong just now."""

    seed: int
    wrong: set[Square] = field(default_factory=set)
    _chance: Random = field(init=False)
    _captures: int = 0

    def __post_init__(self) -> None:
        self._chance = Random(self.seed)

    def flicker(self) -> Blink | None:
        """Whether a square misreads now, by itself."""
        if self._chance.random() >= FLICKER_CHANCE:
            return None
        return Blink(Square(self._chance.randrange(64)), 0, self._chance.randint(15, 90))

    def bounce(self, square: Square) -> Blink | None:
        """Whether the contact bounces, after a piece came to a square or left it."""
        if self._chance.random() >= BOUNCE_CHANCE:
            return None
        return Blink(square, self._chance.randint(8, 25), self._chance.randint(8, 40))

    def misses_capture(self) -> bool:
        """Whether the next victim is gone and replaced too fast to be seen."""
        self._captures += 1
        return self._captures % 2 == 1

    def seen(self, squares: tuple[Piece | None, ...]) -> tuple[Piece | None, ...]:
        """What the sensors make of what stands there."""
        if not self.wrong:
            return squares
        return tuple(
            (_PHANTOM if piece is None else None) if square in self.wrong else piece
            for square, piece in enumerate(squares)
        )
