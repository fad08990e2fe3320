"""An explanation of everything seen so far: a trail of plies, and where the hands are now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from board_driver.recorder.place import Lift, Passage, Place
from rules.outcome import Result
from rules.squares import Bitboard


class Origin(Enum):
    """How a step was come to."""

    START = auto()
    """A game began here: the pieces were set up."""
    PLY = auto()
    """By a legal move."""
    ILLEGAL = auto()
    """By a move that is not legal and stood: a fragment begins here."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """The moment a position was left: what had been paid by then, for the game and on the board's toll."""

    ms: int
    cost: int
    toll: int


class Step:
    """A position on a trail, and how it was come to. Never changed once made, but for `rivals`."""

    __slots__ = (
        "_head", "depth", "left", "origin", "parent", "passage", "place", "rested_ms", "rivals", "text", "unfelt",
    )  # fmt: skip

    def __init__(  # noqa: PLR0917 - made in a few places, thousands of times
        self,
        parent: Step | None,
        place: Place,
        passage: Passage | None,
        origin: Origin,
        rested_ms: int,
        left: Leaving,
        text: str = "",
        unfelt: Bitboard = 0,
    ) -> None:
        self.parent = parent
        self.place = place
        self.passage = passage
        self.origin = origin
        self.rested_ms = rested_ms
        """When its last piece came to rest."""
        self.left = left
        """When the parent's position was left for it, and what the explanation had paid by then."""
        self.depth: int = parent.depth + 1 if origin is Origin.PLY and parent is not None else 0
        """Plies of the game up to here."""
        self._head: Step | None = parent.head if self.depth and parent is not None else None
        self.rivals: list[tuple[Step, int]] = []
        """Other trails to the same position that were about as good, and by how much they were worse."""
        self.text = text
        """A remark: what was illegal."""
        self.unfelt = unfelt
        """Where its piece came to rest unfelt, though it had not been gone for long; as a set."""

    @property
    def head(self) -> Step:
        """The step with which its game, or fragment of one, began."""
        return self._head or self

    def back(self) -> Iterator[Step]:
        """This step and those before it, newest first, over the bounds of games."""
        step: Step | None = self
        while step is not None:
            yield step
            step = step.parent

    def same_moves(self, other: Step) -> bool:
        """Is the other trail made of the same plies, perhaps rested at other times?"""
        mine: Step | None = self
        theirs: Step | None = other
        while mine is not theirs:
            if mine is None or theirs is None or mine.passage is not theirs.passage or mine.place is not theirs.place:
                return False
            mine, theirs = mine.parent, theirs.parent
        return True


class Stance(Enum):
    """Where the hands are."""

    REST = auto()
    """Nowhere: the pieces stand in the step's position."""
    LIFTED = auto()
    """Holding a piece that may go to several squares."""
    MOVING = auto()
    """Making the passage's move."""
    UNDOING = auto()
    """Taking the step's own move back."""
    AWAY = auto()
    """The board is not in the game now."""

    @property
    def is_in_hand(self) -> bool:
        """Is a move being made?"""
        return self is Stance.LIFTED or self is Stance.MOVING


class Hypothesis:
    """One explanation. It is owned by the beam, which changes it as time goes on."""

    __slots__ = (
        "awaited",
        "cost",
        "differs",
        "excused",
        "left",
        "passage",
        "rate",
        "result",
        "seen",
        "since_ms",
        "stance",
        "step",
    )

    def __init__(  # noqa: PLR0917 - made in a few places, thousands of times
        self,
        stance: Stance,
        step: Step,
        passage: Passage | Lift | None,
        cost: int,
        since_ms: int,
        left: Leaving,
        seen: bool = False,
        excused: Bitboard = 0,
        result: Result | None = None,
        awaited: Bitboard = 0,
    ) -> None:
        self.stance = stance
        self.step = step
        self.passage = passage
        self.cost = cost
        self.since_ms = since_ms
        """Since when it has been in this stance."""
        self.left = left
        """At rest: when the scans last agreed with the position. Else: when the position was left."""
        self.seen = seen
        """Was the captured piece seen to leave?"""
        self.excused = excused
        """Squares that disagree for no reason of the game: a piece being put straight, a sensor that sticks."""
        self.awaited = awaited & excused
        """Those of them whose piece came to rest unfelt: something is given back when it is felt there."""
        self.result = result
        """The result that the players have shown by their kings, where the board is away for that."""
        self.rate = 0
        """What it pays for each millisecond while the scan stays as it is."""
        self.differs: Bitboard = 0
        """Squares where the scan and the step's position disagree."""

    def key(self) -> object:
        """Explanations with equal keys have the same future, so only the cheapest is kept."""
        match self.stance:
            case Stance.REST:
                return self.step.place, self.excused, self.awaited
            case Stance.LIFTED:
                lifted = self.passage and self.passage.touched
                return self.step.place, self.stance, lifted, self.excused, self.awaited
            case Stance.MOVING:
                return self.step.place, self.passage, self.seen, self.excused, self.awaited
            case Stance.UNDOING:
                return self.step, self.stance, self.excused, self.awaited
            case Stance.AWAY:
                return self.step, self.stance, self.result

