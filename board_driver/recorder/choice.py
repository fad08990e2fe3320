"""What a player has chosen for the next promotion, by a button, and what promotions cost."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from rules.pieces import Role

if TYPE_CHECKING:
    from board_driver.recorder.hypothesis import Step
    from board_driver.recorder.place import Passage
    from board_driver.recorder.prices import Prices


@dataclass(frozen=True, slots=True)
class Choice:
    """A piece chosen for the next promotion of a game."""

    role: Role
    game: Step
    """The step that game began with."""
    depth: int
    """Plies made before the choice."""


def price_of(prices: Prices, choice: Choice | None, step: Step, passage: Passage) -> int:
    """What it costs that the promotion played from that step is to this piece."""
    if choice is None or step.head is not choice.game or _promoted_since(step, choice.depth):
        return prices.underpromotion if passage.under else 0
    return 0 if passage.move.promotion is choice.role else prices.forget


def _promoted_since(step: Step, depth: int) -> bool:
    """Was there a promotion after that many plies? It used the choice up."""
    later = takewhile(lambda back: back.depth > depth, step.back())
    return any(back.passage is not None and back.passage.move.promotion is not None for back in later)
